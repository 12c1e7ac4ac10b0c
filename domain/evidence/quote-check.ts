/**
 * Checks a quote against the page it names, as the page is laid out.
 *
 * A quote is evidence only if its words stand in one passage of that page (a block, a sentence that runs on, a row of a table) in one unbroken
 * run, numbers whole, and nothing next to it changes the meaning: a negation outside the quote but in the same clause, or a unit, a sign or
 * digits cut off a number. Precision before recall: a doubtful quote is not verified.
 */
import { findDates } from '../decks/deck-date.ts';
import { isRightToLeft } from '../pages/direction.ts';
import type { Box, PageLayout } from '../pages/page.ts';
import { boxAround } from '../pages/words.ts';
import { changedMeaning } from './changed-meaning.ts';
import { headedRows } from './headed-rows.ts';
import { passagesOf, quoteTokens, type Passage, type Token } from './passages.ts';

/**
 * `verified`: the page says so in one place; `unverified`: it cannot be checked, or is too short to prove anything; `glued`: its words stand on
 * the page, but in several places that do not belong together; `contradicted`: the page does not say so. Only `verified` is evidence.
 */
export const VERDICTS = ['verified', 'unverified', 'contradicted', 'glued'] as const;
export type EvidenceVerdict = (typeof VERDICTS)[number];

export interface QuoteCheck {
  readonly verdict: EvidenceVerdict;
  /** For people: where the words stand, or why the quote is not verified. */
  readonly reason: string;
  /** True when some of its words were recognised in the picture of the page (OCR) and are not in the text layer. */
  readonly recognised: boolean;
  /** What a verified quote covers, a box per line (in a table per cell), in coordinates of the page; else null. */
  readonly boxes: readonly Box[] | null;
  /** True when the words were not found on the page, as opposed to words that say something else there or prove nothing. */
  readonly absent: boolean;
}

/** A quote of fewer words is evidence only where it is all that a block or line says. */
export const MIN_QUOTE_WORDS = 3;
/** Percent of confidence below which a recognised word, or a recognised number, proves nothing. */
const MIN_WORD_CONFIDENCE = 40;
const MIN_NUMBER_CONFIDENCE = 70;

/** Stands for a character that was lost. It is no word, so words alone would not tell it. */
export const REPLACEMENT = '\uFFFD';
/** A number with a letter that recognition takes for a digit, or a digit for such a letter. */
const DOUBTFUL_NUMBER = /\d[oil|]|[oil|]\d/iu;

const not = (verdict: Exclude<EvidenceVerdict, 'verified'>, reason: string, recognised = false): QuoteCheck => ({
  verdict,
  reason,
  recognised,
  boxes: null,
  absent: false,
});

/** The verdict on a quote whose words were not found. */
const absent = (verdict: 'unverified' | 'contradicted', reason: string, recognised = false): QuoteCheck => ({
  ...not(verdict, reason, recognised),
  absent: true,
});

/**
 * Checks that the page says `quote`.
 *
 * @param layout The page that the quote names; null when it was not read.
 */
export function checkQuote(quote: string, layout: PageLayout | null): QuoteCheck {
  if (layout === null) return not('unverified', 'the page was not read');
  if (layout.blank) return absent('contradicted', 'the page is blank');
  if (layout.blocks.length === 0) return not('unverified', 'the page has no text that can be read');
  if (quote.includes(REPLACEMENT) && !layout.words.some(({ text }) => text.includes(REPLACEMENT)))
    return not('contradicted', 'the quote holds a sign for a lost character that the slide does not have');
  const wanted = quoteTokens(quote);
  const isShort = isTooShort(quote);
  if (isShort && !canStandAlone(wanted) && findDates(quote).length === 0) return not('unverified', TOO_SHORT);

  const passages = passagesOf(layout);
  const recognisedPage = layout.source === 'ocr';
  let reason: string | null = null;
  for (const passage of candidates(layout, quote, passages)) {
    for (const first of placesOf(wanted, passage)) {
      const last = first + wanted.length - 1;
      if (isShort && !passage.wholes.some(([from, to]) => from === first && to === last)) continue;
      const doubt = changedMeaning(passage, first, last);
      if (doubt === null) return found(layout, passage, first, last);
      reason ??= doubt;
    }
  }
  if (isShort) return not('unverified', TOO_SHORT);
  if (reason !== null) return not('contradicted', reason, recognisedPage);
  if (isGlued(wanted, passages)) {
    return not('glued', 'the words stand on the slide, but in different boxes, columns or rows', recognisedPage);
  }
  return isPartlyKnown(layout) && !standsOtherwise(wanted, passages)
    ? absent('unverified', 'the words were not found, and not all words of this slide could be read', recognisedPage)
    : absent('contradicted', 'the words do not stand on this slide in one run', recognisedPage);
}

/** True when the page may say more than the words that are known of it. */
const isPartlyKnown = ({ source, ocr, incomplete, words }: PageLayout): boolean =>
  source === 'ocr' ||
  ocr === 'failed' ||
  incomplete === true ||
  // Of lines from right to left the order of words may be another one.
  words.some(({ text }) => isRightToLeft(text));

/** Share of the words of a quote that a stretch of the page has which says something else in its place. */
const MIN_SHARED_WORDS = 0.6;
/** Words such as "of" stand everywhere. */
const isTelling = ({ text }: Token): boolean => text.length > 3 || /^\d/u.test(text);

/** True when the page has most words of the quote close together: then it says this, and says it otherwise. */
function standsOtherwise(quote: readonly Token[], passages: readonly Passage[]): boolean {
  const telling = new Set(quote.filter(isTelling).map(({ text }) => text));
  const width = quote.length + 2;
  return passages.some(({ tokens }) => {
    for (let from = 0; from < Math.max(1, tokens.length - width + 1); from++) {
      const near = new Set(tokens.slice(from, from + width).map(({ text }) => text));
      const shared = [...telling].filter((text) => near.has(text)).length;
      if (shared >= 2 && shared >= MIN_SHARED_WORDS * telling.size) return true;
    }
    return false;
  });
}

/** Where a quote may stand; rows with their headings only where the passages of the page do not have it. */
function* candidates(layout: PageLayout, quote: string, passages: readonly Passage[]): Generator<Passage> {
  yield* passages;
  yield* headedRows(layout, quote);
}

/** The verdict on a quote of a slide that the deck does not have. */
export const noSuchSlide = (slide: number): QuoteCheck => absent('contradicted', `the deck has no slide ${slide}`);

const TOO_SHORT = `a quote of fewer than ${MIN_QUOTE_WORDS} words proves nothing unless a line or box says nothing else`;

/** Words are counted as people count them: "14-day" is one, though it is two tokens. */
export const isTooShort = (quote: string): boolean =>
  quote.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length < MIN_QUOTE_WORDS;

/** True when these few words can state something: a name, an amount, a year. A bare number may be the number of the page. */
const canStandAlone = (tokens: readonly Token[]): boolean =>
  tokens.some(({ text }) => /^\p{L}{2}|^[%€$£¥‰]|^\d.{3}/u.test(text));

/** Index of the first token of each place where the quote stands in a passage. */
function placesOf(quote: readonly Token[], { kind, tokens }: Passage): number[] {
  const found: number[] = [];
  // From another place on, the words of a headed row would put a cell before the heading of the next.
  const lastStart = kind === 'headed row' ? 0 : tokens.length - quote.length;
  for (let at = 0; at <= lastStart && at + quote.length <= tokens.length; at++) {
    if (quote.length > 0 && quote.every(({ text }, offset) => tokens[at + offset]?.text === text)) found.push(at);
  }
  return found;
}

/** The verdict on words [first, last] of a passage that nothing beside them changes. */
function found(layout: PageLayout, passage: Passage, first: number, last: number): QuoteCheck {
  const { start } = passage.tokens[first] ?? { start: 0 };
  const { end } = passage.tokens[last] ?? { end: 0 };
  const places = passage.places.filter((place) => place.start < end && place.end > start);
  const words = places.flatMap(({ word }) => layout.words[word] ?? []);
  const recognised = words.some(({ confidence }) => confidence !== null);
  const isUncertain = words.some(({ text, confidence }) => {
    if (confidence === null) return false;
    const hasDigit = /\d/u.test(text);
    return (
      confidence < (hasDigit ? MIN_NUMBER_CONFIDENCE : MIN_WORD_CONFIDENCE) || (hasDigit && DOUBTFUL_NUMBER.test(text))
    );
  });
  if (isUncertain) return not('unverified', 'a word or number of the quote was not recognised with certainty', true);

  const lines = Map.groupBy(places, ({ line }) => line);
  const boxes = [...lines.values()].map((of) =>
    boxAround(of.map(({ word }) => layout.words[word]?.box).filter((box) => box !== undefined)),
  );
  return {
    verdict: 'verified',
    reason: whereFound(layout, passage, [...lines.keys()]),
    recognised,
    boxes,
    absent: false,
  };
}

function whereFound({ blocks }: PageLayout, { kind, blocks: [first = -1] }: Passage, lines: readonly string[]): string {
  switch (kind) {
    case 'row':
      return 'in one row of a table';
    case 'headed row':
      return 'in one row of a table, with the headings of its columns';
    case 'block':
      if (blocks[first]?.kind === 'picture') return 'within a picture on the slide';
      return new Set(lines.map((line) => line.split('/', 1)[0])).size > 1
        ? 'in a sentence that runs on in the next column or box'
        : 'in one block of text';
  }
}

/**
 * True when the quote is put together from runs of words of different places, each of which it takes one run from. Words that are left out
 * or changed within one place are something else.
 */
function isGlued(quote: readonly Token[], passages: readonly Passage[]): boolean {
  const taken = new Set<string>();
  for (let from = 0; from < quote.length;) {
    let length = 0;
    let origin = '';
    for (const passage of passages) {
      if (taken.has(passage.origin)) continue;
      const longest = longestRun(quote, from, passage);
      if (longest > length) [length, origin] = [longest, passage.origin];
    }
    if (length === 0) return false;
    taken.add(origin);
    from += length;
  }
  return taken.size > 1 && quote.length >= 2 * taken.size;
}

/** Number of tokens from here on that stand in a passage in one run. */
function longestRun(quote: readonly Token[], from: number, { tokens }: Passage): number {
  let longest = 0;
  for (let at = 0; at < tokens.length; at++) {
    let length = 0;
    while (from + length < quote.length && tokens[at + length]?.text === quote[from + length]?.text) length++;
    longest = Math.max(longest, length);
  }
  return longest;
}
