/**
 * Looks at a machine that runs: while it is checked for readiness, serves, drains or is held. Only evidence ends it; errors and unknown words do not.
 */
import { machineFailed } from './boot.ts';
import { scheduleLook, lookNow, purgeLater, watchLeftovers, presence } from './looks.ts';
import type { Handlers, Turn } from './turn.ts';
import type { Sighting } from './types.ts';

/** Why the life of a spot machine ended that the provider took back: metrics find evictions by these words. */
export const EVICTED = 'evicted by the provider (spot)';

/** Looks at a standing machine come this many of the longest boot polls apart. */
const STANDING_POLLS = 4;

/** Next look at a machine that serves: a minute by default. */
export function scheduleStandingLook(turn: Turn): void {
  scheduleLook(turn, turn.state.settings.bootPollMaxMs * STANDING_POLLS, 'looking after the machine');
}

/** Handlers of the looks; `still` goes on when the machine is as it should be, or cannot be seen. */
export function machineLooks(still: (turn: Turn) => void): Pick<Handlers, 'waited' | 'looked' | 'found'> {
  return {
    waited: lookNow,
    looked(turn, { sighting, error }) {
      if (error === null) judge(turn, sighting, still);
      else still(turn);
    },
    found(turn, event) {
      if (event.error === null) return judge(turn, watchLeftovers(turn, event), still);
      still(turn);
    },
  };
}

/** Asked for only while there is a machine. */
const isSpot = ({ state: { machine } }: Turn): boolean => machine?.intent.offer.endsWith('/spot') ?? false;

function judge(turn: Turn, sighting: Sighting | null, still: (turn: Turn) => void): void {
  const where = presence(turn, sighting);
  if (where === 'gone') return lost(turn, isSpot(turn) ? EVICTED : 'the machine is gone');
  if (sighting === null) {
    still(turn);
    // The second look that decides comes as soon as it can.
    return scheduleLook(turn, turn.state.settings.goneConfirmMs, 'it was not seen: looking again');
  }
  turn.updateMachine(sighting);
  switch (sighting.status) {
    case 'failed':
    case 'gone':
    case 'deleting':
      return lost(turn, `the provider ended it: ${sighting.rawStatus}`);
    case 'stopped':
      // Its dead-man switch or a person stopped it. It is billed, so it is started again.
      if (turn.state.step.kind === 'serving') return turn.go('wake', 'it was found stopped');
      return still(turn);
    case 'starting':
    case 'running':
      return still(turn);
    default:
      return sighting.status satisfies never;
  }
}

/**
 * A machine lost before it was ready makes room for the next offer; one that served ends the life, and the pool decides what is needed
 * in its place. Its disk is purged: nothing on it exists only there.
 */
function lost(turn: Turn, reason: string): void {
  const { machine, phase } = turn.state;
  if (machine === null) return turn.go('end', reason);
  if (phase === 'booting') return machineFailed(turn, 'capacity_async', reason, true);
  const error = { errorClass: 'capacity_async', message: reason } as const;
  if (isSpot(turn)) turn.send({ kind: 'remember', offer: machine.intent.offer, error });
  purgeLater(turn, machine);
  turn.go('end', reason);
}
