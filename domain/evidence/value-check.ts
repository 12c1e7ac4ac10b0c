/**
 * Checks an extracted value against the quote that supports it.
 */
import { parseDeckDate } from '../decks/deck-date.ts';
import { parseMoney } from './money.ts';
import { checkQuote, type QuoteCheck } from './quote-check.ts';

const words = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** True when `quote` contains every word of `value`. */
function containsWords(quote: string, value: string): boolean {
  const inQuote = new Set(words(quote));
  return words(value).every((w) => inQuote.has(w));
}

/** Kind of an extracted value; it decides how a quote has to name it. */
export type ValueKind = 'prose' | 'company' | 'amount' | 'date';

/** True when the quote names the value. */
function isNamed(kind: ValueKind, value: string, quote: string): boolean {
  switch (kind) {
    case 'prose':
      return true;
    case 'company':
      return containsWords(quote, value);
    case 'amount': {
      if (containsWords(quote, value)) return true;
      // A quote may hold other numbers ("Seed round 2026: €2.5M"), so the value's own digits are looked for.
      const money = parseMoney(value);
      return money !== null && parseMoney(quote)?.amount === money.amount;
    }
    case 'date': {
      const date = parseDeckDate(value);
      return containsWords(quote, value) || (date !== null && parseDeckDate(quote) === date);
    }
  }
}

/** Verdict on one quote of an extracted value: the slide must contain it, and it must name the value. */
export function checkValueQuote(kind: ValueKind, value: string, quote: string, pageText: string): QuoteCheck {
  const check = checkQuote(quote, pageText);
  if (check.verdict !== 'verified' || isNamed(kind, value, quote)) return check;
  return { verdict: 'contradicted', reason: `the quote does not name this ${kind}` };
}
