/** Geometry of the slide viewer, and which words of a slide are lit. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll } from '../../../../testing/property.ts';
import type { SlideWord } from '../../../../web/review/locate/find-quote.ts';
import type { Stop, StopQuote } from '../../../../web/review/selection/stops.ts';
import { litOn } from '../../../../web/review/viewer/lit.ts';
import { fitScale, scrollKeeping, scrollToBox, stepScale } from '../../../../web/review/viewer/zoom.ts';

describe('zoom', () => {
  const side = fc.integer({ min: 50, max: 3000 });

  it('fits a page into a view with no part of it outside', () =>
    forAll([side, side, side, side], (width, height, viewWidth, viewHeight) => {
      const scale = fitScale({ width, height }, { width: viewWidth, height: viewHeight });
      // Below a tenth nothing can be seen, so a page that large is shown in part.
      if (scale === 0.1) return;
      expect(width * scale).toBeLessThanOrEqual(viewWidth + 1e-6);
      expect(height * scale).toBeLessThanOrEqual(viewHeight + 1e-6);
    }));

  it('returns to where it was after a step in and a step out', () => {
    expect(stepScale(stepScale(1, 'in'), 'out')).toBeCloseTo(1);
  });

  it('keeps what is under the pointer there', () =>
    forAll([fc.nat(2000), fc.nat(800), fc.double({ min: 1, max: 8, noNaN: true })], (scroll, at, factor) => {
      const content = scroll + at;
      expect(scrollKeeping(scroll, at, factor) + at).toBeCloseTo(content * factor, 3);
    }));

  it('brings a box into the middle of the view', () => {
    const view = { width: 400, height: 300 };
    expect(scrollToBox([500, 400, 600, 440], 2, view)).toEqual({ left: 900, top: 690 });
    expect(scrollToBox([0, 0, 20, 20], 2, view)).toEqual({ left: 0, top: 0 });
  });
});

describe('lit words', () => {
  const words: SlideWord[] = [
    { text: 'Two', box: [0, 0, 30, 10] },
    { text: 'pilots', box: [35, 0, 80, 10] },
    { text: 'run.', box: [85, 0, 110, 10] },
  ];
  const quote = (slide: number, text: string | null, boxes: StopQuote['boxes'] = null): StopQuote => ({
    slide,
    quote: text,
    verdict: 'verified',
    reason: null,
    boxes,
    answering: null,
    answeringBy: null,
    citedSlide: null,
    reread: null,
    rereadReason: null,
    writtenAt: null,
  });
  const stop: Stop = {
    key: 'question/pilots',
    kind: 'answer',
    subject: 'question/pilots',
    mark: 'not_judged',
    quotes: [quote(7, 'Two pilots run.'), quote(7, 'with a box', [[1, 2, 3, 4]]), quote(9, 'elsewhere')],
  };

  it('are the boxes that came with the quote, with further quotes of the claim beside them', () => {
    expect(litOn(7, stop, 1, words)).toMatchObject({
      state: 'lit',
      boxes: [[1, 2, 3, 4]],
      others: [[0, 0, 110, 10]],
    });
  });

  it('are searched for on the slide where no boxes came', () => {
    expect(litOn(7, stop, 0, words)).toMatchObject({ state: 'lit', boxes: [[0, 0, 110, 10]] });
    expect(litOn(7, stop, 0, null)).toMatchObject({ state: 'waiting', boxes: [] });
    expect(litOn(7, stop, 0, [])).toMatchObject({ state: 'missing', boxes: [] });
  });

  it('are none on another slide, without a claim, and for a claim about the slide as a whole', () => {
    const whole: Stop = { ...stop, quotes: [quote(7, null)] };
    expect(litOn(8, stop, 0, words).state).toBe('nothing');
    expect(litOn(7, undefined, 0, words).state).toBe('nothing');
    expect(litOn(7, whole, 0, words).state).toBe('nothing');
  });
});
