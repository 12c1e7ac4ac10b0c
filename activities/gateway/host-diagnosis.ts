/**
 * The diagnosis of a machine's GPU over its host queue.
 */
import { diagnose } from '../../domain/health/gpu/diagnosis/diagnose.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { HostDiagnosisActivities } from '../../contracts/diagnosis.ts';
import type { ModelHost } from '../models/host/model-host.ts';
import { requiredModels } from '../models/host/required-models.ts';
import { withHeartbeat } from '../support/heartbeat.ts';
import { collectGpuFacts } from './gpu-facts.ts';
import type { Machine } from './machine.ts';

/** An operator waits, so a model that takes longer to load or to answer counts as failed. */
const LOAD_LIMIT_MS = 120_000;
const GENERATION_LIMIT_MS = 30_000;

/** One attached machine, and what is asked of its model server. */
export interface HostDiagnosisOptions {
  readonly db: PrismaClient;
  readonly instance: string;
  readonly machine: Machine;
  /** Null before the first readiness check. */
  readonly host: () => ModelHost | null;
  readonly profile: string;
  readonly classes: readonly string[];
  readonly slots: number;
  /** Aborted when the attachment ends, so that a diagnosis does not delay it. */
  readonly ending: AbortSignal;
}

export function createHostDiagnosisActivities(options: HostDiagnosisOptions): HostDiagnosisActivities {
  const { db, instance, machine, profile, classes, slots, ending } = options;
  return {
    diagnoseGpu: () =>
      withHeartbeat({ what: 'diagnosis' }, async (activity) => {
        const signal = AbortSignal.any([activity.signal, ending]);
        const models = await requiredModels(db, profile, classes);
        const host = options.host();
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
