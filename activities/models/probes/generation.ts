/**
 * A real generation on a model server, and whether it ran on the GPU.
 *
 * A server without a GPU driver still answers, from the CPU and ten times slower; only the memory of its model shows this.
 */
import { z } from 'zod';
import { DeckhandError } from '../../../domain/errors.ts';
import { fixedLimits } from '../../../domain/models/call-limits.ts';
import { generateStructured } from '../client/generate.ts';
import { ask, canonicalName, runningModels } from '../client/inspect.ts';
import { findLoaded, KEEP_LOADED, loadModel } from '../client/load.ts';
import type { RequiredModel } from '../host/required-models.ts';

const PROBE_TEXT = 'Answer with one word: ready';
const PROBE_TOKENS = 8;

type TriedModel = Pick<RequiredModel, 'name' | 'numCtx' | 'loadTimeoutMs' | 'attemptTimeoutMs'>;

/** What a model did on a server. */
export interface GenerationProbe {
  /** Memory the model takes in all, and of it on the GPU. */
  readonly sizeBytes: number;
  readonly vramBytes: number;
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
  host: string,
  model: TriedModel,
  context: { readonly signal: AbortSignal },
): Promise<GenerationProbe> {
  const loaded = await findLoaded(host, model.name, model.numCtx, context);
  const loadMs = loaded === null ? await loadModel(host, model.name, model, context) : 0;
  const startedMs = performance.now();
  await generate(host, model, context.signal);
  const generationMs = Math.round(performance.now() - startedMs);
  const running = await runningModels(host, context);
  const entry = running.find((candidate) => canonicalName(candidate.name) === canonicalName(model.name));
  return { sizeBytes: entry?.sizeBytes ?? 0, vramBytes: entry?.vramBytes ?? 0, loadMs, generationMs };
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
  host: string,
  model: TriedModel,
  context: { readonly signal: AbortSignal },
): Promise<Pick<GenerationProbe, 'loadMs' | 'generationMs'>> {
  const { name, numCtx, loadTimeoutMs, attemptTimeoutMs } = model;
  const { loadMs, totalMs } = await generateStructured(
    {
      host,
      model: name,
      system: 'This is a trial.',
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

async function generate(host: string, model: TriedModel, signal: AbortSignal): Promise<void> {
  const limit = AbortSignal.timeout(model.attemptTimeoutMs);
  try {
    const tokens = await ask(host, `trial of ${model.name}`, AbortSignal.any([signal, limit]), async (ollama) => {
      const stream = await ollama.chat({
        model: model.name,
        messages: [{ role: 'user', content: PROBE_TEXT }],
        stream: true,
        keep_alive: KEEP_LOADED,
        options: { num_ctx: model.numCtx, num_predict: PROBE_TOKENS },
      });
      let count = 0;
      for await (const part of stream) if (part.done) count = part.eval_count;
      return count;
    });
    if (tokens > 0) return;
    throw new DeckhandError('model_crashed', `${model.name} at ${host} generated nothing when it was tried`);
  } catch (error) {
    signal.throwIfAborted();
    if (!limit.aborted) throw error;
    throw new DeckhandError(
      'model_stalled',
      `${model.name} at ${host} did not answer within ${model.attemptTimeoutMs} ms`,
      {
        cause: error,
      },
    );
  }
}
