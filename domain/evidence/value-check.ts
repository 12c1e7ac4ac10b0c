/**
 * Checks an extracted value against the quote that is to prove it, and normalises money and dates.
 */
import { parseDeckDate } from '../decks/deck-date.ts';
import type { ExtractionField } from '../models/model-tasks.ts';
import { parseMoney } from './money.ts';
import { checkQuote, type QuoteCheck } from './quote-check.ts';

const words = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** True when every word of `value` stands in `quote`. */
function containsWords(quote: string, value: string): boolean {
  const inQuote = new Set(words(quote));
  return words(value).every((w) => inQuote.has(w));
}

/** Why the quote does not carry the value; null when it does. */
function unsupported(field: ExtractionField, value: string, quote: string): string | null {
  switch (field) {
    case 'funding': {
      const money = parseMoney(value);
      if (money === null) return containsWords(quote, value) ? null : 'the quote does not name this amount';
      // A quote may hold other numbers ("Seed round 2026: €2.5M"), so the value's own digits are looked for.
      return containsWords(quote, value) || parseMoney(quote)?.amount === money.amount
        ? null
        : 'the quote does not name this amount';
    }
    case 'deck_date': {
      const date = parseDeckDate(value);
      return containsWords(quote, value) || (date !== null && parseDeckDate(quote) === date)
        ? null
        : 'the quote does not name this date';
    }
    case 'company_name':
      return containsWords(quote, value) ? null : 'the quote does not name this company';
    case 'offering':
      return null;
  }
}

/** Verdict on one quote of an extracted value: it must stand on the slide and carry the value. */
export function checkValueQuote(field: ExtractionField, value: string, quote: string, pageText: string): QuoteCheck {
  const check = checkQuote(quote, pageText);
  if (check.verdict !== 'verified') return check;
  const reason = unsupported(field, value, quote);
  return reason === null ? check : { verdict: 'contradicted', reason };
}
