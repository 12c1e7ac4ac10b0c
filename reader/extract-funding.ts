/**
 * Finds how much money the company seeks in this round. An amount counts only with words that ask for it: in its sentence, as the label
 * beside it, or as the heading over it. Money raised earlier, revenue, market sizes, valuations, prices and parts of the use of funds do
 * not count. When in doubt the deck does not say it.
 */
import { findMoney } from '../domain/evidence/money.ts';
import type { ExtractValueOutput } from '../domain/models/result-schemas.ts';
import {
  amountsOf,
  distance,
  isAmongFigures,
  isBare,
  isRoundLabel,
  labelsOf,
  USE_OF_FUNDS,
  type Amount,
} from './funding-amounts.ts';
import { oncePerDeck } from './once-per-deck.ts';
import { isOnly, phrases, sourceOf } from './phrases.ts';
import type { ReadPrompt, ReadSlide } from './prompt.ts';
import { coverAt } from './subjects.ts';
import { documentKindOf } from './document-kind.ts';
import { countWords, quoteOf, type TextUnit } from './text.ts';
import { findSums } from './sums.ts';
import { has } from './words.ts';

export const NOT_STATED: ExtractValueOutput = { evidence: [], stated: false, value: '' };

/** Words of asking now; names of a round, which ask only where nothing says that it is over; money that came earlier, and no funding at all. */
const [ASKS, ROUND, EARLIER, OTHER] = [phrases('asks'), phrases('round'), phrases('earlier'), phrases('other money')];
const LABEL = phrases('label of an ask');
const [ASK_HEADING, NO_ASK_HEADING] = [phrases('headings of an ask'), phrases('headings of other money')];
/** Before a word of asking: then it names a round that is over, "Previous funding: …". */
const OVER = new RegExp(String.raw`(?<!\p{L})(?:${sourceOf('over')})[\s-](?:[\p{L}-]+\s){0,2}$`, 'iu');
/** Before and after a share of the whole. */
const PART_BEFORE = phrases('before a part', 'part of a round');
const PART_AFTER = new RegExp(
  String.raw`^[\s(]*(?:(?:as|in|for|a|the|an|als|für|die|der) )*(?:${sourceOf('part of a round')})(?!\p{L})`,
  'iu',
);

interface Candidate {
  readonly amount: Amount;
  readonly score: number;
}

/** Headings of a slide that say what its amounts are. */
const headingsOf = (slide: ReadSlide): string[] =>
  slide.units
    .filter((unit) => !unit.running && (unit.heading || unit.index === 0) && unit.words <= 12)
    .map((unit) => unit.text);

/** A slide that asks: one of its headings, a sentence that seeks money, or words of asking that stand alone. */
function asks(slide: ReadSlide): boolean {
  const headings = headingsOf(slide);
  if (slide.units.some((unit) => !unit.running && unit.words > 3 && has(unit.text, phrases('seeks money'))))
    return true;
  // "Raised to date: €1M" heads what stands below it alone.
  if (headings.some((text) => has(text, NO_ASK_HEADING) && findMoney(text).length === 0)) return false;
  return (
    headings.some((text) => has(text, ASK_HEADING) || isForShares(text)) ||
    slide.units.some((unit) => !unit.running && unit.words <= 3 && labelAsks(unit.text))
  );
}

/** True for a label that asks. What is "needed" may be anything but money. */
const labelAsks = (label: string): boolean =>
  has(label, phrases('is the ask')) ||
  (has(label, LABEL) && isOnly(label, 'label of an ask', 'beside an ask')) ||
  (has(label, ASKS) && (!has(label, phrases('needs')) || has(label, phrases('capital'))));

/** Spending that comes back is no round: "We need €2M a year". */
const EACH_PERIOD = new RegExp(String.raw`^\s*(?:${sourceOf('each period')})(?!\p{L})`, 'iu');
const isEachPeriod = ({ unit, end }: Amount): boolean => EACH_PERIOD.test(unit.text.slice(end));

/** True for a slide with a sentence on the round itself: "The round carries us for 22 months". */
const speaksOfRound = (slide: ReadSlide): boolean =>
  slide.units.some((unit) => has(unit.text, phrases('on the round')) && !has(unit.text, EARLIER));

/** Where an amount stands. */
interface Frame {
  /** Its slide asks for money. */
  readonly asking: boolean;
  readonly cover: boolean;
}

/** How well an amount fits; 0 where nothing speaks for it, null where its words say that it is something else. */
function rate(amount: Amount, amounts: readonly Amount[], { asking, cover }: Frame): number | null {
  const { unit, slide } = amount;
  const bonus = asking ? 2 : 0;
  if (isBare(unit.text) && !unit.running) return rateBare(amount, amounts, asking);
  if (leads(amount, asking || speaksOfRound(slide))) return EQUITY.test(unit.text.slice(amount.end)) ? 13 : 9;
  if (isOfOthers(unit.text, amount.start)) return null;
  const label = labelOver(amount);
  // A line of a time line tells what was or will be.
  if (BEGINS_WITH_YEAR.test(unit.text) && !has(unit.text, ASKS)) return null;
  if (has(unit.text, phrases('begins with earlier')) && !has(unit.text, ASKS)) return null;
  if (isAskedNext(amount)) return 9 + bonus;
  const ask = distance(amount, ASKS, amounts, OVER);
  const round = distance(amount, ROUND, amounts, OVER);
  const earlier = distance(amount, EARLIER, amounts);
  const other = distance(amount, OTHER, amounts);
  // The nearest words decide.
  const nearer = (cue: number | null, rival: number | null): boolean =>
    cue !== null && (rival === null || cue <= rival);
  const isPart =
    has(unit.text.slice(Math.max(0, amount.start - 25), amount.start), PART_BEFORE) ||
    PART_AFTER.test(unit.text.slice(amount.end));
  const part = isPart ? PART_LOSS : 0;
  // "Wanted to raise" holds "to raise": as near, it came earlier.
  const cameEarlier = earlier !== null && ask !== null && earlier <= ask;
  if (ask !== null && ask <= 90 && !cameEarlier && nearer(ask, other) && !isEachPeriod(amount)) {
    return 10 - ask / 20 + bonus + (unit.heading ? 1 : 0) - part - (amount.sure ? 0 : 2);
  }
  if ((earlier !== null && (earlier <= 60 || round !== null)) || (other !== null && other <= 45)) return null;
  const planned = headingsOf(slide).some((text) => has(text, NO_ASK_HEADING) && !has(text, ASKS));
  if (round !== null && round <= 40 && !planned) return 6 - round / 20 + bonus - part - (amount.sure ? 0 : 2);
  if (!amount.sure || unit.running) return 0;
  // The name of a round labels what stands behind it or below it.
  if (asking && isRoundLabel(label ?? unit.text.slice(0, amount.start).trim())) return 6 - part;
  const rest = restOf(amount);
  if (has(rest, LABEL) && isOnly(rest, 'label of an ask', 'beside an ask')) return 7 - part;
  // The name of a round and an amount on the cover are the round that the deck is for.
  if (cover && isRoundLabel(rest)) return 6;
  const isTotal = has(rest, phrases('label of a total')) && isOnly(rest, 'label of a total', 'beside a total');
  if (isTotal && headingsOf(slide).some((text) => has(text, USE_OF_FUNDS))) return 6;
  if (SHARE_BEFORE.test(unit.text.slice(0, amount.start))) return 8 + bonus - part;
  if (isOffered(amount, amounts)) return 4 + bonus - part;
  if (!asking) return 0;
  if (isAlone(amount, amounts)) return 4 - part;
  if (unit.heading && countWords(rest) <= 3) return 6 - part;
  if (EQUITY.test(unit.text.slice(amount.end))) return 5 - part;
  // Under a heading that asks, an amount alone or with a label is the ask; with any other words it may be one share of it.
  return isOnly(rest, 'beside an ask') ? 4 - part : 0;
}

/** The line over one that begins with an amount, where it is no statement: "Series A" over "$12 million priced equity". */
function labelOver({ slide, unit, start }: Amount): string | null {
  const before = slide.units[unit.index - 1];
  const isLabel = before?.block === unit.block && before.words <= MAX_LABEL_WORDS && !/[.!?]$/u.test(before.text);
  return start === 0 && isLabel && findMoney(before.text).length === 0 ? before.text : null;
}
const MAX_LABEL_WORDS = 5;

const BEGINS_WITH_YEAR = /^(?:19|20)\d\d\b/u;

/** True where the sentence behind that of an amount says that this is what is asked for: "That's all we need". */
function isAskedNext({ slide, unit }: Amount): boolean {
  const next = slide.units[unit.last + 1];
  return next !== undefined && has(next.text, phrases('says that it is asked'));
}

/** For a share of the company, said before an amount: "15 % of Acme for", "Beteiligung von 25 % für". */
const SHARE_BEFORE = new RegExp(String.raw`\d\s?%[^.;]{0,40}\s(?:for|at|für|zu)\s(?:an? |insgesamt )?$`, 'iu');

/** True for a sentence of the company's own in which investors, or what they get, stand beside an amount. */
function isOffered({ unit, start, end }: Amount, amounts: readonly Amount[]): boolean {
  const rest = unit.text.slice(0, start) + unit.text.slice(end);
  const isOnlyOne = amounts.every((other) => other.unit !== unit || other.start === start);
  return isOnlyOne && has(rest, phrases('who invests', 'given for money')) && has(rest, phrases('says we'));
}

/** Behind an amount: of something else than money. */
const OF_WHAT = new RegExp(
  String.raw`^\s?(?:of|in|worth|an|wert)\s(?!(?:\p{L}+\s)?(?:${sourceOf('capital')}|${sourceOf('given for money')}))`,
  'iu',
);

/** True for the one amount of a slide that no words say to be something else. */
const isAlone = (amount: Amount, amounts: readonly Amount[]): boolean =>
  !has(amount.unit.text, phrases('use of funds', 'before a part')) &&
  !has(amount.unit.text, OTHER) &&
  !OF_WHAT.test(amount.unit.text.slice(amount.end)) &&
  amounts.every((other) => other === amount || has(other.unit.text, OTHER) || has(other.unit.text, EARLIER));

/** A sentence that begins with what others need: "A typical restaurant needs", "Wohnungsbaugesellschaften brauchen". */
const OF_OTHERS = new RegExp(String.raw`(?:^|[.!?:;]\s)(?:${sourceOf('needs of others')})(?!\p{L})`, 'iu');
const isOfOthers = (text: string, end: number): boolean => OF_OTHERS.test(text.slice(0, end));

/** After an amount: what is given for it. */
const EQUITY = new RegExp(String.raw`^\s*(?:${sourceOf('for shares')})(?!\p{L})`, 'iu');
/** "€1.5M equity": an amount, and what is given for it. */
const isForShares = (text: string): boolean => {
  const [first] = findMoney(text);
  return first !== undefined && first.start <= LEAD_LETTERS && EQUITY.test(text.slice(first.end));
};
/** Money that is there, and money that is earned. */
const DONE = phrases('not an ask');

/** True for a title that begins with an amount, on a slide that asks: the amount is the ask whatever it is called. */
const leads = ({ unit, start, sure }: Amount, asking: boolean): boolean =>
  asking && sure && unit.kind === 'title' && start <= LEAD_LETTERS && !has(unit.text, DONE);

/** What stands beside an amount in its line, or in the cells of its row that are no figures. */
const restOf = ({ unit, start, end }: Amount): string =>
  unit.cells.length > 0
    ? unit.cells.filter((cell) => !/\d/u.test(cell)).join(' ')
    : unit.text.slice(0, start) + unit.text.slice(end);

/** An amount that stands alone is what its labels say. */
function rateBare(amount: Amount, amounts: readonly Amount[], asking: boolean): number | null {
  const labels = labelsOf(amount);
  const asked = labels.some(labelAsks);
  const other = labels.some((label) => has(label, OTHER) || has(label, EARLIER) || has(label, USE_OF_FUNDS));
  const part = labels.some((label) => has(label, PART_BEFORE)) ? PART_LOSS : 0;
  if (asked) return other ? null : 9 + (asking ? 2 : 0) - part - (amount.sure ? 0 : 2);
  if (other) return null;
  if (!asking || !amount.sure) return 0;
  if (amount.unit.heading) return 6 - part;
  if (labels.some((label) => has(label, ROUND) || isRoundLabel(label))) return 7 - part;
  if (labels.some((label) => label !== '' && (isOnly(label, 'beside an ask') || has(label, ASK_HEADING))))
    return 4 - part;
  // Without a label it is the ask where the slide says little else.
  const words = amount.slide.units.reduce((sum, unit) => sum + (unit.running ? 0 : unit.words), 0);
  return words <= SHORT_SLIDE && amounts.length === 1 && !isAmongFigures(amount) ? 3 : 2;
}

/** So many letters may stand before the amount that leads a title: "Now: ", "Ask: ". */
const LEAD_LETTERS = 6;
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
  const cover = prompt.slides[coverAt(prompt.slides)];
  const candidates = prompt.slides.flatMap((slide): Candidate[] => {
    const amounts = amountsOf(slide);
    if (amounts.length === 0) return [];
    const asking = asks(slide);
    const scores = new Map(
      amounts.map((amount) => [amount, rate(amount, amounts, { asking, cover: slide === cover })]),
    );
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
  if (best === undefined || documentKindOf(prompt.slides) !== null) return NOT_STATED;
  const quote = { slide: best.slide.number, quote: quoteAround(best.slide, best.unit, best.raw) };
  return {
    // Without a currency it may be a number of anything, and of two sums that are asked for either may be the one.
    evidence: [best.sure && !isRivalled(best, good) ? quote : { ...quote, answering: 'some' }],
    stated: true,
    value: best.raw,
  };
}

/** Points from which on a sentence itself asks for an amount. */
const ASKED_SCORE = 8;

/** True where another sentence of the slide asks for another sum. */
const isRivalled = (best: Amount, candidates: readonly Candidate[]): boolean =>
  candidates.some(
    ({ amount, score }) =>
      score >= ASKED_SCORE && amount.slide === best.slide && amount.unit !== best.unit && amount.size !== best.size,
  );

/** The unit's quote if it holds the value, else the words around the value. */
export function quoteAround(slide: ReadSlide, unit: TextUnit, value: string): string {
  const quote = quoteOf(slide.units, unit.index);
  if (quote.includes(value)) return quote;
  const at = unit.text.indexOf(value);
  // The currency stands in the header of its column.
  if (at < 0) return `${unit.headerCells.join(' ').trim()} ${unit.text}`;
  const from = Math.max(0, unit.text.lastIndexOf(' ', Math.max(0, at - 80)) + 1);
  return unit.text.slice(from, at + value.length);
}
