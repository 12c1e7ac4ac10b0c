/** The text of a page, from its text layer and from what was recognised in its picture. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_PAGE_WORDS, type PageWord } from '../../../domain/pages/page.ts';
import { NOT_RECOGNISED, settleWords, type Recognition } from '../../../domain/pages/settle-words.ts';
import { forAll } from '../../../testing/property.ts';
import { draw } from './support.ts';

const LAYER = draw({ text: 'Every order pays for itself', x: 60, y: 150 });
/** As a font without a usable map gives it. */
const GARBLED = draw({ text: String.raw`:LCKLI< n_\e kiXm\c\`e^ Yffb`, x: 60, y: 150 });
const SEEN = draw({ text: 'Seed round 2026', x: 60, y: 300 }).map((word): PageWord => ({ ...word, confidence: 93 }));

const recognition = (found: Partial<Recognition>): Recognition => ({ need: 'add', words: SEEN, fault: null, ...found });
/** A text that is language throughout. */
const text = (source: 'layer' | 'ocr', words: readonly PageWord[], ocr: 'none' | 'done' | 'failed') => ({
  words,
  source,
  readableShare: 1,
  ocr,
  incomplete: false,
});
const textOf = (words: readonly PageWord[]): string => words.map(({ text }) => text).join(' ');

it('a text layer that says what is on the page is its text', () =>
  expect(settleWords(LAYER, NOT_RECOGNISED)).toEqual(text('layer', LAYER, 'none')));

it('a page without any words has no source', () =>
  expect(settleWords([], NOT_RECOGNISED)).toEqual({
    words: [],
    source: 'none',
    readableShare: null,
    ocr: 'none',
    incomplete: false,
  }));

it('added words stand beside those of the layer, which stays the source', () => {
  const settled = settleWords(LAYER, recognition({ need: 'add' }));
  expect(settled).toMatchObject({ source: 'layer', ocr: 'done', readableShare: 1 });
  expect(textOf(settled.words)).toBe('Every order pays for itself Seed round 2026');
});

it('recognised words take the place of a layer that is no language, and their share counts', () =>
  expect(settleWords(GARBLED, recognition({ need: 'replace' }))).toEqual(text('ocr', SEEN, 'done')));

it('a layer that is no language is no text of the page where nothing was recognised either', () => {
  const settled = settleWords(GARBLED, recognition({ need: 'replace', words: [] }));
  expect(settled).toMatchObject({ words: [], source: 'none', ocr: 'done' });
  expect(settled.readableShare).toBeLessThan(0.85);
});

it('a layer of rare words stays the text of the page where the picture shows the same', () => {
  const rare = draw({ text: 'Qkhjdfmk xcvbnmtr GmbH Seed round', x: 60, y: 150 });
  const seen = rare.map((word): PageWord => ({ ...word, confidence: 93, text: word.text.replace('xcvb', 'xevb') }));
  const settled = settleWords(rare, recognition({ need: 'replace', words: [...seen, ...SEEN] }));
  expect(settled).toMatchObject({ source: 'layer', ocr: 'done' });
  expect(settled.readableShare).toBeGreaterThan(0.5);
  expect(textOf(settled.words)).toBe('Qkhjdfmk xcvbnmtr GmbH Seed round Seed round 2026');
});

it('a layer of rare words stays the text of the page where recognition takes letters for others that look alike', () => {
  const rare = draw({ text: 'Qbfeepijjlmcckpnp Kljhjdfmk', x: 60, y: 150 });
  const seen = rare.map((word): PageWord => ({ ...word, confidence: 93, text: word.text.replaceAll(/[lj]/gu, 'i') }));
  const settled = settleWords(rare, recognition({ need: 'replace', words: seen }));
  expect(settled.words).toEqual(rare);
});

it('a page keeps its text layer where recognition breaks down, and says so', () =>
  expect(settleWords(LAYER, recognition({ words: [], fault: 'out of memory' }))).toEqual(
    text('layer', LAYER, 'failed'),
  ));

it('words of a readable layer are never lost', () => {
  const found = fc.record({
    need: fc.constantFrom('none' as const, 'add' as const),
    words: fc.subarray(SEEN),
    fault: fc.option(fc.string()),
  });
  return forAll([fc.subarray(LAYER), found], (layer, given) => {
    const { words } = settleWords(layer, given);
    return layer.every((word) => words.includes(word));
  });
});

it('added words do not make a page larger than may be kept', () => {
  const [word] = LAYER;
  const full = Array.from({ length: MAX_PAGE_WORDS }, () => word as PageWord);
  expect(settleWords(full, recognition({ need: 'add' })).words).toEqual(full);
});

it('single letters that are read into a logo are not added, those within a line of words are', () => {
  const logo = draw({ text: 'yn', x: 600, y: 20 }).map((word) => ({ ...word, confidence: 88 }));
  const line = draw({ text: 'Vitamin B complex', x: 60, y: 300 }).map((word) => ({ ...word, confidence: 92 }));
  const doubtful = draw({ text: 'Tunvail', x: 400, y: 20 }).map((word) => ({ ...word, confidence: 75 }));
  const { words } = settleWords(LAYER, recognition({ words: [...logo, ...line, ...doubtful] }));
  expect(textOf(words)).toBe('Every order pays for itself Vitamin B complex');
});
