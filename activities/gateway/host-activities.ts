/**
 * Activities on queue `host-<instance>`: tasks on one machine, run by the gateway that is attached to it.
 */
import { DeckhandError } from '../../domain/errors.ts';
import { REBOOT_COMMAND, RESTART_COMMAND } from '../../domain/health/gpu/commands.ts';
import { withHeartbeat } from '../support/heartbeat.ts';
import type { HostActivities } from './activities.ts';
import type { Machine } from './machine.ts';

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
    restartModelServer: () => runOnMachine('restart of the model server', RESTART_COMMAND),
    rebootMachine: () => runOnMachine('reboot', REBOOT_COMMAND),
    cutCalls: () => withHeartbeat({ what: 'cut' }, cutCalls),
  };
}
