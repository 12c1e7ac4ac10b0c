/** Activities of alerts, on the queue of accounting: a round over the rules, and the start of its deliveries. */
import { startUntriedDeliveries } from '../webhooks/outbox.ts';
import { heartbeating } from '../support/heartbeat.ts';
import { judgeRules, type RoundDeps, type RoundOutcome } from './round.ts';

export interface AlertActivities {
  /** Reads every metric, raises and clears alerts, and writes their deliveries to the outbox. Repeating it changes nothing. */
  judgeAlertRules(): Promise<RoundOutcome>;
  /**
   * Starts the deliveries of alerts that have not been tried yet, also those that an earlier round or an instance wrote. Returns their
   * number.
   */
  startAlertDeliveries(): Promise<number>;
}

export function createAlertActivities(deps: RoundDeps): AlertActivities {
  return heartbeating<AlertActivities>({
    judgeAlertRules: () => judgeRules(deps, new Date()),
    startAlertDeliveries: () => startUntriedDeliveries(deps.db, deps.temporal, 'alertId'),
  });
}
