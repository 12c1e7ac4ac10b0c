/** Quotes whose named slide does not have them: which are moved, and to where. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findOnOtherSlide, mayStandElsewhere } from '../../../domain/evidence/moved-quote.ts';
import { checkQuote, noSuchSlide } from '../../../domain/evidence/quote-check.ts';
import { pageOfText } from '../../../domain/pages/page-of-text.ts';

const QUOTE = 'We are raising EUR 2M now';
const OTHER = 'Six people work full time in Kassel';

const find = (named: number, texts: readonly string[]) => {
  const pages = new Map(texts.map((text, at) => [at + 1, pageOfText(text)]));
  return findOnOtherSlide(named, pages, (page) => checkQuote(QUOTE, page));
};

it('a quote is found on another slide exactly where that is the only one that has it', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }), fc.nat({ max: 6 }), (has, named) => {
      const texts = has.map((here) => (here ? QUOTE : OTHER));
      const places = has.flatMap((here, at) => (here && at + 1 !== named ? [at + 1] : []));
      const moved = find(named, texts);
      expect(moved?.slide ?? null).toBe(places.length === 1 ? places[0] : null);
      if (moved !== null) expect(moved.check).toMatchObject({ verdict: 'verified' });
    }),
    { numRuns: 50 },
  );
});

it('a moved quote says which slide was named', () => {
  expect(find(2, [QUOTE, OTHER])?.check.reason).toContain('on slide 1 alone; slide 2 was named');
});

it('only a quote that its slide does not have is looked for elsewhere', () => {
  const on = (quote: string, text: string) => mayStandElsewhere(quote, checkQuote(quote, pageOfText(text)));
  expect(on(QUOTE, OTHER)).toBe(true);
  expect(mayStandElsewhere(QUOTE, noSuchSlide(9))).toBe(true);
  expect(on(QUOTE, QUOTE)).toBe(false);
  // The reason is for people: other words for it change nothing.
  expect(mayStandElsewhere(QUOTE, { ...checkQuote(QUOTE, pageOfText(OTHER)), reason: 'no' })).toBe(true);
  // The slide says something else with these words.
  expect(on('raising EUR 2M', 'We are not raising EUR 2M')).toBe(false);
  expect(on('in Kassel', OTHER)).toBe(false);
});
