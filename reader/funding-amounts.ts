/** The amounts of a slide: where each stands, what labels it, and how far words are from it. */
import { isMoneyByWords } from '../domain/evidence/money-words.ts';
import { findBareAmounts, findMoney, parseAmount } from '../domain/evidence/money.ts';
import { isOnly, phrases } from './phrases.ts';
import type { ReadSlide } from './prompt.ts';
import type { TextUnit } from './text.ts';
import { has } from './words.ts';

export const USE_OF_FUNDS: RegExp = phrases('use of funds');
/** True for the name of a round and nothing else. */
export const isRoundLabel = (text: string): boolean =>
  has(text, phrases('names of rounds')) && isOnly(text, 'names of rounds', 'beside a round');
/** At the end of a line that goes on in the next. */
const GOES_ON =
  /(?:[:,–-]|(?<!\p{L})(?:a|an|the|of|at|for|up to|to|over|about|around|our|raising|seeking|über|von|rund|etwa|ca\.|bis|zu|in höhe von|suchen|benötigen))$/iu;

/** A unit, with the lines of its block in which it goes on. */
interface Statement extends TextUnit {
  /** Position of its last line among the units of its slide. */
  readonly last: number;
}

/** An amount of the deck and where it stands. */
export interface Amount {
  readonly slide: ReadSlide;
  readonly unit: Statement;
  readonly raw: string;
  readonly start: number;
  readonly end: number;
  readonly size: number;
  /** False for "2M", which is money only beside words that ask. */
  readonly sure: boolean;
}

/** Smallest amount that counts as funding, in any currency. */
const LEAST_SIZE = 10_000;
/** Larger amounts are markets. In currencies of small value a round may have as many units. */
const MOST_SIZE = 2e9;
const LARGE_CURRENCIES = new Set<string | null>(['EUR', 'USD', 'GBP', 'CHF', null]);
/** Text that may have an amount: digits, or a number in words. */
const MAY_HAVE_AMOUNT = /\d|[½¼¾]|illi|tausend|thousand|milh|mili/iu;
/** Words of a label; a longer text may name money beside anything. */
const LABEL_WORDS = 8;

/** A number without a currency is an amount only where a word for money stands right beside it, or labels it where it stands alone. */
function bareAmountsOf(slide: ReadSlide, unit: Statement): ReturnType<typeof findBareAmounts> {
  const found = findBareAmounts(unit.text);
  if (found.length === 0) return found;
  const beside = [slide.units[unit.index - 1], slide.units[unit.last + 1]];
  const near = [...beside, slide.units.findLast((other) => other.heading && other.index < unit.index)];
  const labels = near.flatMap((other) => (other === undefined || other.words > LABEL_WORDS ? [] : [other.text]));
  return found.filter((place) => isMoneyByWords(unit.text, place, labels));
}

/** True where an amount is set over the end of a line: "Our ask: USD", "3,000,000". */
const splitsAmount = (line: string, next: string): boolean =>
  /\d/u.test(line + next) &&
  findMoney(`${line} ${next}`).some(({ start, end }) => start < line.length && end > line.length + 1) &&
  findMoney(next)[0]?.start !== 0;

const goesOn = (unit: TextUnit, next: TextUnit): boolean =>
  unit.kind === 'sentence' &&
  next.kind === 'sentence' &&
  unit.block === next.block &&
  !unit.running &&
  (GOES_ON.test(unit.text) ||
    (/^\p{Ll}/u.test(next.text) && !/[.!?;]$/u.test(unit.text) && !isBare(unit.text)) ||
    splitsAmount(unit.text, next.text));

/** The units of a slide; lines in which a statement goes on are one. */
function statementsOf(slide: ReadSlide): Statement[] {
  const statements: Statement[] = [];
  for (const unit of slide.units) {
    const before = statements.at(-1);
    const line = slide.units[unit.index - 1];
    if (before === undefined || line === undefined || !goesOn(line, unit)) {
      statements.push({ ...unit, last: unit.index });
      continue;
    }
    const text = `${before.text} ${unit.text}`;
    statements.splice(-1, 1, {
      ...before,
      text,
      lower: text.toLowerCase(),
      words: before.words + unit.words,
      last: unit.index,
    });
  }
  return statements;
}

/** What else a header may say beside the currency of its column. */
const COLUMN_WORDS = /(?<!\p{L})(?:amount|sum|cost|budget|value|in|betrag|summe|kosten)(?!\p{L})|[()[\]]/giu;

/** Amounts of a row whose currency stands in the header of their column. */
function amountsUnderCurrency(slide: ReadSlide, unit: Statement): Amount[] {
  let from = 0;
  return unit.cells.flatMap((cell, column): Amount[] => {
    const start = unit.text.indexOf(cell, from);
    from = Math.max(from, start);
    const mark = (unit.headerCells[column] ?? '').replaceAll(COLUMN_WORDS, ' ').trim();
    if (start < 0 || mark === '' || /\d/u.test(mark) || !/^\d[\d.,'’ ]*$/u.test(cell)) return [];
    const money = parseAmount(`${mark} ${cell}`);
    if (money === null || money.currency === null || findMoney(cell).length > 0) return [];
    return [{ slide, unit, raw: `${mark} ${cell}`, start, end: start + cell.length, size: money.amount, sure: true }];
  });
}

export function amountsOf(slide: ReadSlide): Amount[] {
  return statementsOf(slide).flatMap((unit): Amount[] => {
    if (!MAY_HAVE_AMOUNT.test(unit.text)) return [];
    const placed = findMoney(unit.text).filter(
      ({ money }) => money.amount <= MOST_SIZE || !LARGE_CURRENCIES.has(money.currency),
    );
    const sure = placed.map(({ money, start, end }) => ({
      slide,
      unit,
      raw: unit.text.slice(start, end),
      start,
      end,
      size: money.amount,
      sure: true,
    }));
    const bare = bareAmountsOf(slide, unit)
      .filter(({ amount }) => amount <= MOST_SIZE)
      .filter(({ start, end }) => placed.every((money) => end <= money.start || start >= money.end))
      .map(({ amount, start, end }) => ({
        slide,
        unit,
        raw: unit.text.slice(start, end),
        start,
        end,
        size: amount,
        sure: false,
      }));
    return [...sure, ...bare, ...amountsUnderCurrency(slide, unit)].filter(({ size }) => size >= LEAST_SIZE);
  });
}

/**
 * Characters between an amount and the nearest match of the pattern; null when there is none, or another amount stands between.
 * @param except Matches after these words do not count.
 */
export function distance(amount: Amount, pattern: RegExp, others: readonly Amount[], except?: RegExp): number | null {
  let nearest: number | null = null;
  for (const match of amount.unit.text.matchAll(pattern)) {
    if (except?.test(amount.unit.text.slice(0, match.index)) === true) continue;
    const end = match.index + match[0].length;
    const [from, to] = end <= amount.start ? [end, amount.start] : [amount.end, match.index];
    const gap = Math.max(0, to - from);
    const between = others.some((o) => o !== amount && o.unit === amount.unit && o.start >= from && o.end <= to);
    if (!between && (nearest === null || gap < nearest)) nearest = gap;
  }
  return nearest;
}

/**
 * Short texts that may label an amount that stands alone: the lines of its block, else the lines beside it, and the heading over it. A
 * sentence is no label.
 */
export function labelsOf({ slide, unit }: Amount): string[] {
  const before = slide.units[unit.index - 1];
  const after = slide.units[unit.last + 1];
  const labels = (others: readonly (TextUnit | undefined)[]): string[] =>
    others.flatMap((other) =>
      other === undefined ||
      other.running ||
      other.words > 8 ||
      /[.!?]$/u.test(other.text) ||
      isBare(other.text) ||
      findMoney(other.text).length > 0
        ? []
        : [other.text],
    );
  // Labels over their amounts: the one behind this amount is that of the next.
  const next = slide.units[unit.last + 2];
  const isOfNext = before !== undefined && !isBare(before.text) && next !== undefined && isBare(next.text);
  const own = labels([before, isOfNext ? undefined : after].filter((other) => other?.block === unit.block));
  // A heading belongs to what follows it, and a line of another block to the amount there.
  const follows = (after?.heading === true && !isRoundLabel(after.text)) || has(after?.text ?? '', USE_OF_FUNDS);
  const isFree = (other: TextUnit | undefined): boolean =>
    !slide.units.some(
      (each) => each.block === other?.block && each.index !== other.index && findMoney(each.text).length > 0,
    );
  const beside = own.length > 0 ? own : labels([before, follows ? undefined : after].filter(isFree));
  const heading = slide.units.findLast((other) => other.kind === 'heading' && other.index < unit.index);
  const near = heading !== undefined && unit.block - heading.block <= 2 && heading.words <= 8;
  return [...beside, ...(near && !isBare(heading.text) ? [heading.text] : [])];
}

/** True between other figures without words: a column of a table. */
export const isAmongFigures = ({ slide, unit }: Amount): boolean =>
  [slide.units[unit.index - 1], slide.units[unit.last + 1]].some(
    (other) => other !== undefined && isBare(other.text) && findMoney(other.text).length === 0,
  );

/** True for an amount without words of its own. */
export const isBare = (text: string): boolean => {
  const placed = [...findMoney(text), ...findBareAmounts(text)].toSorted((a, b) => b.start - a.start);
  const rest = placed.reduce((left, { start, end }) => left.slice(0, start) + left.slice(end), text);
  return /\d/u.test(text) && !/\p{L}{3,}/u.test(rest);
};
