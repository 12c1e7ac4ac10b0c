/** Contract of alert rounds: names, ids, the result. No workflow code. */

/** Workflow type of one round of alert rules, and its schedule. */
export const ALERT_ROUND_WORKFLOW = 'alertRound';
export const ALERT_SCHEDULE_ID = 'alerts';

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
