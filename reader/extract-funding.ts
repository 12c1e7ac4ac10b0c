/**
 * Finds how much money the company seeks in this round. An amount counts only with words that ask for it: in its sentence, as the label
 * beside it, or as the heading over it. Money raised earlier, revenue, market sizes, valuations, prices and parts of the use of funds do
 * not count. When in doubt the deck does not say it.
 */
import type { ExtractValueOutput } from '../domain/models/result-schemas.ts';
import { findMoney, parseAmount } from '../domain/evidence/money.ts';
import {
  ASK_HEADING,
  ASK_LABEL,
  ASKS,
  ASKS_ELSEWHERE,
  CAPITAL,
  EARLIER,
  GOES_ON,
  LABELS,
  NEED,
  NO_ASK_HEADING,
  OTHER,
  OVER,
  PART_AFTER,
  PART_BEFORE,
  ROUND,
  USE_OF_FUNDS,
} from './funding-words.ts';
import { oncePerDeck } from './once-per-deck.ts';
import type { ReadPrompt, ReadSlide } from './prompt.ts';
import { isTemplate } from './template-deck.ts';
import { countWords, quoteOf, type TextUnit } from './text.ts';
import { findSums } from './sums.ts';

export const NOT_STATED: ExtractValueOutput = { evidence: [], stated: false, value: '' };

/** A unit, with the lines of its block in which it goes on. */
interface Statement extends TextUnit {
  /** Position of its last line among the units of its slide. */
  readonly last: number;
}

/** An amount of the deck and where it stands. */
interface Amount {
  readonly slide: ReadSlide;
  readonly unit: Statement;
  readonly raw: string;
  readonly start: number;
  readonly end: number;
  readonly size: number;
  /** False for "2M", which is money only beside words that ask. */
  readonly sure: boolean;
}

interface Candidate {
  readonly amount: Amount;
  readonly score: number;
}

/** Smallest amount that counts as funding, in any currency. */
const LEAST_SIZE = 10_000;
const BARE_AMOUNT =
  /(?<![\p{L}\d.,$€£₹])\d+(?:[.,]\d+)?\s?(?:[MK]|Mio\.?|Mn|million(?:en|s)?|mln|Cr|crores?|lakhs?)(?![\p{L}\d])/gu;

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

function amountsOf(slide: ReadSlide): Amount[] {
  return statementsOf(slide).flatMap((unit): Amount[] => {
    if (!/\d/u.test(unit.text)) return [];
    const placed = findMoney(unit.text);
    const sure = placed.map(({ money, start, end }) => ({
      slide,
      unit,
      raw: unit.text.slice(start, end),
      start,
      end,
      size: money.amount,
      sure: true,
    }));
    const bare = [...unit.text.matchAll(BARE_AMOUNT)]
      .filter(({ index }) => placed.every(({ start, end }) => index >= end || index < start))
      .map((match) => {
        const [start, end] = [match.index, match.index + match[0].length];
        return { slide, unit, raw: match[0], start, end, size: parseAmount(match[0])?.amount ?? 0, sure: false };
      });
    return [...sure, ...bare].filter(({ size }) => size >= LEAST_SIZE);
  });
}

/**
 * Characters between an amount and the nearest match of the pattern; null when there is none, or another amount stands between.
 * @param except Matches after these words do not count.
 */
function distance(amount: Amount, pattern: RegExp, others: readonly Amount[], except?: RegExp): number | null {
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
function labelsOf({ slide, unit }: Amount): string[] {
  const before = slide.units[unit.index - 1];
  const after = slide.units[unit.last + 1];
  const labels = (others: readonly (TextUnit | undefined)[]): string[] =>
    others.flatMap((other) =>
      other === undefined || other.running || other.words > 8 || /[.!?]$/u.test(other.text) || isBare(other.text)
        ? []
        : [other.text],
    );
  const own = labels([before, after].filter((other) => other?.block === unit.block));
  // A heading belongs to what follows it, and a line of another block to the amount there.
  const follows = after?.heading === true || matches(USE_OF_FUNDS, after?.text ?? '');
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
const isAmongFigures = ({ slide, unit }: Amount): boolean =>
  [slide.units[unit.index - 1], slide.units[unit.last + 1]].some(
    (other) => other !== undefined && isBare(other.text) && findMoney(other.text).length === 0,
  );

/** True for an amount without words of its own. */
const isBare = (text: string): boolean => {
  const rest = findMoney(text).reduceRight((left, { start, end }) => left.slice(0, start) + left.slice(end), text);
  return /\d/u.test(text) && !/\p{L}{3,}/u.test(rest.replaceAll(BARE_AMOUNT, ''));
};

/** Headings of a slide that say what its amounts are. */
const headingsOf = (slide: ReadSlide): string[] =>
  slide.units
    .filter((unit) => !unit.running && (unit.heading || unit.index === 0) && unit.words <= 12)
    .map((unit) => unit.text);

/** A slide that asks: one of its headings, or words of asking that stand alone. */
function asks(slide: ReadSlide): boolean {
  const headings = headingsOf(slide);
  if (headings.some((text) => matches(NO_ASK_HEADING, text))) return false;
  return (
    headings.some((text) => matches(ASK_HEADING, text)) ||
    slide.units.some((unit) => !unit.running && unit.words <= 3 && labelAsks(unit.text))
  );
}

/** True for a label that asks. What is "needed" may be anything but money. */
const labelAsks = (label: string): boolean =>
  ASK_LABEL.test(label) ||
  matches(ASKS_ELSEWHERE, label) ||
  (matches(ASKS, label) && (!matches(NEED, label) || matches(CAPITAL, label)));

const matches = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0;

/** How well an amount fits; 0 where nothing speaks for it, null where its words say that it is something else. */
function rate(amount: Amount, amounts: readonly Amount[], asking: boolean): number | null {
  const { unit, slide } = amount;
  const bonus = asking ? 2 : 0;
  if (isBare(unit.text) && !unit.running) return rateBare(amount, amounts, asking);
  const ask = distance(amount, ASKS, amounts, OVER) ?? distance(amount, ASKS_ELSEWHERE, amounts);
  const round = distance(amount, ROUND, amounts, OVER);
  const earlier = distance(amount, EARLIER, amounts);
  const other = distance(amount, OTHER, amounts);
  // The nearest words decide.
  const nearer = (cue: number | null, rival: number | null): boolean =>
    cue !== null && (rival === null || cue <= rival);
  const isPart =
    matches(PART_BEFORE, unit.text.slice(Math.max(0, amount.start - 25), amount.start)) ||
    PART_AFTER.test(unit.text.slice(amount.end));
  const part = isPart ? PART_LOSS : 0;
  if (ask !== null && ask <= 90 && nearer(ask, earlier) && nearer(ask, other)) {
    return 10 - ask / 20 + bonus + (unit.heading ? 1 : 0) - part - (amount.sure ? 0 : 2);
  }
  if ((earlier !== null && (earlier <= 60 || round !== null)) || (other !== null && other <= 45)) return null;
  const planned = headingsOf(slide).some((text) => matches(NO_ASK_HEADING, text));
  if (round !== null && round <= 40 && !planned) return 6 - round / 20 + bonus - part - (amount.sure ? 0 : 2);
  if (!asking || !amount.sure || unit.running) return 0;
  const rest = unit.text.slice(0, amount.start) + unit.text.slice(amount.end);
  if (unit.heading && countWords(rest) <= 3) return 6 - part;
  // Under a heading that asks, an amount alone or with a label is the ask; with any other words it may be one share of it.
  return LABELS.test(rest) ? 4 - part : 0;
}

/** An amount that stands alone is what its labels say. */
function rateBare(amount: Amount, amounts: readonly Amount[], asking: boolean): number | null {
  const labels = labelsOf(amount);
  const asked = labels.some(labelAsks);
  const other = labels.some(
    (label) => matches(OTHER, label) || matches(EARLIER, label) || matches(USE_OF_FUNDS, label),
  );
  const part = labels.some((label) => matches(PART_BEFORE, label)) ? PART_LOSS : 0;
  if (asked) return other ? null : 9 + (asking ? 2 : 0) - part - (amount.sure ? 0 : 2);
  if (other) return null;
  if (!asking || !amount.sure) return 0;
  if (amount.unit.heading) return 6 - part;
  if (labels.some((label) => matches(ROUND, label))) return 7 - part;
  if (labels.some((label) => label !== '' && (LABELS.test(label) || matches(ASK_HEADING, label)))) return 4 - part;
  // Without a label it is the ask where the slide says little else.
  const words = amount.slide.units.reduce((sum, unit) => sum + (unit.running ? 0 : unit.words), 0);
  return words <= SHORT_SLIDE && amounts.length === 1 && !isAmongFigures(amount) ? 3 : 2;
}

/** Points that a part of the round loses. */
const PART_LOSS = 7;
/** Points of an amount that is the sum of others on a slide that asks. */
const TOTAL = 4;
/** Words of a slide that is made of a few large ones. */
const SHORT_SLIDE = 40;
const LEAST_SCORE = 3;

/** The amount sought, as written, or not stated. */
export const extractFunding: (prompt: ReadPrompt) => ExtractValueOutput = oncePerDeck(findFunding);

function findFunding(prompt: ReadPrompt): ExtractValueOutput {
  const candidates = prompt.slides.flatMap((slide): Candidate[] => {
    const amounts = amountsOf(slide);
    if (amounts.length === 0) return [];
    const asking = asks(slide);
    const scores = new Map(amounts.map((amount) => [amount, rate(amount, amounts, asking)]));
    // The sum of others is the whole where something asks for it; what it is made of is not.
    for (const { total, parts } of asking ? findSums(amounts) : []) {
      const score = scores.get(total) ?? null;
      if (score === null) continue;
      scores.set(total, Math.max(score, TOTAL) + 3);
      for (const part of parts) scores.set(part, (scores.get(part) ?? 0) - PART_LOSS);
    }
    return [...scores].map(([amount, score]) => ({ amount, score: score ?? 0 }));
  });
  const good = candidates.filter(({ score }) => score >= LEAST_SCORE);
  // Amounts said twice gain; of equal ones the larger is the whole and the smaller a part.
  const total = (c: Candidate): number =>
    c.score + Math.min(3, good.filter((o) => o !== c && o.amount.size === c.amount.size).length);
  const best = good.toSorted((a, b) => total(b) - total(a) || b.amount.size - a.amount.size)[0]?.amount;
  if (best === undefined || isTemplate(prompt)) return NOT_STATED;
  return {
    evidence: [{ slide: best.slide.number, quote: quoteAround(best.slide, best.unit, best.raw) }],
    stated: true,
    value: best.raw,
  };
}

/** The unit's quote if it holds the value, else the words around the value. */
export function quoteAround(slide: ReadSlide, unit: TextUnit, value: string): string {
  const quote = quoteOf(slide.units, unit.index);
  if (quote.includes(value)) return quote;
  const at = unit.text.indexOf(value);
  const from = Math.max(0, unit.text.lastIndexOf(' ', Math.max(0, at - 80)) + 1);
  return unit.text.slice(from, at + value.length);
}
