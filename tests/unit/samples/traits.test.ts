/** Traits of real decks in decks from seeds: each changes the file as it says, and the truth goes along. */
import { expect, it } from 'vitest';
import { DeckTruth } from '../../../domain/evaluation/deck-truth.ts';
import { detectLanguage } from '../../../domain/pages/language.ts';
import type { PageLayout } from '../../../domain/pages/page.ts';
import { deckOf, generateDeck, type GeneratedDeck } from '../../../samples/generator/generate.ts';
import { OCR_TRAITS, READABLE_TRAITS, TRAITS, traitsOf, type Trait } from '../../../samples/generator/traits.ts';
import type { SlideSpec } from '../../../samples/generator/spec.ts';
import { layoutsOf } from '../../../testing/read-pdf.ts';
import { propertyRuns } from '../../../testing/tier.ts';
import { readPages } from './page-text.ts';

interface ReadDeck extends GeneratedDeck {
  readonly layouts: readonly PageLayout[];
  /** Words of each page, without blanks: programs break lines and write words in their own ways. */
  readonly pages: readonly string[];
}

const bare = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}€$£₹%.@]/gu, '');

async function read(seed: number, traits?: readonly Trait[]): Promise<ReadDeck> {
  const deck = await generateDeck(traits === undefined ? { seed } : { seed, traits });
  const layouts = await layoutsOf(deck.pdf);
  return { ...deck, layouts, pages: layouts.map(textOf) };
}

/** Words in reading order. */
const textOf = ({ words, blocks }: PageLayout): string =>
  bare(blocks.flatMap(({ lines }) => lines.flat(2).map((index) => words[index]?.text ?? '')).join(' '));

/** The same for texts of the same letters. */
const sorted = (text: string): string => Array.from(text).toSorted().join('');

const latin1 = ({ pdf }: GeneratedDeck): string => Buffer.from(pdf).toString('latin1');

it('a seed draws two to five traits that can stand together, and all of them come', () => {
  const drawn = Array.from({ length: 200 }, (_, seed) => traitsOf(seed));
  for (const traits of drawn) {
    expect(traits.length).toBeGreaterThanOrEqual(2);
    expect(traits.length).toBeLessThanOrEqual(5);
    expect(traits.filter((trait) => trait.startsWith('export_')).length).toBeLessThanOrEqual(1);
    expect(traits.filter((trait) => OCR_TRAITS.includes(trait))).toEqual([]);
  }
  expect(new Set(drawn.flat())).toEqual(new Set(READABLE_TRAITS));
  expect(traitsOf(3, TRAITS)).toEqual(traitsOf(3, TRAITS));
});

it('decks with traits can be read, and say on the named slides what their truths say', async () => {
  for (let seed = 0; seed < propertyRuns(60, 5); seed += 1) {
    const { truth, pages, traits } = await read(seed);
    expect(DeckTruth.parse(truth)).toEqual(truth);
    expect(pages).toHaveLength(truth.slides);
    for (const place of Object.values(truth.places))
      if (place !== null) expect(pages[place.slide - 1], `${seed} ${traits.join()}`).toContain(bare(place.text));
  }
});

it('each trait changes the deck of a seed, and the same seed and traits give the same deck again', async () => {
  const plain = await generateDeck({ seed: 21, traits: [] });
  for (const trait of TRAITS) {
    const { pdf, traits } = await generateDeck({ seed: 21, traits: [trait] });
    expect(traits).toEqual([trait]);
    expect(Buffer.from(pdf).equals(plain.pdf), trait).toBe(false);
  }
  for (const traits of [undefined, OCR_TRAITS.slice(0, 2), ['other_language', 'wrong_xref'] as const]) {
    const deck = { seed: 22, ...(traits === undefined ? {} : { traits }) };
    expect(await generateDeck(deck)).toEqual(await generateDeck(deck));
  }
});

it('rotated pages lie on their side in the file and stand upright when read', async () => {
  const deck = await read(21, ['rotated_pages']);
  expect(latin1(deck)).toMatch(/\/Rotate (?:90|270)/u);
  for (const { widthPt, heightPt, words } of deck.layouts) {
    expect(widthPt).toBeGreaterThan(heightPt);
    expect(words.filter(({ turn }) => turn !== 0)).toEqual([]);
  }
});

it('the name stands in a picture or in the domain alone', async () => {
  const { truth, pages } = await read(21, ['name_only_in_picture']);
  const name = truth.visionOnly?.company ?? '';
  expect(truth.company).toBeNull();
  expect(pages.join(' ')).not.toContain(bare(name));
  expect(truth.visionOnly?.places.company).toEqual({ slide: 1, text: name });
  const inDomain = await read(21, ['name_only_in_domain']);
  expect(inDomain.pages.join(' ').replaceAll(`${bare(name)}.example`, '')).not.toContain(bare(name));
  expect(inDomain.truth.company).toBe(name);
});

it('a sum on the cover or in the footer stands nowhere else, and parts of a round add up', async () => {
  const cover = await read(21, ['ask_on_cover']);
  const sum = bare(cover.truth.places.amount?.text ?? '-');
  expect(cover.pages.map((page) => page.includes(sum))).toEqual(cover.pages.map((_, index) => index === 0));
  const footer = await read(21, ['ask_in_footer']);
  expect(footer.pages.filter((page) => page.includes(sum)).length).toBeGreaterThan(footer.pages.length - 4);
  const parts = await read(21, ['parts_of_ask']);
  expect(parts.pages.filter((page) => page.includes(sum))).toHaveLength(1);
});

it('a running footer has ©, the name and the date, and stands on each page with content', async () => {
  const { truth, pages, pdf } = await read(21, ['running_footer']);
  const footed = pages.filter((page) => page.includes(bare(truth.places.date?.text ?? '-')));
  expect(footed.length).toBeGreaterThan(pages.length - 4);
  for (const page of footed) expect(page).toContain(bare(truth.company ?? '-'));
  const copyright = (await readPages(pdf)).filter(({ text }) => text.includes('©'));
  expect(copyright).toHaveLength(footed.length);
});

it('headings are letters apart from each other, and sums are in other currencies', async () => {
  const isSpaced = async (seed: number, traits: readonly Trait[]): Promise<boolean> =>
    (await readPages((await generateDeck({ seed, traits })).pdf)).some(({ text }) => /(?:\p{Lu} ){5}/u.test(text));
  const spaced = await Promise.all([21, 22, 23, 24].map((seed) => isSpaced(seed, ['letter_spaced_headings'])));
  expect(spaced).toContain(true);
  expect(await isSpaced(21, [])).toBe(false);
  for (const seed of [21, 22, 23]) {
    const { truth } = await read(seed, ['other_currency']);
    expect(['EUR', 'USD', 'GBP', 'CHF', null]).not.toContain(truth.currency);
  }
});

it('a layout puts statements side by side, into boxes, cards or tables', async () => {
  const spec = deckOf(21, ['columns']);
  const columnsOf = (slide: SlideSpec): number => (slide.kind === 'content' ? slide.columns.length : 0);
  expect(new Set(spec.slides.map(columnsOf))).toContain(3);
  for (const [trait, type] of [
    ['number_boxes', 'stats'],
    ['card_grid', 'cards'],
    ['tables', 'table'],
  ] as const) {
    const count = (traits: readonly Trait[]): number =>
      deckOf(21, traits)
        .slides.flatMap((slide) => (slide.kind === 'content' ? slide.columns.flat() : []))
        .filter((block) => block.type === type).length;
    expect(count([trait]), trait).toBeGreaterThan(count([]));
  }
});

it('nothing of a deck in paths or without character maps can be read in its text', async () => {
  const paths = await read(21, ['text_as_paths']);
  expect(paths.pages.join('')).toBe('');
  expect(paths.layouts.some(({ blank }) => blank)).toBe(false);
  for (const seed of [21, 24]) {
    const { pages, truth } = await read(seed, ['broken_character_map']);
    expect(truth.company).toBeNull();
    expect(pages.join(' ')).not.toContain(bare(truth.visionOnly?.company ?? ''));
  }
});

it('a blank page comes last, and a wrong table of objects keeps the text', async () => {
  const blank = await read(21, ['blank_last_page']);
  expect(blank.layouts.map((page) => page.blank)).toEqual(blank.layouts.map((_, i) => i === blank.layouts.length - 1));
  const wrong = await read(21, ['wrong_xref']);
  const sound = await read(21, ['export_powerpoint']);
  expect(wrong.pages.map(sorted)).toEqual(sound.pages.map(sorted));
  expect(/^\d{10} 00000 n/mu.exec(latin1(wrong))?.[0]).not.toBe(/^\d{10} 00000 n/mu.exec(latin1(sound))?.[0]);
});

it('a deck in another language is in that language', async () => {
  for (const seed of [0, 1, 2, 3, 4, 5]) {
    const { layouts, truth } = await read(seed, ['other_language']);
    const words = layouts.flatMap((page) => page.words.map(({ text }) => text)).join(' ');
    expect(detectLanguage(words)?.language).toBe(truth.language);
  }
});

it('programs write the same words in another order', async () => {
  const plain = await read(21, []);
  for (const trait of TRAITS.filter((one) => one.startsWith('export_'))) {
    const exported = await read(21, [trait]);
    expect(exported.pages.map(sorted), trait).toEqual(plain.pages.map(sorted));
  }
});
