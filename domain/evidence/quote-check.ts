/**
 * Checks a quote against the text layer of the slide it names.
 *
 * A quote is evidence only if its words occur on that slide in one unbroken run, numbers whole, and nothing next to it changes the meaning: a
 * negation outside the quote but in the same clause, or a unit cut off a number. Precision before recall: a doubtful quote is not verified.
 */

/** `verified` = the slide has these words; `unverified` = cannot be checked (no text layer) or is too short; `contradicted` = the slide does not say so. */
export type EvidenceVerdict = 'verified' | 'unverified' | 'contradicted';

export interface QuoteCheck {
  readonly verdict: EvidenceVerdict;
  /** Why not verified; null when verified. */
  readonly reason: string | null;
}

/** A quote of fewer words is no evidence. */
export const MIN_QUOTE_WORDS = 3;

interface Token {
  readonly text: string;
  /** Offset of the token in the normalised page. */
  readonly start: number;
  readonly end: number;
}

const TOKEN = /(?<![\p{L}\p{N}])[-−](?=\d)|\d+(?:[.,:'’/]\d+)*|[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*|[%€$£¥‰]/gu;

/** NFKC, one kind of apostrophe and dash, without soft hyphens, words divided at the end of a line joined. Keeps the case. */
const normalise = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll('\u00AD', '')
    .replaceAll(/[’‘`´]/gu, "'")
    .replaceAll(/[‐‑–—−]/gu, '-')
    .replaceAll(/(\p{Ll})-\r?\n\s*(?=\p{Ll})/gu, '$1');

function tokenise(normalised: string): Token[] {
  return [...normalised.matchAll(TOKEN)].map((m) => ({ text: m[0], start: m.index, end: m.index + m[0].length }));
}

const NEGATIONS = new Set(
  'not no never none neither nor without cannot nobody nothing hardly nicht nie niemals ohne weder nichts niemand kaum keinerlei'.split(
    ' ',
  ),
);
const isNegation = (token: string): boolean =>
  NEGATIONS.has(token) || token.endsWith("n't") || /^kein(?:e|en|em|er|es)?$/u.test(token);

const isNumber = (token: string): boolean => /^\d/u.test(token);
const UNITS = new Set(
  '% ‰ € $ £ k m bn mn mio mrd tsd million millions millionen billion billions milliarden thousand tausend hundred percent prozent x'.split(
    ' ',
  ),
);
/** Ends a clause when looking backwards or forwards from a quote. */
const CLAUSE_END = /[.!?;,:|•·▪►]/u;
const FORWARD_END = new Set(['and', 'or', 'but', 'while', 'und', 'oder', 'aber', 'sondern', 'während']);
/** A negation this close before the quote counts whatever is between. */
const NEAR_TOKENS = 3;

/** True when the gap between two tokens ends a clause: punctuation, or a line break before something that does not continue the sentence. */
function endsClause(gap: string, nextIsLowerCase: boolean): boolean {
  if (CLAUSE_END.test(gap)) return true;
  return gap.includes('\n') && !nextIsLowerCase;
}

function findRun(page: readonly Token[], quote: readonly Token[], from: number): number {
  outer: for (let i = from; i + quote.length <= page.length; i++) {
    for (let j = 0; j < quote.length; j++) {
      if (page[i + j]?.text !== quote[j]?.text) continue outer;
    }
    return i;
  }
  return -1;
}

/**
 * Checks that the page contains `quote`.
 *
 * @param pageText Text layer of the slide the quote names; empty when the page is only a picture.
 * @example checkQuote('40 paying hospitals in', 'We serve 40 paying hospitals in Germany') // { verdict: 'verified', reason: null }
 */
export function checkQuote(quote: string, pageText: string): QuoteCheck {
  if (pageText.trim() === '') return { verdict: 'unverified', reason: 'the slide has no text layer to check against' };
  const quoteTokens = tokenise(normalise(quote).toLowerCase());
  // Words as people count them: "14-day" is one, though it is two tokens.
  const words = quote.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  if (words < MIN_QUOTE_WORDS)
    return { verdict: 'unverified', reason: `a quote of fewer than ${MIN_QUOTE_WORDS} words proves nothing` };

  const cased = normalise(pageText);
  const page = cased.toLowerCase();
  const tokens = tokenise(page);
  // A lower-case word after a line break continues the sentence; any other begins a new one.
  const startsLowerCase = tokenise(cased).map((token) => /^\p{Ll}/u.test(token.text));
  let reason = 'the words do not stand on this slide in one run';
  for (let at = findRun(tokens, quoteTokens, 0); at >= 0; at = findRun(tokens, quoteTokens, at + 1)) {
    const doubt = changedMeaning(page, tokens, startsLowerCase, at, at + quoteTokens.length - 1);
    if (doubt === null) return { verdict: 'verified', reason: null };
    reason = doubt;
  }
  return { verdict: 'contradicted', reason };
}

/** What next to the run of tokens [first, last] changes its meaning; null = nothing. */
function changedMeaning(
  page: string,
  tokens: readonly Token[],
  lower: readonly boolean[],
  first: number,
  last: number,
): string | null {
  const textOf = (i: number): string => tokens[i]?.text ?? '';
  const gapBefore = (i: number): string => page.slice(tokens[i - 1]?.end ?? 0, tokens[i]?.start ?? 0);

  if (
    isNumber(textOf(last)) &&
    last + 1 < tokens.length &&
    UNITS.has(textOf(last + 1)) &&
    !gapBefore(last + 1).includes('\n')
  ) {
    return 'the quote cuts the unit off its last number';
  }
  if (isNumber(textOf(first)) && first > 0 && textOf(first - 1) === '-' && gapBefore(first) === '') {
    return 'the quote cuts the sign off its first number';
  }
  for (let i = first, clause = true; i > 0 && (clause || first - i < NEAR_TOKENS); i--) {
    const gap = gapBefore(i);
    if (/[.!?;•·]/u.test(gap) || (gap.includes('\n') && lower[i] !== true)) break;
    if (endsClause(gap, lower[i] === true)) clause = false;
    if (!clause && first - (i - 1) > NEAR_TOKENS) break;
    if (isNegation(textOf(i - 1))) return 'a negation right before the quote is left out';
  }
  for (let i = last + 1; i < tokens.length; i++) {
    if (endsClause(gapBefore(i), lower[i] === true) || FORWARD_END.has(textOf(i))) break;
    if (isNegation(textOf(i))) return 'a negation right after the quote is left out';
  }
  return null;
}
