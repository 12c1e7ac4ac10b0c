/** The model client on the runners of a real Ollama, which end, hang and come back apart from their server. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { openModelServer } from '../../activities/models/client/open.ts';
import { generateStructured, type ModelReply, type ModelRequest } from '../../activities/models/client/generate.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { fixedLimits } from '../../domain/models/call-limits.ts';
import { toModelSchema } from '../../domain/models/json-schema.ts';
import { perFile } from '../../testing/per-file.ts';
import { BUILD_TIMEOUT_MS, startRealOllama, TINY_MODELS } from './server.ts';

const WINDOW = 65_536;
/** An answer of many thousand tokens: long enough to be caught in the middle. */
const longSchema = z.object({ items: z.array(z.string().min(20).max(40)).min(1500).max(1500) });
const shortSchema = z.object({ name: z.string().max(60), score: z.int().min(0).max(7) });
const signal = new AbortController().signal;

const server = perFile(startRealOllama, BUILD_TIMEOUT_MS);

function ask<T>(
  schema: z.ZodType<T>,
  name: string,
  limits: Partial<ModelRequest['limits']> = {},
  onToken?: () => void,
): Promise<ModelReply<T>> {
  const request: ModelRequest = {
    server: openModelServer({ kind: 'ollama', url: server.host }),
    model: TINY_MODELS.text,
    system: 'Answer with one JSON object.',
    user: 'Aurora builds a platform for hospitals and raises EUR 2.5 million.',
    images: [],
    schema: toModelSchema(schema, name),
    schemaName: name,
    options: { numCtx: WINDOW, numPredict: 60_000, temperature: 0.1, seed: 1 },
    limits: { ofAttempt: () => fixedLimits(20_000), loadTimeoutMs: 20_000, maxAttempts: 3, ...limits },
  };
  return generateStructured(request, (value) => schema.parse(value), {
    signal,
    onPhase: ({ phase }) => {
      if (phase === 'generating') onToken?.();
    },
  });
}

/** A call that is certainly generating when the promise `started` resolves, and the code of its error. */
function longCall(limits: Partial<ModelRequest['limits']> = {}): { started: Promise<void>; code: Promise<string> } {
  const { promise: started, resolve } = Promise.withResolvers<void>();
  const code = ask(longSchema, 'long', limits, resolve).then(
    () => 'no error',
    (error: unknown) => (error instanceof DeckhandError ? error.code : String(error)),
  );
  return { started, code };
}

it('a fault of the runner in the middle of an answer is a crash, and the next call is served by another', async () => {
  await ask(shortSchema, 'short');
  const { started, code } = longCall();
  await started;
  for (const pid of await server.runners()) process.kill(pid, 'SIGKILL');
  expect(await code).toBe('model_crashed');
  expect((await ask(shortSchema, 'short')).value.score).toBeLessThanOrEqual(7);
});

it('a runner that hangs is a stall', async () => {
  await ask(shortSchema, 'short');
  const { started, code } = longCall({
    ofAttempt: () => ({ ...fixedLimits(20_000), betweenTokensMs: 500 }),
    maxAttempts: 1,
  });
  await started;
  const runners = await server.runners();
  try {
    for (const pid of runners) process.kill(pid, 'SIGSTOP');
    expect(await code).toBe('model_stalled');
  } finally {
    for (const pid of runners) process.kill(pid, 'SIGCONT');
  }
});
