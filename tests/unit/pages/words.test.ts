/** From characters to words: gaps, letters that stand apart, turned lines. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Box, PageWord } from '../../../domain/pages/page.ts';
import { alongLine, boxAround, joinCharacters, type PageCharacter } from '../../../domain/pages/words.ts';
import { forAll } from '../../../testing/property.ts';

const SIZE = 10;

interface Setting {
  /** Gap after each letter, in font sizes. */
  readonly tracking?: number;
  /** Width of a space, in font sizes. */
  readonly space?: number;
  /** Whether spaces are written, guessed by the library, or only distances. */
  readonly spaces?: 'written' | 'guessed' | 'none';
  readonly turn?: PageWord['turn'];
  readonly y?: number;
  readonly size?: number;
}

/** Characters of a line, half a font size wide each, at the upper left corner. */
function line(text: string, setting: Setting = {}): PageCharacter[] {
  const { tracking = 0, space = 0.28, spaces = 'written', turn = 0, y = 0, size = SIZE } = setting;
  let at = 0;
  return Array.from(text).flatMap((letter): PageCharacter[] => {
    const width = (letter === ' ' ? space : 0.5) * size;
    const box = turned([at, y, at + width, y + size], turn);
    at += width + tracking * size;
    const character = { text: letter, box, sizePt: size, turn, bold: false };
    if (letter !== ' ') return [character];
    if (spaces === 'none') return [];
    return [{ ...character, text: spaces === 'written' ? ' ' : '' }];
  });
}

/** A box of a line on a page that is turned clockwise; the reverse of {@link alongLine}. */
function turned([start, top, end, bottom]: Box, turn: PageWord['turn']): Box {
  switch (turn) {
    case 0:
      return [start, top, end, bottom];
    case 90:
      return [-bottom, start, -top, end];
    case 180:
      return [-end, -bottom, -start, -top];
    case 270:
      return [top, -end, bottom, -start];
  }
}

const texts = (characters: readonly PageCharacter[]): string[] =>
  joinCharacters(characters).map(({ word }) => word.text);

it.each(['written', 'guessed', 'none'] as const)('words end at spaces: %s', (spaces) =>
  expect(texts(line('Revenue grew to €4.2M', { spaces }))).toEqual(['Revenue', 'grew', 'to', '€4.2M']),
);

it.each(['first', 'office', 'influence', 'attitude'])('a word with a ligature is one word: %s', (word) => {
  const glyphs = word.split(/(ffi|fi|fl|tt)/u).filter((glyph) => glyph !== '');
  // Each letter of the glyph has a narrow box at its start.
  const characters = glyphs.flatMap((glyph, index) => {
    const start = glyphs.slice(0, index).join('').length * 0.5 * SIZE;
    const isLigature = /^(?:ffi|fi|fl|tt)$/u.test(glyph);
    return Array.from(glyph).map((text, offset): PageCharacter => {
      const left = start + (isLigature ? 0 : offset * 0.5 * SIZE);
      const right = left + (isLigature ? 0.3 + offset / 20 : 0.5) * SIZE;
      return { text, box: [left, 0, right, SIZE], sizePt: SIZE, turn: 0, bold: false };
    });
  });
  expect(texts(characters)).toEqual([word]);
});

it('a variation selector alone is no word', () =>
  expect(texts([...line('Voice '), ...line('\u{FE0F}', { y: 40 }), ...line('on', { y: 80 })])).toEqual([
    'Voice',
    'on',
  ]));

it.each([0, 90, 180, 270] as const)('words of a line that is turned by %i degrees are read along it', (turn) => {
  const words = joinCharacters(line('Annual report', { turn }));
  expect(words.map(({ word }) => [word.text, word.turn])).toEqual([
    ['Annual', turn],
    ['report', turn],
  ]);
  expect(alongLine(words[0]?.word.box ?? [0, 0, 0, 0], turn)).toEqual([0, 30, 0, 10]);
});

it.each([
  ['April 2021', { tracking: 0.4 }, ['April', '2021']],
  ['Headband', { tracking: 0.2 }, ['Headband']],
  ['VISION AND VALUE', { tracking: 0.3, space: 0.4 }, ['VISION', 'AND', 'VALUE']],
  // A space after each letter, two and more between words.
  ['A P R I L   2 0 2 1', {}, ['APRIL', '2021']],
])('letters that stand apart are one word: %s', (text, setting, words) =>
  expect(texts(line(text, setting))).toEqual(words),
);

it.each([
  ['Plan A B C D', ['Plan', 'A', 'B', 'C', 'D']],
  ['1 2 3 4 5 6', ['1', '2', '3', '4', '5', '6']],
  ['I am at a B2B fair', ['I', 'am', 'at', 'a', 'B2B', 'fair']],
  ['Q 1', ['Q', '1']],
])('single letters and figures that stand for themselves stay apart: %s', (text, words) =>
  expect(texts(line(text))).toEqual(words),
);

it('letters that are set tightly still end their words at small gaps', () =>
  expect(texts(line('Imagine Claudia', { tracking: -0.22, space: 0.45, spaces: 'none' }))).toEqual([
    'Imagine',
    'Claudia',
  ]));

it('letters of a ligature have one box and stay in their word', () => {
  const [o, f, s] = line('ofs');
  if (o === undefined || f === undefined || s === undefined) expect.fail('three letters');
  expect(texts([o, f, { ...f, text: 'f' }, s])).toEqual(['offs']);
});

it('small print beside a large letter is a line of its own, in whatever order the characters come', () => {
  const large = line('Re', { size: 60 });
  const small = line('APRIL', { y: 30 });
  const mixed = [large[0], ...small.slice(0, 2), large[1], ...small.slice(2)].flatMap((c) => c ?? []);
  expect(texts(mixed).toSorted()).toEqual(['APRIL', 'Re']);
});

it('a raised letter belongs to its word', () => {
  const [last] = line('0').map((c) => ({ ...c, box: [10, 0, 13, 6] as Box, sizePt: 6 }));
  if (last === undefined) expect.fail('one letter');
  expect(texts([...line('10').slice(0, 2), last])).toEqual(['10⁰']);
});

it('words are written in NFC, and a word that is too long is cut', () => {
  expect(texts(line('u\u0308ber'))).toEqual(['über']);
  const words = texts(line('x'.repeat(1000)));
  expect(words.map((word) => word.length)).toEqual([400, 400, 200]);
});

const characters = fc.array(
  fc.record({
    text: fc.constantFrom('a', 'B', '7', '%', 'ß', 'é', ' ', '', '\u0301'),
    box: fc
      .tuple(fc.nat(900), fc.nat(500), fc.nat(40), fc.nat(40))
      .map(([x, y, width, height]): Box => [x, y, x + width, y + height]),
    sizePt: fc.integer({ min: 0, max: 60 }),
    turn: fc.constantFrom<PageWord['turn']>(0, 90, 180, 270),
    bold: fc.boolean(),
  }),
  { maxLength: 60 },
);

const lowered = (text: string): string => text.replaceAll(/[⁰¹²³⁴-⁹]/gu, (digit) => digit.normalize('NFKC'));

it('every character that is no space comes into exactly one word, whose box holds it', () =>
  forAll([characters], { runs: 3000 }, (given) => {
    const words = joinCharacters(given);
    const joined = words.flatMap((word) => word.characters);
    expect(new Set(joined).size).toBe(joined.length);
    expect(new Set(joined)).toEqual(new Set(given.filter((character) => character.text.trim() !== '')));
    for (const { word, characters: own } of words) {
      const text = own.map((character) => character.text).join('');
      // Digits that stand raised are written as such.
      expect(lowered(word.text)).toBe(lowered(text.normalize('NFC')));
      expect(word.box).toEqual(boxAround(own.map(({ box }) => box)));
      expect(own.every(({ turn }) => turn === word.turn)).toBe(true);
    }
  }));
