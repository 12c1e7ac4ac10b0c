/** The pure rules about PDF decks: windows, sizes, headers. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layOutText, type TextPiece } from '../../../activities/convert/render/text-layer.ts';
import {
  ARTEFACT_WIDTH_PX,
  DEFAULT_RENDER_LIMITS,
  hasPdfHeader,
  modelWidthPx,
  planWindows,
  rasterSize,
  windowTimeoutMs,
} from '../../../domain/decks/pdf.ts';
import { forAll } from '../../../testing/property.ts';

it('planning windows draws thirty-two pages at a time', () =>
  expect(planWindows(66).map((pages) => [pages[0], pages.length])).toEqual([
    [1, 32],
    [33, 32],
    [65, 2],
  ]));

it('planning windows gives a window the more time the more pages it has', () => {
  const limits = { documentTimeoutMs: 1000 };
  expect([1, 8, 9, 32].map((pages) => windowTimeoutMs(limits, pages))).toEqual([1000, 1000, 2000, 4000]);
});

it('planning windows names every page exactly once and in order', () =>
  forAll([fc.integer({ min: 0, max: 600 })], (pageCount) => {
    expect(planWindows(pageCount).flat()).toEqual(Array.from({ length: pageCount }, (_, index) => index + 1));
  }));

describe('the size in which a page is drawn', () => {
  const { maxPixels } = DEFAULT_RENDER_LIMITS;

  it('is 1344 pixels wide for slides and for portrait pages, and the model gets 896', () => {
    expect(rasterSize({ widthPt: 960, heightPt: 540 }, maxPixels)).toMatchObject({ widthPx: 1344, heightPx: 756 });
    const expected = { widthPx: 1344, heightPx: 1901 };
    expect(rasterSize({ widthPt: 595.28, heightPt: 841.89 }, maxPixels)).toMatchObject(expected);
    expect(modelWidthPx(ARTEFACT_WIDTH_PX)).toBe(896);
  });

  it('does not depend on the unit in which the page is measured', () => {
    const expected = { widthPx: 1344, heightPx: 756 };
    expect(rasterSize({ widthPt: 14_400 * 75, heightPt: 8100 * 75 }, maxPixels)).toMatchObject(expected);
  });

  it('is refused for slivers and for pages without a size', () => {
    for (const [widthPt, heightPt] of [
      [14_400, 10],
      [1, 14_400],
      [0, 540],
      [960, -1],
      [Number.NaN, 540],
      [Infinity, 540],
    ])
      expect(rasterSize({ widthPt: widthPt ?? 0, heightPt: heightPt ?? 0 }, maxPixels)).toBeNull();
  });

  it('keeps every page within the limits and in its shape', async () => {
    const points = fc.double({ min: 0.001, max: 2_000_000, noNaN: true });
    await forAll([points, points, fc.integer({ min: 1000, max: 8_000_000 })], (widthPt, heightPt, limit) => {
      const size = rasterSize({ widthPt, heightPt }, limit);
      if (size === null) return;
      expect(size.widthPx * size.heightPx).toBeLessThanOrEqual(limit);
      expect(size.widthPx).toBeLessThanOrEqual(ARTEFACT_WIDTH_PX);
      expect(Math.abs(size.widthPx / widthPt - size.heightPx / heightPt) * Math.min(widthPt, heightPt)).toBeLessThan(
        1.01,
      );
    });
  });
});

it('the first bytes of a file are those of a PDF with the header in the first 1024 bytes, and of nothing else', () => {
  expect(hasPdfHeader(Buffer.from('%PDF-1.7\n'))).toBe(true);
  expect(hasPdfHeader(Buffer.from(`${' '.repeat(1000)}%PDF-1.4`))).toBe(true);
  expect(hasPdfHeader(Buffer.from(`${' '.repeat(1024)}%PDF-1.4`))).toBe(false);
  expect(hasPdfHeader(Buffer.from('PK\u0003\u0004'))).toBe(false);
  expect(hasPdfHeader(Buffer.alloc(0))).toBe(false);
});

// Reading order of a page's text.
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
