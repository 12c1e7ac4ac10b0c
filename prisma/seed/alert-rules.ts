/**
 * The alert rules of a new installation. Operators edit them (`deckhand alerts rules set`); the seed does not overwrite an edited rule.
 *
 * A changed title or advice also needs a migration like `plain_alert_words`, for rules whose limits an operator edited.
 */
import { OPERATOR_TOLD_RULE, type AlertRule, type Comparison, type Severity } from '../../domain/alerts/rule.ts';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 24 * HOUR;
/** After Deckhand was down, all samples are old for a moment: a machine is measured again within this time. */
const AFTER_A_PAUSE = 2 * MINUTE;

interface Limits {
  /** Value that raises the alert, and for how long it has to last. */
  readonly raise: readonly [at: number, forSec: number];
  readonly clear: readonly [at: number, forSec: number];
  readonly comparison?: Comparison;
  readonly windowSec?: number;
}

const rule = (
  id: string,
  metric: string,
  severity: Severity,
  { raise, clear, comparison = 'above', windowSec = HOUR }: Limits,
  title: string,
  advice: string,
): AlertRule => ({
  id,
  title,
  metric,
  comparison,
  raiseAt: raise[0],
  clearAt: clear[0],
  raiseForSec: raise[1],
  clearForSec: clear[1],
  windowSec,
  severity,
  advice,
  enabled: true,
});

/** For flags and counts: raised at 1, cleared below 1. */
const anyFor = (raiseForSec: number, clearForSec = 0): Limits => ({ raise: [1, raiseForSec], clear: [1, clearForSec] });

/** The rules, by subject. */
export const ALERT_RULES: readonly AlertRule[] = [
  // The work.
  rule(
    'call-failures',
    'call_failure_ratio',
    'warning',
    { raise: [0.05, 0], clear: [0.02, 10 * MINUTE] },
    'Many model calls fail',
    'The gaps of the reports and `deckhand fleet` show the reason. When it is fixed, `deckhand replay --status completed_with_gaps --gaps` fills the gaps.',
  ),
  rule(
    'analysis-failures',
    'analysis_failure_ratio',
    'critical',
    { raise: [0.05, 0], clear: [0.02, 10 * MINUTE], windowSec: 6 * HOUR },
    'Analyses fail',
    'Look at the failed analyses in the Temporal UI (`deckhand queries failed-today`), fix the cause and replay them.',
  ),
  rule(
    'backlog-age',
    'backlog_age_seconds',
    'warning',
    { raise: [10 * MINUTE, MINUTE], clear: [5 * MINUTE, MINUTE] },
    'Model calls wait too long',
    '`deckhand fleet` shows why the pool is not larger: its maximum, a budget, missing capacity or unhealthy instances.',
  ),
  // Four minutes without progress, for one minute: five in all. A round after a pause or a restart waits for that minute.
  rule(
    'analysis-still',
    'analysis_still_seconds',
    'warning',
    { raise: [4 * MINUTE, MINUTE], clear: [4 * MINUTE, 0] },
    'An analysis makes no progress',
    'The progress of the analysis shows what it waits for, `deckhand fleet` shows the state of its pools, and the Temporal UI shows which step is retried and why.',
  ),
  // Machines.
  rule(
    'stuck-boot',
    'boot_seconds',
    'warning',
    { raise: [20 * MINUTE, 0], clear: [20 * MINUTE, 0] },
    'Instance does not become ready',
    'Deckhand replaces a machine automatically after the pool’s stuckAfterMs or proveTimeoutMs, and asks a server at a URL again until it answers. `deckhand fleet show NAME` shows its current step.',
  ),
  rule(
    'unhealthy-gpu',
    'health_level',
    'critical',
    { raise: [2, 0], clear: [1, 2 * MINUTE] },
    'GPU unhealthy',
    'Deckhand repairs or replaces the instance automatically. If it stays unhealthy, end it: `deckhand fleet destroy NAME`. On a server of your own, check the driver.',
  ),
  rule(
    'degraded-gpu',
    'health_level',
    'info',
    { raise: [1, 10 * MINUTE], clear: [1, 5 * MINUTE] },
    'GPU degraded',
    'No action is needed yet. If several instances at one location are affected, use another location. A server of your own may need cooling.',
  ),
  rule(
    'health-unmeasured',
    'health_sample_age_seconds',
    'warning',
    { raise: [5 * MINUTE, AFTER_A_PAUSE], clear: [2 * MINUTE, MINUTE] },
    'Health of an instance is not measured',
    'Check whether the gateway reaches it (`deckhand fleet show NAME`) and whether its driver answers (`deckhand doctor --gpu NAME`).',
  ),
  rule(
    'quarantined-share',
    'quarantined_ratio',
    'warning',
    { raise: [0.5, 5 * MINUTE], clear: [0.5, MINUTE] },
    'Large part of a pool is quarantined',
    'Faults on many instances at once usually have one cause: a model, a driver or a location. `deckhand fleet show NAME` shows what was measured.',
  ),
  rule(
    'gateway-silent',
    'gateway_silent_seconds',
    'critical',
    { raise: [2 * MINUTE, MINUTE], clear: [30, 0] },
    'No gateway serves a paid instance',
    'Check that gateway processes run and reach the instance.',
  ),
  rule(
    'worker-silent',
    'worker_silent_seconds',
    'critical',
    { raise: [3 * MINUTE, MINUTE], clear: [2 * MINUTE, 0] },
    'No worker of a kind polls for work',
    'Start the process: `deckhand up`, or the container of the same name.',
  ),
  rule(
    'provider-silent',
    'provider_silent_seconds',
    'warning',
    { raise: [15 * MINUTE, 2 * AFTER_A_PAUSE], clear: [10 * MINUTE, 0] },
    'Provider does not answer',
    'Other providers of a pool are used meanwhile. Machines at this one can neither be seen nor ended until it answers: look at its status page, and run `deckhand credentials test`.',
  ),
  rule(
    'orphan-found',
    'orphans_found',
    'warning',
    anyFor(0, 0),
    'Rented resource without an owner found',
    'The reaper removes it after it has seen it again. If it stays, remove it at the provider: it is billed.',
  ),
  // Events that Deckhand has handled are reported for an hour.
  rule(
    'orphan-removed',
    'orphans_removed',
    'info',
    anyFor(0),
    'Rented resource without an owner removed',
    'No action is needed. Several in a row point to lost answers to create requests, or to a second Deckhand with the same installation id.',
  ),
  rule(
    'machine-repaired',
    'health_repairs',
    'info',
    anyFor(0),
    'Instance repaired or replaced because of its health',
    'No action is needed. `deckhand fleet health NAME` shows the reason. If it happens often at one location, use another location.',
  ),
  rule(
    'spot-evicted',
    'spot_evictions',
    'info',
    anyFor(0),
    'Provider took a spot instance back',
    'No action is needed: the work continues on the next instance. If it happens often in a day, use `"market": "ondemand"`.',
  ),
  // Buying.
  rule(
    'offers-drought',
    'drought_seconds',
    'critical',
    { raise: [10 * MINUTE, MINUTE], clear: [10 * MINUTE, 2 * MINUTE] },
    'No GPU available while work waits',
    '`deckhand plan` shows why each offer is refused. Allow more locations, a wider selector or a higher price.',
  ),
  rule(
    'offer-price',
    'offer_price_ratio',
    'warning',
    { raise: [1.5, 0], clear: [1.2, 0], windowSec: 30 * DAY },
    'Price of a machine far above its usual level',
    'Compare it with the provider’s price list. maxPriceUsdPerHour limits the price that a pool pays.',
  ),
  // Money.
  rule(
    'budget-near',
    'budget_ratio',
    'warning',
    { raise: [0.8, 0], clear: [0.75, 0] },
    'Budget nearly used up',
    'Raise the budget, or leave it: above the soft cap only urgent work gets new machines, above the hard cap none does.',
  ),
  rule(
    'budget-spent',
    'budget_ratio',
    'critical',
    { raise: [1, 0], clear: [0.95, 0] },
    'Budget used up',
    'Nothing is bought against this budget until its period ends or it is raised.',
  ),
  rule(
    'budget-refusal',
    'budget_refusal',
    'warning',
    anyFor(MINUTE, MINUTE),
    'Budget keeps a pool from buying',
    'Decks wait for it. Raise the budget, or wait for its next period.',
  ),
  rule(
    'cost-anomaly',
    'daily_cost_ratio',
    'warning',
    { raise: [3, 0], clear: [2, 0], windowSec: 30 * DAY },
    'Daily cost far above its usual level',
    '`deckhand costs --by task` and `deckhand costs --by document` show what the money was spent on.',
  ),
  rule(
    'account-balance',
    'account_seconds',
    'critical',
    { raise: [DAY, 0], clear: [2 * DAY, 0], comparison: 'below' },
    'Provider account runs out of money',
    'Top it up: the provider ends the machines when the account is empty.',
  ),
  rule(
    'ledger-behind',
    'deckhand_ledger_lag_seconds',
    'warning',
    // Running calls, and machines that wait for their first work, delay the settlement by up to an hour and a quarter.
    { raise: [2 * HOUR, 10 * MINUTE], clear: [90 * MINUTE, 0] },
    'Ledger is behind',
    'Costs and budgets are too low until it catches up. Look at the runs of schedule `ledger-settle` in the Temporal UI.',
  ),
  // Deckhand itself.
  rule(
    'schedule-late',
    'schedule_late_seconds',
    'warning',
    { raise: [15 * MINUTE, 10 * MINUTE], clear: [15 * MINUTE, 0] },
    'Scheduled run missed',
    '`deckhand schedules` shows the last run. A run that does not end delays the next one.',
  ),
  rule(
    'schedule-paused',
    'schedule_paused',
    'info',
    anyFor(HOUR),
    'Schedule is paused',
    'If the pause is no longer needed, resume the schedule: `deckhand schedules resume ID`.',
  ),
  rule(
    'schedule-failing',
    'schedule_failures',
    'warning',
    { raise: [2, 0], clear: [1, 0] },
    'Scheduled runs fail',
    '`deckhand schedules` lists the last runs. The Temporal UI shows why they failed.',
  ),
  rule(
    'deliveries-failing',
    'delivery_failures',
    'warning',
    { raise: [3, 0], clear: [1, 0] },
    'Webhook deliveries fail',
    '`deckhand webhooks deliveries ID` shows the receiver’s answers. `deckhand webhooks retry` sends failed deliveries again.',
  ),
  rule(
    'disk-space',
    'disk_free_ratio',
    'critical',
    { raise: [0.1, 0], clear: [0.15, 0], comparison: 'below' },
    'Disk nearly full',
    'Free some space, or delete decks that are no longer needed. When the disk is full, uploads are refused and page rendering waits.',
  ),
  rule(
    'rule-unread',
    'unread_rule',
    'warning',
    anyFor(5 * MINUTE),
    'Alert rule cannot be evaluated',
    'The metric of the rule is not watched until then. The message gives the reason; the log of the control process has details.',
  ),
  rule(
    OPERATOR_TOLD_RULE,
    'operator_told',
    'warning',
    anyFor(0, 10 * MINUTE),
    'Instance needs attention',
    'Follow the message. `deckhand fleet show NAME` shows the history.',
  ),
];
