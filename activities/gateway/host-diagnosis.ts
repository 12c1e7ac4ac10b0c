/**
 * The diagnosis of a machine's GPU over its host queue.
 */
import { diagnose } from '../../domain/health/gpu/diagnosis/diagnose.ts';
import type { HostDiagnosisActivities } from '../../contracts/diagnosis.ts';
import { requiredModels } from '../models/host/required-models.ts';
import { withHeartbeat } from '../support/heartbeat.ts';
import { collectGpuFacts } from './gpu-facts.ts';
import type { AttachedMachine } from './machine.ts';

/** An operator waits, so a model that takes longer to load or to answer counts as failed. */
const LOAD_LIMIT_MS = 120_000;
const GENERATION_LIMIT_MS = 30_000;

/** @param slots calls that its model server makes at a time */
export function createHostDiagnosisActivities(attached: AttachedMachine, slots: number): HostDiagnosisActivities {
  const { db, instance, machine, profile, classes, ending } = attached;
  return {
    diagnoseGpu: () =>
      withHeartbeat({ what: 'diagnosis' }, async (activity) => {
        const signal = AbortSignal.any([activity.signal, ending]);
        const models = await requiredModels(db, profile, classes);
        const host = attached.host();
        const facts = await collectGpuFacts({
          target: instance,
          url: machine.url,
          shell: machine.shell,
          models: models.map((model) => ({
            ...model,
            loadTimeoutMs: Math.min(model.loadTimeoutMs, LOAD_LIMIT_MS),
            attemptTimeoutMs: GENERATION_LIMIT_MS,
          })),
          parallel: slots,
          // In a call slot, so that no analysis call waits behind it in the model server.
          generate: async (run) =>
            (await host?.trial(signal, run)) ?? {
              kind: 'not_tried',
              reason: host === null ? 'it is not attached yet' : 'all slots are in use by calls',
            },
          signal,
        });
        return diagnose(facts);
      }),
  };
}
