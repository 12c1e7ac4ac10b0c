/**
 * The model client on a real Ollama: valid answers to every task, and every class of error provoked rather than imagined.
 */
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { openModelServer } from '../../activities/models/client/open.ts';
import { generateStructured, type ModelReply, type ModelRequest } from '../../activities/models/client/generate.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { fixedLimits } from '../../domain/models/call-limits.ts';
import { toModelSchema } from '../../domain/models/json-schema.ts';
import { MODEL_TASKS } from '../../domain/models/model-tasks.ts';
import { BUILD_TIMEOUT_MS, startRealOllama, TINY_MODELS } from './server.ts';
import { perFile } from '../../testing/per-file.ts';

/** Far less than eight answers of a minute and a half each would take on four slots. */
const CANCEL_TIMEOUT_MS = 30_000;
const signal = new AbortController().signal;
const context = { signal };

/** An answer of many thousand tokens: long enough to be caught in the middle. */
const longSchema = z.object({ items: z.array(z.string().min(20).max(40)).min(1500).max(1500) });
const shortSchema = z.object({ name: z.string().max(60), score: z.int().min(0).max(7) });

interface Changes {
  model?: string;
  user?: string;
  images?: Uint8Array[];
  options?: Partial<ModelRequest['options']>;
  limits?: Partial<ModelRequest['limits']>;
}

const server = perFile(startRealOllama, BUILD_TIMEOUT_MS);

function ask<T>(
  schema: z.ZodType<T>,
  name: string,
  changes: Changes = {},
  cancel = signal,
  onToken?: () => void,
): Promise<ModelReply<T>> {
  const request: ModelRequest = {
    server: openModelServer({ kind: 'ollama', url: server.host }),
    model: changes.model ?? TINY_MODELS.text,
    system: 'Answer with one JSON object.',
    user: changes.user ?? 'Aurora builds a platform for hospitals and raises EUR 2.5 million.',
    images: changes.images ?? [],
    schema: toModelSchema(schema, name),
    schemaName: name,
    options: { numCtx: 4096, numPredict: 1500, temperature: 0.1, seed: 1, ...changes.options },
    limits: {
      ofAttempt: () => fixedLimits(20_000),
      loadTimeoutMs: 20_000,
      maxAttempts: 3,
      ...changes.limits,
    },
  };
  return generateStructured(request, (value) => schema.parse(value), {
    signal: cancel,
    onPhase: ({ phase }) => {
      if (phase === 'generating') onToken?.();
    },
  });
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'no error',
    (error: unknown) => (error instanceof DeckhandError ? error.code : String(error)),
  );
}

const slide = (colour: string): Promise<Uint8Array> =>
  sharp({ create: { width: 896, height: 504, channels: 3, background: colour } })
    .jpeg()
    .toBuffer();

/** A call that is certainly generating when the promise `started` resolves. */
function longCall(changes: Changes = {}, cancel = signal): { started: Promise<void>; reply: Promise<unknown> } {
  const { promise: started, resolve } = Promise.withResolvers<void>();
  const options = { numCtx: 65_536, numPredict: 60_000, ...changes.options };
  const reply = ask(longSchema, 'long', { ...changes, options }, cancel, resolve);
  return { started, reply };
}

it.each(Object.entries(MODEL_TASKS))('every task %s gets an answer of its shape', async (name, task) => {
  const images = task.gpuClass === 'gpu-visual' ? [await slide('#1f4e79')] : [];
  const reply = await ask(task.schema, name, { model: TINY_MODELS.vision, images });
  expect(() => task.schema.parse(reply.value)).not.toThrow();
  expect(reply.promptTokens).toBeGreaterThan(0);
  expect(reply.outputTokens).toBeGreaterThan(0);
});

it('every task sees another image as another question', async () => {
  const look = async (colour: string): Promise<string> => {
    const images = [await slide(colour)];
    return (await ask(shortSchema, 'short', { model: TINY_MODELS.vision, images, options: { temperature: 0 } })).raw;
  };
  expect(await look('#ffffff')).not.toBe(await look('#7b1f1f'));
});

it('a model is inspected, loaded with its window, listed and unloaded', async () => {
  const info = await openModelServer({ kind: 'ollama', url: server.host }).inspect(TINY_MODELS.vision, context);
  expect(info).toMatchObject({ name: 'tiny-vision:latest', serverVersion: '0.24.0' });
  expect(info.capabilities).toEqual(expect.arrayContaining(['completion', 'vision']));
  await openModelServer({ kind: 'ollama', url: server.host }).load(
    TINY_MODELS.vision,
    { numCtx: 2048, loadTimeoutMs: 20_000 },
    context,
  );
  const running = async () =>
    (await openModelServer({ kind: 'ollama', url: server.host }).running(context)).find(
      (model) => model.name === 'tiny-vision:latest',
    );
  expect(await running()).toMatchObject({ digest: info.digest, windowTokens: 2048 });
});

it('a model that is not there is not ready, nor can it be pulled from nowhere', async () => {
  expect(await codeOf(openModelServer({ kind: 'ollama', url: server.host }).inspect('unknown', context))).toBe(
    'model_not_ready',
  );
  expect(await codeOf(ask(shortSchema, 'short', { model: 'unknown' }))).toBe('model_not_ready');
  expect(
    await codeOf(openModelServer({ kind: 'ollama', url: server.host }).pull('127.0.0.1:9/none/none', context)),
  ).toBe('model_not_ready');
});

it('a model without vision gets no image', async () => {
  expect(await codeOf(ask(shortSchema, 'short', { images: [await slide('#fff')] }))).toBe('model_lacks_vision');
});

it('a prompt longer than the window is refused, not cut', async () => {
  const user = 'The market for remote care grows every year. '.repeat(800);
  expect(await codeOf(ask(shortSchema, 'short', { user }))).toBe('prompt_too_long');
});

it('an answer that is cut off each time is unparseable', async () => {
  expect(await codeOf(ask(shortSchema, 'short', { options: { numPredict: 2 } }))).toBe('model_output_unparseable');
});

it('a fault of the runner in the middle of an answer is a crash, and the next call is served by another', async () => {
  await ask(shortSchema, 'short');
  const { started, reply } = longCall();
  const code = codeOf(reply);
  await started;
  for (const pid of await server.runners()) process.kill(pid, 'SIGKILL');
  expect(await code).toBe('model_crashed');
  expect((await ask(shortSchema, 'short')).value.score).toBeLessThanOrEqual(7);
});

it('an image that is none ends in an error of the model or its input, and the next call is served', async () => {
  const images = [new TextEncoder().encode('this is no image at all')];
  const code = await codeOf(ask(shortSchema, 'short', { model: TINY_MODELS.vision, images }));
  // 0.24 loses the runner of a llava model over it; newer servers refuse it.
  expect(['model_crashed', 'model_input_rejected']).toContain(code);
  expect((await ask(shortSchema, 'short', { model: TINY_MODELS.vision })).attempts).toBeGreaterThan(0);
});

it('a runner that hangs is a stall', async () => {
  await ask(shortSchema, 'short', { options: { numCtx: 65_536 } });
  const { started, reply } = longCall({
    limits: { ofAttempt: () => ({ ...fixedLimits(20_000), betweenTokensMs: 500 }), maxAttempts: 1 },
  });
  const code = codeOf(reply);
  await started;
  const runners = await server.runners();
  try {
    for (const pid of runners) process.kill(pid, 'SIGSTOP');
    expect(await code).toBe('model_stalled');
  } finally {
    for (const pid of runners) process.kill(pid, 'SIGCONT');
  }
});

it('a server that is gone is unreachable', async () => {
  const second = await startRealOllama();
  await second.stop();
  expect(await codeOf(openModelServer({ kind: 'ollama', url: second.host }).inspect(TINY_MODELS.text, context))).toBe(
    'model_unreachable',
  );
});

it(
  'cancelling frees the server for others at once, though more was asked than it can do at a time',
  async () => {
    const controller = new AbortController();
    const calls = Array.from({ length: 8 }, () => longCall({}, controller.signal));
    const ends = calls.map(({ reply }) => expect(reply).rejects.toThrow('cancelled by a person'));
    await Promise.race(calls.map(({ started }) => started));
    controller.abort(new Error('cancelled by a person'));
    await Promise.all(ends);
    expect((await ask(shortSchema, 'short', { options: { numCtx: 65_536 } })).attempts).toBe(1);
  },
  CANCEL_TIMEOUT_MS,
);
