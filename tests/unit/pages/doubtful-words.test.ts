/** Words of fonts without a usable map: told from the others by their glyphs and by their font, and settled by the picture. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withoutDoubtful } from '../../../domain/pages/doubtful-words.ts';
import type { PageWord } from '../../../domain/pages/page.ts';
import { NOT_RECOGNISED, settleWords, type Recognition } from '../../../domain/pages/settle-words.ts';
import { joinCharacters, type JoinedWord, type PageCharacter } from '../../../domain/pages/words.ts';
import { forAll } from '../../../testing/property.ts';

const UNKNOWN = '\uFFFD';

/** The words of a line of a font, half a font size a character; `\uFFFD` is a glyph without a character. */
function line(text: string, y: number, font = 1): JoinedWord<PageCharacter>[] {
  return joinCharacters(
    Array.from(text, (letter, index) => ({
      text: letter,
      box: [index * 5, y, index * 5 + 5, y + 10],
      sizePt: 10,
      turn: 0,
      bold: false,
      font,
      unmapped: letter === UNKNOWN,
    })),
  );
}
const textOf = (words: readonly PageWord[]): string => words.map(({ text }) => text).join(' ');
const seenAs = (word: PageWord | undefined, text: string): PageWord =>
  word === undefined ? expect.fail('there is no such word') : { ...word, text, confidence: 92 };
const places = (words: readonly PageWord[]): Recognition => ({ need: 'places', words, fault: null });

const SENTENCE = line('Hospitals pay for each patient and month', 0);

it('a word with a glyph that has no character is doubtful, the others of its line are not', () => {
  const { words, doubtful } = withoutDoubtful(line(`the bene${UNKNOWN}ts of the app for nurses`, 0));
  expect(textOf(words)).toBe('the of the app for nurses');
  expect(textOf(doubtful.unmapped)).toBe(`bene${UNKNOWN}ts`);
});

it('the other glyphs of a font most of whose glyphs have no character are doubtful', () => {
  const bad = line(`ab${UNKNOWN}${UNKNOWN} cd ${UNKNOWN}`, 20, 2);
  const { words, doubtful } = withoutDoubtful([...SENTENCE, ...bad]);
  expect(words).toEqual(SENTENCE.map(({ word }) => word));
  expect(doubtful.unmapped).toHaveLength(3);
});

it('the words of a font that are no language are doubtful, those of other fonts of the page are not', () => {
  const readable = [0, 20, 40, 60, 80, 100, 120].flatMap((y) => line('Hospitals pay for each patient and month', y));
  const garbled = line(String.raw`<d\cp D# 8ljkbe# KO <m\ixZ_ ;i# IXlm_q kiXm\c n_\e`, 160, 2);
  const { words, doubtful } = withoutDoubtful([...readable, ...garbled]);
  expect(words).toEqual(readable.map(({ word }) => word));
  expect(doubtful).toEqual({ unmapped: [], unreadable: [garbled.map(({ word }) => word)] });
});

it('a recognised word takes the place of a doubtful word', () => {
  const { words, doubtful } = withoutDoubtful(line(`the bene${UNKNOWN}ts of the app for nurses`, 0));
  const settled = settleWords(words, places([seenAs(doubtful.unmapped[0], 'benefits')]), doubtful);
  expect(settled).toMatchObject({ source: 'layer', ocr: 'done', incomplete: false });
  expect(textOf(settled.words)).toBe('the of the app for nurses benefits');
});

it('a doubtful word that cannot be read is no word of the page, which says that it is not complete', () => {
  const { words, doubtful } = withoutDoubtful(line(`the bene${UNKNOWN}ts of the app for nurses`, 0));
  for (const recognition of [places([]), NOT_RECOGNISED, { ...places([]), fault: 'too slow' }]) {
    const settled = settleWords(words, recognition, doubtful);
    expect(settled.incomplete).toBe(true);
    expect(textOf(settled.words)).toBe('the of the app for nurses');
  }
});

it('a single glyph that cannot be read stays as a list mark', () => {
  const { words, doubtful } = withoutDoubtful(line(`${UNKNOWN} Hospitals pay for each patient`, 0));
  const settled = settleWords(words, NOT_RECOGNISED, doubtful);
  expect(settled.incomplete).toBe(false);
  expect(textOf(settled.words)).toBe('Hospitals pay for each patient \uE000');
});

it('rare words of a font stay where the picture shows the same', () => {
  const rare = line('Qkhjdfmk xcvbnmtr Zgrtklmnp bcdfghkl', 20, 2).map(({ word }) => word);
  const seen = rare.map((word) => seenAs(word, word.text));
  const settled = settleWords([], { need: 'places', words: seen, fault: null }, { unmapped: [], unreadable: [rare] });
  expect(settled.words).toEqual(rare);
});

it('no word of the page has a glyph without a character, whatever is recognised', () => {
  const letters = fc.string({
    unit: fc.constantFrom('a', 'e', 'n', 's', 't', ' ', UNKNOWN),
    minLength: 1,
    maxLength: 40,
  });
  return forAll([fc.array(letters, { maxLength: 4 }), fc.boolean()], (lines, isRead) => {
    const joined = lines.flatMap((text, index) => line(text, index * 20, index));
    const { words, doubtful } = withoutDoubtful(joined);
    const found = isRead ? doubtful.unmapped.map((word) => seenAs(word, 'seen')) : [];
    const settled = settleWords(words, places(found), doubtful);
    const known = joined.filter(({ characters }) => characters.every(({ unmapped }) => unmapped !== true));
    return (
      settled.words.every(({ text }) => !text.includes(UNKNOWN)) &&
      words.every((word) => known.some((each) => each.word === word))
    );
  });
});
