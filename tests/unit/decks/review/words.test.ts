/** Counts of the quotes of a review in words. */
import { expect, it } from 'vitest';
import { countsText } from '../../../../domain/decks/review/words.ts';

it.each([
  [[0, 0, 0, 0], null, null],
  [[5, 0, 0, 0], '5 quotes: 0 on their slide', '5 Zitate: 0 auf ihrer Folie'],
  [
    [1, 1, 0, 1],
    '1 quote: 1 on its slide · not judged whether they answer',
    '1 Zitat: 1 auf seiner Folie · nicht beurteilt, ob sie antworten',
  ],
  [
    [5, 4, 1, 0],
    '5 quotes: 4 on their slide · 1 answers its question',
    '5 Zitate: 4 auf ihrer Folie · 1 beantwortet seine Frage',
  ],
  [
    [62, 58, 34, 10],
    '62 quotes: 58 on their slide · 34 answer their question · 10 not judged',
    '62 Zitate: 58 auf ihrer Folie · 34 beantworten ihre Frage · 10 nicht beurteilt',
  ],
] as const)('counts of quotes %j name what was judged, where a quote stands on its slide', (numbers, en, de) => {
  const [quotes, onSlide, answering, notJudged] = numbers;
  const marks = { quotes, onSlide, answering, notJudged };
  expect([countsText(marks, 'en'), countsText(marks, 'de')]).toEqual([en, de]);
});
