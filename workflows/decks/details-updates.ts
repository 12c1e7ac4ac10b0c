/**
 * Watches a run for its details: that an operator holds it, and that it waits.
 *
 * Finds out that a run waits for capacity, so that it can be searched by it: when nothing has moved for a while, it asks Temporal which of
 * its activities a worker has. What ends next clears it.
 *
 * Cheap: a run that moves pays one timer per look, each look further away than the one before; a run that waits through a night pays some
 * hundred events.
 */
import { condition, isCancellation, log } from '@temporalio/workflow';
import { control } from './activity-proxies.ts';
import { failureReason } from './call-runner.ts';
import type { RunDetails } from './run-details.ts';

/** Nothing moving for this long is looked into. Shorter than a boot, longer than a usual call. */
const FIRST_LOOK_MS = 30_000;
/** Between two looks at a run that moves: so late is a want of capacity noticed at most. */
const MOVING_LOOK_MS = 120_000;
/** Between two looks at a run that waits: so old is the reason it gives at most. */
const WAITING_LOOK_MS = 600_000;

/** Watches as long as the run lasts. What goes wrong here is no concern of the deck. */
export function watchRun(details: RunDetails, isPaused: () => boolean, firstLookMs = FIRST_LOOK_MS): void {
  for (const watching of [watchCapacity(details, isPaused, firstLookMs), watchHolds(details, isPaused)]) {
    watching.catch((error: unknown) => {
      // A cancelled run is watched no more.
      if (!isCancellation(error)) log.warn('the run is not watched any more', { error: failureReason(error) });
    });
  }
}

/** A change of hands makes no event but the one that says so. */
async function watchHolds(details: RunDetails, isPaused: () => boolean): Promise<void> {
  for (;;) {
    await condition(() => isPaused() !== details.isHeld);
    details.holds(isPaused());
  }
}

async function watchCapacity(details: RunDetails, isPaused: () => boolean, firstLookMs: number): Promise<void> {
  for (let pauseMs = firstLookMs; ;) {
    const seen = details.moves;
    const waited = details.waiting !== null;
    // What it waited for has come: from here on it is watched closely again.
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
    const { reason, pools } = await control.whatItWaitsFor();
    // What ended meanwhile counts more than what was seen.
    const isWaiting = reason !== null && details.moves === seen && !isPaused();
    if (isWaiting) details.waitsFor({ reason, pools });
    else if (details.waiting !== null) details.waitsFor(null);
    pauseMs = Math.min(pauseMs * 2, isWaiting ? WAITING_LOOK_MS : MOVING_LOOK_MS);
  }
}
