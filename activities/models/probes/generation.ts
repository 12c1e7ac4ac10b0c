/**
 * A real generation on a model server, and whether it ran on the GPU.
 *
 * A server without a GPU driver still answers, from the CPU and ten times slower; only the memory of its model shows this.
 */
import { z } from 'zod';
import { DeckhandError } from '../../../domain/errors.ts';
import { fixedLimits } from '../../../domain/models/call-limits.ts';
import { generateStructured } from '../client/generate.ts';
import { ensureLoaded, type ModelServer } from '../client/model-server.ts';
import { runTrial } from '../client/trial.ts';
import type { RequiredModel } from '../host/required-models.ts';

const SYSTEM = 'This is a trial.';
const PROBE_TEXT = 'Answer with one word: ready';
const PROBE_TOKENS = 8;

type TriedModel = Pick<RequiredModel, 'name' | 'numCtx' | 'loadTimeoutMs' | 'attemptTimeoutMs'>;

/** What a model did on a server. */
export interface GenerationProbe {
  /** Memory the model takes in all, and of it on the GPU; null where the server does not say. */
  readonly sizeBytes: number;
  readonly vramBytes: number | null;
  /** 0 when it was loaded already. */
  readonly loadMs: number;
  readonly generationMs: number;
}

/**
 * Loads the model as calls do, generates a few words, and reads where the model is.
 *
 * @throws DeckhandError of the server's fault; `model_stalled` when no answer came in the time an attempt has.
 */
export async function probeGeneration(
  server: ModelServer,
  model: TriedModel,
  context: { readonly signal: AbortSignal },
): Promise<GenerationProbe> {
  const { loadMs } = await ensureLoaded(server, model.name, model, context);
  const startedMs = performance.now();
  await generate(server, model, context.signal);
  const generationMs = Math.round(performance.now() - startedMs);
  const running = await server.running(context);
  const entry = running.find(({ name }) => server.isSameModel(name, model.name));
  return {
    sizeBytes: entry?.sizeBytes ?? 0,
    vramBytes: entry === undefined ? 0 : entry.vramBytes,
    loadMs,
    generationMs,
  };
}

/** What {@link probeAnswer} asks for: a value of each kind that schemas of tasks consist of. */
const ANSWER_SCHEMA = {
  type: 'object',
  properties: { ready: { type: 'boolean' }, words: { type: 'array', items: { type: 'string' }, maxItems: 3 } },
  required: ['ready', 'words'],
} as const;
const answerSchema = z.object({ ready: z.boolean(), words: z.array(z.string()) });
const ANSWER_TOKENS = 128;
const ANSWER_TEXT = 'Answer in JSON: "ready" is true, "words" holds up to three English words.';

/**
 * Loads the model as calls do and asks it for an answer that fits a schema.
 *
 * @throws DeckhandError of the server's fault; `model_stalled` or `model_too_slow` when no answer came in the time of a trial; `model_output_unparseable` for an
 *   answer that does not fit
 */
export async function probeAnswer(
  server: ModelServer,
  model: TriedModel,
  context: { readonly signal: AbortSignal },
): Promise<Pick<GenerationProbe, 'loadMs' | 'generationMs'>> {
  const { name, numCtx, loadTimeoutMs, attemptTimeoutMs } = model;
  const { loadMs, totalMs } = await generateStructured(
    {
      server,
      model: name,
      system: SYSTEM,
      user: ANSWER_TEXT,
      images: [],
      schema: ANSWER_SCHEMA,
      schemaName: 'trial',
      options: { numCtx, numPredict: ANSWER_TOKENS, temperature: 0, seed: 1 },
      limits: { ofAttempt: () => fixedLimits(attemptTimeoutMs), loadTimeoutMs, maxAttempts: 2 },
    },
    (json) => answerSchema.parse(json),
    context,
  );
  return { loadMs, generationMs: Math.max(0, totalMs - loadMs) };
}

async function generate(server: ModelServer, model: TriedModel, signal: AbortSignal): Promise<void> {
  const { name, numCtx: windowTokens, attemptTimeoutMs } = model;
  const limit = AbortSignal.timeout(attemptTimeoutMs);
  const thinking = 'leave';
  const request = { model: name, windowTokens, system: SYSTEM, user: PROBE_TEXT, schema: null, thinking } as const;
  try {
    const asked = { ...request, mostTokens: PROBE_TOKENS };
    if ((await runTrial(server, asked, AbortSignal.any([signal, limit]))).outputTokens > 0) return;
    throw new DeckhandError('model_crashed', `${name} at ${server.url} generated nothing when it was tried`);
  } catch (error) {
    signal.throwIfAborted();
    if (!limit.aborted) throw error;
    const message = `${name} at ${server.url} did not answer within ${attemptTimeoutMs} ms`;
    throw new DeckhandError('model_stalled', message, { cause: error });
  }
}
