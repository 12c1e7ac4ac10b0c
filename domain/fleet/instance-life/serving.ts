/**
 * A machine that serves, and how it stops serving: cordon, drain, one more check of the demand, then back to work or on to sleep.
 */
import { applyRemedy } from './health.ts';
import { scheduleStandingLook, machineLooks } from './standing.ts';
import { attachAgain, readinessFailed } from './readiness.ts';
import { lookNow } from './looks.ts';
import type { Handlers, Turn } from './turn.ts';

/** A drain that is not answered this long after its time is taken as done. */
const DRAIN_GRACE_FACTOR = 2;

/** Work is routed to it from now on; whatever was asked for meanwhile is done next. */
export function enterReady(turn: Turn, reason: string): void {
  turn.enter('ready', 'serving', reason);
  if (turn.state.illness !== undefined) turn.set({ illness: null });
  scheduleStandingLook(turn);
  if (turn.state.wanted === 'wake' || turn.state.wanted === 'uncordon') turn.set({ wanted: 'serve' });
  if (turn.state.wanted === 'cordon' || turn.state.wanted === 'suspend')
    turn.go('cordon', `asked to ${turn.state.wanted} while it was booting`);
}

/** No new calls; those in flight are finished. */
export function enterCordon(turn: Turn, reason: string): void {
  turn.enter('cordoned', { kind: 'draining', sinceMs: turn.atMs }, reason);
  if (!turn.isOpen('drain')) turn.send({ kind: 'drain', timeoutMs: turn.state.settings.drainTimeoutMs });
  scheduleStandingLook(turn);
}

export const SERVING: Handlers = {
  ...machineLooks(scheduleStandingLook),
  proof_failed: (turn, { failure, message }) => readinessFailed(turn, failure, message),
  serve_ended(turn, { reason }) {
    attachAgain(turn, `the attachment ended: ${reason}`);
    lookNow(turn);
  },
};

export const DRAINING: Handlers = {
  ...machineLooks((turn) => {
    const limit = turn.state.settings.drainTimeoutMs * DRAIN_GRACE_FACTOR;
    if (turn.atMs - (turn.during('draining')?.sinceMs ?? turn.atMs) > limit) afterDrain(turn);
    else scheduleStandingLook(turn);
  }),
  drained: afterDrain,
};

export const RECHECKING: Handlers = {
  ...machineLooks(scheduleStandingLook),
  demand_rechecked(turn, { work }) {
    if (turn.state.wanted !== 'suspend') return afterDrain(turn);
    if (!work) return turn.go('suspend', 'idle, and no work is waiting');
    turn.set({ wanted: 'serve' });
    turn.go('check', 'work arrived while it was draining');
  },
};

export const HELD: Handlers = machineLooks(scheduleStandingLook);

/** Cordoned and drained: does what is wanted now. */
export function afterDrain(turn: Turn): void {
  turn.close('serve', 'drain');
  switch (turn.state.wanted) {
    case 'suspend':
      turn.setStep('rechecking');
      turn.send({ kind: 'recheck_demand' });
      return;
    case 'cordon':
      return turn.setStep('held');
    default:
      if (turn.state.illness !== null && turn.state.illness !== undefined) return applyRemedy(turn, turn.state.illness);
      return turn.go('check', 'wanted again');
  }
}
