/**
 * Updates the details of a run: whether an operator has paused it, and what it waits for.
 *
 * A run that waits for capacity gets a search attribute for it: when nothing has changed for a while, it asks Temporal which of
 * its activities a worker runs. The next activity that ends clears the attribute.
 *
 * It costs a running deck one timer per check, with growing intervals between checks; a run that waits through a night gets some
 * hundred events.
 */
import { condition, isCancellation, log } from '@temporalio/workflow';
import { control } from './activity-proxies.ts';
import { failureReason } from './call-runner.ts';
import type { RunControl } from './run-control.ts';
import type { RunDetails } from './run-details.ts';

/** Time without a change before the first check. Shorter than a boot, longer than a usual call. */
const FIRST_LOOK_MS = 30_000;
/** Longest time between two checks of a run that makes progress; a lack of capacity is noticed within it. */
const MOVING_LOOK_MS = 120_000;
/** Longest time between two checks of a run that waits; its reason is at most this old. */
const WAITING_LOOK_MS = 600_000;

/** Watches until the run ends. A failure here does not fail the run. */
export function watchRun(details: RunDetails, runControl: RunControl, firstLookMs = FIRST_LOOK_MS): void {
  const isPaused = (): boolean => runControl.paused;
  for (const watching of [watchCapacity(details, runControl, firstLookMs), watchHolds(details, isPaused)]) {
    watching.catch((error: unknown) => {
      // A cancelled run is no longer watched.
      if (!isCancellation(error)) log.warn('the run is not watched any more', { error: failureReason(error) });
    });
  }
}

/** A pause or resume makes one event. */
async function watchHolds(details: RunDetails, isPaused: () => boolean): Promise<void> {
  for (;;) {
    await condition(() => isPaused() !== details.isHeld);
    details.holds(isPaused());
  }
}

async function watchCapacity(details: RunDetails, runControl: RunControl, firstLookMs: number): Promise<void> {
  const isPaused = (): boolean => runControl.paused;
  for (let pauseMs = firstLookMs; ;) {
    const seen = details.moves;
    const waited = details.waiting !== null;
    // It makes progress again, so the short interval applies.
    const hasMovedOn = await condition(() => waited && details.moves !== seen, pauseMs, {
      summary: waited ? 'look again what it waits for' : 'look whether it waits for capacity',
    });
    if (isPaused()) await condition(() => !isPaused());
    if (hasMovedOn) {
      pauseMs = firstLookMs;
      continue;
    }
    if (details.moves !== seen) {
      pauseMs = Math.min(pauseMs * 2, MOVING_LOOK_MS);
      continue;
    }
    const { reason, pools, share } = await control.whatItWaitsFor();
    // Should the signal have been lost.
    runControl.takes(share);
    // An activity that ended meanwhile makes the answer out of date.
    const isWaiting = reason !== null && details.moves === seen && !isPaused();
    if (isWaiting) details.waitsFor({ reason, pools });
    else if (details.waiting !== null) details.waitsFor(null);
    pauseMs = Math.min(pauseMs * 2, isWaiting ? WAITING_LOOK_MS : MOVING_LOOK_MS);
  }
}
