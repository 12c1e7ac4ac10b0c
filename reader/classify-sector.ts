/**
 * Chooses the sector by evidence in words: the keywords the prompt lists, words of health care in general, and words of each sector that
 * the prompt may not list. The offering counts most. Without health all through the deck it is `other`: health as an example is not health.
 */
import { SECTOR_SLUGS, type ClassifySectorOutput, type SectorSlug } from '../domain/models/result-schemas.ts';
import { statesNothing } from './document-kind.ts';
import type { ReadPrompt } from './prompt.ts';
import { coverAt } from './subjects.ts';
import { countWords } from './text.ts';
import { phrases } from './phrases.ts';
import { distinctMatches, has } from './words.ts';

const HEALTH = phrases('health');

/** Medicine for animals is no health care of people. */
const ANIMALS = phrases('animals');
/** On so many of the slides a deck about animals names them. */
const ANIMAL_SHARE = 0.4;

/** Words beside the prompt's keywords; two sectors may share one, the sum decides. */
const OWN_WORDS: ReadonlyMap<string, RegExp> = new Map(SECTOR_SLUGS.map((slug) => [slug, phrases(slug)]));

/** Times different words were found; a word often repeated counts a little more than once. */
function weightOf(text: string, pattern: RegExp): number {
  const found = Map.groupBy(text.matchAll(pattern), ([word]) => word.toLowerCase());
  return [...found.values()].reduce((sum, { length }) => sum + Math.min(2.5, 1 + Math.log2(length) / 2), 0);
}

/** Prompt keywords, as words with any ending for the longer ones. */
function keywordPattern(keywords: readonly string[]): RegExp | null {
  if (keywords.length === 0) return null;
  const words = keywords.map((word) => `${RegExp.escape(word)}${word.length >= 6 ? '\\p{L}*' : ''}`);
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
}

const CARE = /patient|clinical|hospital|klinik|ärzt/iu;

interface Weighed {
  readonly slug: SectorSlug;
  readonly weight: number;
  readonly words: readonly string[];
}

const isSlug = (slug: string): slug is SectorSlug => (SECTOR_SLUGS as readonly string[]).includes(slug);

function weigh(prompt: ReadPrompt, deck: string): Weighed[] {
  const offered =
    prompt.sectors.length > 0 ? prompt.sectors : SECTOR_SLUGS.map((slug) => ({ slug, name: slug, keywords: [] }));
  const cover = prompt.slides[coverAt(prompt.slides)]?.text ?? '';
  return offered.flatMap(({ slug, keywords }) => {
    if (!isSlug(slug)) return [];
    const patterns = [OWN_WORDS.get(slug) ?? null, keywordPattern(keywords)].filter((pattern) => pattern !== null);
    let weight = 0;
    const words: string[] = [];
    for (const pattern of patterns) {
      weight += weightOf(prompt.offering, pattern) * 4 + weightOf(cover, pattern) * 1.5 + weightOf(deck, pattern);
      words.push(...[...`${prompt.offering}\n${deck}`.matchAll(pattern)].map((match) => match[0]));
    }
    // A deck about patients sells to medicine, not to consumers.
    if (slug === 'consumer_health' && CARE.test(deck)) weight *= 0.6;
    return [{ slug, weight, words: [...new Set(words.map((word) => word.trim()))] }];
  });
}

/** True when health is what the deck is about: on many slides and in several words, or on some and in what it offers. */
function isAboutHealth(prompt: ReadPrompt): { health: boolean; share: number } {
  const perSlide = prompt.slides.map((slide) => distinctMatches(slide.text, HEALTH));
  const share = perSlide.filter((words) => words.size > 0).length / Math.max(1, perSlide.length);
  const distinct = new Set(perSlide.flatMap((words) => [...words])).size;
  // A gym is no health care by itself.
  const cover = prompt.slides[coverAt(prompt.slides)]?.text ?? '';
  const animals = prompt.slides.map((slide) => distinctMatches(slide.text, ANIMALS));
  const ofAnimals =
    animals.filter((words) => words.size > 0).length >= ANIMAL_SHARE * prompt.slides.length &&
    new Set(animals.flatMap((words) => [...words])).size >= 2;
  const central = has(`${prompt.offering}\n${cover}`.replaceAll(/fitness/giu, ' '), HEALTH);
  return {
    health: !ofAnimals && ((share >= 0.25 && distinct >= 4) || (share >= 0.14 && distinct >= 2 && central)),
    share,
  };
}

/** Words that every English or German text has: without them the deck could not be read. */
const COMMON = phrases('common words');
/** So many readable words are enough to be sure. */
const ENOUGH_WORDS = 500;
/** A text has about one common word in five. */
const WORDS_PER_COMMON = 6;

/** How much of a deck was read as English or German, 0 to 1. */
function readShare(deck: string): number {
  const common = deck.match(COMMON)?.length ?? 0;
  return Math.min(1, Math.min(countWords(deck), common * WORDS_PER_COMMON) / ENOUGH_WORDS);
}

/** Confidence, in percent, in `other` for a deck of which nothing could be read. */
const OTHER_LEAST = 35;
/** Weight of words of other trades that is enough to be sure. */
const OTHER_WEIGHT = 15;

/** Fewer words that could be read say nothing of a sector by themselves, and a few more say nothing where they name no offering. */
const [LEAST_WORDS, LEAST_WITHOUT_OFFERING] = [60, 150];

/** True where neither words of a trade nor enough words of any kind tell what the company does. */
const tellsTooLittle = (prompt: ReadPrompt, deck: string, ofTrades: readonly string[]): boolean =>
  ofTrades.length === 0 &&
  readShare(deck) * ENOUGH_WORDS < (prompt.offering === '' ? LEAST_WITHOUT_OFFERING : LEAST_WORDS);

/** The sector with reasons and an honest confidence. */
export function classifySector(prompt: ReadPrompt): ClassifySectorOutput {
  const deck = prompt.slides
    .flatMap((slide) => slide.units.filter((unit) => !unit.running).map((unit) => unit.text))
    .join('\n');
  const { health, share } = isAboutHealth(prompt);
  const weighed = weigh(prompt, deck).toSorted((a, b) => b.weight - a.weight);
  const other = weighed.find((entry) => entry.slug === 'other');
  const healthSectors = weighed.filter((entry) => entry.slug !== 'other');
  const ranked = health ? healthSectors : [other ?? { slug: 'other' as const, weight: 0, words: [] }, ...healthSectors];
  const [top, second] = ranked;
  if (top === undefined || statesNothing(prompt.slides) || (health && top.weight === 0)) return unknown(prompt);
  if (!health && tellsTooLittle(prompt, deck, top.words)) return unknown(prompt);
  const margin = second === undefined || top.weight === 0 ? 1 : Math.max(0, (top.weight - second.weight) / top.weight);
  const read = readShare(deck);
  const confidence = health
    ? Math.round((45 + 50 * Math.min(1, margin * 1.2)) * Math.min(1, 0.5 + top.weight / 20))
    : Math.round(OTHER_LEAST + 25 * read + 35 * read * Math.min(1, top.weight / OTHER_WEIGHT) - share * 150);
  const words = top.words.filter((word) => word.length <= 40).slice(0, 8);
  const rival = second !== undefined && health && margin < 0.25 ? second.slug : 'none';
  return {
    reasoning: reasoning(prompt, top.slug, words, health, second?.slug ?? null),
    keywords: words,
    sector: top.slug,
    secondarySector: rival,
    confidencePercent: Math.min(97, Math.max(20, confidence)),
  };
}

/** No sector: the schema asks for one, and what is said beside it counts. */
function unknown(prompt: ReadPrompt): ClassifySectorOutput {
  const reason =
    prompt.language === 'de'
      ? 'Das Deck sagt zu wenig, um es einem Sektor zuzuordnen.'
      : 'The deck says too little to assign it to a sector.';
  return {
    reasoning: reason,
    keywords: [],
    sector: 'other',
    secondarySector: 'none',
    confidencePercent: 0,
    sectorKnown: false,
  };
}

function reasoning(
  prompt: ReadPrompt,
  slug: SectorSlug,
  words: readonly string[],
  health: boolean,
  second: string | null,
): string {
  const nameOf = (wanted: string): string => prompt.sectors.find((sector) => sector.slug === wanted)?.name ?? wanted;
  const found = words.map((word) => `"${word}"`).join(', ');
  if (prompt.language === 'de') {
    const base = health
      ? `Das Deck handelt von Gesundheit; für ${nameOf(slug)} sprechen die Wörter ${found}.`
      : `Wörter der Gesundheitsversorgung kommen kaum vor${found === '' ? '' : `, dafür ${found}`}.`;
    return (second === null || !health ? base : `${base} Am nächsten liegt danach ${nameOf(second)}.`).slice(0, 600);
  }
  const base = health
    ? `The deck is about health; the words ${found} speak for ${nameOf(slug)}.`
    : `Words of health care hardly occur${found === '' ? '' : `; ${found} do instead`}.`;
  return (second === null || !health ? base : `${base} The next best is ${nameOf(second)}.`).slice(0, 600);
}
