/**
 * Loops in a model's output are found early, and ordinary text is left alone.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  findRepetition,
  LONGEST_PHRASE,
  type LoopFault,
  LoopWatch,
  REPEATED_SPAN,
  REPEATED_TIMES,
  WHITESPACE_LIMIT,
} from '../../../domain/models/repetition.ts';
import { forAll } from '../../../testing/property.ts';

/** Feeds a text in pieces; returns the fault and how much had been fed by then. */
function watch(text: string, pieceLength: number): { fault: LoopFault | null; fed: number } {
  const loop = new LoopWatch();
  for (let i = 0; i < text.length; i += pieceLength) {
    const fault = loop.push(text.slice(i, i + pieceLength));
    if (fault !== null) return { fault, fed: Math.min(text.length, i + pieceLength) };
  }
  return { fault: null, fed: text.length };
}

const word = fc.string({
  minLength: 1,
  maxLength: 9,
  unit: fc.nat(25).map((letter) => String.fromCharCode(97 + letter)),
});

it('a repeated phrase of any length is found soon after it has come round often enough', () =>
  forAll(
    [fc.array(word, { minLength: 1, maxLength: 40 }), fc.string({ maxLength: 500 }), fc.integer({ min: 1, max: 20 })],
    (words, head, piece) => {
      const phrase = `${words.join(' ')}, `.slice(0, LONGEST_PHRASE);
      const needed = Math.max(REPEATED_SPAN, phrase.length * REPEATED_TIMES);
      const text = head.replaceAll(/\s/g, '_') + phrase.repeat(Math.ceil((needed + 200) / phrase.length));
      const { fault, fed } = watch(text, piece);
      expect(fault?.kind).toBe('repetition');
      // One stride and one piece after it was due at the latest.
      expect(fed).toBeLessThanOrEqual(head.length + needed + 32 + 2 * piece);
    },
  ));

it('a repeated phrase is named with how often it came', () =>
  expect(findRepetition('x, '.repeat(100))).toEqual({ kind: 'repetition', phrase: 'x, ', times: 80 }));

it('a repeated phrase inside a JSON string counts as well', () =>
  expect(watch(`{"answer":"The market ${'grows and '.repeat(40)}`, 4).fault?.kind).toBe('repetition'));

it('whitespace without end is found at the limit, however it arrives', () =>
  forAll(
    [
      fc.string({ minLength: WHITESPACE_LIMIT + 1, maxLength: 200, unit: fc.constantFrom(' ', '\n', '\t') }),
      fc.integer({ min: 1, max: 7 }),
    ],
    (blank, piece) => {
      const { fault, fed } = watch(`{"name":${blank}`, piece);
      expect(fault?.kind).toBe('whitespace');
      expect(fed).toBeLessThanOrEqual('{"name":'.length + WHITESPACE_LIMIT + piece);
    },
  ));

it('whitespace of deep indentation is no loop', () =>
  expect(watch(`{"a":\n${' '.repeat(40)}"b"}`, 3).fault).toBeNull());

it('ordinary output of distinct words has no loop', () =>
  forAll([fc.uniqueArray(word, { minLength: 1, maxLength: 150 }), fc.integer({ min: 1, max: 9 })], (words, piece) =>
    expect(watch(JSON.stringify({ text: words.join(' ') }), piece).fault).toBeNull(),
  ));

it.each([
  [
    'a table of contents',
    'Problem ........................................ 3\nMarket ........................................ 9\n',
  ],
  ['a table rule', `|${'---|'.repeat(30)}\n`],
  ['a row of zeros', `[${'0,'.repeat(60)}0]`],
  ['alike objects', JSON.stringify(Array.from({ length: 20 }, (_, i) => ({ label: `Q${i}`, value: i * 7 })))],
])('ordinary output such as %s has no loop', (_name, text) => expect(watch(text, 5).fault).toBeNull());
