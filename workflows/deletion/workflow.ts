/**
 * Deletes a deck and everything of it. Orchestration only: every step finds out by itself what is left to do, so that each can be repeated
 * and the whole be done anew after any crash.
 *
 * Rows go last: as long as an analysis has its row, what hangs on it can be found again.
 */
import { continueAsNew, proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type { DeletionActivities } from '../../activities/deletion/activities.ts';
import { STEP_RETRY } from '../retry-policies.ts';
import { CONTROL_QUEUE } from '../../contracts/queues.ts';
import { NOTHING_REMOVED, type DeletionInput, type RemovedCounts } from '../../contracts/deletion.ts';

// Steps of seconds: rows, files, and calls to Temporal. Repeated until they succeed.
const deletion = proxyActivities<DeletionActivities>({
  taskQueue: CONTROL_QUEUE,
  startToCloseTimeout: '5m',
  heartbeatTimeout: '30s',
  retry: STEP_RETRY,
});

/** Time that cancelled runs have to end by themselves. */
const RUN_END_LIMIT_MS = 60_000;
/** Pauses between looks at runs that are ending: most end within a second. */
const FIRST_LOOK_MS = 250;
const LONGEST_LOOK_MS = 2000;
/** Checks before giving up: the server deletes histories within a minute, longer under load. */
const GONE_LOOKS = 150;
const GONE_LOOK_MS = 2000;
/** Every so many looks the server is asked again for what is left. */
const ASK_AGAIN_LOOKS = 20;

export async function deleteDeck(input: DeletionInput): Promise<RemovedCounts> {
  const { deckId } = input;
  let removed = input.removed ?? NOTHING_REMOVED;
  await deletion.markDeck({ deckId });
  await endRuns(deckId, input.runEndLimitMs ?? RUN_END_LIMIT_MS);

  for (let more = true; more;) {
    const batch = await deletion.removeAnalyses({ deckId });
    removed = sum(removed, batch.removed);
    more = batch.more;
    if (more && workflowInfo().continueAsNewSuggested) return continueAsNew<typeof deleteDeck>({ ...input, removed });
  }
  removed = sum(removed, await deletion.removeDeckFiles({ deckId, tenantId: input.tenantId }));

  // By now only Temporal knows of it: histories that are being deleted, and a run that was being started at the very moment and has no row, which
  // its search shows a little late. So one look is not enough.
  for (let look = 0, clear = 0; look < GONE_LOOKS && clear < 2; look += 1) {
    const { left } = await deletion.findRuns({ deckId, remove: look % ASK_AGAIN_LOOKS === 0 });
    clear = left === 0 ? clear + 1 : 0;
    if (clear < 2) await sleep(GONE_LOOK_MS, { summary: 'until Temporal has deleted the histories' });
  }
  return removed;
}

/** Cancels the runs of the deck and waits until all of them have ended; those that do not are terminated. */
async function endRuns(deckId: string, limitMs: number): Promise<void> {
  const terminateAtMs = Date.now() + limitMs;
  for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_LOOK_MS)) {
    const { open } = await deletion.endRuns({ deckId, terminate: Date.now() >= terminateAtMs });
    if (open === 0) return;
    await sleep(pauseMs, { summary: 'until its runs have ended' });
  }
}

const sum = (a: RemovedCounts, b: RemovedCounts): RemovedCounts => ({
  analyses: a.analyses + b.analyses,
  slides: a.slides + b.slides,
  modelResults: a.modelResults + b.modelResults,
  histories: a.histories + b.histories,
});
