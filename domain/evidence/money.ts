/**
 * Amounts of money in text as decks write them: "€2.5M", "EUR 2,500,000", "2,5 Mio. €", "₹2.5 Cr", "A$750k", "1.5–2M USD", "up to $500K".
 * Currencies are in `currency-marks.ts`, multipliers in `multipliers.ts`; here numbers, marks and multipliers are put together.
 */
import { currencyMeant, markFrom, markUntil, namedCurrencies, type PlacedMark } from './currency-marks.ts';
import { multiplierAt, type PlacedMultiplier } from './multipliers.ts';

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

const NUMBER =
  /(?<!\d[.,'’]?)(?:(?<![\p{L}.])\.\d+|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d{1,3})?|\d{1,3}(?:([.,'’ ])\d{3})(?:\1\d{3})*(?:[.,]\d{1,3})?|\d+(?:[.,]\d+)?)(?![.,]?\d|\s?[%‰])/gu;

/** A number of the text with what belongs to it. */
interface Figure {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
  readonly multiplier: PlacedMultiplier | null;
  /** End of the multiplier, or of the number. */
  readonly factorEnd: number;
  before: PlacedMark | null;
  after: PlacedMark | null;
}

/** Full-width digits and the many kinds of spaces become plain ones, raised digits (of footnotes) spaces; every character keeps its place. */
function plainCharacters(text: string): string {
  return text.replaceAll(/[⁰¹²³⁴-⁹₀-₉]/gu, ' ').replaceAll(/[^\p{ASCII}]/gu, (character) => {
    const plain = character.normalize('NFKC');
    return plain.length === character.length ? plain : character;
  });
}

/**
 * The number a digit string stands for. Of two different separators the last is the decimal point. One separator followed by exactly three
 * digits groups thousands, unless it is the decimal mark of the language of a large multiplier: "2,125 Mio." and "2.125 million" are two
 * million, "2.125 Mio." and "2,125 million" two thousand million.
 */
function parseNumber(digits: string, decimalMark: string | null): number {
  const plain = digits.replaceAll(/['’ ]/gu, '');
  const separators = [...plain.matchAll(/[.,]/gu)].map((match) => match[0]);
  const last = separators.at(-1);
  if (last === undefined) return Number(plain);
  const at = plain.lastIndexOf(last);
  const grouping =
    plain.length - at === 4 &&
    at <= 3 &&
    plain.length === digits.length &&
    last !== decimalMark &&
    !/^[0.]/u.test(plain);
  const decimal = new Set(separators).size === 2 || (separators.length === 1 && !grouping);
  const whole = (decimal ? plain.slice(0, at) : plain).replaceAll(/[.,]/gu, '');
  return Number(decimal ? `${whole}.${plain.slice(at + 1)}` : whole);
}

/** What may stand between a number, or its multiplier, and the mark after it: "500.– CHF", "2M (USD)", "3-Millionen-Euro", "2 milhões de reais". */
const GAP_AFTER = /^(?:[.,][-–—]|\/-)?(?: ?\(| ?-| {0,2})(?:(?:de|di|of) |d['’])?/u;
const GAP_BEFORE = /(?: ?[~≈<>+])? {0,2}$/u;

function markAfter(text: string, at: number): PlacedMark | null {
  const gap = GAP_AFTER.exec(text.slice(at, at + 8))?.[0] ?? '';
  return markFrom(text, at + gap.length);
}

/** A number after such a letter is part of a word: Q3, CO2. Chinese, Japanese and Korean put no space before a number. */
const IN_WORD = /^(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}])[\p{L}_]/u;

function figuresOf(text: string): Figure[] {
  const figures: Figure[] = [];
  for (const match of text.matchAll(NUMBER)) {
    const [start, end] = [match.index, match.index + match[0].length];
    const gap = GAP_BEFORE.exec(text.slice(Math.max(0, start - 4), start))?.[0] ?? '';
    const before = markUntil(text, start - gap.length);
    if (before === null && IN_WORD.test(text.slice(Math.max(0, start - 1), start))) continue;
    const counted = markAfter(text, end);
    const multiplier =
      counted !== null && counted.mark.factor !== 1
        ? null
        : multiplierAt(text, end, (at) => [
            ...(before?.mark.currencies ?? []),
            ...(markAfter(text, at)?.mark.currencies ?? []),
          ]);
    const after = multiplier === null ? counted : markAfter(text, multiplier.end);
    const factorEnd = multiplier?.end ?? end;
    figures.push({ start, end, digits: match[0], multiplier, factorEnd, before, after });
  }
  return figures;
}
const factorOf = ({ multiplier, before, after }: Figure): number =>
  multiplier?.factor ?? Math.max(before?.mark.factor ?? 1, after?.mark.factor ?? 1);

/** Value in units; a figure without a multiplier takes that of `other`, the other end of a range. */
function valueOf(figure: Figure, other: Figure | null = null): number {
  const from = factorOf(figure) === 1 && other !== null ? other : figure;
  const factor = factorOf(from);
  const decimalMark = factor < 1e5 ? null : (from.multiplier?.decimalMark ?? '.');
  return Math.round(parseNumber(figure.digits, decimalMark) * factor * 100) / 100;
}

const yearLike = (figure: Figure): boolean => factorOf(figure) === 1 && /^(?:19|20)\d{2}$/u.test(figure.digits);

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

/** The marks of a figure that count, the more certain first. */
function marksOf(text: string, figure: Figure): PlacedMark[] {
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
  const inherits = factorOf(low) === 1 && Number(low.digits.replace(',', '.')) < 1000;
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
  if (only === undefined || figures.length > 1) return null;
  const amount = valueOf(only);
  const named = [...namedCurrencies(raw)];
  const currency = named.length === 1 ? (named[0] ?? null) : null;
  const certain = factorOf(only) >= 1000 || (currency !== null && amount >= 1000 && !yearLike(only));
  return certain && amount < LARGEST ? { amount, currency, kind: 'exact', minAmount: null } : null;
}
