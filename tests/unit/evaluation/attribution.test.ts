import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attributionOf } from '../../../domain/evaluation/attribution.ts';
import type { Box } from '../../../domain/pages/page.ts';
import { forAll } from '../../../testing/property.ts';
import { PAGE, quoteAt } from './topic-fixture.ts';

const place = (slide: number, ...box: Box) => ({ slide, box });
const sizeOf = (slide: number) => (slide === 9 ? null : PAGE);
const CARD = place(3, 0.1, 0.1, 0.5, 0.5);

describe('the attribution of a value', () => {
  it('is right with a line within a labelled card, and with a quote around a labelled word', () => {
    expect(attributionOf([quoteAt(3, [0.15, 0.2, 0.4, 0.24])], [CARD], sizeOf)).toEqual({ page: true, box: true });
    const around = quoteAt(3, [0.1, 0.2, 0.8, 0.24]);
    expect(attributionOf([around], [place(3, 0.2, 0.2, 0.25, 0.24)], sizeOf)).toEqual({ page: true, box: true });
  });

  it('is right on the page alone where less than half of the smaller region is in common', () => {
    expect(attributionOf([quoteAt(3, [0.4, 0.2, 0.8, 0.24])], [CARD], sizeOf)).toEqual({ page: true, box: false });
    const twoLines = {
      ...quoteAt(3, [0, 0, 1, 1]),
      boxes: [
        [150, 60, 350, 80],
        [600, 60, 900, 80],
      ] as Box[],
    };
    expect(attributionOf([twoLines], [CARD], sizeOf)).toEqual({ page: true, box: false });
  });

  it('needs one quote in one of the places', () => {
    const quotes = [quoteAt(1, [0, 0, 1, 1]), quoteAt(3, [0.15, 0.2, 0.4, 0.24])];
    expect(attributionOf(quotes, [place(7, 0, 0, 1, 1), CARD], sizeOf)).toEqual({ page: true, box: true });
    expect(attributionOf([], [CARD], sizeOf)).toEqual({ page: false, box: false });
  });

  it('has no region where the boxes of the quote or the size of the page are not known', () => {
    const without = { ...quoteAt(3, [0, 0, 1, 1]), boxes: null };
    expect(attributionOf([without], [CARD], sizeOf)).toEqual({ page: true, box: false });
    expect(attributionOf([quoteAt(9, [0, 0, 1, 1])], [place(9, 0, 0, 1, 1)], sizeOf)).toEqual({
      page: true,
      box: false,
    });
  });

  it('is judged by the slide alone where the label has no box', () => {
    expect(attributionOf([quoteAt(3, [0, 0, 1, 1])], [{ slide: 3 }], sizeOf)).toEqual({ page: true, box: null });
    expect(attributionOf([quoteAt(3, [0, 0, 1, 1])], [{ slide: 3 }, place(7, 0, 0, 1, 1)], sizeOf)).toEqual({
      page: true,
      box: false,
    });
  });

  it('in a box implies the page', () => {
    const edge = fc.integer({ min: 0, max: 8 });
    const region = fc
      .record({ slide: fc.integer({ min: 1, max: 3 }), left: edge, top: edge, width: edge, height: edge })
      .map(({ slide, left, top, width, height }) =>
        place(slide, left / 18, top / 18, (left + width + 1) / 18, (top + height + 1) / 18),
      );
    return forAll([fc.array(region, { maxLength: 3 }), fc.array(region, { maxLength: 3 })], (quotes, places) => {
      const evidence = quotes.map(({ slide, box }) => quoteAt(slide, box));
      const { page, box } = attributionOf(evidence, places, sizeOf);
      expect(box === true && !page).toBe(false);
      // A quote of exactly the labelled box is in it.
      if (places.length > 0) {
        const same = places.map((each) => quoteAt(each.slide, each.box));
        expect(attributionOf([...evidence, ...same], places, sizeOf)).toEqual({ page: true, box: true });
      }
    });
  });
});
