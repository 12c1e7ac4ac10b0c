/** Characters that the database refuses are repaired or named, before anything is stored. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { repairedText, unusableCharacter } from '../../../domain/models/answer-text.ts';
import { parseAnswer } from '../../../domain/models/model-output.ts';
import { forAll } from '../../../testing/property.ts';

it.each([
  ['M\u0000fcnchen', 'München'],
  ['nov\u0000e8mbre', 'novèmbre'],
  ['\u0000dcber uns', 'Über uns'],
  ['\u0000e9lan vital', 'élan vital'],
  ['Caf\u0000e9', 'Café'],
  ['Stra\u0000DFe', 'Straße'],
  ['Gr\u0000f6\u0000dfe', 'Größe'],
  ['M\u000Fcnchen', 'München'],
  ['caf\u000E9', 'café'],
  ['\u0000a342m', '£42m'],
  ['20 \u0000b0C', '20 °C'],
  ['growth \u0001f680', 'growth 🚀'],
  ['it\u0092s', 'it’s'],
  ['5 \u0080', '5 €'],
  ['Velhain \ud83d', 'Velhain '],
])('%j is repaired to %s', (broken, right) => {
  expect(repairedText(broken)).toBe(right);
  expect(unusableCharacter(right, '')).toBeNull();
});

it.each([
  ['\u000042 seats', 'U+0000'],
  ['EUR \u000020 million', 'U+0000'],
  ['a \u0000fact', 'U+0000'],
  ['\u0000about us', 'U+0000'],
  ['Velhain\u0000', 'U+0000'],
  ['a\u0000zebra', 'U+0000'],
  ['a\u0008b', 'U+0008'],
  ['a\u001b[31m', 'U+001B'],
  ['a\u007fb', 'U+007F'],
  ['a \ud83d b', 'U+D83D'],
  ['\ude80 up', 'U+DE80'],
  ['Velhain \ufffd', 'U+FFFD'],
])('%j is no text, because of %s', (text, character) =>
  expect(unusableCharacter(repairedText(text), '')).toBe(character),
);

it('a replacement character that the page has may be quoted', () =>
  expect(unusableCharacter('Velhain \ufffd', 'Velhain \ufffd')).toBeNull());

it('text without such characters is unchanged', () =>
  forAll([fc.string({ unit: 'grapheme' })], (text) => {
    fc.pre(!/(?![\t\n\r])\p{Cc}|\p{Cs}/u.test(text));
    expect(repairedText(text)).toBe(text);
  }));

it('whatever an answer holds, a value that is taken can be stored', () =>
  forAll(
    [
      fc.string({
        unit: fc.oneof(fc.constantFrom('\0', '\u000f', '\ud83d', '\ude80', 'f', 'c', '2', ' '), fc.string()),
      }),
    ],
    (text) => {
      const answer = parseAnswer(JSON.stringify({ list: [{ text }] }), (json) => json as { list: { text: string }[] });
      if (!answer.ok) return expect(answer.fault.kind).toBe('bad_character');
      const [{ text: taken } = { text: '' }] = answer.value.list;
      expect(taken.isWellFormed()).toBe(true);
      expect(taken).not.toContain('\0');
    },
  ));
