/** From what was recognised in a picture to words of a page. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Box, PageWord } from '../../../domain/pages/page.ts';
import { pageWordSchema } from '../../../domain/pages/page-schemas.ts';
import {
  looksUpsideDown,
  MIN_CONFIDENCE,
  toPageWords,
  type RecognisedLine,
  type ReadPicture,
} from '../../../domain/pages/recognised-words.ts';
import { forAll } from '../../../testing/property.ts';

const PICTURE: ReadPicture = { widthPx: 1920, heightPx: 1080, scale: 2, upsideDown: false };

const line = (text: string, box: Box, { confidence = 95, heightPx = 40 } = {}): RecognisedLine => {
  const words = text.split(' ');
  const width = (box[2] - box[0]) / words.length;
  return {
    heightPx,
    words: words.map((word, index) => ({
      text: word,
      confidence,
      box: [box[0] + index * width, box[1], box[0] + (index + 0.9) * width, box[3]],
    })),
  };
};
const texts = (words: readonly PageWord[]): string[] => words.map(({ text }) => text);

const anyBox = fc
  .tuple(...Array.from({ length: 4 }, () => fc.double({ min: -50, max: 2500, noNaN: true })))
  .map(([a = 0, b = 0, c = 0, d = 0]): Box => [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]);
const anyLines = fc.array(
  fc.record({
    heightPx: fc.double({ min: 0.1, max: 500, noNaN: true }),
    words: fc.array(
      fc.record({
        text: fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constantFrom('$500K', '|', '•', 'Größe')),
        confidence: fc.double({ min: -1, max: 101, noNaN: true }),
        box: anyBox,
      }),
      { maxLength: 6 },
    ),
  }),
  { maxLength: 8 },
);

it('every word lies on the page and is one that can be kept', () =>
  forAll([anyLines, fc.boolean()], { runs: 300 }, (lines, upsideDown) => {
    for (const word of toPageWords(lines, { ...PICTURE, upsideDown })) {
      pageWordSchema.parse(word);
      const [left, top, right, bottom] = word.box;
      expect([0 <= left, left < right, right <= 960, 0 <= top, top < bottom, bottom <= 540]).not.toContain(false);
      expect(word.confidence).toBeGreaterThanOrEqual(MIN_CONFIDENCE);
    }
  }));

it('what was read in a picture on its head is what was read in it upright, turned', () => {
  const upright = toPageWords([line('Patients per month', [100, 200, 700, 240])], PICTURE);
  const turned = toPageWords([line('Patients per month', [1220, 840, 1820, 880])], { ...PICTURE, upsideDown: true });
  expect(texts(turned)).toEqual(texts(upright));
  expect(turned.map(({ turn }) => turn)).toEqual([180, 180, 180]);
  expect(turned[0]?.box).toEqual([260, 100, 350, 120]);
});

describe('words that are left out', () => {
  it.each([
    ['a doubtful word', 'xvzk', 60],
    ['a figure that is not certain', '899,', 80],
    ['a frame', '|', 99],
    ['a row of dots', '•••', 99],
    ['a single letter that is not certain', 'l', 80],
    ['nothing but space', ' ', 99],
  ])('%s', (_, text, confidence) =>
    expect(toPageWords([line(text, [0, 0, 100, 40], { confidence })], PICTURE)).toEqual([]),
  );

  it('not the signs that stand for a word', () => {
    const words = toPageWords([line('Food & Drinks 45 %', [0, 0, 600, 40])], PICTURE);
    expect(texts(words).join(' ')).toBe('Food & Drinks 45 %');
  });
});

describe('the direction of a line', () => {
  it('is downwards where its words follow each other downwards', () => {
    const turned: RecognisedLine = {
      heightPx: 40,
      words: [
        { text: 'Revenue', confidence: 95, box: [100, 100, 140, 300] },
        { text: 'grows', confidence: 95, box: [100, 320, 140, 450] },
      ],
    };
    expect(toPageWords([turned], PICTURE).map(({ turn }) => turn)).toEqual([90, 90]);
    const upwards = { ...turned, words: turned.words.toReversed() };
    expect(toPageWords([upwards], PICTURE).map(({ turn }) => turn)).toEqual([270, 270]);
    const alone: RecognisedLine = { heightPx: 40, words: turned.words.slice(0, 1) };
    expect(toPageWords([alone], PICTURE)[0]?.turn).toBe(270);
    expect(toPageWords([alone, turned], PICTURE).map(({ turn }) => turn)).toEqual([90, 90, 90]);
  });

  it('is upright for a narrow single sign', () =>
    expect(toPageWords([line('1', [100, 100, 110, 140])], PICTURE)[0]?.turn).toBe(0));
});

describe('the size of a word', () => {
  it('is the height of its line in points', () => {
    const words = toPageWords([line('Every order pays', [0, 0, 400, 34], { heightPx: 40 })], PICTURE);
    expect(words.map(({ sizePt }) => sizePt)).toEqual([20, 20, 20]);
  });

  it('is its own where its letters are clearly larger than the line', () => {
    const [word] = toPageWords([line('89%', [0, 0, 300, 148], { heightPx: 60 })], PICTURE);
    expect(word?.sizePt).toBe(100);
  });
});

describe('a picture on its head', () => {
  const doubtful = (text: string): RecognisedLine => line(text, [0, 0, 900, 40], { confidence: 38 });

  it('is one whose words are nearly all doubtful', () => {
    expect(looksUpsideDown([doubtful('sJosuas ||as aM UaWIaD syuow')])).toBe(false);
    expect(looksUpsideDown([doubtful('sJosuas asas UaWIaD syuow snuanay')])).toBe(true);
  });

  it('is not one with a few words, or with words that are certain', () => {
    expect(looksUpsideDown([doubtful('sJosuas UaWIaD')])).toBe(false);
    expect(looksUpsideDown([line('We sell sensors every month now', [0, 0, 900, 40])])).toBe(false);
    expect(looksUpsideDown([])).toBe(false);
  });
});
