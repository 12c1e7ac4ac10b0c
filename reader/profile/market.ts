/** The sizes of the market that a deck states: TAM, SAM and SOM, amounts on slides about the market, sentences that name its size. */
import type { Answering } from '../../domain/evidence/answering.ts';
import { findBareAmounts } from '../../domain/evidence/money.ts';
import { isOnlyAmount } from '../passages.ts';
import { phrases } from '../phrases.ts';
import type { ReadPrompt, ReadSlide } from '../prompt.ts';
import { subjectsOfDeck } from '../deck-subjects.ts';
import type { Subject } from '../subject.ts';
import { countWords, type TextUnit } from '../text.ts';
import { has } from '../words.ts';
import {
  amountsIn,
  blocksOf,
  fitQuote,
  headingsOf,
  joined,
  labelFrom,
  once,
  type Fact,
  type StatedAmount,
} from './fact.ts';

/** The three sizes by which markets are told, largest first, and the phrases that name them. */
const LEVELS = ['TAM', 'SAM', 'SOM'] as const;
const LEVEL_WORDS: readonly (readonly [(typeof LEVELS)[number], RegExp])[] = [
  ['TAM', phrases('market in total')],
  ['SAM', phrases('market served')],
  ['SOM', phrases('market obtained')],
];
/** Words that make an amount the size of a market; words of other money on such slides. */
const [OF_MARKET, NOT_MARKET] = [phrases('market size'), phrases('not market size')];
const GROWTH = phrases('market growth');
/** Groups by which a market is counted. */
const COUNTED = phrases('customer group');
/** Head a column of sizes. */
const SIZE_COLUMN = phrases('market size column');

/** Headlines over the size of a market, and slides that are about something else in spite of them. */
const HEADLINE = phrases('headline of a market');
const ELSEWHERE: readonly Subject[] = [
  'sales',
  'roadmap',
  'competition',
  'pricing',
  'ask',
  'funds',
  'traction',
  'team',
];

/** Less is no market that an investor is told of. */
const LEAST_SIZE = 500_000;
const MOST_FACTS = 4;
const MOST_QUOTE = 140;
const MOST_NAME = 40;
const MOST_VALUE = 40;

interface Place {
  readonly slide: ReadSlide;
  readonly quote: string;
}

const factOf = (place: Place, name: string, value: string, answering: Answering): Fact[] => {
  const quote = fitQuote(place.quote, MOST_QUOTE);
  if (quote === null || !quote.includes(value) || value.length > MOST_VALUE) return [];
  return [{ slide: place.slide.number, quote, name: name.length > MOST_NAME ? '' : name, value, answering }];
};

/** The sizes of the market, the surest first. */
export function marketFacts({ slides }: ReadPrompt): Fact[] {
  const subjects = subjectsOfDeck(slides);
  const onMarket = slides.filter((slide) => {
    const of = subjects.get(slide) ?? new Set<Subject>();
    const names = headingsOf(slide).some((heading) => has(heading, HEADLINE));
    return of.has('market') || (names && !ELSEWHERE.some((subject) => of.has(subject)));
  });
  const others = slides.filter((slide) => !onMarket.includes(slide));
  const inMoney = slides.flatMap((slide) => levelsOf(slide, moneySizes));
  const byLevel = inMoney.length > 0 ? inMoney : slides.flatMap((slide) => levelsOf(slide, countSizes));
  if (byLevel.length > 0) {
    const said = new Set(byLevel.map(({ value }) => value));
    const more =
      byLevel.length >= LEVELS.length ? [] : onMarket.flatMap(sizesOf).filter(({ value }) => !said.has(value));
    return once([...byLevel, ...more, ...onMarket.flatMap(growthOf)], MOST_FACTS);
  }
  const inTitle = onMarket.flatMap(titleCount);
  const sizes = [
    ...onMarket.flatMap(largestFirst),
    ...inTitle,
    ...onMarket.flatMap(countsOf),
    ...onMarket.flatMap(growthOf),
  ];
  return once(sizes.length > 0 ? sizes : others.flatMap(sentencesOf), MOST_FACTS);
}

/** The level that a text names, at its beginning where it says more. */
function levelIn(text: string): (typeof LEVELS)[number] | null {
  const named = LEVEL_WORDS.flatMap(([level, words]) =>
    [...text.matchAll(words)].slice(0, 1).map(({ index: at, 0: said }) => ({ level, at, end: at + said.length })),
  ).toSorted((a, b) => a.at - b.at || b.end - a.end);
  const [first, ...others] = named;
  // "Available market" is part of "total available market".
  const more = others.filter(({ at }) => first !== undefined && at >= first.end);
  return more.length === 0 || first?.at === 0 ? (first?.level ?? null) : null;
}

/** Sizes by level: beside their label in one block or row, or a row of labels and one of amounts. */
function levelsOf(slide: ReadSlide, sizesIn: SizesIn): Fact[] {
  const blocks = blocksOf(slide);
  const beside = blocks.flatMap((block) =>
    block[0]?.kind === 'row' ? rowLevels(slide, block, sizesIn) : blockLevels(slide, block, sizesIn),
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
    .flatMap(({ size, quote }, at) => factOf({ slide, quote }, different[at] ?? '', size.words, 'high'));
}

/** A block that begins with its one amount. */
function bareAmount(
  block: readonly TextUnit[],
  sizesIn: SizesIn,
): { readonly size: StatedAmount; readonly quote: string }[] {
  const [first] = block;
  if (first === undefined || first.kind === 'row' || first.kind === 'title') return [];
  const [size, ...others] = sizesIn(first.text);
  const isAlone = isOnlyAmount(first.text) || /^\P{L}*$/u.test(first.text.replace(size?.words ?? '', ''));
  return size === undefined || others.length > 0 || !isAlone ? [] : [{ size, quote: joined(block) }];
}

/** The sizes in a text. */
type SizesIn = (text: string) => StatedAmount[];

/** Sizes in money. */
const moneySizes: SizesIn = (text) => amountsIn(text).filter(({ amount }) => amount >= LEAST_SIZE);

/** Sizes in people or things, for a market that is told by them. */
const countSizes: SizesIn = (text) =>
  amountsIn(text).length > 0
    ? []
    : findBareAmounts(text)
        .filter(({ amount }) => amount >= LEAST_LEVEL_COUNT)
        .map(({ amount, start, end }) => ({
          amount,
          words: text.slice(start, end).trim(),
          rest: labelFrom(`${text.slice(0, start)} ${text.slice(end)}`),
        }));
const LEAST_LEVEL_COUNT = 10_000;

/** "TAM €1.9B", also over several lines, and several in one block one after the other. */
function blockLevels(slide: ReadSlide, block: readonly TextUnit[], sizesIn: SizesIn): Fact[] {
  const parts: TextUnit[][] = [];
  for (const unit of block) {
    if (levelIn(unit.text) !== null || parts.length === 0) parts.push([unit]);
    else parts.at(-1)?.push(unit);
  }
  return parts.flatMap((part) => {
    const text = joined(part);
    const level = levelIn(text);
    const size = nearest(text, sizesIn(text), level);
    return level === null || size === undefined ? [] : factOf({ slide, quote: text }, level, size.words, 'high');
  });
}

/** Of several sizes in a text, the one beside the level. */
function nearest(
  text: string,
  sizes: readonly StatedAmount[],
  level: (typeof LEVELS)[number] | null,
): StatedAmount | undefined {
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
    // A row that is too long for a quote is quoted by the cell of its size.
    const quote = unit.quote.length <= MOST_QUOTE ? unit.quote : (unit.cells[at] ?? '');
    return factOf({ slide, quote }, level, size.words, 'high');
  });
}

/** Sizes that a slide states without levels: all of it before its parts. */
const largestFirst = (slide: ReadSlide): Fact[] => sizesOf(slide).toSorted((a, b) => sizeOf(b) - sizeOf(a));

/** A number of uses or customers that the headline of a slide about the market states. */
const titleCount = (slide: ReadSlide): Fact[] =>
  slide.units
    .filter(
      ({ kind, text }) => kind === 'title' && amountsIn(text).length === 0 && countWords(text) >= LEAST_COUNT_WORDS,
    )
    .flatMap(({ text }) => {
      const [count, ...others] = findBareAmounts(text).filter(({ amount }) => amount >= LEAST_COUNT);
      if (count === undefined || others.length > 0) return [];
      return factOf({ slide, quote: text }, '', text.slice(count.start, count.end).trim(), 'some');
    });

/** Amounts on a slide about the market. */
function sizesOf(slide: ReadSlide): Fact[] {
  const blocks = blocksOf(slide);
  const labels = labelsBeside(blocks);
  // The one amount of a slide that is called "Market size" is that size.
  const isOne = blocks.filter((block) => amountsIn(joined(block)).length > 0).length === 1;
  const onlyLabel = isOne && has(slide.title, OF_MARKET) ? (levelIn(slide.title) ?? shortName(slide.title)) : '';
  return blocks.flatMap((block) => {
    const [first] = block;
    if (first === undefined) return [];
    if (first.kind === 'row') return rowSizes(slide, block);
    const whole = joined(block);
    // A figure over its caption is one statement.
    if (amountsIn(whole).length === 1 && countWords(whole) <= MOST_CARD_WORDS)
      return sizeIn(slide, whole, isOnlyAmount(whole) ? (labels.get(first.block) ?? onlyLabel) : null);
    return block.flatMap((unit) => sizeIn(slide, unit.text));
  });
}

/**
 * Labels of amounts that stand alone in their block, by block: the block above each of them, or below each, where all of a slide have one
 * there.
 */
function labelsBeside(blocks: readonly (readonly TextUnit[])[]): ReadonlyMap<number, string> {
  const alone = blocks.flatMap((block, at) => (isOnlyAmount(joined(block)) ? [at] : []));
  const isLabel = (at: number): boolean => {
    const block = blocks[at];
    if (block === undefined || block[0]?.kind === 'title' || block[0]?.kind === 'row') return false;
    return (
      amountsIn(joined(block)).length === 0 &&
      /\p{L}{3}/u.test(joined(block)) &&
      countWords(joined(block)) <= MOST_LABEL_WORDS
    );
  };
  for (const step of [-1, 1])
    if (alone.every((at) => isLabel(at + step)))
      return new Map(alone.map((at) => [blocks[at]?.[0]?.block ?? -1, joined(blocks[at + step] ?? [])]));
  return new Map();
}
const MOST_LABEL_WORDS = 10;
const MOST_CARD_WORDS = 18;

/** @param label that stands in another block; null where the text has its own */
function sizeIn(slide: ReadSlide, text: string, label: string | null = null): Fact[] {
  const size = amountsIn(text).toSorted((a, b) => b.amount - a.amount)[0];
  if (size === undefined || size.amount < LEAST_SIZE || has(text, NOT_MARKET)) return [];
  const name = shortName(label ?? size.rest);
  // An amount alone says nothing of its market.
  return label === '' ? [] : factOf({ slide, quote: text }, name, size.words, 'high');
}

/** Numbers of a market that is told by people, companies or uses. */
const countsOf = (slide: ReadSlide): Fact[] =>
  slide.units.flatMap((unit) => {
    const [count, ...others] = findBareAmounts(unit.text).filter(({ amount }) => amount >= LEAST_COUNT);
    if (count === undefined || others.length > 0 || unit.kind === 'row' || amountsIn(unit.text).length > 0) return [];
    if (countWords(unit.text) < LEAST_COUNT_WORDS || has(unit.text, NOT_MARKET) || !has(unit.text, COUNTED)) return [];
    return factOf({ slide, quote: unit.text }, '', unit.text.slice(count.start, count.end).trim(), 'some');
  });
const LEAST_COUNT = 100_000;
const LEAST_COUNT_WORDS = 3;

/** Words beside an amount that can stand as its name: few, and no sentence. */
const shortName = (rest: string): string => {
  const name = labelFrom(rest);
  return name.length <= MOST_NAME && !/[.!?]\s|\p{L}[.!?]$/u.test(name) ? name.replace(/[.]$/u, '') : '';
};

/** Rows of a table with a column of sizes: the name of the row, its size. */
function rowSizes(slide: ReadSlide, block: readonly TextUnit[]): Fact[] {
  const headings = block.find(({ headsColumns }) => headsColumns)?.cells ?? [];
  const column = headings.findLastIndex((heading, at) => at > 0 && has(heading, SIZE_COLUMN));
  if (column < 0) return [];
  return block
    .filter(({ headsColumns }) => !headsColumns)
    .flatMap((unit) => {
      const size = amountsIn(unit.cells[column] ?? '')[0];
      if (size === undefined || size.amount < LEAST_SIZE) return [];
      return factOf({ slide, quote: unit.quote }, labelFrom(unit.cells[0] ?? ''), size.words, 'high');
    })
    .toSorted((a, b) => sizeOf(b) - sizeOf(a));
}

const sizeOf = ({ value }: Fact): number => amountsIn(value)[0]?.amount ?? 0;

/** How fast the market grows. */
const growthOf = (slide: ReadSlide): Fact[] =>
  slide.units.flatMap((unit) => {
    const share = /\d[\d.,]*\s?%/u.exec(unit.text)?.[0];
    if (share === undefined || !has(unit.text, GROWTH) || amountsIn(unit.text).length > 0) return [];
    return factOf({ slide, quote: unit.text }, GROWTH.exec(unit.text)?.[0] ?? '', share, 'some');
  });

/** Sentences on other slides that name the size of a market. */
const sentencesOf = (slide: ReadSlide): Fact[] =>
  slide.units.flatMap((unit) => {
    if (!has(unit.text, OF_MARKET) || has(unit.text, NOT_MARKET)) return [];
    const size = amountsIn(unit.text).toSorted((a, b) => b.amount - a.amount)[0];
    if (size === undefined || size.amount < LEAST_SIZE) return [];
    return factOf({ slide, quote: unit.quote }, shortName(size.rest), size.words, 'high');
  });
