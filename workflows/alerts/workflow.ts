/**
 * One round of the alert rules: judge them, then start the deliveries. Every part is repeated by the next round, so a part that fails
 * costs a round and nothing else.
 */
import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { AlertActivities } from '../../activities/alerts/activities.ts';
import type { RoundOutcome } from '../../activities/alerts/round.ts';
import { ACCOUNTING_QUEUE } from '../../contracts/queues.ts';
import type { AlertRoundReport } from '../../contracts/alerts.ts';
import { ROUND_RETRY } from '../retry-policies.ts';

// Queries and a few calls to Temporal: seconds at most. What fails twice is left to the next round, which is due by then.
const alerts = proxyActivities<AlertActivities>({
  taskQueue: ACCOUNTING_QUEUE,
  startToCloseTimeout: '1m',
  heartbeatTimeout: '15s',
  retry: ROUND_RETRY,
});

/** Lines of each kind that are shown. */
const SHOWN = 20;

export async function alertRound(): Promise<AlertRoundReport> {
  const outcome = await alerts.judgeAlertRules();
  setCurrentDetails(detailsOf(outcome));
  const deliveries = await alerts.startAlertDeliveries();
  const { rules, raised, cleared, unread } = outcome;
  return { rules, raised: raised.length, cleared: cleared.length, unread: unread.length, deliveries };
}

/** Markdown for the Temporal UI. */
function detailsOf({ rules, raised, cleared, unread }: RoundOutcome): string {
  const lines = [
    ...raised.slice(0, SHOWN).map(({ rule, message }) => `- **raised** ${rule}: ${message}`),
    ...cleared.slice(0, SHOWN).map(({ rule, subject }) => `- **cleared** ${rule}: ${subject}`),
    ...unread.slice(0, SHOWN).map(({ rule, message }) => `- **not judged** ${rule}: ${message}`),
  ];
  return [`${rules} rules`, ...(lines.length === 0 ? ['nothing has changed'] : lines)].join('\n');
}
