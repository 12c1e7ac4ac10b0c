/** The sizes of the market that a deck states: TAM, SAM and SOM, amounts on slides about the market, sentences that name its size. */
import { isOnlyAmount } from '../passages.ts';
import { phrases } from '../phrases.ts';
import type { ReadPrompt, ReadSlide } from '../prompt.ts';
import { subjectsOfDeck } from '../deck-subjects.ts';
import type { Subject } from '../subject.ts';
import { countWords, type TextUnit } from '../text.ts';
import { has } from '../words.ts';
import { amountsIn, blocksOf, headingsOf, joined, labelFrom, once, type Fact } from './fact.ts';
import {
  countsIn,
  countSizes,
  factOf,
  LEAST_SIZE,
  levelIn,
  LEVELS,
  levelsOf,
  MOST_NAME,
  moneySizes,
  NOT_MARKET,
} from './market-levels.ts';

/** Words that make an amount the size of a market. */
const OF_MARKET = phrases('market size');
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

const MOST_FACTS = 4;

/** The sizes of the market, the surest first. */
export function marketFacts({ slides }: ReadPrompt): Fact[] {
  const subjects = subjectsOfDeck(slides);
  const onMarket = slides.filter((slide) => {
    const of = subjects.get(slide) ?? new Set<Subject>();
    const names = headingsOf(slide).some((heading) => has(heading, HEADLINE));
    const isElsewhere = ELSEWHERE.some((subject) => of.has(subject));
    return of.has('market') || (names && !isElsewhere) || (of.size === 0 && isSized(slide));
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

/** True for a slide of some sizes, the largest in a hundred millions, the smallest a part of it, with a word of a market. */
function isSized(slide: ReadSlide): boolean {
  const texts = slide.units.filter(({ running }) => !running).map(({ text }) => text);
  const amounts = texts.flatMap((text) => amountsIn(text)).map(({ amount }) => amount);
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
  return amounts.length >= 2 && most >= LARGE && least <= most * PART && texts.some((text) => has(text, SIGNS));
}
const [LARGE, PART] = [1e8, 0.3];
const SIGNS = phrases('signs of a market');

/** Sizes that a slide states without levels: all of it before its parts. */
const largestFirst = (slide: ReadSlide): Fact[] => sizesOf(slide).toSorted((a, b) => sizeOf(b) - sizeOf(a));

/** A number of uses or customers that the headline of a slide about the market states. */
const titleCount = (slide: ReadSlide): Fact[] =>
  slide.units
    .filter(
      ({ kind, text }) => kind === 'title' && amountsIn(text).length === 0 && countWords(text) >= LEAST_COUNT_WORDS,
    )
    .flatMap(({ text }) => {
      const [count, ...others] = countsIn(text).filter(({ amount }) => amount >= LEAST_COUNT);
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
  statementsIn(slide).flatMap((text) => {
    const [count] = countsIn(text)
      .filter(({ amount }) => amount >= LEAST_COUNT)
      .toSorted((a, b) => b.amount - a.amount);
    if (count === undefined || amountsIn(text).length > 0) return [];
    if (countWords(text) < LEAST_COUNT_WORDS || has(text, NOT_MARKET) || !has(text, COUNTED)) return [];
    return factOf({ slide, quote: text }, '', text.slice(count.start, count.end).trim(), 'some');
  });
const LEAST_COUNT = 5000;
const LEAST_COUNT_WORDS = 3;

/** Words beside an amount that can stand as its name: few, and no sentence. */
const shortName = (rest: string): string => {
  const name = labelFrom(rest);
  return name.length <= MOST_NAME &&
    !/[.!?]\s|\p{L}[.!?]$|(?<!\p{L})(?:is|are|was|were|will|reach(?:es)?|worth|spent|ist|sind|wird|war|erreicht|beträgt|liegt)(?!\p{L})/iu.test(
      name,
    )
    ? name.replace(/[.]$/u, '')
    : '';
};

/** Rows of a table with a column of sizes: the name of the row, its size. */
function rowSizes(slide: ReadSlide, block: readonly TextUnit[]): Fact[] {
  const headings = block.find(({ headsColumns }) => headsColumns)?.cells ?? [];
  const column = headings.findLastIndex((heading, at) => at > 0 && has(heading, SIZE_COLUMN));
  if (column < 0) return sizesInRow(slide, block, headings);
  return block
    .filter(({ headsColumns }) => !headsColumns)
    .flatMap((unit) => {
      const size = amountsIn(unit.cells[column] ?? '')[0];
      if (size === undefined || size.amount < LEAST_SIZE) return [];
      return factOf({ slide, quote: unit.quote }, labelFrom(unit.cells[0] ?? ''), size.words, 'high');
    })
    .toSorted((a, b) => sizeOf(b) - sizeOf(a));
}

/** A row of sizes by region or segment: "Market size | €4.1B | €620M" under "Europe" and "Germany". */
const sizesInRow = (slide: ReadSlide, block: readonly TextUnit[], headings: readonly string[]): Fact[] =>
  block
    .filter(
      ({ headsColumns, cells: [label = ''] }) => !headsColumns && has(label, OF_MARKET) && !has(label, NOT_MARKET),
    )
    .flatMap((unit) =>
      unit.cells.flatMap((cell, at) => {
        const size = at === 0 ? undefined : amountsIn(cell)[0];
        if (size === undefined || size.amount < LEAST_SIZE) return [];
        return factOf({ slide, quote: unit.quote }, shortName(headings[at] ?? ''), size.words, 'high');
      }),
    );

const sizeOf = ({ value }: Fact): number => amountsIn(value)[0]?.amount ?? 0;

/** How fast the market grows. */
const growthOf = (slide: ReadSlide): Fact[] =>
  statementsIn(slide).flatMap((text) => {
    const share = /\d[\d.,]*\s?%/u.exec(text)?.[0];
    if (share === undefined || !has(text, GROWTH) || amountsIn(text).length > 0) return [];
    return factOf({ slide, quote: text }, GROWTH.exec(text)?.[0] ?? '', share, 'some');
  });

/** Figures with their captions as one, else lines; no rows. */
const statementsIn = (slide: ReadSlide): string[] =>
  blocksOf(slide).flatMap((block) => {
    const whole = joined(block);
    if (block[0]?.kind === 'row') return [];
    const isCard = block.length <= MOST_CARD_LINES && block[0]?.kind !== 'item' && countWords(whole) <= MOST_CARD_WORDS;
    return isCard ? [whole] : block.map(({ text }) => text);
  });
const MOST_CARD_LINES = 3;

/** Sentences on other slides that name the size of a market. */
const sentencesOf = (slide: ReadSlide): Fact[] =>
  slide.units.flatMap((unit) => {
    if (!has(unit.text, OF_MARKET) || has(unit.text, NOT_MARKET)) return [];
    const size = amountsIn(unit.text).toSorted((a, b) => b.amount - a.amount)[0];
    if (size === undefined || size.amount < LEAST_SIZE) return [];
    return factOf({ slide, quote: unit.quote }, shortName(size.rest), size.words, 'high');
  });
