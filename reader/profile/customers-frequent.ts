/**
 * Groups of customers that a deck speaks of again and again without a sentence that says for whom the product is: its market is counted in
 * them, its problem is theirs, its users are of them.
 */
import { VOICE } from '../slide-traits.ts';
import { isNotice } from '../passages.ts';
import { phrases } from '../phrases.ts';
import type { ReadSlide } from '../prompt.ts';
import type { Subject } from '../subject.ts';
import { isWorded } from '../subjects.ts';
import { countWords, type TextUnit } from '../text.ts';
import { has } from '../words.ts';
import { fitQuote, type Fact } from './fact.ts';

const GROUP = phrases('customer group');
/** Groups that every deck speaks of. */
const GENERAL = phrases('general group');
/** Plans tell of what the company wants, in numbers that are none of the market. */
const AHEAD = phrases('ahead');
/** "1 Own survey of 63 farms". */
const FOOTNOTE = /^(?:\d{1,2}|\*+)\s\p{Lu}\p{Ll}/u;
const NOT_GROUP = phrases('no customer group');

/** Weight of a mention by the subject of its slide: where the customers of a deck stand, and where others do. */
const WEIGHTS: Readonly<Partial<Record<Subject, number>>> = {
  customers: 3,
  persona: 3,
  market: 2,
  problem: 2,
  solution: 2,
  benefit: 2,
  pricing: 2,
  model: 2,
  sales: 2,
  traction: 1.5,
  competition: 0,
  team: 0,
  hiring: 0,
  ask: 0,
  funds: 0,
  risks: 0,
};
const OTHER_WEIGHT = 1;
/** A mention with a number before it counts the group: "2,900 dental practices". */
const COUNTED_WEIGHT = 2;

/** Least weight over all slides; a group on one slide alone may be an example. */
const LEAST_WEIGHT = 5;
const LEAST_SLIDES = 2;
/** A second group has at least this share of the first one's weight. */
const SECOND_SHARE = 0.7;
const MOST_QUOTE = 120;
const MOST_QUOTE_WORDS = 30;

interface Mention {
  readonly slide: number;
  readonly name: string;
  readonly text: string;
  readonly weight: number;
}

/** The one or two groups, as facts that are not sure. */
export function frequentCustomers(
  slides: readonly ReadSlide[],
  subjects: ReadonlyMap<ReadSlide, ReadonlySet<Subject>>,
): Fact[] {
  const mentions = slides.flatMap((slide) => {
    const weights = [...(subjects.get(slide) ?? [])].map((subject) => WEIGHTS[subject] ?? OTHER_WEIGHT);
    const weight = weights.length === 0 ? OTHER_WEIGHT : Math.min(...weights) === 0 ? 0 : Math.max(...weights);
    return weight === 0 ? [] : slide.units.flatMap((unit) => mentionsIn(slide.number, unit, weight));
  });
  const groups = [...Map.groupBy(mentions, ({ name }) => stem(name)).values()]
    .map((all) => ({ all, weight: weightOf(all), slides: new Set(all.map(({ slide }) => slide)).size }))
    .filter(({ weight, slides: on }) => weight >= LEAST_WEIGHT && on >= LEAST_SLIDES)
    .toSorted((a, b) => b.weight - a.weight);
  const least = (groups[0]?.weight ?? 0) * SECOND_SHARE;
  return groups
    .filter(({ weight }) => weight >= least)
    .slice(0, 2)
    .flatMap(({ all }) => {
      const [best] = all
        .filter(({ text }) => isQuotable(text))
        .toSorted((a, b) => b.weight - a.weight || b.name.length - a.name.length);
      return best === undefined
        ? []
        : [{ slide: best.slide, quote: best.text, name: best.name, value: '', answering: 'some' as const }];
    });
}

/** Each slide counts once, with its best mention. */
const weightOf = (mentions: readonly Mention[]): number =>
  [...Map.groupBy(mentions, ({ slide }) => slide).values()]
    .map((own) => Math.max(...own.map(({ weight }) => weight)))
    .reduce((sum, weight) => sum + weight, 0);

function mentionsIn(slide: number, unit: TextUnit, weight: number): Mention[] {
  const { text, quote } = unit;
  if (!isWorded(unit) || VOICE.test(text.trim()) || has(text, NOT_GROUP)) return [];
  return [...text.matchAll(GROUP)]
    .filter(({ 0: name }) => !has(name, GENERAL))
    .map(({ 0: name, index }) => {
      const isCounted = /\d\s?(?:\p{L}+\s){0,2}$/u.test(text.slice(0, index));
      return {
        slide,
        name,
        text: unit.kind === 'row' ? quote : text,
        weight: weight + (isCounted ? COUNTED_WEIGHT : 0),
      };
    });
}

/** Singular and plural of a name are one group. */
const stem = (name: string): string => name.toLowerCase().replace(/(?:ies|y|e?s|e?n)$/u, '');

const isQuotable = (text: string): boolean =>
  countWords(text) >= 3 &&
  countWords(text) <= MOST_QUOTE_WORDS &&
  fitQuote(text, MOST_QUOTE) === text &&
  !isNotice(text) &&
  !FOOTNOTE.test(text) &&
  !has(text, AHEAD) &&
  !/[?:…]$|^["“„«]/u.test(text);
