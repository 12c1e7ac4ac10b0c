/**
 * Rounds of the control process: repairs of stored work that has no workflow, because a process ended in between or Temporal was away when it
 * was asked; and removal of what is kept for a limited time.
 *
 * They are no Temporal schedules (schedules/table.ts): a repair is needed most where Temporal lost its state, its schedules included, and a
 * workflow every 15 s would fill the list of workflows. Every duty can be repeated, also by several control processes at the same time.
 */
import type { Client } from '@temporalio/client';
import { removeOldAlerts } from '../../activities/alerts/store.ts';
import { placeReviewedDecks } from '../../activities/companies/place.ts';
import type { DeckLine } from '../../activities/decks/line/line.ts';
import { endUnserved } from '../../activities/decks/unserved.ts';
import { repairAnalyses } from '../../activities/decks/repair.ts';
import { resumeDeletions } from '../../activities/deletion/start.ts';
import { forgetEnded } from '../../activities/models/catalog/kept.ts';
import { removeOldSamples } from '../../activities/health/store-health.ts';
import { removeOldDeliveries, startForgottenDeliveries } from '../../activities/webhooks/outbox.ts';
import type { Fleet } from '../../clouds/fleet.ts';
import { pause } from '../../platform/pause.ts';
import type { WorkerProcess } from '../support/worker-process.ts';

const INTERVAL_MS = 15_000;
/** Slots have calls ready for a little longer than that (domain/decks/admission/shares.ts). */
const LINE_INTERVAL_MS = 1000;

type DutyDeps = Pick<WorkerProcess, 'db' | 'log' | 'config'> & { readonly temporal: Client; readonly fleet: Fleet };

interface Duty {
  readonly what: string;
  readonly run: (deps: DutyDeps) => Promise<void>;
}

const DUTIES: readonly Duty[] = [
  { what: 'repair of analyses', run: (deps) => repairAnalyses(deps) },
  {
    what: 'end of decks that no server can finish',
    run: ({ db, temporal, config }) => endUnserved(db, temporal, config.unservedAfterMs, new Date()),
  },
  { what: 'placement of decks', run: ({ db }) => placeReviewedDecks(db) },
  { what: 'start of deletions', run: ({ db, temporal }) => resumeDeletions(db, temporal) },
  { what: 'start of notifications', run: ({ db, temporal }) => startForgottenDeliveries(db, temporal) },
  { what: 'removal of old notifications', run: ({ db }) => removeOldDeliveries(db) },
  { what: 'removal of old health samples', run: ({ db, fleet }) => removeOldSamples(db, fleet.health.retentionDays) },
  { what: 'removal of model profiles that nothing uses', run: ({ db }) => forgetEnded(db) },
  { what: 'removal of old alerts', run: ({ db }) => removeOldAlerts(db) },
];

/** Does every duty, round after round, until the process is asked to end. A duty that fails is logged and repeated by the next round. */
export async function runDuties(deps: DutyDeps, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    for (const { what, run } of DUTIES) {
      if (stopping.aborted) return;
      try {
        await run(deps);
      } catch (error) {
        deps.log.warn({ err: error }, `${what} failed`);
      }
    }
    await pause(INTERVAL_MS, stopping);
  }
}

/** Looks every second which decks may go on, until the process is asked to end. What a look could not do, the next one does. */
export async function keepLine(
  line: DeckLine,
  { temporal, log }: Pick<DutyDeps, 'temporal' | 'log'>,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    try {
      await line.look(temporal);
    } catch (error) {
      log.warn({ err: error }, 'the order of decks was not looked at');
    }
    await pause(LINE_INTERVAL_MS, stopping);
  }
}
