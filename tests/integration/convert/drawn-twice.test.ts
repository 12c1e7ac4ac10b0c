/** Text that is drawn twice, as programs do for bold letters and shadows. */
import { expect, it } from 'vitest';
import { plainText } from '../../../domain/pages/page-text.ts';
import { layoutsOf } from '../../../testing/read-pdf.ts';
import { onePage } from '../../fixtures/hostile/decks.ts';

const FONT = '/MediaBox[0 0 960 540]/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>';
const WORDS = 'We raise EUR 2M for 11 hospitals';
const at = (x: number, y: number, words = WORDS): string => `BT /F 30 Tf ${x} ${y} Td (${words}) Tj ET`;
const letterByLetter = Array.from('Bound')
  .map((letter, index) => `${at(60 + index * 20, 300, letter)} ${at(60.4 + index * 20, 300, letter)}`)
  .join('\n');

it.each([
  ['twice in one place', `${at(60, 300)}\n${at(60, 300)}`, WORDS],
  ['with a bold stroke', `${at(60, 300)}\n${at(60.7, 300)}`, WORDS],
  ['with a shadow', `.6 g ${at(62, 298)}\n0 g ${at(60, 300)}`, WORDS],
  ['letter by letter', letterByLetter, 'Bound'],
  ['in two lines', `${at(60, 300)}\n${at(60, 260)}`, `${WORDS}\n${WORDS}`],
])('text that is drawn %s is read so', async (_, content, expected) => {
  const [layout] = await layoutsOf(onePage(FONT, content));
  expect(layout === undefined ? '' : plainText(layout).replaceAll(/\s*\n\s*/gu, '\n')).toBe(expected);
});
