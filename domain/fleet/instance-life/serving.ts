/**
 * A machine that serves, and how it stops serving: cordon, drain, one more check of the demand, then back to work or on to sleep.
 */
import { applyRemedy } from './health.ts';
import { EVICTED, machineLooks, scheduleRunningLook } from './running.ts';
import { alsoEvicted, drainBeforeEviction } from './eviction.ts';
import { attachAgain, readinessFailed } from './readiness.ts';
import { lookNow } from './looks.ts';
import type { Handlers, Draft } from './draft.ts';

/** A drain that is not answered this long after its time is taken as done. */
const DRAIN_GRACE_FACTOR = 2;

/** Work is routed to it from now on; whatever was asked for meanwhile is done next. */
export function enterReady(draft: Draft, reason: string): void {
  draft.clearTimes('soughtSince');
  draft.enter('ready', 'serving', reason);
  if (draft.quarantine !== null) draft.setQuarantine(null);
  scheduleRunningLook(draft);
  if (draft.state.wanted === 'wake' || draft.state.wanted === 'uncordon') draft.set({ wanted: 'serve' });
  if (draft.state.wanted === 'cordon' || draft.state.wanted === 'suspend')
    draft.go('cordon', `asked to ${draft.state.wanted} while it was booting`);
}

/** No new calls; those in flight are finished. */
export function enterCordon(draft: Draft, reason: string): void {
  draft.enter('cordoned', { kind: 'draining', sinceMs: draft.atMs }, reason);
  if (!draft.isOpen('drain')) draft.send({ kind: 'drain', timeoutMs: draft.state.settings.drainTimeoutMs });
  scheduleRunningLook(draft);
}

export const SERVING: Handlers = {
  ...machineLooks(scheduleRunningLook),
  eviction_noticed: drainBeforeEviction,
  proof_failed: (draft, { failure, message }) => readinessFailed(draft, failure, message),
  serve_ended(draft, { reason }) {
    attachAgain(draft, `the attachment ended: ${reason}`);
    lookNow(draft);
  },
};

export const DRAINING: Handlers = {
  ...machineLooks((draft) => {
    const limit = draft.state.settings.drainTimeoutMs * DRAIN_GRACE_FACTOR;
    if (draft.atMs - (draft.during('draining')?.sinceMs ?? draft.atMs) > limit) afterDrain(draft);
    else scheduleRunningLook(draft);
  }),
  eviction_noticed: alsoEvicted,
  drained: afterDrain,
};

export const RECHECKING: Handlers = {
  ...machineLooks(scheduleRunningLook),
  demand_rechecked(draft, { work }) {
    if (draft.state.wanted !== 'suspend') return afterDrain(draft);
    if (!work) return draft.go('suspend', 'idle, and no work is waiting');
    draft.set({ wanted: 'serve' });
    draft.go('check', 'work arrived while it was draining');
  },
};

export const HELD: Handlers = machineLooks(scheduleRunningLook);

/** Cordoned and drained: does what is wanted now. */
export function afterDrain(draft: Draft): void {
  draft.close('serve', 'drain');
  if (draft.state.isTakenBack === true) return draft.go('end', EVICTED);
  switch (draft.state.wanted) {
    case 'suspend':
      draft.setStep('rechecking');
      draft.send({ kind: 'recheck_demand' });
      return;
    case 'cordon':
      return draft.setStep('held');
    default:
      if (draft.quarantine !== null) return applyRemedy(draft, draft.quarantine);
      return draft.go('check', 'wanted again');
  }
}
