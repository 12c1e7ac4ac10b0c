import fc from 'fast-check';
import { expect, it } from 'vitest';
import { REPORT_VERDICTS } from '../../../../domain/decks/report.ts';
import { answeringOf, lineMark, markCounts, MARKS, quoteMark } from '../../../../domain/decks/review/marks.ts';
import { isProof } from '../../../../domain/decks/review/proof.ts';
import { ANSWERING, ANSWERING_LEVELS } from '../../../../domain/evidence/answering.ts';
import { MARK_RULE } from '../../../../domain/evidence/answering-settings.ts';
import { forAll } from '../../../../testing/property.ts';

const quote = fc.record({
  slide: fc.integer({ min: 1, max: 3 }),
  quote: fc.constantFrom('a', 'b c', 'b  c'),
  verdict: fc.constantFrom(...REPORT_VERDICTS),
  answering: fc.constantFrom(...ANSWERING, null),
});
const rule = fc.record({
  level: fc.constantFrom(...ANSWERING_LEVELS),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
});

it.each([
  ['verified', 'high', 'settled'],
  ['verified_ocr', 'high', 'settled'],
  ['verified', 'some', 'on_slide'],
  ['verified', 'doubtful', 'doubtful'],
  ['verified', null, 'not_judged'],
  ['glued', 'high', 'not_proved'],
  ['unverified', 'high', 'not_proved'],
] as const)('a quote that is %s and answers %s is %s', (verdict, answering, mark) =>
  expect(quoteMark({ verdict, answering }, MARK_RULE)).toBe(mark),
);

it('a line is settled only where a quote that stands on its slide answers, enough of its quotes do, and no slide denies one', () =>
  forAll([fc.array(quote, { maxLength: 6 }), rule], (quotes, by) => {
    const settled = quotes.filter((each) => quoteMark(each, by) === 'settled').length;
    const mark = lineMark(quotes, by);
    const isDenied = quotes.some(({ verdict }) => ['contradicted', 'glued'].includes(verdict));
    expect(mark === 'settled').toBe(settled > 0 && settled >= by.share * quotes.length && !isDenied);
    expect(mark === null).toBe(quotes.length === 0);
    if (mark === 'settled' && by.level === 'high') expect(answeringOf(quotes)).toBe('high');
  }));

it('a higher share or level settles no line that was not settled before', () =>
  forAll([fc.array(quote, { maxLength: 6 }), rule, rule], (quotes, a, b) => {
    const strict = { level: 'high' as const, share: Math.max(a.share, b.share) };
    if (lineMark(quotes, strict) === 'settled') expect(lineMark(quotes, a)).toBe('settled');
  }));

it('counts have each quote once, and what was not judged neither among the answering ones nor left out', () =>
  forAll([fc.array(quote, { maxLength: 8 }), rule], (quotes, by) => {
    const counts = markCounts(quotes, by);
    const keys = (list: typeof quotes) =>
      new Set(list.map((each) => `${each.slide} ${each.quote.replace('  ', ' ')}`)).size;
    expect(counts.quotes).toBe(keys(quotes));
    expect(counts.onSlide).toBe(keys(quotes.filter(isProof)));
    expect(counts.answering).toBe(keys(quotes.filter((each) => quoteMark(each, by) === 'settled')));
    expect(counts.answering + counts.notJudged).toBeLessThanOrEqual(counts.onSlide);
  }));

it('the marks are in the order of their worth', () =>
  expect(MARKS).toEqual(['settled', 'on_slide', 'not_judged', 'doubtful', 'not_proved']));
