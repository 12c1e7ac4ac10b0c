/**
 * The committed samples: they are what the generator makes, their truth stands on their slides, and the scan has no text.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { generateLargeDeck, generateUniqueDeck } from '../../../samples/generator/bulk.ts';
import { type CommittedSample, committedSamples } from '../../../samples/generator/committed.ts';
import { type GeneratedDeck, generateDeck } from '../../../samples/generator/generate.ts';
import { MONTHS } from '../../../samples/generator/seeded/dates.ts';
import { PHRASES } from '../../../samples/generator/seeded/phrases.ts';
import { dateAgrees, DeckTruth, SECTOR_SLUGS } from '../../../domain/evaluation/deck-truth.ts';
import { propertyRuns } from '../../../testing/tier.ts';
import { flat, type PageContent, readPages } from './page-text.ts';

const folder = join(import.meta.dirname, '../../../samples');
const NAMES = ['cardiosense', 'lumbalis', 'quayline', 'dermaline-scan'];
let samples: CommittedSample[] = [];

beforeAll(async () => {
  samples = await committedSamples();
});

function sampleOf(name: string): CommittedSample {
  const sample = samples.find((one) => one.name === name);
  if (sample === undefined) throw new Error(`the generator makes no ${name}`);
  return sample;
}

it.each(NAMES)('committed samples: %s is byte for byte what the generator makes', async (name) => {
  const sample = sampleOf(name);
  const stored = await readFile(join(folder, `${name}.pdf`));
  expect(stored.equals(sample.pdf)).toBe(true);
  expect(await readFile(join(folder, `${name}.json`), 'utf8')).toBe(sample.truthJson);
});

it.each(NAMES)('committed samples: %s has 12 to 16 slides at 16:9 and a valid truth', async (name) => {
  const truth = DeckTruth.parse(JSON.parse(sampleOf(name).truthJson));
  const pages = await readPages(sampleOf(name).pdf);
  expect(pages.length).toBe(truth.slides);
  expect(pages.length).toBeGreaterThanOrEqual(12);
  expect(pages.length).toBeLessThanOrEqual(16);
  for (const page of pages) expect(page.width / page.height).toBeCloseTo(16 / 9, 5);
});

it.each(NAMES.slice(0, 3))('committed samples: %s says on the named slides what its truth says', async (name) => {
  const { truth, pdf } = sampleOf(name);
  const pages = await readPages(pdf);
  for (const place of Object.values(truth.places)) {
    if (place === null) throw new Error('a committed deck states company, offering, sum and date');
    expect(pages[place.slide - 1]?.text).toContain(flat(place.text));
  }
  const slides = Object.values(truth.answered).flat();
  expect(Math.max(...slides)).toBeLessThanOrEqual(pages.length);
  const questions = Object.keys(truth.answered).length;
  expect(questions).toBeGreaterThanOrEqual(22);
  expect(questions).toBeLessThan(34);
});

it('committed samples: the scan has pictures but not a word, and its truth stands under visionOnly', async () => {
  const { truth, pdf } = sampleOf('dermaline-scan');
  for (const page of await readPages(pdf)) {
    expect(page.text).toBe('');
    expect(page.images).toBe(1);
  }
  const expected = { company: null, offering: null, sector: null, amount: null, currency: null, date: null };
  expect(truth).toMatchObject(expected);
  expect(truth.answered).toEqual({});
  const seen = { company: 'DermaLine', amount: 1_800_000, currency: 'GBP', date: '2025-11' };
  expect(truth.visionOnly).toMatchObject(seen);
  expect(pdf.length).toBeLessThan(3 * 1024 * 1024);
});

it('committed samples: the health deck, the German one and the one outside health are there', () => {
  expect(sampleOf('cardiosense').truth).toMatchObject({ sector: 'diagnostics_devices', language: 'en' });
  expect(sampleOf('lumbalis').truth).toMatchObject({ sector: 'digital_therapeutics', language: 'de' });
  expect(sampleOf('quayline').truth).toMatchObject({ sector: 'other', language: 'en' });
});

// Decks made from seeds: each is valid, says what its truth says, stays silent where its truth is null, and is unlike the others.
const SEEDS = Array.from({ length: propertyRuns(40) }, (_, seed) => seed);
let decks: { readonly deck: GeneratedDeck; readonly pages: readonly PageContent[] }[] = [];

beforeAll(async () => {
  decks = [];
  for (const seed of SEEDS) {
    const deck = await generateDeck({ seed, traits: [] });
    decks.push({ deck, pages: await readPages(deck.pdf) });
  }
});

it('decks from seeds have valid truths that stand on the named slides', () => {
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

it('decks from seeds name a sum or a date if and only if their truth has one', () => {
  const dated = new RegExp(
    `\\d{4}-\\d{2}-\\d{2}|\\d{2}\\.\\d{2}\\.\\d{4}|\\b\\d{2}/\\d{4}|Quartal \\d{4}|(${[...MONTHS.en, ...MONTHS.de].join('|')}) (\\d{1,2}, )?20\\d{2}`,
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
    const { asks, askLabels } = PHRASES[truth.language === 'de' ? 'de' : 'en'];
    for (const ask of [...askLabels, ...asks.flatMap((phrase) => phrase.split('{ask}'))]) {
      if (ask.trim().length > 9) expect(text).not.toContain(ask.trim());
    }
  }
});

it('decks from seeds vary: companies, pages, languages, sectors, absent sums and dates', () => {
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

it('decks from seeds come out the same again from the same seed', async () => {
  const again = await generateDeck({ seed: 7, traits: [] });
  expect(Buffer.from(again.pdf).equals(decks[7]?.deck.pdf ?? new Uint8Array())).toBe(true);
  expect(again.truth).toEqual(decks[7]?.deck.truth);
});

it('decks in bulk makes a large deck of different slides with the truth of its seed', async () => {
  const slides = propertyRuns(300, 150);
  const { pdf, truth } = await generateLargeDeck({ slides, seed: 4 });
  const pages = await readPages(pdf);
  expect(pages.length).toBe(slides);
  expect(new Set(pages.map((page) => page.text)).size).toBe(slides);
  expect(truth).toEqual({ ...decks[4]?.deck.truth, slides });
});

it('decks in bulk makes load decks in which no slide occurs twice, within a deck or across decks', async () => {
  const pages = [1, 2].map(async (seed) => readPages(await generateUniqueDeck({ slides: 30, seed })));
  const texts = (await Promise.all(pages)).flat();
  expect(texts.length).toBe(60);
  expect(new Set(texts.map((page) => page.text)).size).toBe(60);
  for (const page of texts) expect(page.images).toBe(1);
});

// How a found date is compared with the truth.
it.each([
  ['2026-03', 'month', '2026-03', true],
  ['2026-03', 'month', '2026-03-01', true],
  ['2026-03', 'month', '2026-04', false],
  ['2026-03', 'month', '2026', false],
  ['2026-03-15', 'day', '2026-03-15', true],
  ['2026-03-15', 'day', '2026-03', true],
  ['2026-03-15', 'day', '2026-03-16', false],
  ['2026-01', 'quarter', '2026-03-31', true],
  ['2026-01', 'quarter', '2026-04', false],
  ['2026-01', 'quarter', '2026', false],
  ['2026-01', 'quarter', '2025', false],
  ['2026', 'year', '2026-05', true],
  ['2026', 'year', '2025-05', false],
] as const)('dateAgrees: %s (%s) against %s: %s', (date, datePrecision, found, agrees) =>
  expect(dateAgrees({ date, datePrecision }, found)).toBe(agrees),
);

it.each([
  ['Q1 2026', true],
  ['Q1/26', true],
  ['1st quarter 2026', true],
  ['1. Quartal 2026', true],
  ['Q4 2026', false],
  ['2026', false],
  ['KW 12/2026', false],
])('the year of a quarter agrees where its words name the quarter: %s: %s', (words, agrees) =>
  expect(dateAgrees({ date: '2026-01', datePrecision: 'quarter' }, '2026', words)).toBe(agrees),
);

it('dateAgrees takes no value for right only where the truth has none', () => {
  expect(dateAgrees({ date: null, datePrecision: null }, null)).toBe(true);
  expect(dateAgrees({ date: null, datePrecision: null }, '2026-03')).toBe(false);
  expect(dateAgrees({ date: '2026-03', datePrecision: 'month' }, null)).toBe(false);
});
