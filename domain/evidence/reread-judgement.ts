/**
 * Compares a quote with what was recognised in the picture of its page, where it stands.
 *
 * A quote is withdrawn only where the picture was read with confidence and says something else: a picture that cannot be read proves nothing
 * against it.
 */
import { RAISED_CLASS } from '../pages/raised-digits.ts';
import type { RereadState } from './rereading.ts';

/** Text that was recognised on the boxes of a quote with one preparation of the picture. */
export interface QuoteReading {
  readonly text: string;
  /** Mean confidence of its letters, 0 to 100; 0 without any. */
  readonly confidence: number;
}

export interface RereadJudgement {
  readonly state: RereadState;
  /** For people: why the verdict was withdrawn, or why the quote could not be read again; null where the picture agrees. */
  readonly reason: string | null;
}

/** Share of the letters and digits of a quote that the picture has to have. */
export const MIN_AGREEMENT = 0.8;
/** A reading with less of the letters says nothing of the digits. */
const MIN_AGREEMENT_FOR_DIGITS = 0.6;
/** Confidence of a reading that counts against a quote. */
const MIN_CONFIDENCE = 75;
/** A reading that counts against a quote has so many letters for each of the quote. */
const MIN_LENGTH_SHARE = 0.5;
/** Characters of a reading quoted in a reason. */
const MAX_SHOWN = 80;

/** Letters that recognition takes for digits, and digits for such letters. */
const ALIKE: Readonly<Record<string, string>> = { o: '0', l: '1', i: '1', s: '5', b: '8', z: '2', g: '9' };

/**
 * Letters and digits of a text as they are compared: without case, accents and ligatures, because recognition knows English and German only.
 */
export function comparedLetters(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/**
 * Stands for a sign of a quote that recognition takes for a letter, a digit or nothing: it does not know every currency, and a raised digit
 * is to it a digit, a quotation mark or a speck.
 */
const ANY = '¤';

/** Raised digits: marks of footnotes and exponents. */
export const RAISED_DIGITS = new RegExp(`[${RAISED_CLASS}]`, 'gu');

/** Stands for a decimal point or comma, or a mark of thousands: recognition takes one for the other. */
const POINT = '.';
const MINUS = '-';
/** Currency signs that recognition knows. */
const KNOWN_CURRENCY = '$€£';
/** Marks and signs that make another number of the same digits. */
const NUMBER_SIGNS = new RegExp(
  [
    String.raw`(?<point>(?<=[\p{L}\p{N}]\s?)[.,](?=\s?[\p{L}\p{N}]))`,
    String.raw`(?<minus>(?<=^|[\s(])[-−–](?=\p{Sc}?\p{N}))`,
    String.raw`(?<sign>[\p{Sc}${RAISED_CLASS}])`,
  ].join('|'),
  'gu',
);

/** Letters and digits of a text with the marks and signs of its numbers, one character for each. */
function comparedSigns(text: string): string {
  let compared = '';
  let done = 0;
  for (const { index, groups, 0: found } of text.matchAll(NUMBER_SIGNS)) {
    const sign = KNOWN_CURRENCY.includes(found) ? found : ANY;
    compared += comparedLetters(text.slice(done, index));
    compared += groups?.['point'] !== undefined ? POINT : groups?.['minus'] !== undefined ? MINUS : sign;
    done = index + found.length;
  }
  return compared + comparedLetters(text.slice(done));
}

const isMark = (sign: string | null | undefined): boolean => sign === POINT || sign === MINUS;
const isCurrency = (sign: string | null | undefined): boolean =>
  typeof sign === 'string' && KNOWN_CURRENCY.includes(sign);
const isAny = (sign: string | null | undefined): boolean => sign === ANY || isCurrency(sign);

/** True when recognition has data for the script of a text: nearly all of its letters are Latin. */
export function isLatin(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter));
  return latin.length >= MIN_LATIN_SHARE * letters.length;
}

const MIN_LATIN_SHARE = 0.9;

/** How a reading compares with a quote. */
interface Comparison {
  /** Share of the quote's letters and digits that the reading has in the same order, 0 to 1. */
  readonly agreement: number;
  /**
   * `same`: every number was read; `other`: other digits were read in their place; `unclear`: some digits were not read, or the numbers
   * differ by a mark or a sign, which recognition may have lost.
   */
  readonly digits: 'same' | 'other' | 'unclear';
}

/** Compares a reading with a quote. */
export function compareReading(quote: string, reading: string): Comparison {
  const wanted = comparedSigns(quote);
  const pairs = alignment(wanted, comparedSigns(reading));
  const signs = pairs.filter(([from, to]) => !isMark(from) && !isMark(to) && !(from === null && isAny(to)));
  let letters = 0;
  let agreeing = 0;
  let digits: Comparison['digits'] = hasOtherMarks(pairs) ? 'unclear' : 'same';
  for (const [at, [from, to]] of signs.entries()) {
    if (isAny(from)) {
      if (isCurrency(from) && isCurrency(to) && from !== to && digits === 'same') digits = 'unclear';
      continue;
    }
    if (from !== null) letters++;
    if (from !== null && to !== null && isSame(from, to)) agreeing++;
    else if (from !== null && (isDigit(from) || isDigit(signs[at - 1]?.[0])) && digits === 'same') digits = 'unclear';
    const isOther =
      (from !== null && to !== null && isDigit(from) && isDigit(to) && from !== to) ||
      // A digit more, beside one of the quote, makes another number.
      (from === null &&
        to !== null &&
        isDigit(to) &&
        [signs[at - 1], signs[at + 1]].some((beside) => isDigit(beside?.[0])));
    if (isOther) digits = 'other';
  }
  return { agreement: letters === 0 ? 0 : agreeing / letters, digits };
}

/** True where a number of the quote lacks a mark in the reading, or has one that the quote does not have. */
const hasOtherMarks = (pairs: readonly Pair[]): boolean =>
  pairs.some(([from, to], at) => {
    if (from === to || (!isMark(from) && !isMark(to))) return false;
    const [before, after] = [pairs[at - 1]?.[0], pairs[at + 1]?.[0]];
    return isDigit(after) && (isDigit(before) || from === MINUS || to === MINUS);
  });

const isDigit = (sign: string | null | undefined): boolean => typeof sign === 'string' && /\p{N}/u.test(sign);
const isSame = (a: string, b: string): boolean =>
  a === b || (isDigit(a) !== isDigit(b) && (ALIKE[a] ?? a) === (ALIKE[b] ?? b));

type Pair = readonly [wanted: string | null, seen: string | null];

/** The cheapest alignment of two texts: each character of one with that of the other, or with null. */
function alignment(wanted: string, seen: string): Pair[] {
  const width = seen.length + 1;
  const costs = new Uint16Array((wanted.length + 1) * width);
  const cost = (row: number, column: number): number => costs[row * width + column] ?? 0;
  const step = (row: number, column: number): number => {
    const [from = '', to = ''] = [wanted[row], seen[column]];
    if (isAny(from) || from === to) return 0;
    // A mark stands for no letter: leaving both out costs less.
    return isMark(from) || isMark(to) || isAny(to) ? 2 : isSame(from, to) ? 0 : 1;
  };
  // Most often a sign is recognised as what it is, which leaves no letter; marks are compared apart from letters.
  const alone = (sign: string | undefined): number => (isAny(sign) || isMark(sign) ? 0 : 1);
  for (let row = 0; row <= wanted.length; row++)
    for (let column = 0; column < width; column++) {
      if (row === 0 && column === 0) continue;
      const ways = [
        row > 0 && column > 0 ? cost(row - 1, column - 1) + step(row - 1, column - 1) : Infinity,
        row > 0 ? cost(row - 1, column) + alone(wanted[row - 1]) : Infinity,
        column > 0 ? cost(row, column - 1) + alone(seen[column - 1]) : Infinity,
      ];
      costs[row * width + column] = Math.min(...ways);
    }
  const pairs: Pair[] = [];
  let [row, column] = [wanted.length, seen.length];
  while (row > 0 || column > 0) {
    const here = cost(row, column);
    if (row > 0 && column > 0 && here === cost(row - 1, column - 1) + step(row - 1, column - 1))
      pairs.push([wanted[--row] ?? null, seen[--column] ?? null]);
    else if (row > 0 && here === cost(row - 1, column) + alone(wanted[row - 1]))
      pairs.push([wanted[--row] ?? null, null]);
    else pairs.push([null, seen[--column] ?? null]);
  }
  return pairs.reverse();
}

/** True when a reading shows the quote: no other preparation is needed. */
export const confirms = (quote: string, { text }: QuoteReading): boolean => {
  const { agreement, digits } = compareReading(quote, text);
  return agreement >= MIN_AGREEMENT && digits === 'same';
};

/**
 * The outcome of reading a quote again.
 *
 * @param readings One for each preparation of the picture that was tried
 */
export function judgeReadings(quote: string, readings: readonly QuoteReading[]): RereadJudgement {
  const compared = readings.map((reading) => ({ ...reading, ...compareReading(quote, reading.text) }));
  const hasLetters = compared.some(({ agreement }) => agreement >= MIN_AGREEMENT);
  const hasDigits = compared.some(
    ({ agreement, digits }) => agreement >= MIN_AGREEMENT_FOR_DIGITS && digits === 'same',
  );
  if (hasLetters && hasDigits) return { state: 'agreed', reason: null };
  const sure = compared.filter(
    ({ text, confidence }) =>
      confidence >= MIN_CONFIDENCE && comparedLetters(text).length >= MIN_LENGTH_SHARE * comparedLetters(quote).length,
  );
  // One reading alone may be a mistake of recognition, which another preparation does not repeat.
  const repeated = (counts: readonly QuoteReading[]): QuoteReading | undefined =>
    counts.find((one) => counts.some((other) => other !== one && saysTheSame(one.text, other.text)));
  if (!hasLetters) {
    const shown = repeated(sure);
    if (shown === undefined) return notRead('the picture could not be read with certainty where the quote stands');
    return withdrawn('the picture of the slide says something else', shown);
  }
  const shown = repeated(sure.filter(({ agreement, digits }) => agreement >= MIN_AGREEMENT && digits === 'other'));
  if (shown === undefined) return notRead('its digits could not be read with certainty in the picture');
  return withdrawn('the picture of the slide shows other digits', shown);
}

/** True when two readings have the same letters, but for a few, and the same digits. */
const saysTheSame = (one: string, other: string): boolean =>
  [compareReading(one, other), compareReading(other, one)].every(
    ({ agreement, digits }) => agreement >= MIN_AGREEMENT && digits === 'same',
  );

const withdrawn = (why: string, { text }: QuoteReading): RereadJudgement => ({
  state: 'withdrawn',
  reason: `read again, ${why}: “${excerpt(text)}”`,
});

/** The outcome for a quote that could not be read again. */
export const notRead = (reason: string): RereadJudgement => ({ state: 'not_read', reason });

const excerpt = (text: string): string => (text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN).trimEnd()}…`);
