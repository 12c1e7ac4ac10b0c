/** Activities on queue `host-<instance>`: tasks on one machine, run by the gateway that is attached to it. */
import { DeckhandError } from '../../domain/errors.ts';
import { REBOOT_COMMAND, restartCommand, unitOf } from '../../domain/health/gpu/commands.ts';
import { withHeartbeat } from '../support/heartbeat.ts';
import type { HostActivities } from './activities.ts';
import type { AttachedMachine, Machine } from './machine.ts';
import { diagnose } from '../../domain/health/gpu/diagnosis/diagnose.ts';
import type { HostDiagnosisActivities } from '../../contracts/diagnosis.ts';
import { openModelServer } from '../models/client/open.ts';
import { requiredModels } from '../models/host/required-models.ts';
import { collectGpuFacts } from './gpu-facts.ts';

export interface HostActivitiesOptions {
  readonly instance: string;
  readonly machine: Machine;
  /** Called after a change to the machine: its readiness has to be checked again. */
  readonly onTouched: () => void;
  /** Ends the calls in progress as soon as the attachment ends. */
  readonly cutCalls: () => Promise<void>;
}

export function createHostActivities(options: HostActivitiesOptions): HostActivities {
  const { instance, machine, onTouched, cutCalls } = options;
  const runOnMachine = (what: string, command: string): Promise<void> =>
    withHeartbeat({ what }, async ({ signal }) => {
      if (machine.shell === null) {
        throw new DeckhandError('invalid_request', `${instance} is reached by URL: ${what} is not possible from here`);
      }
      const { exitCode, output } = await machine.shell.run(command, signal);
      if (exitCode !== 0) {
        throw new DeckhandError(
          'host_not_ready',
          `${what} on ${instance} ended with ${exitCode}: ${output.trim().slice(0, 500)}`,
        );
      }
      onTouched();
    });
  return {
    restartModelServer: () => runOnMachine('restart of the model server', restartCommand(unitOf(machine.kind))),
    rebootMachine: () => runOnMachine('reboot', REBOOT_COMMAND),
    cutCalls: () => withHeartbeat({ what: 'cut' }, cutCalls),
  };
}

/** An operator waits, so a model that takes longer to load or to answer counts as failed. */
const LOAD_LIMIT_MS = 120_000;
const GENERATION_LIMIT_MS = 30_000;

/** The diagnosis of its GPU. @param slots calls that its model server makes at a time */
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
          server: openModelServer(machine),
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
