/**
 * Checks an extracted value against the quote that supports it.
 */
import { findDates, mostPrecise } from '../decks/deck-date.ts';
import { plainText } from '../pages/page-text.ts';
import type { PageLayout } from '../pages/page.ts';
import { namedCurrencies } from './currency-marks.ts';
import { countsNothing, hasMoneyWord, isMoneyByWords } from './money-words.ts';
import { findBareAmounts, findMoney, numbersIn, parseAmount, placedNumbers, type Money } from './money.ts';
import { checkQuote, REPLACEMENT, type QuoteCheck } from './quote-check.ts';

const words = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** True when `quote` contains every word of `value`, and there are some. */
export function containsWords(quote: string, value: string): boolean {
  const inQuote = new Set(words(quote));
  const wanted = words(value);
  return wanted.length > 0 && wanted.every((w) => inQuote.has(w));
}

/** True when `quote` has every number of `value` whole, with its fraction and multiplier: "2" is no number of "2½ million". */
export function containsNumbers(quote: string, value: string): boolean {
  const inQuote = numbersIn(quote);
  return numbersIn(value).every((number) => inQuote.includes(number));
}

/** True when a named amount, or an end of a named range, is this money; a currency that is not known agrees with every other. */
const holds = (named: Money, value: Money): boolean =>
  (named.amount === value.amount || named.minAmount === value.amount) &&
  (named.currency === value.currency || named.currency === null || value.currency === null);

const hasCurrency = (text: string): boolean => /\p{Sc}/u.test(text) || namedCurrencies(text).size > 0;

/** Words of a label; a longer line may name money beside anything. */
const LABEL_WORDS = 8;

/** The lines over and under each place of a quote on its page, and the first one, as far as they can be labels. */
function labelsBeside(quote: string, layout: PageLayout): string[] {
  const lines = plainText(layout)
    .split('\n')
    .filter((line) => /\S/u.test(line));
  const beside = lineSpans(words(quote), lines).flatMap(([first, last]) => [lines[first - 1], lines[last + 1]]);
  if (beside.length === 0) return [];
  return [lines[0], ...beside].flatMap((line) =>
    line === undefined || words(line).length > LABEL_WORDS ? [] : [line],
  );
}

/** First and last line of each place where the words of a quote stand in a row. */
function lineSpans(wanted: readonly string[], lines: readonly string[]): (readonly [first: number, last: number])[] {
  const all = lines.flatMap((line, at) => words(line).map((word) => ({ word, at })));
  return all.flatMap(({ at: first }, start): (readonly [number, number])[] => {
    const last = all[start + wanted.length - 1]?.at;
    if (last === undefined || !wanted.every((word, offset) => all[start + offset]?.word === word)) return [];
    return [[first, last]];
  });
}

/** True where the largest number of the value stands in the quote and counts nothing: no users, no people. */
function isNoCount(quote: string, value: string): boolean {
  const read = numbersIn(value).filter((number) => number !== null);
  if (read.length === 0) return true;
  const largest = Math.max(...read);
  return placedNumbers(quote).some(
    ({ amount, end, isMarked }) => amount === largest && (isMarked || countsNothing(quote.slice(end))),
  );
}

/** True when words of the quote, or the labels beside it, make the value's number an amount of money; a number of people is none. */
function isMoneyIn(quote: string, value: string, money: Money | null, layout: PageLayout | null): boolean {
  // The sign stands apart from its number, as in the header of a column.
  if (findMoney(quote).length === 0 && hasCurrency(quote) && isNoCount(quote, value)) return true;
  if (money === null) return hasMoneyWord(quote) && isNoCount(quote, value);
  const labels = layout === null ? [] : labelsBeside(quote, layout);
  return findBareAmounts(quote).some((place) => place.amount === money.amount && isMoneyByWords(quote, place, labels));
}

/** Kind of an extracted value; it decides how a quote has to name it. */
export type ValueKind = 'prose' | 'company' | 'amount' | 'date';

/** True when the quote names the value; the page decides what a number alone is, and is null where it is not known. */
function isNamed(kind: ValueKind, value: string, quote: string, layout: PageLayout | null): boolean {
  if (value.includes(REPLACEMENT) && !quote.includes(REPLACEMENT)) return false;
  switch (kind) {
    case 'prose':
      return true;
    case 'company':
      return containsWords(quote, value);
    case 'amount': {
      // A quote may hold other numbers ("Seed round 2026: €2.5M"), so the amount is looked for among all of the quote.
      const [money, named] = [parseAmount(value), findMoney(quote)];
      if (money !== null && named.some((one) => holds(one.money, money))) return true;
      // Words alone have no order and no currency sign, so they count only where one of the two names no money with its currency.
      const unsure = (money?.currency ?? null) === null || named.length === 0;
      if (!unsure || !containsNumbers(quote, value) || !containsWords(quote, value)) return false;
      return numbersIn(value).length === 0 || isMoneyIn(quote, value, money, layout);
    }
    case 'date': {
      const [dates, said] = [findDates(value), findDates(quote)];
      // The year of a forecast column is no date of the deck.
      if (dates.length === 0 && /(?:19|20)\d{2}/u.test(value)) return false;
      const date = mostPrecise(dates);
      // "Q1" and "Q4" of a year are the same ISO year: their words decide. "12" and "2026" of "KW 12/2026" are no December.
      if (date === null || date.precision === 'part' || said.length === 0) return containsWords(quote, value);
      return said.some(({ iso }) => iso.startsWith(date.iso));
    }
  }
}

/** Verdict on one quote of an extracted value: the page must say it, and it must name the value. */
export const checkValueQuote = (kind: ValueKind, value: string, quote: string, layout: PageLayout | null): QuoteCheck =>
  checkNamingQuote(kind, quote, layout, () => isNamed(kind, value, quote, layout));

/**
 * Verdict on a quote that has to name what it stands for, besides standing on its page.
 *
 * @param what named in the reason
 * @param names whether the quote names it; asked only of a quote that its page has
 */
export function checkNamingQuote(
  what: string,
  quote: string,
  layout: PageLayout | null,
  names: () => boolean,
): QuoteCheck {
  const check = checkQuote(quote, layout);
  if (check.verdict !== 'verified' || names()) return check;
  return { ...check, verdict: 'contradicted', reason: `the quote does not name this ${what}`, boxes: null };
}

/**
 * False for a number that the deck gives of something else than money: "375 million", quoted as "375 million people may need new skills",
 * whatever currency the engine put to it. It is no amount, not even an unproved one.
 *
 * @param quotes the quotes that the engine gave, each with the page of its slide; null for a page that is not known
 */
export function isAmountOfMoney(
  value: string,
  quotes: readonly { readonly quote: string; readonly layout: PageLayout | null }[],
): boolean {
  if (numbersIn(value).length === 0) return true;
  if (quotes.some(({ quote, layout }) => isNamed('amount', value, quote, layout))) return true;
  const isCount = ({ quote }: { readonly quote: string }): boolean =>
    findMoney(quote).length === 0 && containsNumbers(quote, value);
  return (hasCurrency(value) || hasMoneyWord(value)) && !quotes.some(isCount);
}
