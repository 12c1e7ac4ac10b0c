/** Sizes of the market by level: TAM, SAM and SOM with what they measure. */
import type { Answering } from '../../domain/evidence/answering.ts';
import { findBareAmounts, type BareAmount } from '../../domain/evidence/money.ts';
import { isOnlyAmount } from '../passages.ts';
import { phrases } from '../phrases.ts';
import type { ReadSlide } from '../prompt.ts';
import type { TextUnit } from '../text.ts';
import { has } from '../words.ts';
import { amountsIn, blocksOf, fitQuote, joined, labelFrom, type Fact, type StatedAmount } from './fact.ts';

/** The three sizes by which markets are told, largest first, and the phrases that name them. */
export const LEVELS = ['TAM', 'SAM', 'SOM'] as const;
type Level = (typeof LEVELS)[number];
const LEVEL_WORDS: readonly (readonly [Level, RegExp])[] = [
  ['TAM', phrases('market in total')],
  ['SAM', phrases('market served')],
  ['SOM', phrases('market obtained')],
];
/** Words of other money on slides about the market. */
export const NOT_MARKET = phrases('not market size');

/** Less is no market that an investor is told of. */
export const LEAST_SIZE = 500_000;
const MOST_QUOTE = 120;
export const MOST_NAME = 70;
const MOST_VALUE = 40;

/** A quote with its slide. */
interface Place {
  readonly slide: ReadSlide;
  readonly quote: string;
}

/** A fact of the market; none where the words of its value cannot be quoted. */
export const factOf = (place: Place, name: string, value: string, answering: Answering): Fact[] => {
  const quote = fitQuote(place.quote, MOST_QUOTE);
  if (quote === null || !quote.includes(value) || value.length > MOST_VALUE) return [];
  return [{ slide: place.slide.number, quote, name: name.length > MOST_NAME ? '' : name, value, answering }];
};

/** The level that a text names, at its beginning where it says more. */
export function levelIn(text: string): Level | null {
  const named = LEVEL_WORDS.flatMap(([level, words]) =>
    [...text.matchAll(words)].slice(0, 1).map(({ index: at, 0: said }) => ({ level, at, end: at + said.length })),
  ).toSorted((a, b) => a.at - b.at || b.end - a.end);
  const [first, ...others] = named;
  // "Available market" is part of "total available market".
  const more = others.filter(({ at }) => first !== undefined && at >= first.end);
  return more.length === 0 || first?.at === 0 ? (first?.level ?? null) : null;
}

/** Sizes by level: beside their label in one block or row, or a row of labels and one of amounts. */
export function levelsOf(slide: ReadSlide, sizesIn: SizesIn): Fact[] {
  const blocks = blocksOf(slide);
  const beside = blocks.flatMap((block) =>
    block[0]?.kind === 'row' ? rowLevels(slide, block, sizesIn) : blockLevels(slide, block, blocks, sizesIn),
  );
  if (beside.length > 0) return beside;
  const labels = blocks.flatMap((block) => {
    const level = sizesIn(joined(block)).length === 0 ? levelIn(joined(block)) : null;
    return level === null ? [] : [level];
  });
  const different = LEVELS.filter((level) => labels.includes(level));
  const amounts = blocks.flatMap((block) => bareAmount(block, sizesIn));
  // The total market is the largest, what can be reached the smallest: the sizes need no place.
  if (different.length < 2 || amounts.length !== different.length) return [];
  return amounts
    .toSorted((a, b) => b.size.amount - a.size.amount)
    .flatMap(({ size, quote }, at) => {
      const level = different[at];
      if (level === undefined) return [];
      const said = describedBy(quote, level, size.words) || describedIn(blocks, level, sizesIn);
      return factOf({ slide, quote }, named(level, said), size.words, 'high');
    });
}

/** A block that begins with its one amount. */
function bareAmount(
  block: readonly TextUnit[],
  sizesIn: SizesIn,
): { readonly size: StatedAmount; readonly quote: string }[] {
  const [first] = block;
  if (first === undefined || first.kind === 'row' || first.kind === 'title') return [];
  const [size, ...others] = sizesIn(first.text);
  const starts = size !== undefined && first.text.trim().startsWith(size.words);
  const isAlone = starts || isOnlyAmount(first.text) || /^\P{L}*$/u.test(first.text.replace(size?.words ?? '', ''));
  return size === undefined || others.length > 0 || !isAlone ? [] : [{ size, quote: joined(block) }];
}

/** The sizes in a text. */
type SizesIn = (text: string) => StatedAmount[];

/** Sizes in money. */
export const moneySizes: SizesIn = (text) => amountsIn(text).filter(({ amount }) => amount >= LEAST_SIZE);

/** Numbers of people or things in a text: "5.4 million", "600,000". */
export const countsIn = (text: string): BareAmount[] => {
  const bare = findBareAmounts(text);
  const grouped = [...text.matchAll(GROUPED)].map(({ index: start, 0: said }) => ({
    amount: Number(said.replaceAll(/\D/gu, '')),
    start,
    end: start + said.length,
  }));
  return [...bare, ...grouped.filter(({ start }) => !bare.some((other) => start >= other.start && start < other.end))];
};
const GROUPED =
  /(?<![\p{Sc}\d.,’'])(?<!(?:CHF|EUR|USD|GBP)\s)\d{1,3}(?:[.,’']\d{3})+(?![\d%]|[.,’']\d|\s?(?:\p{Sc}|%|EUR|CHF|USD|Euro|[tT]onnen|kg|km))/gu;

/** Sizes in people or things, for a market that is told by them. */
export const countSizes: SizesIn = (text) =>
  amountsIn(text).length > 0
    ? []
    : countsIn(text)
        .filter(({ amount }) => amount >= LEAST_LEVEL_COUNT)
        .map(({ amount, start, end }) => ({
          amount,
          words: text.slice(start, end).trim(),
          rest: labelFrom(`${text.slice(0, start)} ${text.slice(end)}`),
        }));
const LEAST_LEVEL_COUNT = 10_000;

/** "TAM €1.9B", also over several lines, and several in one block one after the other. */
function blockLevels(
  slide: ReadSlide,
  block: readonly TextUnit[],
  blocks: readonly (readonly TextUnit[])[],
  sizesIn: SizesIn,
): Fact[] {
  const parts: TextUnit[][] = [];
  for (const unit of block) {
    if (levelIn(unit.text) !== null || parts.length === 0) parts.push([unit]);
    else parts.at(-1)?.push(unit);
  }
  return parts.flatMap((part) => {
    const text = joined(part);
    const level = levelIn(text);
    const size = nearest(text, sizesIn(text), level);
    if (level === null || size === undefined) return [];
    // "A share of 6% of the serviceable market is £15 million of revenue" tells the company's money.
    if (text.search(wordsOf(level)) > 0 && has(text, NOT_MARKET)) return [];
    const said = describedBy(text, level, size.words) || describedIn(blocks, level, sizesIn);
    return factOf({ slide, quote: text }, named(level, said), size.words, 'high');
  });
}

/** A label of a level stands in so many characters at the beginning. */
const LABEL_LENGTH = 40;

/** Words that name a level. */
const wordsOf = (level: Level): RegExp => LEVEL_WORDS.find(([name]) => name === level)?.[1] ?? /$^/gu;

const LEAST_SAID = 5;

/** The level with the words on what it measures, where there is room for them. */
const named = (level: Level, said: string): string => {
  const whole = `${level} (${said})`;
  return said.length < LEAST_SAID || whole.length > MOST_NAME ? level : whole;
};

/** Words of a sentence around a size, and of a period alone. */
const SENTENCE = /(?<!\p{L})(?:is|are|was|ist|sind|beträgt|liegt)(?!\p{L})/giu;
const TIME_ONLY = /^(?:(?:pro|per|a|im) (?:jahr|year)|p\. ?a\.?)$/iu;

/** Words of a text beside its level and its size: the market that is measured. */
function describedBy(text: string, level: Level, size: string): string {
  const words = LEVEL_WORDS.find(([name]) => name === level)?.[1];
  const rest = text
    .replace(size, ' ')
    .replace(words ?? '', ' ')
    .replaceAll(new RegExp(`\\(?${level}\\)?`, 'gu'), ' ');
  const said = labelFrom(rest.replace(/^[\s:–—|-]+/u, '')).replace(/[.]$/u, '');
  const isSentence = has(said, SENTENCE) && !has(text.slice(0, LABEL_LENGTH), words ?? /$^/gu);
  if (isSentence || TIME_ONLY.test(said)) return '';
  return /\p{L}{3}/u.test(said) && amountsIn(said).length === 0 && !/[.!?]\s|[()]/u.test(said) ? said : '';
}

/** Words on a level in a block of their own: "TAM – hauls of bulk goods in Europe". */
const describedIn = (blocks: readonly (readonly TextUnit[])[], level: Level, sizesIn: SizesIn): string =>
  blocks
    .flatMap((block) =>
      block.filter(({ text }) => levelIn(text) !== null).length > 1 ? block.map(({ text }) => text) : [joined(block)],
    )
    .filter((text) => levelIn(text) === level && sizesIn(text).length === 0)
    .map((text) => describedBy(text, level, ''))
    .find((said) => said !== '') ?? '';

/** Of several sizes in a text, the one beside the level. */
function nearest(text: string, sizes: readonly StatedAmount[], level: Level | null): StatedAmount | undefined {
  const words = LEVEL_WORDS.find(([name]) => name === level)?.[1];
  const at = words === undefined ? 0 : text.search(words);
  const gap = ({ words: said }: StatedAmount): number => Math.abs(text.indexOf(said) - at);
  return sizes.toSorted((a, b) => gap(a) - gap(b))[0];
}

/** Rows of which a cell names a level, and another its size. */
function rowLevels(slide: ReadSlide, block: readonly TextUnit[], sizesIn: SizesIn): Fact[] {
  return block.flatMap((unit) => {
    const level = unit.cells.map(levelIn).find((found) => found !== null) ?? null;
    const at = unit.cells.findIndex((cell) => sizesIn(cell).length > 0);
    const size = sizesIn(unit.cells[at] ?? '')[0];
    if (level === null || size === undefined) return [];
    // A row that is too long for a quote is quoted by its size under the heading of the column.
    const short = `${unit.headerCells[at] ?? ''} ${unit.cells[at] ?? ''}`.trim();
    const quote = unit.quote.length > MOST_QUOTE && unit.quote.includes(short) ? short : unit.quote;
    // The longest cell of words says what is measured.
    const said = unit.cells
      .filter((cell, index) => index !== at && levelIn(cell) === null && /\p{L}{3}/u.test(cell))
      .toSorted((a, b) => b.length - a.length)[0];
    return factOf({ slide, quote }, named(level, labelFrom(said ?? '')), size.words, 'high');
  });
}
