/**
 * Two models on one machine: what keeps them from pushing each other out of its memory.
 */
import { expect, it } from 'vitest';
import { openModelServer } from '../../../activities/models/client/open.ts';
import { fixedLimits } from '../../../domain/models/call-limits.ts';
import { generateStructured } from '../../../activities/models/client/generate.ts';
import { ModelHost } from '../../../activities/models/host/model-host.ts';
import { toModelSchema } from '../../../domain/models/json-schema.ts';
import { assertModelFits, neededVramGib } from '../../../domain/fleet/selection/model-fit.ts';
import { ollamaSteps } from '../../../domain/fleet/startup-script/ollama.ts';
import { describeSlideSchema } from '../../../domain/models/result-schemas.ts';
import { slideUserMessage } from '../../../domain/models/prompt-assembly.ts';
import { startReader } from '../../../simulators/ollama/server.ts';

const MODELS = ['reader-vision:1', 'reader-text:1'] as const;
const PARALLEL = 2;
const CALLS = 30;

/** Calls that alternate between the models, through a gateway's view of the host. @returns loads by model */
async function alternate(maxLoadedModels: number): Promise<{ readonly loads: number; readonly completed: number }> {
  const reader = await startReader({ parallel: PARALLEL, maxLoadedModels, loadMs: 1 });
  try {
    const host = new ModelHost({
      name: 'visual-1',
      server: openModelServer({ kind: 'ollama', url: reader.host }),
      parallel: PARALLEL,
    });
    const { signal } = new AbortController();
    const call = (n: number): Promise<unknown> =>
      host.call(signal, (own) =>
        generateStructured(
          {
            server: host.server,
            model: MODELS[n % 2] ?? MODELS[0],
            system: 'You read slides.',
            user: slideUserMessage({ number: n + 1, markup: `Traction ${n}\n31 hospitals pay for the service.` }),
            images: [],
            schema: toModelSchema(describeSlideSchema, 'describe_slide'),
            schemaName: 'describe_slide',
            options: { numCtx: 4096, numPredict: 500, temperature: 0 },
            limits: { ofAttempt: () => fixedLimits(20_000), loadTimeoutMs: 20_000, maxAttempts: 3 },
          },
          (value) => describeSlideSchema.parse(value),
          { signal: own },
        ),
      );
    await Promise.all(Array.from({ length: CALLS }, (_, n) => call(n)));
    const { loads, completed } = reader.control.stats();
    return { loads, completed };
  } finally {
    await reader.stop();
  }
}

it('scenario 18: two models that alternate on a machine made for both are loaded once each', async () => {
  const script = ollamaSteps({ parallel: PARALLEL, loadTimeoutMs: 60_000, models: MODELS });
  const room = Number(/OLLAMA_MAX_LOADED_MODELS=(\d+)/u.exec(script)?.[1]);
  expect(room).toBe(MODELS.length);
  expect(await alternate(room)).toEqual({ loads: MODELS.length, completed: CALLS });
});

it('scenario 18: without room for both every change of model is a load, so a machine that cannot hold both is never rented', async () => {
  const { loads, completed } = await alternate(1);
  expect(completed).toBe(CALLS);
  expect(loads).toBeGreaterThan(MODELS.length);
  const one = { modelName: 'one', weightsGib: 8, kvCacheGibPerSlot: 1 };
  const other = { modelName: 'other', weightsGib: 18, kvCacheGibPerSlot: 1 };
  const small = { instanceType: 'small', vramGib: 24 };
  const large = { instanceType: 'large', vramGib: 48 };
  for (const model of [one, other]) expect(neededVramGib([model], PARALLEL)).toBeLessThanOrEqual(small.vramGib);
  expect(() => assertModelFits([small, large], [one, other], PARALLEL, 'any')).not.toThrow();
  expect(() => assertModelFits([small], [one, other], PARALLEL, 'any')).toThrow(/is the largest allowed/u);
});
