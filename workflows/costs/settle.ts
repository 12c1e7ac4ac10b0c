/**
 * One round of the ledger: find what is rented, read its billing times, settle the ledger.
 *
 * A later round continues where this one stopped, so a failed round loses nothing.
 */
import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { LedgerActivities, SettleReport } from '../../activities/costs/ledger/activities.ts';
import { ACCOUNTING_QUEUE } from '../../contracts/queues.ts';
import { ROUND_RETRY } from '../retry-policies.ts';

// A few provider calls for each rental, minutes after a week without a round. A provider that does not answer is asked
// again by the next round, so a round gives up soon.
const ledger = proxyActivities<LedgerActivities>({
  taskQueue: ACCOUNTING_QUEUE,
  startToCloseTimeout: '10m',
  heartbeatTimeout: '30s',
  retry: ROUND_RETRY,
});

export async function settleLedger(): Promise<SettleReport> {
  const report = await ledger.settleLedger();
  setCurrentDetails(detailsOf(report));
  return report;
}

/** Markdown for the Temporal UI. */
function detailsOf({ found, entries, closed, unanswered }: SettleReport): string {
  return [
    `${entries} entries written`,
    `${found} rentals seen for the first time, ${closed} settled to their end`,
    ...(unanswered === 0 ? [] : [`${unanswered} rentals whose provider did not say when it bills`]),
  ].join('\n\n');
}
