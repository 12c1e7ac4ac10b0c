/**
 * Decks made from seeds: each is valid, says what its truth says, stays silent where its truth is null, and is unlike the others.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { generateLargeDeck, generateUniqueDeck } from '../../../samples/generator/bulk.ts';
import { generateDeck, type GeneratedDeck } from '../../../samples/generator/generate.ts';
import { GERMAN } from '../../../samples/generator/seeded/phrases-de.ts';
import { ENGLISH } from '../../../samples/generator/seeded/phrases-en.ts';
import { DeckTruth, SECTOR_SLUGS } from '../../../samples/generator/truth.ts';
import { propertyRuns } from '../../../testing/tier.ts';
import { flat, readPages, type PageContent } from './page-text.ts';

const SEEDS = Array.from({ length: propertyRuns(40) }, (_, seed) => seed);
let decks: { readonly deck: GeneratedDeck; readonly pages: readonly PageContent[] }[] = [];

beforeAll(async () => {
  decks = [];
  for (const seed of SEEDS) {
    const deck = await generateDeck({ seed });
    decks.push({ deck, pages: await readPages(deck.pdf) });
  }
}, 180_000);

describe('decks from seeds', () => {
  it('have valid truths that stand on the named slides', () => {
    for (const { deck, pages } of decks) {
      const truth = DeckTruth.parse(deck.truth);
      expect(pages.length).toBe(truth.slides);
      for (const place of Object.values(truth.places)) {
        if (place !== null) expect(pages[place.slide - 1]?.text).toContain(flat(place.text));
      }
      for (const slides of Object.values(truth.answered)) {
        for (const slide of slides) expect(pages[slide - 1]?.text.length).toBeGreaterThan(20);
      }
    }
  });

  it('name a sum or a date if and only if their truth has one', () => {
    const dated = new RegExp(
      `\\d{4}-\\d{2}-\\d{2}|\\d{2}\\.\\d{2}\\.\\d{4}|\\b\\d{2}/\\d{4}|Quartal \\d{4}|(${[...ENGLISH.months, ...GERMAN.months].join('|')}) (\\d{1,2}, )?20\\d{2}`,
    );
    for (const { deck, pages } of decks) {
      const { truth } = deck;
      expect(truth.amount === null).toBe(truth.currency === null);
      expect(truth.amount === null).toBe(truth.answered.funding_requirements === undefined);
      expect(truth.amount === null).toBe(truth.places.amount === null);
      expect(truth.date === null).toBe(truth.places.date === null);
      const text = pages.map((page) => page.text).join('\n');
      if (truth.date === null) expect(text).not.toMatch(dated);
      if (truth.amount !== null) continue;
      const { asks, askLabels } = truth.language === 'de' ? GERMAN : ENGLISH;
      for (const ask of [...askLabels, ...asks.flatMap((phrase) => phrase.split('{ask}'))]) {
        if (ask.trim().length > 9) expect(text).not.toContain(ask.trim());
      }
    }
  });

  it('vary: companies, pages, languages, sectors, absent sums and dates', () => {
    const truths = decks.map(({ deck }) => deck.truth);
    expect(new Set(truths.map((truth) => truth.company)).size).toBe(SEEDS.length);
    expect(new Set(decks.map(({ pages }) => pages.map((page) => page.text).join())).size).toBe(SEEDS.length);
    const sectors = new Set(truths.map((truth) => truth.sector));
    expect(sectors.size).toBeGreaterThanOrEqual(Math.min(SECTOR_SLUGS.length, SEEDS.length / 2));
    const share = (test: (truth: DeckTruth) => boolean): number => truths.filter(test).length / truths.length;
    expect(share((truth) => truth.language === 'de')).toBeGreaterThanOrEqual(1 / 4);
    expect(share((truth) => truth.language === 'en')).toBeGreaterThanOrEqual(1 / 4);
    expect(share((truth) => truth.amount === null)).toBeGreaterThanOrEqual(1 / 10);
    expect(share((truth) => truth.amount !== null)).toBeGreaterThanOrEqual(1 / 2);
    expect(share((truth) => truth.date === null)).toBeGreaterThanOrEqual(1 / 10);
    const sums = truths.flatMap((truth) => truth.places.amount?.text ?? []).map((text) => text.replace(/\d+/g, '9'));
    expect(new Set(sums).size).toBeGreaterThanOrEqual(SEEDS.length * 0.3);
  });

  it('come out the same again from the same seed', async () => {
    const again = await generateDeck({ seed: 7 });
    expect(Buffer.from(again.pdf).equals(decks[7]?.deck.pdf ?? new Uint8Array())).toBe(true);
    expect(again.truth).toEqual(decks[7]?.deck.truth);
  });
});

it('decks in bulk makes a deck of 300 different slides with the truth of its seed', async () => {
  const { pdf, truth } = await generateLargeDeck({ slides: 300, seed: 4 });
  const pages = await readPages(pdf);
  expect(pages.length).toBe(300);
  expect(new Set(pages.map((page) => page.text)).size).toBe(300);
  expect(truth).toEqual({ ...decks[4]?.deck.truth, slides: 300 });
}, 60_000);

it('decks in bulk makes load decks in which no slide occurs twice, within a deck or across decks', async () => {
  const pages = [1, 2].map(async (seed) => readPages(await generateUniqueDeck({ slides: 30, seed })));
  const texts = (await Promise.all(pages)).flat();
  expect(texts.length).toBe(60);
  expect(new Set(texts.map((page) => page.text)).size).toBe(60);
  for (const page of texts) expect(page.images).toBe(1);
}, 60_000);
