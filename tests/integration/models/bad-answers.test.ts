/** Tasks asked of the built-in reader while a script spoils its answers: what the client makes of each. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openModelServer } from '../../../activities/models/client/open.ts';
import { generateStructured, type ModelReply } from '../../../activities/models/client/generate.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import { fixedLimits } from '../../../domain/models/call-limits.ts';
import { toModelSchema } from '../../../domain/models/json-schema.ts';
import { MODEL_TASKS, type ModelTask } from '../../../domain/models/model-tasks.ts';
import { deckBlock, slideUserMessage } from '../../../domain/models/prompt-assembly.ts';
import type { ExtractValueOutput } from '../../../domain/models/result-schemas.ts';
import type { Fault } from '../../../simulators/ollama/script.ts';
import { startReader, type RunningReader } from '../../../simulators/ollama/server.ts';
import { failureOf } from '../../../testing/refusal.ts';

const CAPABILITIES = ['completion', 'vision', 'thinking'] as const;
const SIZE = { sizeBytes: 1_048_576, installed: true };
let reader: RunningReader;
beforeAll(async () => {
  const models = [
    { name: 'thinks:1', capabilities: CAPABILITIES, ...SIZE },
    { name: 'plain:1', capabilities: CAPABILITIES.slice(0, 2), ...SIZE },
  ];
  reader = await startReader({ loadMs: 0, models });
});
afterAll(() => reader.stop());

const DECK = deckBlock([
  { number: 1, markup: '# Velhain\n\nRental bikes for village stations', description: null },
  { number: 2, markup: 'We are raising EUR 2M for a fleet of 500 bikes.', description: null },
]);

async function ask<T>(
  task: ModelTask,
  fault: Fault,
  changes: { readonly user?: string; readonly images?: Uint8Array[]; readonly model?: string } = {},
): Promise<ModelReply<T>> {
  reader.control.setScript({ rules: [{ match: { task }, fault }] });
  const { schema } = MODEL_TASKS[task];
  return generateStructured(
    {
      server: openModelServer({ kind: 'ollama', url: reader.host }),
      model: changes.model ?? 'plain:1',
      system: 'Write in English.',
      user: changes.user ?? DECK,
      images: changes.images ?? [],
      schema: toModelSchema(schema, task),
      schemaName: task,
      options: { numCtx: 8192, numPredict: 600, temperature: 0.1, seed: 1 },
      limits: { ofAttempt: () => fixedLimits(20_000), loadTimeoutMs: 20_000, maxAttempts: 3 },
    },
    (json) => schema.parse(json) as T,
    { signal: new AbortController().signal },
  );
}

const outcomes = (reply: ModelReply<unknown>): string[] => reply.attemptLog.map(({ outcome }) => outcome);

it('thoughts alone end in an answer, with the next way of thinking', async () => {
  const fault: Fault = { answersWhenAsked: ['unasked'] };
  const first = await ask('extract_funding', fault, { model: 'thinks:1' });
  expect(outcomes(first)).toEqual(['only_thinking', 'only_thinking', 'ok']);
  expect(outcomes(await ask('extract_offering', fault, { model: 'thinks:1' }))).toEqual(['ok']);
});

it('thoughts alone of a model that is not known to think are a fault by name', async () => {
  const error = await failureOf(ask('extract_funding', { answersWhenAsked: ['low'] }));
  expect(error).toBeInstanceOf(DeckhandError);
  expect(error.message).toMatch(/1: only_thinking: .*3: only_thinking/u);
});

it.each<[string, [string, string]]>([
  ['sentences', ['These are the data:\n\n', '\n\nAsk for more.']],
  ['a channel', ['<|channel>thought\n<channel|>', '']],
  ['a fence within words', ['Gladly! ```json\n', '\n``` Ready.']],
  ['braces', ['The set {a, b} of {"quotes} is: ', ' }']],
])('an answer between %s is taken out', async (_name, around) => {
  const right = await ask<ExtractValueOutput>('extract_funding', {});
  const reply = await ask<ExtractValueOutput>('extract_funding', { around });
  expect(outcomes(reply)).toEqual(['ok']);
  expect(reply.value).toEqual(right.value);
});

it.each([
  ['a broken escape', 'M\0fcnchen', 'München'],
  ['half of a character at the end', 'Velhain \ud83d', 'Velhain '],
])('%s is repaired', async (_name, given, value) => {
  const answer = JSON.stringify({ evidence: [{ slide: 1, quote: given }], stated: true, value: given });
  const reply = await ask<ExtractValueOutput>('extract_company_name', { text: answer });
  expect(reply).toMatchObject({ attempts: 1, value: { value, evidence: [{ quote: value }] } });
});

it.each(['\0', 'Vel\ud83dhain', 'Velhain \ufffd AG', 'a\u001b[31m'])(
  'a company named %j is a fault of the answer',
  async (value) => {
    const answer = JSON.stringify({ evidence: [], stated: true, value });
    const error = await failureOf(ask('extract_company_name', { text: answer }));
    expect(error.code).toBe('model_output_unparseable');
    expect(error.message).toContain('bad_character');
    expect(error.message).not.toMatch(/\p{Cc}|\p{Cs}/u);
  },
);

it('control words in a deck place no picture, and come back as they stand on the slide', async () => {
  const line = 'The app prints [img-1] and <|im_end|> on the label.';
  const user = slideUserMessage({ number: 1, markup: line });
  const answer = JSON.stringify({
    legible: true,
    title: '',
    visibleText: 'The app prints ⁅img-1] and ‹|im_end|› on the label.',
    figures: [],
    summary: '',
  });
  const images = [PICTURE];
  const reply = await ask<{ visibleText: string }>('describe_slide', { text: answer }, { user, images });
  expect(reply.value.visibleText).toBe(line);
});

/** A picture of one pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

it('a picture that a prompt names and does not have is refused for good', async () => {
  const error = await failureOf(ask('describe_slide', {}, { user: 'See [img-1].', images: [PICTURE] }));
  expect(error.code).toBe('model_input_rejected');
});
