/** Reading order of a page's text. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layOutText } from '../../../activities/convert/render/text-layer.ts';
import type { TextPiece } from '../../../activities/convert/render/text-layer.ts';
import { forAll } from '../../../testing/property.ts';

function piece(text: string, x: number, y: number, more: Partial<TextPiece> = {}): TextPiece {
  return { text, x, y, width: text.length * 6, height: 12, turned: false, endsLine: false, ...more };
}

describe('laying out the text of a page', () => {
  it('joins what continues on one baseline, with a space only where there is a gap', () =>
    expect(layOutText([piece('Rev', 0, 20), piece('enue', 18, 20), piece('2026', 48, 20)])).toBe('Revenue 2026'));

  it('keeps a superscript in its line and a table row on one line', () => {
    expect(layOutText([piece('10', 0, 20), piece('6', 12, 16, { height: 7 })])).toBe('106');
    expect(layOutText([piece('ARR', 0, 40), piece('1.2m', 100, 40), piece('2.4m', 200, 40)])).toBe('ARR\t1.2m\t2.4m');
  });

  it('reads the title first although it was written last', () =>
    expect(layOutText([piece('Body', 0, 100), piece('Title', 0, 20, { height: 30 })])).toBe('Title\nBody'));

  it('reads one column after the other', () => {
    const left = [piece('Problem', 0, 100), piece('is slow', 0, 114), piece('and dear', 0, 128)];
    const right = [piece('Solution', 300, 100), piece('is quick', 300, 114), piece('and cheap', 300, 128)];
    const expected = 'Problem\nis slow\nand dear\nSolution\nis quick\nand cheap';
    expect(layOutText([...left, ...right])).toBe(expected);
    expect(layOutText([...right, ...left])).toBe(expected);
  });

  it('ends a line where the PDF says so, and writes NFC without control characters', () => {
    expect(layOutText([piece('one', 0, 20, { endsLine: true }), piece('two', 18, 20)])).toBe('one\ntwo');
    expect(layOutText([piece('u\u0308ber\u00a0alles\u0000', 0, 20)])).toBe('über alles');
  });

  it('loses no character and invents none but white space', async () => {
    const coordinate = fc.double({ min: -2000, max: 2000, noNaN: true });
    const pieces = fc.array(
      fc.record({
        text: fc.string({ unit: fc.constantFrom('a', 'b', 'Z', '0', '9', '%', '€', '.', 'ß') }),
        x: coordinate,
        y: coordinate,
        width: fc.double({ min: 0, max: 500, noNaN: true }),
        height: fc.double({ min: 0, max: 80, noNaN: true }),
        turned: fc.boolean(),
        endsLine: fc.boolean(),
      }),
      { maxLength: 60 },
    );
    const letters = (text: string): string => text.replace(/\s/g, '').split('').toSorted().join('');
    await forAll([pieces], (list) => {
      expect(letters(layOutText(list))).toBe(letters(list.map((item) => item.text).join('')));
    });
  });
});
