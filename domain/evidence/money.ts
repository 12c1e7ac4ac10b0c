/**
 * Amounts of money in text as decks write them: "€2.5M", "EUR 2,500,000", "2,5 Mio. €", "₹2.5 Cr", "A$750k", "1.5–2M USD", "up to $500K".
 * Currencies are in `currency-marks.ts`, numbers in `numerals.ts`, multipliers in `multipliers.ts`; `figures.ts` puts them together.
 */
import { currencyMeant, namedCurrencies, type PlacedMark } from './currency-marks.ts';
import { factorOf, figuresOf, numberOf, valueOf, yearLike, type Figure } from './figures.ts';
import { plainCharacters } from './numerals.ts';

export interface Money {
  /** In units of the currency, not cents; the upper end of a range, and the limit of an "up to". */
  readonly amount: number;
  /** ISO 4217; null where the sign can mean several currencies (¥, kr) and the text does not say which. */
  readonly currency: string | null;
  readonly kind: 'exact' | 'up_to' | 'range';
  /** Lower end of a range, else null. */
  readonly minAmount: number | null;
}

/** An amount and where it stands in the text, with its currency, its multiplier and words such as "up to". */
export interface PlacedMoney {
  readonly money: Money;
  readonly start: number;
  readonly end: number;
}

/** A mark between two numbers belongs to one of them. */
function shareMarks(figures: readonly Figure[]): void {
  figures.forEach((left, index) => {
    const right = figures[index + 1];
    if (left.after === null || right === undefined || right.before === null) return;
    if (left.after.end <= right.before.start) return;
    const gapLeft = left.after.start - left.factorEnd;
    const gapRight = right.start - right.before.end;
    const toRight = gapLeft === gapRight ? left.before !== null || yearLike(left) : gapRight < gapLeft;
    if (toRight) left.after = null;
    else right.before = null;
  });
}

const GOES_ON =
  /^\s*(?:$|[^\p{L}\s]|(?:for|in|at|to|by|from|and|or|with|over|as|per|für|zur|zum|bei|bis|und|oder|von)(?!\p{L}))/u;

/** True when a mark and its number are money: not "EUR 2024" over a column, "ALL 500 users" or "20 pounds". */
function isMoney(text: string, figure: Figure, mark: PlacedMark): boolean {
  const words = text.slice(mark.start, mark.end);
  const glued = mark.end === figure.start || mark.start === figure.factorEnd;
  if (yearLike(figure) && (!glued || /\p{L}/u.test(words))) return false;
  if (!mark.mark.wordlike) return true;
  if (valueOf(figure) < 1000 && !/[.,]\d{2,3}$/u.test(figure.digits)) return false;
  return (
    mark.start > figure.start ||
    !/^[A-Z]{3}$/u.test(words) ||
    GOES_ON.test(text.slice(figure.factorEnd, figure.factorEnd + 10).toLowerCase())
  );
}

/** An end of a range that cannot be read leaves the other in doubt: "€1–2 zillion". */
function shareDoubt(text: string, figures: readonly Figure[]): void {
  figures.forEach((left, index) => {
    const right = figures[index + 1];
    if (right === undefined || left.readable === right.readable) return;
    const from = Math.max(left.factorEnd, left.after?.end ?? 0);
    const until = Math.min(right.start, right.before?.start ?? right.start);
    if (from <= until && TO.test(text.slice(from, until))) [left.readable, right.readable] = [false, false];
  });
}

/** The marks of a figure that count, the more certain first. */
function marksOf(text: string, figure: Figure): PlacedMark[] {
  if (!figure.readable) return [];
  const marks = [figure.before, figure.after].filter((mark) => mark !== null && isMoney(text, figure, mark));
  const [first, second] = marks as PlacedMark[];
  if (first === undefined || second === undefined) return marks as PlacedMark[];
  const agree = first.mark.currencies.some((code) => second.mark.currencies.includes(code));
  if (!agree) return [first];
  return first.mark.currencies.length <= second.mark.currencies.length ? [first, second] : [second, first];
}

const TO =
  /^(?:[.,][-–—])?( ?[-–—~] ?| ?(?:to|bis(?: zu)?|à|a|al|até|hasta|do|tot|till|til) | (?:and|und|or|oder) )$/iu;
const BETWEEN = /(?<!\p{L})(?:between|zwischen)\s$/u;
const UP_TO =
  /(?<!\p{L})(?:up to|bis zu|bis|max(?:imal|imum)?\.?|at most|no more than|höchstens|jusqu['’]à|hasta|até|fino a|tot|upp till|op til)(?: max\.?)?\s$/u;

/** The range that two figures form, or null. */
function rangeOf(text: string, low: Figure, high: Figure): { min: number; max: number } | null {
  const [lowMarks, highMarks] = [marksOf(text, low), marksOf(text, high)];
  const from = Math.max(low.factorEnd, ...lowMarks.map((mark) => mark.end));
  const until = Math.min(high.start, ...highMarks.map((mark) => mark.start));
  const gap = from <= until ? TO.exec(text.slice(from, until))?.[1] : undefined;
  if (gap === undefined) return null;
  if (/and|und|or|oder/iu.test(gap) && !BETWEEN.test(leadOf(text, startOf(low, lowMarks)))) return null;
  // A number without a mark is an end of the range only where the mark beside the other clearly goes for both.
  const shared =
    lowMarks.length === 0 ? highMarks.some((mark) => mark.start > high.start) && !yearLike(low) : lowMarks.length > 0;
  const closed = highMarks.length > 0 || factorOf(high) > 1 || gap.length === 1;
  if (!shared || !closed) return null;
  const [a, b] = [lowMarks[0], highMarks[0]];
  if (a !== undefined && b !== undefined && !a.mark.currencies.some((code) => b.mark.currencies.includes(code)))
    return null;
  const inherits = factorOf(low) === 1 && valueOf(low) < 1000;
  const max = valueOf(high, low);
  const min = valueOf(low, inherits ? high : null);
  return min < max && (max <= min * 1000 || factorOf(low) > 1) ? { min, max } : null;
}

/** What stands before a place, as far as words such as "up to" reach. */
const leadOf = (text: string, at: number): string => text.slice(Math.max(0, at - 20), at).toLowerCase();

const startOf = (figure: Figure, marks: readonly PlacedMark[]): number =>
  Math.min(figure.start, ...marks.map((mark) => mark.start));
const endOf = (figure: Figure, marks: readonly PlacedMark[]): number =>
  Math.max(figure.factorEnd, ...marks.map((mark) => mark.end));

/** Every amount of money in a text, in order. Numbers without a currency are none, whatever their size. */
export function findMoney(text: string): PlacedMoney[] {
  const plain = plainCharacters(text);
  const figures = figuresOf(plain);
  shareMarks(figures);
  shareDoubt(plain, figures);
  let named: ReadonlySet<string> | undefined;
  const found: PlacedMoney[] = [];
  for (let index = 0; index < figures.length; index += 1) {
    const low = figures[index];
    if (low === undefined) continue;
    const high = figures[index + 1];
    const range = high === undefined ? null : rangeOf(plain, low, high);
    const last = range === null || high === undefined ? low : high;
    const marks = [...marksOf(plain, low), ...(last === low ? [] : marksOf(plain, last))];
    const best = marks.toSorted((a, b) => a.mark.currencies.length - b.mark.currencies.length)[0];
    const amount = range?.max ?? valueOf(low);
    if (best === undefined || !(amount > 0 && amount < LARGEST)) continue;
    named ??= namedCurrencies(plain);
    const start = startOf(low, marks);
    const lead = (range === null ? UP_TO : BETWEEN).exec(leadOf(plain, start))?.[0] ?? '';
    const kind = range !== null ? 'range' : lead === '' ? 'exact' : 'up_to';
    found.push({
      money: { amount, currency: currencyMeant(best.mark, named), kind, minAmount: range?.min ?? null },
      start: start - lead.length,
      end: closeBracket(plain, start, endOf(last, marks)),
    });
    if (range !== null) index += 1;
  }
  return found;
}
/** Larger amounts are misread digits: no economy has as much. */
const LARGEST = 1e16;

/** Takes in the bracket that closes after "2M (USD". */
const closeBracket = (text: string, start: number, end: number): number =>
  text[end] === ')' && text.slice(start, end).includes('(') ? end + 1 : end;

/** True when two amounts are the same money; a currency that is not known agrees with every other. */
const sameMoney = (a: Money, b: Money): boolean =>
  a.amount === b.amount &&
  a.minAmount === b.minAmount &&
  (a.currency === b.currency || a.currency === null || b.currency === null);

/**
 * The one amount named in `raw`, or null when there is none, no currency, or more than one.
 *
 * @example parseMoney('2,5 Mio. €') // { amount: 2500000, currency: 'EUR', kind: 'exact', minAmount: null }
 */
export function parseMoney(raw: string): Money | null {
  const [first, ...others] = findMoney(raw).map(({ money }) => money);
  return first !== undefined && others.every((other) => sameMoney(first, other)) ? first : null;
}

/**
 * As `parseMoney`, for words that are known to be an amount: a single number with a multiplier ("2M") is one as well, without a currency.
 */
export function parseAmount(raw: string): Money | null {
  const money = parseMoney(raw);
  if (money !== null || findMoney(raw).length > 0) return money;
  const figures = figuresOf(plainCharacters(raw));
  const [only] = figures;
  if (only?.readable !== true || figures.length > 1) return null;
  const amount = valueOf(only);
  const named = [...namedCurrencies(raw)];
  const currency = named.length === 1 ? (named[0] ?? null) : null;
  const certain = factorOf(only) >= 1000 || (currency !== null && amount >= 1000 && !yearLike(only));
  return certain && amount < LARGEST ? { amount, currency, kind: 'exact', minAmount: null } : null;
}

/** A number and where it stands in the text, with its multiplier. */
export interface PlacedNumber {
  /** Null where it cannot be read without doubt. */
  readonly amount: number | null;
  readonly start: number;
  readonly end: number;
  /** True where the sign or name of a currency stands beside it. */
  readonly isMarked: boolean;
}

/** Numbers of a text with their fractions and multipliers, whatever they count, in order. */
export const placedNumbers = (text: string): PlacedNumber[] =>
  figuresOf(plainCharacters(text)).map((figure) => ({
    amount: figure.readable ? numberOf(figure) : null,
    start: figure.start,
    end: figure.factorEnd,
    isMarked: figure.before !== null || figure.after !== null,
  }));

/** The numbers that {@link placedNumbers} finds; null for one that cannot be read without doubt. */
export const numbersIn = (text: string): (number | null)[] => placedNumbers(text).map(({ amount }) => amount);

/** A number with a multiplier and no currency: an amount only where words say so. */
export interface BareAmount {
  readonly amount: number;
  readonly start: number;
  readonly end: number;
}

/** Numbers of a text that have a multiplier of a thousand or more and no currency, in order: "2M", "5 crore", "zwei Millionen". */
export function findBareAmounts(text: string): BareAmount[] {
  const plain = plainCharacters(text);
  return figuresOf(plain).flatMap((figure) => {
    const counts = figure.readable && figure.before === null && figure.after === null && factorOf(figure) >= 1000;
    return counts && valueOf(figure) < LARGEST
      ? [{ amount: valueOf(figure), start: figure.start, end: figure.factorEnd }]
      : [];
  });
}
