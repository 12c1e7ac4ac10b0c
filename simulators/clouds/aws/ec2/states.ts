/** States of instances in EC2's words, and what happens at EC2 when one changes. */
import { endMeter } from '../../core/context.ts';
import { deleteInstance } from '../../core/instances.ts';
import type { Disposal, Phase, SimInstance } from '../../core/state.ts';
import { recordOf, type Call, type Simulation, type StateReason } from '../account.ts';
import type { SimulatedCloud } from '../../core/simulated-cloud.ts';

export interface InstanceState {
  readonly code: number;
  readonly name: string;
}

const PENDING: InstanceState = { code: 0, name: 'pending' };
const SHUTTING_DOWN: InstanceState = { code: 32, name: 'shutting-down' };

const STATES: Readonly<Record<Phase, InstanceState>> = {
  accepted: PENDING,
  preparing: PENDING,
  starting: PENDING,
  running: { code: 16, name: 'running' },
  stopping: { code: 64, name: 'stopping' },
  stopped: { code: 80, name: 'stopped' },
  failed: SHUTTING_DOWN,
  deleting: SHUTTING_DOWN,
  gone: { code: 48, name: 'terminated' },
};

/** The state that an answer shows. */
export function stateOf(
  instance: SimInstance,
  { statusWord, nowMs }: Pick<Call, 'statusWord' | 'nowMs'>,
): InstanceState {
  const state = STATES[instance.phase];
  const own = state === PENDING ? instance.words.find((w) => w.untilMs > nowMs)?.word : undefined;
  const word = statusWord ?? own;
  return word === undefined ? state : { code: state.code, name: word };
}

const reason = (code: string, words: string): StateReason => ({ code, message: `${code}: ${words}` });

export const USER_SHUTDOWN = reason('Client.UserInitiatedShutdown', 'User initiated shutdown');
export const NO_CAPACITY = reason(
  'Server.InsufficientInstanceCapacity',
  'There is insufficient capacity available to complete the instance launch request.',
);
const EVICTED = reason('Server.SpotInstanceTermination', 'Spot instance termination');
const FAILURES: Readonly<Record<NonNullable<SimInstance['failure']>, StateReason>> = {
  no_capacity: NO_CAPACITY,
  error: reason('Server.InternalError', 'Internal error on launch'),
  installation_failed: reason('Client.InternalError', 'Client error on launch'),
};

/** What becomes of each disk at the end of its instance. */
export const disposalsOf = (cloud: SimulatedCloud, instance: SimInstance): Record<string, Disposal> =>
  Object.fromEntries(instance.volumeIds.map((id) => [id, cloud.state.volumes[id]?.onEviction ?? 'keep']));

/**
 * Follows changes of phase that EC2 answers with more than a state: a launch that fails ends the instance, billing ends when a stop begins, and
 * a stopped instance has no public address.
 */
export function followPhases(sim: Simulation): void {
  const { cloud } = sim;
  cloud.onTransition((instance, atMs) => {
    const record = recordOf(sim, instance.id);
    switch (instance.phase) {
      case 'preparing':
        for (const [index, id] of instance.volumeIds.entries())
          sim.account.attachments[id] = { device: record.devices[index] ?? '', atMs };
        break;
      case 'running':
        record.stateReason = null;
        record.transition = '';
        break;
      case 'stopping':
        endMeter(cloud.context, instance.id, atMs);
        break;
      case 'stopped':
        instance.ip = null;
        if (record.startFails) record.stateReason = NO_CAPACITY;
        record.startFails = false;
        break;
      case 'failed':
        record.stateReason = FAILURES[instance.failure ?? 'error'];
        deleteInstance(cloud.context, instance, disposalsOf(cloud, instance), atMs);
        break;
      case 'gone':
        if (instance.endedBy === 'eviction') record.stateReason = EVICTED;
        break;
      case 'accepted':
      case 'starting':
      case 'deleting':
    }
  });
}
