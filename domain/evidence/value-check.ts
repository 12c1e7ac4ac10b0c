/**
 * Checks an extracted value against the quote that supports it.
 */
import { parseDeckDate } from '../decks/deck-date.ts';
import type { PageLayout } from '../pages/page.ts';
import { findMoney, parseAmount, sameMoney } from './money.ts';
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
      // A quote may hold other numbers ("Seed round 2026: €2.5M"), so the amount is looked for among all of the quote.
      const money = parseAmount(value);
      return money !== null && findMoney(quote).some((named) => sameMoney(named.money, money));
    }
    case 'date': {
      const date = parseDeckDate(value);
      return containsWords(quote, value) || (date !== null && parseDeckDate(quote) === date);
    }
  }
}

/** Verdict on one quote of an extracted value: the page must say it, and it must name the value. */
export function checkValueQuote(kind: ValueKind, value: string, quote: string, layout: PageLayout | null): QuoteCheck {
  const check = checkQuote(quote, layout);
  if (check.verdict !== 'verified' || isNamed(kind, value, quote)) return check;
  return { ...check, verdict: 'contradicted', reason: `the quote does not name this ${kind}`, boxes: null };
}
