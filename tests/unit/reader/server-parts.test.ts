/** Parts of the server that need no socket: schema-valid output, scripts, requests, arguments. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { toModelSchema } from '../../../domain/models/json-schema.ts';
import { MODEL_TASKS } from '../../../domain/models/model-tasks.ts';
import { scoreUserMessage } from '../../../domain/models/prompt-assembly.ts';
import { answerText } from '../../../simulators/ollama/answer.ts';
import { parseReaderArguments } from '../../../simulators/ollama/main.ts';
import { rulesDigest } from '../../../simulators/ollama/catalog.ts';
import { planText } from '../../../simulators/ollama/faults.ts';
import { checkSchema, conform } from '../../../simulators/ollama/json-schema.ts';
import { callOptions, decodeImages, FOREVER_MS, keepAliveMs } from '../../../simulators/ollama/protocol.ts';
import { ScriptPlayer } from '../../../simulators/ollama/script.ts';
import { forAll } from '../../../testing/property.ts';
import { messagesOf } from './ask.ts';

it('output bent to a schema is valid for every task, whatever the rule says', async () => {
  for (const { schema } of Object.values(MODEL_TASKS)) {
    const json = z.toJSONSchema(schema);
    await forAll([fc.anything({ maxDepth: 2 })], { runs: 50 }, (value) => {
      expect(schema.safeParse(conform(json, value)).error).toBeUndefined();
    });
  }
});

it('output bent to a schema keeps the order of the properties and drops unknown ones', () => {
  const schema = { type: 'object', properties: { b: { type: 'string' }, a: { type: 'integer', minimum: 2 } } };
  expect(JSON.stringify(conform(schema, { a: 1, x: 3, b: 'y' }))).toBe('{"b":"y","a":2}');
});

it('output bent to a schema fills references, alternatives, tuples and patterns', () => {
  const schema = {
    type: 'object',
    properties: {
      ref: { $ref: '#/$defs/kind' },
      any: { anyOf: [{ type: 'integer', minimum: 3 }, { type: 'null' }] },
      tuple: { type: 'array', prefixItems: [{ const: 'x' }, { type: 'boolean' }] },
      code: { type: 'string', pattern: '^(?:A|B)\\d{2}-[x-z]+$' },
      all: {
        allOf: [{ properties: { p: { type: 'number' } } }, { properties: { q: { type: 'string', minLength: 2 } } }],
      },
    },
    $defs: { kind: { enum: ['one', 'two'] } },
  };
  const expected = { ref: 'two', any: 3, tuple: ['x', false], code: 'A00-x', all: { p: 0, q: '--' } };
  expect(conform(schema, {})).toEqual(expected);
});

it.each([{ type: 'nonsense' }, { properties: { a: { pattern: 'x+' } } }, { $ref: '#/$defs/none' }])(
  'output bent to a schema is refused for the schema %j',
  (schema) => expect(() => checkSchema(schema)).toThrow('invalid JSON schema in format'),
);

it("the reader's judgement on its own answer is kept beside a schema that does not ask for it", () => {
  const user = scoreUserMessage(
    { slug: 'churn_analysis', text: 'How many customers leave, and why?', criteria: 'Figures.', healthFocus: '' },
    'It is about something else.',
    [{ slide: 1, quote: 'Our office is in Berlin' }],
  );
  const format = { kind: 'schema', schema: toModelSchema(MODEL_TASKS.score_answer.schema, 'score_answer') } as const;
  const answer: unknown = JSON.parse(
    answerText(
      format,
      messagesOf('score_answer', user, 'en').map((message) => ({ ...message, images: [] })),
    ),
  );
  expect(answer).toMatchObject({ score: 1, supported: false });
});

describe('a script of the reader', () => {
  const call = { task: 'describe_slide', model: 'reader-vision:1', slide: 3, question: null };

  it('applies the first rule that fits, by number of the call', () => {
    const player = new ScriptPlayer({
      rules: [
        { match: { task: 'describe_slide', nth: 2 }, fault: { badJson: true } },
        { match: { slide: 3 }, fault: { latencyMs: 5 }, times: 2 },
      ],
    });
    const expected = [{ latencyMs: 5 }, { badJson: true }, { latencyMs: 5 }, {}];
    expect([1, 2, 3, 4].map(() => player.faultFor(call))).toEqual(expected);
  });

  it('leaves other calls alone', () => {
    const player = new ScriptPlayer({
      rules: [
        { match: { task: 'score_answer' }, fault: { wedge: true } },
        { match: { model: 'other' }, fault: { wedge: true } },
        { match: { slide: 4 }, fault: { wedge: true } },
      ],
    });
    expect(player.faultFor(call)).toEqual({});
  });
});

describe('a faulty answer of the reader', () => {
  const right = JSON.stringify({ answer: 'a long and sound answer with enough words to be cut in two' });

  it('runs to the token limit when it repeats itself', () => {
    for (const fault of [{ repetition: true }, { whitespaceLoop: true }])
      expect(planText(right, fault, 100, [])).toMatchObject({
        text: expect.stringMatching(/^[\s\S]{400}$/u) as string,
        cut: true,
      });
  });

  it('is cut where the call allows no more', () => {
    expect(planText(right, {}, 3, [])).toEqual({ text: right.slice(0, 12), ends: true, cut: true });
    expect(planText(right, {}, 1000, ['sound']).text).toBe(right.slice(0, right.indexOf('sound')));
  });
});

it.each([
  [undefined, undefined],
  [-1, FOREVER_MS],
  ['-1m', FOREVER_MS],
  [0, 0],
  ['0', 0],
  [30, 30_000],
  ['1h30m', 5_400_000],
  ['250ms', 250],
])('a request with keep_alive %j keeps the model %j ms', (value, ms) => expect(keepAliveMs(value)).toBe(ms));

it.each([
  ['5', 'time: missing unit in duration "5"'],
  ['soon', 'time: invalid duration "soon"'],
])('a request with keep_alive %j is refused', (value, words) => expect(() => keepAliveMs(value)).toThrow(words));

it.each([
  ['data:image/png;base64,AA==', 4],
  ['abc', 0],
  ['AAAAA', 4],
  ['AA=A', 2],
])('a request with the image %j names the byte', (image, byte) => {
  expect(() => decodeImages([image])).toThrow(`illegal base64 data at input byte ${byte}`);
});

it('a request reloads the model for another window, not for another temperature', () => {
  const key = (options: Record<string, unknown>): string => callOptions(options, 4).reloadKey;
  expect(key({ num_ctx: 4096, temperature: 0 })).toBe(key({ num_ctx: 4096, temperature: 1, seed: 4, num_predict: 9 }));
  expect(key({ num_ctx: 8192 })).not.toBe(key({ num_ctx: 4096 }));
});

it('a request with an option of the wrong type is refused', () =>
  expect(() => callOptions({ num_ctx: '4096' }, 4)).toThrow('option "num_ctx" must be of type integer'));

it('the command line becomes options', () =>
  expect(
    parseReaderArguments(['--port', '0', '--parallel', '8', '--call-seconds', '0.5', '--exit-with-parent']),
  ).toEqual({
    options: { port: 0, parallel: 8 },
    scriptFile: null,
    callSeconds: 0.5,
    exitWithParent: true,
    help: false,
  }));

it.each([[['--port', 'x']], [['--unknown']]])('the command line: %j is refused in one line', (argv) => {
  expect(() => parseReaderArguments(argv)).toThrow(/^[^\n]+$/u);
});

it('the digest is that of the rules and of what they run, not of types', () => {
  const root = mkdtempSync(join(tmpdir(), 'deckhand-rules-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const folder of ['reader/topics', 'domain']) mkdirSync(join(root, folder), { recursive: true });
  const write = (name: string, text: string): void => writeFileSync(join(root, name), text);
  write('reader/topics/a.ts', "import { b } from '../../domain/b.ts';\nimport type { D } from '../../domain/d.ts';\n");
  write('domain/b.ts', "import {\n  c,\n} from './c.ts';\n");
  write('domain/c.ts', 'export const c = 1;\n');
  write('domain/d.ts', 'export type D = 1;\n');
  const before = rulesDigest(root);
  write('domain/d.ts', 'export type D = 2;\n');
  expect(rulesDigest(root)).toBe(before);
  write('domain/c.ts', 'export const c = 2;\n');
  expect(rulesDigest(root)).not.toBe(before);
  expect(rulesDigest()).toMatch(/^[0-9a-f]{64}$/u);
});
