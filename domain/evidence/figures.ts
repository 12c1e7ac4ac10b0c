/**
 * Numbers of a text with their multipliers and the currency marks beside them: what amounts of money are made of.
 */
import { markFrom, markUntil, type PlacedMark } from './currency-marks.ts';
import { halfAfter, mayMultiply, multiplierAt, multiplierBefore, type Multiplier } from './multipliers.ts';
import { findNumerals, parseNumber, type Numeral } from './numerals.ts';

/** A number with its multiplier and the marks beside it. */
export interface Figure extends Omit<Numeral, 'readable'> {
  readonly multiplier: Multiplier | null;
  /** End of the multiplier, or of the number. */
  factorEnd: number;
  /** Summand beside the product, in units: "50 lakh" of "2 crore 50 lakh", the half of "two million and a half". */
  sum: number;
  /** False where a larger or another number may be meant: such a figure is no amount. */
  readable: boolean;
  before: PlacedMark | null;
  after: PlacedMark | null;
}

/** Signs that may stand between a number, or its multiplier, and the mark after it: "500.– CHF", "2M (USD)", "3-Millionen-Euro", "2 milhões de reais". */
const GAP_AFTER = /^(?:[.,][-–—]|\/-)?(?: ?\(| ?-| {0,2})(?:(?:de|di|of) |d['’])?/u;
const GAP_BEFORE = /(?: ?[~≈<>+])? {0,2}$/u;

function markAfter(text: string, at: number): PlacedMark | null {
  const gap = GAP_AFTER.exec(text.slice(at, at + 8))?.[0] ?? '';
  return markFrom(text, at + gap.length);
}

function markBefore(text: string, at: number): PlacedMark | null {
  const gap = GAP_BEFORE.exec(text.slice(Math.max(0, at - 4), at))?.[0] ?? '';
  return markUntil(text, at - gap.length);
}

/** A number after such a letter is part of a word: Q3, CO2. Chinese, Japanese and Korean put no space before a number. */
const IN_WORD = /^(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}])[\p{L}_]/u;
const ALONE = { before: [], after: [] };
/** Between the number and the multiplier of some tables: "2 € Mio.", "5 EUR million". */
const WORD_OF_TWO = /^ \p{L}{2}/u;

/** The multiplier in front of a number, "CHF Mio. 2.5", or in front of its mark, "Mio. € 2,5", and the mark. */
function leading(text: string, numeral: Numeral): { before: PlacedMark | null; multiplier: Multiplier | null } {
  const before = markBefore(text, numeral.start);
  if (before !== null) return { before, multiplier: multiplierBefore(text, before.start, true) };
  const multiplier = multiplierBefore(text, numeral.start, false);
  const mark = multiplier === null ? null : markBefore(text, multiplier.start);
  return mark === null ? { before: null, multiplier: null } : { before: mark, multiplier };
}

function figureOf(text: string, numeral: Numeral): Figure | null {
  const { start, end } = numeral;
  const lead = leading(text, numeral);
  const { before } = lead;
  if (before === null && numeral.digits !== '' && IN_WORD.test(text.slice(Math.max(0, start - 1), start))) return null;
  const figure = { ...numeral, before, sum: 0 };
  const counted = markAfter(text, end);
  if (counted !== null) {
    const behind = WORD_OF_TWO.test(text.slice(counted.end, counted.end + 3))
      ? multiplierAt(text, counted.end, () => ALONE)
      : null;
    if (behind !== null && counted.mark.factor === 1)
      return { ...figure, after: { ...counted, end: behind.end }, multiplier: behind, factorEnd: end };
    return {
      ...figure,
      after: counted,
      multiplier: counted.mark.factor === 1 ? lead.multiplier : null,
      factorEnd: end,
    };
  }
  const multiplier = multiplierAt(text, end, (at) => ({
    before: before?.mark.currencies ?? [],
    after: markAfter(text, at)?.mark.currencies ?? [],
  }));
  if (multiplier === null) {
    const readable = numeral.readable && !mayMultiply(text, end, false);
    return { ...figure, readable, after: null, multiplier: lead.multiplier, factorEnd: end };
  }
  const half = halfAfter(text, multiplier.end);
  const factorEnd = half ?? multiplier.end;
  const after = markAfter(text, factorEnd);
  const readable =
    numeral.readable && lead.multiplier === null && (after !== null || !mayMultiply(text, factorEnd, true));
  return { ...figure, readable, after, multiplier, factorEnd, sum: half === null ? 0 : multiplier.factor / 2 };
}

/** Parts of one amount: "2 crore 50 lakh", "zwei Millionen fünfhunderttausend Euro". */
function isContinued(text: string, left: Figure, right: Figure): boolean {
  const words = text.slice(left.end, left.factorEnd);
  const small = valueOf(right);
  return (
    left.multiplier !== null &&
    left.after === null &&
    right.before === null &&
    /\p{L}{4}/u.test(words) &&
    /^(?: | and | und )$/u.test(text.slice(left.factorEnd, right.start)) &&
    (right.digits === '' || /\p{L}{4}/u.test(text.slice(right.end, right.factorEnd))) &&
    small >= 1000 &&
    small < left.multiplier.factor
  );
}

/** The figures of a text from `plainCharacters`, in order. */
export function figuresOf(text: string): Figure[] {
  const figures: Figure[] = [];
  for (const numeral of findNumerals(text)) {
    const last = figures.at(-1);
    // "Tausend" of "500 Tausend" is no number of its own.
    const figure = numeral.start < (last?.factorEnd ?? 0) ? null : figureOf(text, numeral);
    if (figure === null) continue;
    if (last === undefined || !isContinued(text, last, figure)) figures.push(figure);
    else {
      last.sum += valueOf(figure);
      last.factorEnd = figure.factorEnd;
      last.after = figure.after;
      last.readable &&= figure.readable;
    }
  }
  return figures;
}

/** By how much the digits of a figure are multiplied. */
export const factorOf = ({ multiplier, before, after }: Figure): number =>
  multiplier?.factor ?? Math.max(before?.mark.factor ?? 1, after?.mark.factor ?? 1);

/** Value in units; a figure without a multiplier takes that of `other`, the other end of a range. */
export function valueOf(figure: Figure, other: Figure | null = null): number {
  const from = factorOf(figure) === 1 && other !== null ? other : figure;
  const factor = factorOf(from);
  const decimalMark = factor < 1e5 ? null : (from.multiplier?.decimalMark ?? '.');
  const digits = figure.digits === '' ? 0 : parseNumber(figure.digits, decimalMark);
  return Math.round(((digits + figure.more) * factor + figure.sum) * 100) / 100;
}

/** The number with its own multiplier alone: 750 of "TEUR 750". */
export const numberOf = (figure: Figure): number => valueOf({ ...figure, before: null, after: null });

/** True for "2024" without a multiplier. */
export const yearLike = (figure: Figure): boolean => factorOf(figure) === 1 && /^(?:19|20)\d{2}$/u.test(figure.digits);
