/** Uses of the money that is sought, each with its share or amount: legends, rows, items and lists within a sentence. */
import { isTooShort } from '../../domain/evidence/quote-check.ts';
import { subjectsOfDeck } from '../deck-subjects.ts';
import { answerQuestion } from '../answer-question.ts';
import { extractFunding } from '../extract-funding.ts';
import { USE_OF_FUNDS } from '../funding-amounts.ts';
import { phrases } from '../phrases.ts';
import type { ReadPrompt, ReadSlide } from '../prompt.ts';
import { subjectsOfLabel } from '../subjects.ts';
import { countWords, type TextUnit } from '../text.ts';
import { has } from '../words.ts';
import { amountsIn, blocksOf, fitQuote, joined, labelFrom, once, type Fact } from './fact.ts';

/** Rows that sum up, and other terms of a round beside its uses. */
const NO_USE = phrases('no use of funds');

const MOST_FACTS = 9;
const MOST_QUOTE = 90;
const MOST_NAME = 60;
const MOST_VALUE = 20;
const MOST_NAME_WORDS = 9;
/** Shares of the whole come to about 100. */
const [LEAST_SUM, MOST_SUM] = [85, 103];
const LEAST_USES = 2;

const SHARE = /(?<![\d.,])\d{1,3}(?:[.,]\d{1,2})?\s?(?:%|percent|prozent)/iu;

interface Use {
  readonly name: string;
  readonly value: string;
  readonly quote: string;
}

/** The uses, as the deck lists them. */
export function useOfFundsFacts(prompt: ReadPrompt): Fact[] {
  const { slides } = prompt;
  const subjects = subjectsOfDeck(slides);
  const asked = extractFunding(prompt).evidence.map(({ slide }) => slide);
  const about = slides.filter((slide) => {
    const of = subjects.get(slide);
    return (
      asked.includes(slide.number) ||
      of?.has('funds') === true ||
      of?.has('ask') === true ||
      slide.units.some(({ text, words }) => words <= MOST_LABEL_WORDS && has(text, USE_OF_FUNDS))
    );
  });
  const stated = (): Fact[] =>
    answerQuestion({ ...prompt, question: { slug: 'fund_allocation', text: '' } })
      .evidence.filter(({ answering, quote }) => answering === 'high' && quote.length <= MOST_QUOTE)
      .map(({ slide, quote }) => ({ slide, quote, ...partsOf(quote), answering: 'some' }));
  const best = about
    .map((slide) => usesOn(slide, subjects.get(slide)?.has('funds') === true))
    .toSorted((a, b) => b.length - a.length)[0];
  return once(best === undefined || best.length === 0 ? stated() : best, MOST_FACTS);
}
/** Name and share of a row with the heading of its column: "Engineering: Allocation 50 %". */
function partsOf(quote: string): Pick<Fact, 'name' | 'value'> {
  const [label = '', behind = ''] = quote.split(/:\s/u);
  const value = SHARE.exec(behind)?.[0];
  const name = nameOf(label.replaceAll(/\s\([^)]*\)/gu, ''));
  return value === undefined || name === null ? { name: '', value: '' } : { name, value };
}
const MOST_LABEL_WORDS = 8;

/** @param isTitled the slide is about the use of funds; elsewhere shares have to make a whole, or a label to stand over them */
function usesOn(slide: ReadSlide, isTitled: boolean): Fact[] {
  const blocks = blocksOf(slide);
  const paired = blocks.flatMap((block) => inOrder(block) ?? []);
  if (paired.length >= LEAST_USES) return paired.flatMap((use) => factOf(slide, use, true));
  const shares = blocks.flatMap((block) => sharesOf(block));
  const sum = shares.reduce((total, { value }) => total + Number.parseFloat(value.replace(',', '.')), 0);
  const isWhole = sum >= LEAST_SUM && sum <= MOST_SUM;
  if (shares.length >= LEAST_USES && (isWhole || isTitled)) return shares.flatMap((use) => factOf(slide, use));
  const told = blocks.flat().flatMap(toldIn);
  if (told.length >= LEAST_USES) return told.flatMap((use) => factOf(slide, use));
  const turns = alternating(blocks);
  if (turns.length >= LEAST_USES) return turns.flatMap((use) => factOf(slide, use, true));
  const priced = blocks.map((block, at) => (isTitled || isLabelled(blocks, at) ? amountsOf(block) : []));
  const labelled = priced.some((uses) => uses.length >= LEAST_USES) ? longest(priced) : priced.flat();
  if (labelled.length >= LEAST_USES) return labelled.flatMap((use) => factOf(slide, use));
  const listed = blocks.flatMap((block, at) => (isLabelled(blocks, at) || isTitled ? itemsOf(block) : []));
  return listed.length >= LEAST_USES ? listed.flatMap((use) => factOf(slide, use)) : legendOf(slide, blocks);
}

/**
 * Shares and names in turn, each a block of its own, as beside a bar: each share with the name behind it. Between them may stand other words.
 */
function alternating(blocks: readonly (readonly TextUnit[])[]): Use[] {
  const uses = blocks.flatMap((block, at): Use[] => {
    const [share, name] = [joined(block), joined(blocks[at + 1] ?? [])];
    const isShare = SHARE.test(share) && labelFrom(share.replace(SHARE, '')) === '';
    return isShare && nameOf(name) !== null && !SHARE.test(name) && amountsIn(name).length === 0
      ? [{ name: nameOf(name) ?? '', value: share.trim(), quote: share.trim() }]
      : [];
  });
  const sum = uses.reduce((total, { value }) => total + Number.parseFloat(value.replace(',', '.')), 0);
  return sum >= LEAST_WHOLE && sum <= MOST_SUM ? uses : [];
}
/** Shares that only their order puts to names have to make a whole. */
const LEAST_WHOLE = 99;

/** Other amounts of the slide stand in sentences of their own. */
const longest = (lists: readonly Use[][]): Use[] => lists.toSorted((a, b) => b.length - a.length)[0] ?? [];

/** True for a block below a heading or label that says what the money is used for. */
function isLabelled(blocks: readonly (readonly TextUnit[])[], at: number): boolean {
  const [first] = blocks[at] ?? [];
  if (first === undefined) return false;
  const before = blocks[at - 1];
  const isLabel = (text: string): boolean => has(text, USE_OF_FUNDS) || subjectsOfLabel(text).includes('funds');
  return (
    isLabel(first.under) ||
    (before !== undefined && countWords(joined(before)) <= MOST_LABEL_WORDS && isLabel(joined(before)))
  );
}

/** @param isApart the name stands in another block than its share */
const factOf = (slide: ReadSlide, { name, value, quote }: Use, isApart = false): Fact[] => {
  const words = fitQuote(quote, MOST_QUOTE);
  if (words === null || !words.includes(value)) return [];
  return [{ slide: slide.number, quote: words, name, value, answering: value === '' || isApart ? 'some' : 'high' }];
};

/** Words as the name of a use; null where they are none. */
function nameOf(text: string): string | null {
  const name = labelFrom(text.replaceAll(/\(\s*\)/gu, ' ')).replace(/\.$/u, '');
  const fits = name.length <= MOST_NAME && countWords(name) <= MOST_NAME_WORDS && /\p{L}/u.test(name);
  return fits && !has(name, NO_USE) ? name : null;
}

function useOf(text: string, value: string, quote: string): Use[] {
  const name = nameOf(text.replace(value, ' '));
  return name === null || value.length > MOST_VALUE ? [] : [{ name, value, quote }];
}

/** Uses with their shares: entries of their own, a share over its caption, several in one line. */
function sharesOf(block: readonly TextUnit[]): Use[] {
  const [first, second] = block;
  if (first === undefined || first.kind === 'title') return [];
  if (first.kind === 'row') return block.flatMap(rowShare);
  const isAlone = (unit: TextUnit): boolean => labelFrom(unit.text.replace(SHARE, '')) === '' && SHARE.test(unit.text);
  // "50 %" over "Vertrieb und Einführung", or below it.
  if (block.length === 2 && second !== undefined && isAlone(first) !== isAlone(second)) {
    const value = SHARE.exec(isAlone(first) ? first.text : second.text)?.[0] ?? '';
    return useOf(isAlone(first) ? second.text : first.text, value, joined(block));
  }
  return block.flatMap(({ text }) => lineShares(text));
}

/** Shares in the first row and as many names below it, as a pie stands beside its table: in this order; null where they do not pair. */
function inOrder([first, ...rows]: readonly TextUnit[]): Use[] | null {
  const shares = (first?.cells ?? []).flatMap((cell) => cell.match(new RegExp(SHARE, 'giu')) ?? []);
  const isOnlyShares = first?.cells.every((cell) => labelFrom(cell.replaceAll(new RegExp(SHARE, 'giu'), '')) === '');
  const names = rows.slice(-shares.length);
  if (isOnlyShares !== true || shares.length < LEAST_USES || rows.length > shares.length + 1) return null;
  if (names.length !== shares.length || names.some(({ text }) => SHARE.test(text))) return null;
  return names.flatMap(({ cells, text }) => {
    const name = nameOf(cells[0] ?? '');
    // Its share stands elsewhere: a quote of both would not stand on the page.
    return name === null ? [] : [{ name, value: '', quote: text }];
  });
}

/** "Half goes into deployment teams, 30% into engineering". */
const INTO = new RegExp(
  String.raw`(?<share>\d{1,3}(?:[.,]\d)?\s?(?:%|percent|prozent)|half|(?:a|one) (?:third|quarter)|(?:die )?Hälfte|ein (?:Drittel|Viertel))\s(?:(?:of it|davon|goes|go|will go|is|are|fließ(?:t|en)|geh(?:t|en)|sind|ist)\s){0,2}(?:into|in|for|to|on|towards?|für)\s(?:(?:the|our|die|den|das|unsere?n?)\s)?(?<name>[^,;.()%]{3,60}?)(?=[,;.]|\s(?:and|und)\s|$)`,
  'giu',
);

/** Uses that a sentence tells with their shares. */
function toldIn({ text }: TextUnit): Use[] {
  const told = [...text.matchAll(INTO)].flatMap(({ 0: quote, groups = {} }) => {
    const name = nameOf(groups['name'] ?? '');
    return name === null ? [] : [{ name, value: groups['share'] ?? '', quote: isTooShort(quote) ? text : quote }];
  });
  return told.length >= LEAST_USES ? told : [];
}

function rowShare({ cells, text }: TextUnit): Use[] {
  const at = cells.findIndex((cell) => SHARE.test(cell) && labelFrom(cell.replace(SHARE, '')) === '');
  const value = SHARE.exec(cells[at] ?? '')?.[0];
  if (value === undefined) return cells.flatMap((cell) => lineShares(cell));
  const label = cells.find((cell, index) => index !== at && /\p{L}{2}/u.test(cell)) ?? '';
  return useOf(label, value, text);
}

/** The uses of one line: "40% growth, 30% engineering", "Vertrieb 20 %", "Mittelverwendung: Zulassung 35 %, Serie 30 %". */
function lineShares(text: string): Use[] {
  const all = [...text.matchAll(new RegExp(SHARE, 'giu'))];
  if (all.length === 0) return [];
  if (all.length === 1) {
    const value = all[0]?.[0] ?? '';
    // A sentence about a share is no entry.
    return /[.!?]$|\p{L}{3,}[.!?]\s/u.test(text) && countWords(text) > MOST_NAME_WORDS ? [] : useOf(text, value, text);
  }
  const named = [...text.matchAll(/(?<name>[^,();:%]{3,60}?)\s?\((?<share>\d{1,3}\s?%)\)/gu)];
  if (named.length >= LEAST_USES && named.length >= all.length - 1)
    return named.flatMap(({ 0: quote, groups = {} }) =>
      useOf(
        (groups['name'] ?? '').replace(/^\s*(?:und|and|für|for)\s/iu, ''),
        groups['share'] ?? '',
        isTooShort(quote) ? text : quote.trim(),
      ),
    );
  const list = text.replace(/^[^:%]{3,40}:\s/u, '').replace(/\.$/u, '');
  const parts = list.split(/\s?[;·|•+/]\s|,\s(?=\p{L}[^,]*%|\d)/u).filter((part) => SHARE.test(part));
  if (parts.length !== all.length) return [];
  return parts.flatMap((part, at) => useOf(part, SHARE.exec(part)?.[0] ?? '', withNeighbour(text, parts, at)));
}

/** An entry with the next or the one before it: two words prove nothing by themselves. */
function withNeighbour(text: string, parts: readonly string[], at: number): string {
  const [own, other] = [parts[at]?.trim() ?? '', (parts[at + 1] ?? parts[at - 1] ?? '').trim()];
  const places = [text.indexOf(own), text.indexOf(other)];
  const both = text.slice(
    Math.min(...places),
    Math.max((places[0] ?? 0) + own.length, (places[1] ?? 0) + other.length),
  );
  return isTooShort(own) && both.length <= MOST_QUOTE ? both : own;
}

/** Uses with amounts, in rows and entries. */
const amountsOf = (block: readonly TextUnit[]): Use[] =>
  block.flatMap((unit) => {
    if (unit.kind === 'title') return [];
    const [amount, ...others] = amountsIn(unit.text);
    if (amount === undefined || others.length > 0 || /\p{L}{3,}[.!?]$/u.test(unit.text)) return [];
    return useOf(unit.text, amount.words, unit.text);
  });

/** Uses without a figure: the items of a list. */
const itemsOf = (block: readonly TextUnit[]): Use[] =>
  block.flatMap((unit) => {
    const name = unit.kind === 'item' ? nameOf(unit.text) : null;
    return name === null || amountsIn(unit.text).length > 0 ? [] : [{ name, value: '', quote: unit.text }];
  });

/**
 * Names of a legend whose shares stand apart, around a pie: which share is whose only the picture says, so the names go without.
 */
function legendOf(slide: ReadSlide, blocks: readonly (readonly TextUnit[])[]): Fact[] {
  const alone = blocks.filter(
    (block) => block.length === 1 && SHARE.test(joined(block)) && labelFrom(joined(block).replace(SHARE, '')) === '',
  );
  const sum = alone.reduce((total, block) => total + Number.parseFloat(joined(block).replace(',', '.')), 0);
  if (alone.length < LEAST_USES || sum < LEAST_SUM || sum > MOST_SUM) return [];
  const legend = blocks.find(
    (block) =>
      block.length === alone.length &&
      block.every(
        ({ text }) =>
          nameOf(text) !== null && !SHARE.test(text) && amountsIn(text).length === 0 && !/^\d|[.!?]$/u.test(text),
      ),
  );
  if (legend === undefined) return [];
  const whole = joined(legend);
  return legend.flatMap(({ text }) =>
    factOf(slide, { name: text, value: '', quote: whole.length <= MOST_QUOTE ? whole : text }),
  );
}
