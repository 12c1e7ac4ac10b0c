/** Lines that run from right to left. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkQuote } from '../../../domain/evidence/quote-check.ts';
import { inReadingDirection } from '../../../domain/pages/direction.ts';
import { plainText } from '../../../domain/pages/page-text.ts';
import { forAll } from '../../../testing/property.ts';
import { pageOf } from './support.ts';

/** The words of a line as it is seen, from left to right, in the order of reading. */
const read = (seen: string): string =>
  inReadingDirection(seen.split(' ').map((text) => ({ text })))
    .map(({ text }) => text)
    .join(' ');

it.each([
  ['הראשון בסבב $ מיליון 2.5 מגייסים אנו', 'אנו מגייסים 2.5 מיליון $ בסבב הראשון'],
  ['אופניים 120 מחזיקה Velhain Rental Bikes חברת', 'חברת Velhain Rental Bikes מחזיקה 120 אופניים'],
  ['המיזם גיוס Series A', 'Series A גיוס המיזם'],
  ['مليون 3 نجمع', 'نجمع 3 مليون'],
])('a line that is seen as %s is read as %s', (seen, expected) => expect(read(seen)).toBe(expected));

it.each(['We raise 2.5 million', '2024 | 2025', '$ 5', 'The word שלום is Hebrew'])(
  'a line from left to right stays as it is: %s',
  (seen) => expect(read(seen)).toBe(seen),
);

it('a line with two words of a term among those from right to left is read as they stand', () =>
  expect(read('The words עולם שלום are Hebrew')).toBe('The words שלום עולם are Hebrew'));

it('every word of a line is read once, and those of a line without such a script in their order', () => {
  const word = fc.constantFrom('שלום', 'אנו', 'مليون', 'Series', 'A', '2.5', '$', '–');
  return forAll([fc.array(word, { maxLength: 9 })], (seen) => {
    const words = inReadingDirection(seen.map((text, index) => ({ text, index })));
    const isPlain = !seen.some((text) => /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(text));
    const order = words.map(({ index }) => index);
    if (isPlain) expect(order).toEqual(seen.map((_, index) => index));
    expect(order.toSorted((a, b) => a - b)).toEqual(seen.map((_, index) => index));
  });
});

it('a quote of a line from right to left is verified', () => {
  const page = pageOf({ text: 'הראשון בסבב $ מיליון 2.5 מגייסים אנו', x: 300, y: 100 });
  const quote = 'אנו מגייסים 2.5 מיליון $ בסבב הראשון';
  expect(plainText(page)).toBe(quote);
  expect(checkQuote(quote, page).verdict).toBe('verified');
  expect(checkQuote('מיליון 5.2 מגייסים אנו', page).verdict).not.toBe('verified');
});

it('the words of a line are looked at a few times each, however many signs stand in a row', () => {
  const count = 2000;
  let looks = 0;
  const seen = ['שלום', ...Array.from({ length: count }, () => '–')].map((text) => ({
    get text() {
      looks++;
      return text;
    },
  }));
  inReadingDirection(seen);
  expect(looks).toBeLessThan(20 * count);
});
