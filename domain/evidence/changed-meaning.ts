/**
 * What stands beside a quote and changes what it says: a negation in the same clause, and whatever belongs to a number at its edge (its unit,
 * its sign, its other digits), or to a row of a table (its further values).
 */
import { quoteTokens, type Passage } from './passages.ts';

const NEGATIONS = new Set(
  'not no never none neither nor without cannot nobody nothing hardly nicht nie niemals ohne weder nichts niemand kaum keinerlei'.split(
    ' ',
  ),
);
const isNegation = (token: string): boolean =>
  NEGATIONS.has(token) || token.endsWith("n't") || /^kein(?:e|en|em|er|es)?$/u.test(token);

/** True when a quote negates something, in English or German. */
export const hasNegation = (quote: string): boolean => quoteTokens(quote).some(({ text }) => isNegation(text));

const isNumber = (token: string): boolean => /^\d/u.test(token);
const isCurrencySign = (token: string): boolean => /^[€$£¥]$/u.test(token);
/** Words that multiply a number or are its unit, on its line or at the beginning of the next. */
const UNIT_WORDS =
  'mn mio mln mrd mld tsd million millions millionen billion billions billionen milliarde milliarden trillion trillions thousand tausend hundred hundert lakh lakhs crore crores percent prozent';
/** The same as letters and signs, which begin something else on the next line. */
const UNIT_SIGNS = '% ‰ € $ £ ¥ k m b t bn tn cr x';
const WORDS_AFTER_NUMBERS = new Set(UNIT_WORDS.split(' '));
const UNITS = new Set([...WORDS_AFTER_NUMBERS, ...UNIT_SIGNS.split(' ')]);
/** Before a number or its currency. */
const SIGNS = new Set(['-', '<', '>', '≤', '≥']);
/** Digits in groups: "1 000 000". */
const FIRST_DIGITS = /^\d{1,3}$/u;
const FURTHER_DIGITS = /^\d{3}(?:[.,]\d+)?$/u;
/** Ends a clause when looking backwards or forwards from a quote. */
const CLAUSE_END = /[.!?;,:|•·▪►\t]/u;
const FORWARD_END = new Set(['and', 'or', 'but', 'while', 'und', 'oder', 'aber', 'sondern', 'während']);
/** A negation this close before the quote counts whatever is between. */
const NEAR_TOKENS = 3;

/** True when the gap between two tokens ends a clause: punctuation, or a line break before something that does not continue the sentence. */
function endsClause(gap: string, nextIsLowerCase: boolean): boolean {
  if (CLAUSE_END.test(gap)) return true;
  return gap.includes('\n') && !nextIsLowerCase;
}

/** What a quote cuts off its last token, if that is a number: the token behind it, after this gap; null = nothing. */
function cutAfter(last: string, gap: string, next: string): string | null {
  if (!isNumber(last)) return null;
  const isUnit = gap.includes('\n') ? WORDS_AFTER_NUMBERS.has(next) : UNITS.has(next) && !gap.includes('\t');
  // Letters without a space: "5B", "20kg".
  if (gap === '' || isUnit) return 'the quote cuts the unit off its last number';
  return isOneNumber(last, gap, next) ? 'the quote cuts its last number' : null;
}

/** The same before its first token, if that is a number or the currency of one. */
function cutBefore(previous: string, gap: string, first: string): string | null {
  if (!isNumber(first) && !isCurrencySign(first)) return null;
  if (SIGNS.has(previous) && /^ ?$/u.test(gap)) return 'the quote cuts the sign off its first number';
  // "€5", "A$5", "Q3".
  if (gap === '' && !isNumber(previous)) return 'the quote cuts off what is part of its first number';
  return isOneNumber(previous, gap, first) ? 'the quote cuts its first number' : null;
}

/** True for groups of digits of one number, and for the ends of a range. */
const isOneNumber = (a: string, gap: string, b: string): boolean =>
  (gap === ' ' && FIRST_DIGITS.test(a) && FURTHER_DIGITS.test(b)) ||
  (gap === '-' && isNumber(a) && (isNumber(b) || isCurrencySign(b)));

/** Longer cells are texts, which say something by themselves. */
const MAX_VALUE_WORDS = 2;

/** True for several values of a row without the one behind them: a reader takes the last one that is quoted for the last of the row. */
function cutsRow({ kind, text, tokens }: Passage, first: number, last: number): boolean {
  if (kind !== 'row') return false;
  const [from, to] = [tokens[first]?.start ?? 0, tokens[last]?.end ?? 0];
  const quoted = text.slice(from, to).split('\t');
  const [rest = '', next = ''] = text.slice(to).split('\t');
  const words = next.split(' ').filter((word) => word !== '' && !/^[–—−-]$/u.test(word)).length;
  return quoted.length > 2 && rest.trim() === '' && words > 0 && words <= MAX_VALUE_WORDS;
}

/** What next to the tokens [first, last] of a passage changes their meaning; null = nothing. */
export function changedMeaning(passage: Passage, first: number, last: number): string | null {
  const { text, tokens } = passage;
  const textOf = (i: number): string => tokens[i]?.text ?? '';
  const isLowerCase = (i: number): boolean => tokens[i]?.isLowerCase === true;
  const gapBefore = (i: number): string => text.slice(tokens[i - 1]?.end ?? 0, tokens[i]?.start ?? 0);

  const cut =
    (last + 1 < tokens.length ? cutAfter(textOf(last), gapBefore(last + 1), textOf(last + 1)) : null) ??
    (first > 0 ? cutBefore(textOf(first - 1), gapBefore(first), textOf(first)) : null);
  if (cut !== null) return cut;
  if (cutsRow(passage, first, last)) return 'the quote leaves out the last values of its row';
  for (let i = first, clause = true; i > 0 && (clause || first - i < NEAR_TOKENS); i--) {
    const gap = gapBefore(i);
    if (/[.!?;•·\t]/u.test(gap) || (gap.includes('\n') && !isLowerCase(i))) break;
    if (endsClause(gap, isLowerCase(i))) clause = false;
    if (!clause && first - (i - 1) > NEAR_TOKENS) break;
    if (isNegation(textOf(i - 1))) return 'a negation right before the quote is left out';
  }
  for (let i = last + 1; i < tokens.length; i++) {
    if (endsClause(gapBefore(i), isLowerCase(i)) || FORWARD_END.has(textOf(i))) break;
    if (isNegation(textOf(i))) return 'a negation right after the quote is left out';
  }
  return null;
}
