/**
 * What the API looks after regularly: work that was written down and that nobody does, because a process died in between or Temporal was
 * away when it was asked; and what is kept for a time only.
 */
import { removeOldAlerts } from '../activities/alerts/retention.ts';
import { removeOldSamples } from '../activities/health/retention.ts';
import { removeOldDeliveries, startForgottenDeliveries } from '../activities/webhooks/outbox.ts';
import { loadFleet } from '../platform/fleet-config.ts';
import { repairAnalyses } from './decks/analyses/repair.ts';
import type { ApiDeps } from './context.ts';
import { resumeDeletions } from './decks/deletion.ts';
import { countMetrics } from './metrics/scrape.ts';

type SweepDeps = Pick<ApiDeps, 'db' | 'temporal' | 'log' | 'config'>;

const SWEEPS: readonly { readonly what: string; readonly run: (deps: SweepDeps) => Promise<void> }[] = [
  { what: 'open analyses', run: (deps) => repairAnalyses(deps) },
  { what: 'deletions of decks', run: resumeDeletions },
  { what: 'notifications', run: ({ db, temporal }) => startForgottenDeliveries(db, temporal) },
  { what: 'metrics', run: ({ db }) => countMetrics(db) },
  { what: 'the log of notifications', run: ({ db }) => removeOldDeliveries(db) },
  { what: 'samples of health', run: ({ db, config }) => removeOldSamples(db, loadFleet(config).health.retentionDays) },
  { what: 'alerts that are over', run: ({ db }) => removeOldAlerts(db) },
];

/** One round over all of them. Never rejects: what fails is logged, and the next round tries again. */
export async function sweepAll(deps: SweepDeps): Promise<void> {
  for (const { what, run } of SWEEPS) {
    try {
      await run(deps);
    } catch (error) {
      deps.log.warn({ err: error }, `${what} could not be checked`);
    }
  }
}
