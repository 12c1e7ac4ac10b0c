/** Words within screenshots, mock-ups and maps are blocks of their own, and evidence for nothing else. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkQuote } from '../../../domain/evidence/quote-check.ts';
import { layOutWithout } from '../../../domain/pages/layout.ts';
import { readMarkup } from '../../../domain/pages/markup.ts';
import { pageMarkup } from '../../../domain/pages/page-text.ts';
import type { Box, PageWord } from '../../../domain/pages/page.ts';
import { coversPicture, wordsInPictures } from '../../../domain/pages/pictured-words.ts';
import { forAll } from '../../../testing/property.ts';
import { draw, layOut } from './support.ts';

const SCREEN: Box = [560, 100, 760, 460];
const LABELS = [
  'Orders',
  'View report',
  'Last 6 days',
  'Search',
  'Pay now',
  'Report a problem',
  'My account',
  'Log in',
];

const slide = [
  ...draw({ text: 'Reports that write themselves', x: 60, y: 40, size: 36 }),
  ...draw({
    text: 'Six clinics in Kassel use our app\neach day for every one of their patients.',
    x: 60,
    y: 160,
    size: 18,
  }),
];

/** Labels of a screen, a line each. */
const screen = (size: number, labels = LABELS, confidence: number | null = null): PageWord[] =>
  labels.flatMap((text, at) =>
    draw({ text, x: SCREEN[0] + 20, y: SCREEN[1] + 20 + at * 2 * size, size }).map((word) => ({ ...word, confidence })),
  );

const picturedOf = (words: readonly PageWord[], pictures: readonly Box[] = []): string[] => {
  const layout = layOut(words, { pictures });
  return [...wordsInPictures(layout)].map((index) => layout.words[index]?.text ?? '');
};
const wordsOf = (texts: readonly string[]): string[] => texts.flatMap((text) => text.split(' '));

describe('words within a picture', () => {
  it('the labels of a mock-up that is drawn, much smaller than the text of the page, are within a picture', () =>
    expect(picturedOf([...slide, ...screen(8)]).toSorted()).toEqual(wordsOf(LABELS).toSorted()));

  it('few words in the place of a picture are within it where they are that small', () =>
    expect(picturedOf([...slide, ...screen(8, LABELS.slice(0, 4))], [SCREEN])).toHaveLength(7));

  it('small words that were recognised in the place of a picture are within it, whatever else the page has', () =>
    expect(picturedOf([...draw({ text: 'Our app', x: 60, y: 40 }), ...screen(8, LABELS, 91)], [SCREEN])).toHaveLength(
      16,
    ));

  it('words on a picture as large as the other text are text: many slides have a picture behind it', () =>
    forAll([fc.integer({ min: 12, max: 30 })], (size) =>
      expect(picturedOf([...slide, ...screen(size)], [SCREEN])).toEqual([]),
    ));

  it('a logo is text: few words, as a rule large ones', () => {
    expect(picturedOf([...slide, ...screen(8, ['Quayline', 'Robotics'], 95)], [SCREEN])).toEqual([]);
    expect(picturedOf([...slide, ...screen(40, ['Quayline Robotics for', 'every hospital'], 95)], [SCREEN])).toEqual(
      [],
    );
  });

  it('a scan, which is one picture, is text', () => {
    const scan = [...slide, ...screen(8, LABELS.slice(0, 4))].map((word) => ({ ...word, confidence: 93 }));
    expect(picturedOf(scan, [[0, 0, 960, 540]])).toEqual([]);
  });

  it('a note in small letters is text: its lines run on', () => {
    const note = draw({
      text: 'Source: survey of 412 nurses in nine hospitals, carried out by us\nin spring 2026; all of them had used the app for a month',
      x: 60,
      y: 480,
      size: 8,
    });
    expect(picturedOf([...slide, ...note])).toEqual([]);
  });

  it('the labels of a small chart are text: many of them are numbers', () => {
    const chart = screen(8, ['2023 €1.2M', '2024 €2.9M', '2025 €4.1M', '2026 €7.7M', 'Revenue', 'by year']);
    expect(picturedOf([...slide, ...chart])).toEqual([]);
  });
});

describe('a page with a picture', () => {
  const words = [...slide, ...screen(8)];

  it('the words within the picture are in blocks of their own, and the other blocks are as they were without it', () =>
    forAll([fc.integer({ min: 5, max: 9 }), fc.shuffledSubarray(words, { minLength: words.length })], (size, order) => {
      const alone = layOut(slide);
      const shown = order.map((word) => (word.sizePt === 8 ? { ...word, sizePt: size } : word));
      const { blocks, words: laidOut } = layOut(shown);
      const text = (block: { readonly lines: number[][][] }, of: readonly PageWord[]): string[] =>
        block.lines.flat(2).map((index) => of[index]?.text ?? '');
      expect(blocks.filter(({ kind }) => kind !== 'picture').map((block) => text(block, laidOut))).toEqual(
        alone.blocks.map((block) => text(block, alone.words)),
      );
      expect(blocks.some(({ kind }) => kind === 'picture')).toBe(true);
    }));

  it('what is within a picture stays so when other words are taken off the page', () => {
    const layout = layOut(words);
    const left = layOutWithout(layout, new Set([0, 1]));
    expect(wordsInPictures(left).size).toBe(wordsInPictures(layout).size);
    expect(left.words).toHaveLength(layout.words.length - 2);
  });

  it('the lines within a picture are marked in the text of the page, and read back', () => {
    const markup = pageMarkup(layOut(words));
    expect(markup).toContain('> View report');
    const within = readMarkup(markup).filter(({ kind }) => kind === 'picture');
    expect(wordsOf(within.flatMap(({ lines }) => lines.map(({ text }) => text))).toSorted()).toEqual(
      wordsOf(LABELS).toSorted(),
    );
  });

  it('a quote from within a picture stands on the slide and says where; it never runs on into the text', () => {
    const layout = layOut(words);
    const within = checkQuote('Report a problem', layout);
    expect(within).toMatchObject({ verdict: 'verified', reason: 'within a picture on the slide' });
    expect(coversPicture(layout, within.boxes)).toBe(true);
    const outside = checkQuote('Six clinics in Kassel use our app', layout);
    expect([outside.verdict, coversPicture(layout, outside.boxes)]).toEqual(['verified', false]);
    expect(checkQuote('every one of their patients. Orders', layout).verdict).not.toBe('verified');
  });
});
