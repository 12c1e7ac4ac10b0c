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

/** Letters half a font size wide, each drawn as often as given, a little to the right each time. */
const letters = (text: string, times: number, objects = true) =>
  Array.from(text).flatMap((letter, index) =>
    Array.from({ length: times }, (_, time) => ({
      text: letter,
      box: [index * 5 + time * 0.3, 0, index * 5 + 5 + time * 0.3, 10] as Box,
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

it('equal words in neighbouring lines or beside each other are no copies', () => {
  const words = draw({ text: '12 12 12\n12 12 12', x: 60, y: 150 });
  expect(withoutCopies(words)).toEqual({ words, copies: [] });
});
