/** The pure rules about PDF decks: windows, sizes, headers. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ARTEFACT_WIDTH_PX,
  DEFAULT_RENDER_LIMITS,
  hasPdfHeader,
  modelCanvas,
  modelWidthPx,
  planWindows,
  rasterSize,
  recognitionLimits,
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
  forAll([fc.integer({ min: 0, max: 600 })], (pageCount) =>
    expect(planWindows(pageCount).flat()).toEqual(Array.from({ length: pageCount }, (_, index) => index + 1)),
  ));

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

it('recognition leaves time for drawing, and has none when the time is over', () => {
  expect(recognitionLimits({ pageTimeoutMs: 20_000 }, 120_000)).toEqual({ pageCpuMs: 20_000, totalMs: 90_000 });
  expect(recognitionLimits({ pageTimeoutMs: 20_000 }, -5).totalMs).toBe(0);
});

describe('the picture of a page for a model', () => {
  const side = fc.integer({ min: 1, max: 8192 });

  it('is as large as it is drawn, unless a side is too short or it is too long', () =>
    forAll([side, side], (widthPx, heightPx) => {
      const smallest = 128;
      const canvas = modelCanvas({ widthPx, heightPx });
      const [short, long] = [canvas.widthPx, canvas.heightPx].toSorted((a, b) => a - b);
      expect(short).toBeGreaterThanOrEqual(smallest);
      expect(long).toBeLessThanOrEqual(8 * (short ?? 0));
      const isWide =
        Math.min(widthPx, heightPx) >= smallest && Math.max(widthPx, heightPx) <= 8 * Math.min(widthPx, heightPx);
      if (isWide) expect(canvas).toEqual({ widthPx, heightPx });
      // Padded at the shorter side alone.
      expect(canvas.widthPx === widthPx || canvas.heightPx === heightPx || Math.max(widthPx, heightPx) < smallest).toBe(
        true,
      );
    }));

  it.each([
    [896, 504, 896, 504],
    [896, 28, 896, 128],
    [896, 128, 896, 128],
    [2048, 130, 2048, 256],
    [11, 5461, 683, 5461],
    [20, 30, 128, 128],
  ])('of %i × %i pixels is %i × %i', (widthPx, heightPx, width, height) =>
    expect(modelCanvas({ widthPx, heightPx })).toEqual({ widthPx: width, heightPx: height }),
  );
});
