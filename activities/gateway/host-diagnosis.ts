/**
 * The diagnosis of a machine's GPU over its host queue.
 */
import { diagnose } from '../../domain/health/gpu/diagnosis/diagnose.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { HostDiagnosisActivities } from '../../contracts/diagnosis.ts';
import type { ModelHost } from '../models/host/model-host.ts';
import { configuredModels } from '../models/host/required-models.ts';
import { withHeartbeat } from '../support/heartbeat.ts';
import { collectGpuFacts } from './gpu-facts.ts';
import type { Machine } from './machine.ts';

/** Somebody waits: a model that takes longer to load or to answer has failed. */
const LOAD_LIMIT_MS = 120_000;
const GENERATION_LIMIT_MS = 30_000;

/** One attached machine, and what is asked of its model server. */
export interface HostDiagnosisOptions {
  readonly db: PrismaClient;
  readonly instance: string;
  readonly machine: Machine;
  /** Null before the first proof has begun. */
  readonly host: () => ModelHost | null;
  readonly profile: string;
  readonly classes: readonly string[];
  readonly slots: number;
  /** Fires when the attachment ends: a diagnosis must not hold it up. */
  readonly ending: AbortSignal;
}

/** See the file's header. */
export function createHostDiagnosisActivities(options: HostDiagnosisOptions): HostDiagnosisActivities {
  const { db, instance, machine, profile, classes, slots, ending } = options;
  return {
    diagnoseGpu: () =>
      withHeartbeat({ what: 'diagnosis' }, async (activity) => {
        const signal = AbortSignal.any([activity.signal, ending]);
        const models = await configuredModels(db, profile, classes);
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
          // In a slot like every other call, so that no deck's call waits in the model server behind it.
          generate: async (run) =>
            (await host?.trial(signal, run)) ?? {
              kind: 'not_tried',
              reason: host === null ? 'it is not attached yet' : 'all slots are taken by calls',
            },
          signal,
        });
        return diagnose(facts);
      }),
  };
}
