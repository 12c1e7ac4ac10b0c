/**
 * Checks an extracted value against the quote that supports it.
 */
import { findDates, mostPrecise } from '../decks/deck-date.ts';
import type { PageLayout } from '../pages/page.ts';
import { findMoney, numbersIn, parseAmount, type Money } from './money.ts';
import { checkQuote, REPLACEMENT, type QuoteCheck } from './quote-check.ts';

const words = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** True when `quote` contains every word of `value`, and there are some. */
function containsWords(quote: string, value: string): boolean {
  const inQuote = new Set(words(quote));
  const wanted = words(value);
  return wanted.length > 0 && wanted.every((w) => inQuote.has(w));
}

/** True when `quote` has every number of `value` whole, with its fraction and multiplier: "2" is no number of "2½ million". */
function containsNumbers(quote: string, value: string): boolean {
  const inQuote = numbersIn(quote);
  return numbersIn(value).every((number) => inQuote.includes(number));
}

/** True when a named amount, or an end of a named range, is this money; a currency that is not known agrees with every other. */
const holds = (named: Money, value: Money): boolean =>
  (named.amount === value.amount || named.minAmount === value.amount) &&
  (named.currency === value.currency || named.currency === null || value.currency === null);

/** Kind of an extracted value; it decides how a quote has to name it. */
export type ValueKind = 'prose' | 'company' | 'amount' | 'date';

/** True when the quote names the value. */
function isNamed(kind: ValueKind, value: string, quote: string): boolean {
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
      return unsure && containsNumbers(quote, value) && containsWords(quote, value);
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
export function checkValueQuote(kind: ValueKind, value: string, quote: string, layout: PageLayout | null): QuoteCheck {
  const check = checkQuote(quote, layout);
  if (check.verdict !== 'verified' || isNamed(kind, value, quote)) return check;
  return { ...check, verdict: 'contradicted', reason: `the quote does not name this ${kind}`, boxes: null };
}
