/**
 * One cost report: settle the ledger, make the installation's report and one for each tenant with costs, notify webhooks.
 *
 * The period comes from the time the run was scheduled for, never from now: a run that a stopped server had to catch up on, or that an
 * operator had repeated, reports on its own period. While something rented in the period is not settled, the report says so and is made
 * again for some time. Webhooks are notified of the last one even if it is incomplete.
 */
import { ActivityFailure, log, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { CostReportActivities, MadeReport } from '../../activities/costs/report/activities.ts';
import type { LedgerActivities } from '../../activities/costs/ledger/activities.ts';
import { INSTALLATION_SCOPE } from '../../domain/costs/report/document.ts';
import type { ReportPeriod } from '../../domain/costs/report/period.ts';
import { PERMANENT_ERROR_CODES } from '../../domain/errors.ts';
import { durationWords } from '../../domain/text/words.ts';
import { type CostReportEnd, type CostReportInput } from '../../contracts/costs.ts';
import { ACCOUNTING_QUEUE } from '../../contracts/queues.ts';
import { ROUND_RETRY } from '../retry-policies.ts';

// Passes over the ledger: seconds, minutes for a year of a busy installation. A database that is away is waited for: the period must not be
// without a report.
const reports = proxyActivities<CostReportActivities>({
  taskQueue: ACCOUNTING_QUEUE,
  startToCloseTimeout: '5m',
  heartbeatTimeout: '30s',
  retry: {
    initialInterval: '1s',
    backoffCoefficient: 2,
    maximumInterval: '1m',
    nonRetryableErrorTypes: [...PERMANENT_ERROR_CODES],
  },
});

// What cannot be settled soon is settled by the ledger's own schedule; a report that lacks it says so.
const ledger = proxyActivities<LedgerActivities>({
  taskQueue: ACCOUNTING_QUEUE,
  startToCloseTimeout: '5m',
  heartbeatTimeout: '30s',
  retry: ROUND_RETRY,
});

/** Between two tries at a complete report, and how many: the ledger has two hours to settle what ended late. */
const AGAIN_MS = 15 * 60_000;
const TRIES = 9;

/** Set by Temporal on what a schedule starts. */
const SCHEDULED_START = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');

export async function costReport({ ask, againMs = AGAIN_MS }: CostReportInput): Promise<CostReportEnd> {
  const { startTime, typedSearchAttributes } = workflowInfo();
  const scheduledAt = (typedSearchAttributes.get(SCHEDULED_START) ?? startTime).toISOString();
  const period = await reports.chooseReportPeriod({ ask, scheduledAt });
  for (let tries = 1; ; tries += 1) {
    await settle();
    const made = await storeAll(period, tries === TRIES);
    setCurrentDetails(detailsOf(period, made));
    // A person who asked for a period waits for it; the report says whether it is complete.
    if (made.complete || made.underWay || ask.what === 'period' || tries === TRIES) {
      await reports.startReportDeliveries();
      const { reportId, totalUsd, complete, tenants } = made;
      return { kind: period.kind, period: period.name, reportId, totalUsd, complete, tenants: tenants.length };
    }
    await sleep(againMs, { summary: `rentals are not settled yet; retry in ${durationWords(againMs)}` });
  }
}

/** The reports of the installation and of every tenant. Webhooks are notified of complete ones, and at the last attempt of all. */
async function storeAll(period: ReportPeriod, isLast: boolean): Promise<MadeReport> {
  const tell = isLast ? 'over' : 'complete';
  const store = (scope: string): Promise<MadeReport> => {
    const whose = scope === INSTALLATION_SCOPE ? 'the installation' : `tenant ${scope}`;
    return reports.storeCostReport.executeWithOptions({ summary: `${period.name} of ${whose}` }, [
      { period, scope, tell },
    ]);
  };
  const made = await store(INSTALLATION_SCOPE);
  for (const tenant of made.tenants) await store(tenant);
  return made;
}

/** The report is made even when the ledger cannot be settled now. */
async function settle(): Promise<void> {
  try {
    await ledger.settleLedger();
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    log.warn('the ledger could not be settled before a cost report', { error: String(error.cause ?? error) });
  }
}

/** Markdown for the Temporal UI. */
function detailsOf(period: ReportPeriod, made: MadeReport): string {
  const lacking = made.underWay
    ? 'The period is not over yet.'
    : `${made.unsettledRentals} rentals are not settled to its end yet.`;
  return [
    `**${period.kind} report ${period.name}** (${period.timezone}): USD ${made.totalUsd}, ${made.tenants.length} tenants`,
    ...(made.complete ? [] : [lacking]),
  ].join('\n\n');
}
