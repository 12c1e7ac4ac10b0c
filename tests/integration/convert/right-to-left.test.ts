/** A page in a script that runs from right to left, through PDFium. */
import { expect, it } from 'vitest';
import { checkQuote } from '../../../domain/evidence/quote-check.ts';
import { plainText } from '../../../domain/pages/page-text.ts';
import { layoutsOf } from '../../../testing/read-pdf.ts';
import { onePage, stream } from '../../fixtures/hostile/decks.ts';

it('a line of Hebrew with a number and a name is read from right to left, and its quote is verified', async () => {
  // Small Latin letters of the font stand for the letters of the script; a line is drawn as it is seen.
  const cmap = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def
1 begincodespacerange <00> <FF> endcodespacerange
1 beginbfrange <61> <7A> <05D0> endbfrange
2 beginbfrange <20> <39> <0020> <41> <5A> <0041> endbfrange endcmap end end`;
  const content = 'BT /F 30 Tf 60 300 Td (nmlk 2.5 jihg ACME fedcba) Tj ET';
  const pdf = onePage('/MediaBox[0 0 960 540]/Resources<</Font<</F 5 0 R>>>>', content, [
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 6 0 R>>',
    stream('', Buffer.from(cmap)),
  ]);
  const [layout] = await layoutsOf(pdf);
  if (layout === undefined) return expect.fail('there is no page');
  const hebrew = (text: string): string =>
    text.replaceAll(/[a-z]/gu, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) - 0x61 + 0x5d0));
  const line = hebrew('abcdef ACME ghij 2.5 klmn');
  expect(plainText(layout)).toBe(line);
  expect(checkQuote(line, layout).verdict).toBe('verified');
});
