/** Digits that are drawn smaller and raised, and quotes of what stands before them. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkQuote } from '../../../domain/evidence/quote-check.ts';
import type { Box } from '../../../domain/pages/page.ts';
import { joinCharacters, type PageCharacter } from '../../../domain/pages/words.ts';
import { forAll } from '../../../testing/property.ts';
import { pageOf } from './support.ts';

type Turn = PageCharacter['turn'];
const TURNS = [0, 90, 180, 270] as const;

/** A box of a line (left, top, right, bottom along it) on a page where the line is turned clockwise. */
function turned([start, top, end, bottom]: Box, turn: Turn): Box {
  switch (turn) {
    case 0:
      return [start, top, end, bottom];
    case 90:
      return [-bottom, start, -top, end];
    case 180:
      return [-end, -bottom, -start, -top];
    case 270:
      return [top, -end, bottom, -start];
  }
}

/** Letters of 20 points on a line, then digits of another size, `rise` points above the baseline. */
function word(base: string, digits: string, { size = 11.6, rise = 7, turn = 0 as Turn } = {}): string {
  let at = 0;
  const draw = (text: string, sizePt: number, baseline: number): PageCharacter[] =>
    Array.from(text, (letter) => {
      const [left, right] = [at, at + sizePt / 2];
      at = right;
      const box: Box = turned([left, baseline - 0.8 * sizePt, right, baseline + 0.2 * sizePt], turn);
      return { text: letter, box, sizePt, turn, bold: false };
    });
  const characters = [...draw(base, 20, 0), ...draw(digits, size, -rise)];
  return joinCharacters(characters)
    .map(({ word: joined }) => joined.text)
    .join(' ');
}

it.each([
  ['$42', '3', '$42³'],
  ['€4.2M', '1', '€4.2M¹'],
  ['patients', '12', 'patients¹²'],
  ['€4.2M', '1,2', '€4.2M¹,²'],
])('%s with a raised %s is %s', (base, digits, expected) => expect(word(base, digits)).toBe(expected));

it('digits on the baseline stay digits, whatever their size, and so do lowered ones', () => {
  expect(word('$42', '50', { rise: 0 })).toBe('$4250');
  expect(word('CO', '2', { rise: -4 })).toBe('CO2');
  expect(word('$42', '3', { size: 20, rise: 3 })).toBe('$423');
});

it('a raised digit is never a digit of the number before it', () =>
  forAll(
    [
      fc.integer({ min: 0, max: 99_999 }),
      fc.integer({ min: 0, max: 99 }),
      fc.double({ min: 10, max: 16, noNaN: true }),
      fc.constantFrom(...TURNS),
    ],
    (number, mark, size, turn) => {
      const text = word(`${number}`, `${mark}`, { size, rise: 7, turn });
      return text.startsWith(`${number}`) && !/\d/u.test(text.slice(`${number}`.length));
    },
  ));

it.each([
  ['Revenue of $42³ per seat a month', 'Revenue of $42 per seat', 'verified'],
  ['Revenue of $42³ per seat a month', 'Revenue of $42³ per seat', 'verified'],
  ['Revenue of $42³ per seat a month', 'Revenue of $423 per seat', 'contradicted'],
  ['We raise €4.2M¹ in a Series A', 'We raise €4.2M in a Series A', 'verified'],
  ['We raise €4.2M¹ in a Series A', 'We raise €4.2M¹ in a Series A', 'verified'],
  ['We raise €4.2M¹ in a Series A', 'We raise €4.21M in a Series A', 'contradicted'],
  ['We treat 10⁶ patients a year', 'We treat 10 patients a year', 'contradicted'],
  ['We rent 500 m² to each team', 'We rent 500 m to each team', 'contradicted'],
])('on a page that says %j the quote %j is %s', (page, quote, verdict) =>
  expect(checkQuote(quote, pageOf({ text: page, x: 60, y: 100, size: 20 })).verdict).toBe(verdict),
);
