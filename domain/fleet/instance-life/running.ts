/**
 * Looks at a running machine: while it is checked for readiness, serves, drains or is held. Errors and unknown states do not end it.
 */
import { machineFailed } from './boot.ts';
import { scheduleLook, purgeLater, presence, lookHandlers } from './looks.ts';
import type { Handlers, Draft } from './draft.ts';
import type { Machine, Sighting } from './types.ts';

/** Why the life of a spot machine ended that the provider took back: metrics find evictions by these words. */
export const EVICTED = 'evicted by the provider (spot)';

/** Why a machine takes no more work that the provider has said it will take back: the pool knows it by these words. */
export const NOTICED = 'the provider takes it back (spot)';

/** Time between looks at a running machine, in longest boot polls. */
const RUNNING_POLLS = 4;

/** Next look at a machine that serves: a minute by default. */
export function scheduleRunningLook(draft: Draft): void {
  scheduleLook(draft, draft.state.settings.bootPollMaxMs * RUNNING_POLLS, 'looking after the machine');
}

/** Handlers of the looks; `still` goes on when the machine is as it should be, or cannot be seen. */
export function machineLooks(still: (draft: Draft) => void): Pick<Handlers, 'waited' | 'looked' | 'found'> {
  return lookHandlers((draft, sighting) => judge(draft, sighting, still), still);
}

/** True for a machine that its provider may take back. */
export const isSpotMachine = ({ intent }: Pick<Machine, 'intent'>): boolean => intent.offer.endsWith('/spot');

/** Asked for only while there is a machine. */
const isSpot = ({ state: { machine } }: Draft): boolean => machine !== null && isSpotMachine(machine);

function judge(draft: Draft, sighting: Sighting | null, still: (draft: Draft) => void): void {
  const where = presence(draft, sighting);
  if (where === 'gone') return lost(draft, isSpot(draft) ? EVICTED : 'the machine is gone');
  if (sighting === null) {
    still(draft);
    // The second look that decides comes as soon as it can.
    return scheduleLook(draft, draft.state.settings.goneConfirmMs, 'it was not seen: looking again');
  }
  draft.updateMachine(sighting);
  switch (sighting.status) {
    case 'gone':
    case 'deleting':
      return lost(draft, isSpot(draft) ? EVICTED : `the provider ended it: ${sighting.rawStatus}`);
    case 'failed':
      return lost(draft, `the provider ended it: ${sighting.rawStatus}`);
    case 'stopped':
      // Its dead-man switch or a person stopped it. It is billed, so it is started again.
      if (draft.state.step.kind === 'serving') return draft.go('wake', 'it was found stopped');
      return still(draft);
    case 'starting':
    case 'running':
      return still(draft);
    default:
      return sighting.status satisfies never;
  }
}

/**
 * A machine lost before it was ready makes room for the next offer; one that served ends the life, and the pool decides what is needed
 * in its place. Its disk is purged: nothing on it exists only there.
 */
function lost(draft: Draft, reason: string): void {
  const { machine, phase } = draft.state;
  if (machine === null) return draft.go('end', reason);
  if (phase === 'booting') return machineFailed(draft, 'capacity_async', reason, true);
  const error = { errorClass: 'capacity_async', message: reason } as const;
  if (isSpot(draft)) draft.send({ kind: 'remember', offer: machine.intent.offer, error });
  purgeLater(draft, machine);
  draft.go('end', reason);
}
