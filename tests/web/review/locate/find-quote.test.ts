/** Where the words of a quote stand on a slide. */
import { expect, it } from 'vitest';
import { findQuote, isUpright, linesOf } from '../../../../web/review/locate/find-quote.ts';
import { documents } from '../../support/documents.ts';

const words = () => documents.words().words;

it('A quote has one box for each line it covers, whatever its spaces and punctuation', () => {
  expect(findQuote(words(), 'HEART-failure   patients, are readmitted')).toEqual({
    boxes: [[40, 115.9, 327.3, 137]],
    whole: true,
  });
  const twoLines = findQuote(words(), 'of cases. Each readmission');
  expect(twoLines?.boxes).toEqual([
    [515.9, 115.9, 587.6, 137],
    [40, 155.9, 183.1, 177],
  ]);
});

it('Parts of words are found where no whole words are', () => {
  expect(findQuote(words(), 'eadmitted withi')?.boxes).toEqual([[242.3, 115.9, 378.3, 137]]);
});

it('A quote of words from several places is found in parts, in the order of the slide', () => {
  const place = findQuote(words(), 'Nurses call patients by phone. Heart failure patients are readmitted.');
  expect(place?.whole).toBe(false);
  expect(place?.boxes.map(([, top]) => top)).toEqual([115.9, 195.9]);
});

it('A quote of which most is not on the slide, or which has no letters, is nowhere', () => {
  expect(findQuote(words(), 'Heart failure is something else entirely for everybody')).toBeNull();
  expect(findQuote(words(), '–…!')).toBeNull();
  expect(findQuote([], 'Heart failure')).toBeNull();
});

it('Words are one line where they stand close beside each other, also up the page', () => {
  const word = (text: string, box: [number, number, number, number]) => ({ text, box });
  const upright = [word('Market', [10, 100, 20, 160]), word('size', [10, 60, 20, 95])];
  expect(upright.map((each) => isUpright(each))).toEqual([true, true]);
  expect(linesOf(upright)).toHaveLength(1);
  const apart = [word('left', [0, 0, 40, 10]), word('right', [80, 0, 120, 10])];
  expect(linesOf(apart)).toHaveLength(2);
});
