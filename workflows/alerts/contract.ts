/**
 * What others need of alert rounds: names, the result. No workflow code. Queue and schedule stand with those of accounting.
 */
export { ALERT_ROUND_WORKFLOW, ALERT_SCHEDULE_ID } from '../accounting/contract.ts';

/** Workflow id of rounds; the schedule adds the time. */
export const ALERT_ROUND_WORKFLOW_ID = 'alerts/round';

/** How many of each a round came to. */
export interface AlertRoundReport {
  readonly rules: number;
  readonly raised: number;
  readonly cleared: number;
  /** Rules that could not be judged. */
  readonly unread: number;
  /** Notifications that were started. */
  readonly deliveries: number;
}
