/** Text that is drawn twice. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withoutCopies, withoutRepeated } from '../../../domain/pages/copies.ts';
import type { Box, PageWord } from '../../../domain/pages/page.ts';
import { joinCharacters } from '../../../domain/pages/words.ts';
import { forAll } from '../../../testing/property.ts';
import { draw } from './support.ts';

const moved = (word: PageWord, by: number): PageWord => {
  const [left, top, right, bottom] = word.box;
  return { ...word, box: [left + by, top + by, right + by, bottom + by] };
};

/** Letters of one width, by default half a font size, each drawn as often as given, a little to the right each time. */
const letters = (text: string, times: number, objects = true, widthPt = 5) =>
  Array.from(text).flatMap((letter, index) =>
    Array.from({ length: times }, (_, time) => ({
      text: letter,
      box: [index * widthPt + time * 0.3, 0, (index + 1) * widthPt + time * 0.3, 10] as Box,
      sizePt: 10,
      turn: 0 as const,
      bold: false,
      object: objects ? index * times + time : 1,
    })),
  );

it.each([1, 2, 3])('letters that are drawn %i times each are read once', (times) => {
  const words = joinCharacters(withoutRepeated(letters('Committee', times)));
  expect(words.map(({ word }) => word.text)).toEqual(['Committee']);
});

it.each([0.8, 1, 1.2])('equal letters side by side that are %f pt wide at a size of 10 pt are all read', (widthPt) =>
  expect(withoutRepeated(letters('will', 1, true, widthPt))).toHaveLength(4),
);

it('letters of a ligature, which one object draws in one place, all stay', () =>
  expect(withoutRepeated(letters('f', 2, false))).toHaveLength(2));

it('a shadow is a copy of the words that are drawn on it, whatever the order of the words', () =>
  forAll(
    [fc.double({ min: 0, max: 0.24, noNaN: true }), fc.uniqueArray(fc.constantFrom('We', 'raise', 'EUR', '2M'))],
    (shift, texts) => {
      const words = draw({ text: texts.join(' '), x: 60, y: 150, size: 20 });
      const shadow = words.map((word) => moved(word, shift * 20));
      expect(withoutCopies([...shadow, ...words])).toEqual({ words, copies: shadow });
    },
  ));

const isCopyOf = (word: PageWord, later: PageWord): boolean => {
  const [small, large] = [Math.min(word.sizePt, later.sizePt), Math.max(word.sizePt, later.sizePt)];
  const shift = Math.max(...word.box.map((side, index) => Math.abs(side - (later.box[index] ?? 0))));
  return large <= 1.15 * small && shift <= 0.25 * small;
};

it('a word is a copy exactly where a later word of its size is at most a quarter of that away', () =>
  forAll(
    [
      fc.array(
        fc.record({
          x: fc.double({ min: -20, max: 40, noNaN: true }),
          y: fc.double({ min: -3, max: 6, noNaN: true }),
          size: fc.double({ min: 7, max: 14, noNaN: true }),
        }),
        { maxLength: 30 },
      ),
    ],
    (places) => {
      const words = places.flatMap((place) => draw({ text: '7', ...place }));
      const copies = words.filter((word, index) => words.slice(index + 1).some((later) => isCopyOf(word, later)));
      expect(withoutCopies(words).copies).toEqual(copies);
    },
  ));

it('a word is compared with few others, however many equal words a page has', () => {
  const many = Array.from({ length: 2000 }, (_, at) =>
    draw({ text: '.', x: (at % 100) * 9, y: Math.floor(at / 100) * 12 }),
  );
  let looks = 0;
  const words = many.flat().map(({ box, ...word }): PageWord => ({
    ...word,
    get box() {
      looks++;
      return box;
    },
  }));
  expect(withoutCopies(words).copies).toEqual([]);
  expect(looks).toBeLessThan(100 * words.length);
});

it('equal words in neighbouring lines or beside each other are no copies', () => {
  const words = draw({ text: '12 12 12\n12 12 12', x: 60, y: 150 });
  expect(withoutCopies(words)).toEqual({ words, copies: [] });
});
