/**
 * The JSON in an answer is found, and a bad answer leads to a different next attempt.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  correctionFor,
  describeFault,
  type OutputFault,
  parseAnswer,
  samplingFor,
  jsonIn,
} from '../../../domain/models/model-output.ts';
import {
  findRepetition,
  LONGEST_PHRASE,
  type LoopFault,
  LoopWatch,
  REPEATED_SPAN,
  REPEATED_TIMES,
  WHITESPACE_LIMIT,
} from '../../../domain/models/repetition.ts';
import { estimateTokens } from '../../../domain/models/token-estimate.ts';
import { forAll } from '../../../testing/property.ts';

const JSON_TEXT = '{"name":"Aurora"}';

it.each([
  ['alone', JSON_TEXT],
  ['with space around it', `\n  ${JSON_TEXT}  \n`],
  ['after closed thinking', `<think>It says {"name":"B"}.</think>\n${JSON_TEXT}`],
  ['after two thoughts', `<think>a</think> <thinking>b</thinking>${JSON_TEXT}`],
  ['after thinking without its opening tag', `The name stands there.</think>${JSON_TEXT}`],
  ['in a fence', `\`\`\`json\n${JSON_TEXT}\n\`\`\``],
  ['in a fence after thinking', `<think>x</think>\n\`\`\`\n${JSON_TEXT}\n\`\`\``],
  ['before a thought that never ends', `<THINK>hm</THINK>${JSON_TEXT}`],
])('the JSON in an answer: %s is found', (_name, raw) => expect(jsonIn(raw)).toEqual([JSON_TEXT]));

it('the JSON in an answer is nothing when thinking never ends', () =>
  expect(jsonIn('<think>and then, and then')).toEqual([]));

it('the JSON in an answer keeps tags that a slide contains', () => {
  const raw = JSON.stringify({ quote: 'our <think>tank</think> says </think>' });
  expect(jsonIn(raw)).toEqual([raw]);
});

it('the JSON in an answer survives any object, whatever thinking stands before it', () =>
  forAll(
    [fc.dictionary(fc.string(), fc.string()), fc.string({ unit: fc.constantFrom('a', 'b', ' ', '{', '}', '"', '\n') })],
    (value, thought) => {
      const answer = parseAnswer(`<think>${thought}</think>${JSON.stringify(value)}`, (json) => json);
      expect(answer).toEqual({ ok: true, value: JSON.parse(JSON.stringify(value)) });
    },
  ));

const BRACED = '{"quote":"a } brace { and \\"marks\\"","nested":{"list":[1,{"a":null}]}}';

it.each([
  ['a sentence before and after', `These are the data:\n\n${BRACED}\n\nAsk for more.`],
  ['a fence inside words', `Gladly! \`\`\`json\n${BRACED}\n\`\`\` Ready.`],
  ['a channel', `<|channel>thought\n<channel|>${BRACED}`],
  ['a channel with a draft', `<|channel>thought\nMaybe {"quote":"x"}<channel|>${BRACED}`],
  [
    'channels of another family',
    `<|channel|>analysis<|message|>Is it {"a":1}?<|end|><|start|>assistant<|channel|>final<|message|>${BRACED}`,
  ],
  ['the end of a turn', `${BRACED}<|im_end|>`],
  ['braces of prose before it', `Use {name} or { this: ${BRACED} }`],
  ['an open brace and quotation marks before it', `He wrote {"hello and then ${BRACED}`],
  ['thinking that never ends, right before its end', `<think>The answer is\n${BRACED}`],
  ['brackets', `[THINK]{"a":1}[/THINK]${BRACED}`],
])('the JSON is taken out of prose: %s', (_name, raw) => expect(jsonIn(raw)).toEqual([BRACED]));

it.each([
  ['prose', 'The name is Aurora.'],
  ['prose with braces', 'The set {a, b} is {not} JSON { at all }.'],
  ['half an object', 'Here: {"name":"Aur'],
  ['a draft in thinking that never ends', '<think>Perhaps {"name":"A"} or something else'],
  ['nothing', ''],
])('there is no JSON in %s', (_name, raw) => expect(jsonIn(raw)).toEqual([]));

it('the first object that fits is the answer', () => {
  const parse = (json: unknown) => z.object({ score: z.int() }).parse(json);
  expect(parseAnswer('An example is {"name":"x"}, the answer {"score":5}, not {"score":6}.', parse)).toEqual({
    ok: true,
    value: { score: 5 },
  });
});

const prose = fc
  .array(
    fc.constantFrom('We', ' ', '\n', '{', '}', '"', "'", '[1]', ':', ',', '\\', 'see', '```', '<b>', 'the set {x}'),
  )
  .map((parts) => parts.join(''));

it('an object is found in any prose', () =>
  forAll([prose, fc.jsonValue({ noUnicodeString: false }), prose], (before, value, after) => {
    const object = JSON.stringify({ wanted: value });
    const parse = (json: unknown) =>
      z
        .object({ wanted: z.unknown() })
        .refine((o) => 'wanted' in o)
        .parse(json);
    const answer = parseAnswer(`${before}${object}${after}`, parse);
    // Characters that are no text are another fault.
    if (!answer.ok && answer.fault.kind === 'bad_character') return;
    expect(answer.ok).toBe(true);
    expect(jsonIn(`${before}${object}${after}`)).toContain(object);
  }));

it('a fault never holds characters that the database refuses', () =>
  forAll([fc.string({ unit: fc.oneof(fc.constantFrom('\0', '\ud83d', '{"'), fc.string()) })], (raw) => {
    const answer = parseAnswer(raw, () => {
      throw new Error(raw);
    });
    if (answer.ok) throw new Error('parsed');
    expect(describeFault(answer.fault)).not.toMatch(/\p{Cc}|\p{Cs}/u);
  }));

describe('an answer that cannot be used', () => {
  const schema = z.object({ name: z.string(), score: z.int().max(7) });
  const faultOf = (raw: string): OutputFault | null => {
    const answer = parseAnswer(raw, (json) => schema.parse(json));
    return answer.ok ? null : answer.fault;
  };

  it('is told from its shape and where that goes wrong', () => {
    expect(faultOf('{"name":')?.kind).toBe('invalid_json');
    const expected = { kind: 'schema_mismatch', detail: expect.stringContaining('score: ') as string };
    expect(faultOf('{"name":"a","score":8}')).toMatchObject(expected);
    expect(faultOf('{"name":"a","score":7}')).toBeNull();
  });

  it('is never shown whole to the model again', () =>
    forAll([fc.string({ minLength: 400, maxLength: 3000 })], (text) => {
      const answer = parseAnswer(text, () => {
        throw new Error(text);
      });
      if (answer.ok) throw new Error('parsed');
      expect(correctionFor(answer.fault, 'answer').length).toBeLessThan(400);
      expect(describeFault(answer.fault).length).toBeLessThan(250);
    }));
});

it('the next attempt is hotter up to 1.0 and has another seed; the first is as asked', () => {
  const ladder = [1, 2, 3, 4, 5].map((attempt) => samplingFor({ temperature: 0.1, seed: 9 }, attempt));
  expect(ladder.map((step) => step.temperature)).toEqual([0.1, 0.4, 0.7, 1, 1]);
  expect(ladder.map((step) => step.seed)).toEqual([9, 10, 11, 12, 13]);
});

it('the next attempt is never colder than asked', () =>
  expect(samplingFor({ temperature: 1.2, seed: 1 }, 3).temperature).toBe(1.2));

it('the estimate of a prompt counts words, digits and symbols on the high side', () => {
  expect(estimateTokens('')).toBe(0);
  expect(estimateTokens('We raise EUR 2,500,000.')).toBe(1 + 2 + 1 + 7 + 3);
  expect(estimateTokens('Krankenhausinformationssystem')).toBe(8);
});

it('the estimate of a prompt never shrinks when text is added', () =>
  forAll([fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })], (a, b) =>
    expect(estimateTokens(`${a}\n${b}`)).toBeGreaterThanOrEqual(Math.max(estimateTokens(a), estimateTokens(b))),
  ));

// Loops in a model's output are found early, and ordinary text is left alone.
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
