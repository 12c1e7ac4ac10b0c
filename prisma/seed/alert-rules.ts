/**
 * The alert rules an installation starts with. Operators edit them (`deckhand alerts rules set`); what they edited is not taken back.
 */
import { OPERATOR_TOLD_RULE, type AlertRule, type Comparison, type Severity } from '../../domain/alerts/rule.ts';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 24 * HOUR;
/** After Deckhand was away everything is old for a moment: a machine is measured again within this time. */
const AFTER_A_PAUSE = 2 * MINUTE;

interface Limits {
  /** Raised at, and for how long the value has to stay there. */
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

/** Flags and counts: from one on, until there is none. */
const anyFor = (raiseForSec: number, clearForSec = 0): Limits => ({ raise: [1, raiseForSec], clear: [1, clearForSec] });

/** The rules, by subject. */
export const ALERT_RULES: readonly AlertRule[] = [
  // The work.
  rule(
    'call-failures',
    'call_failure_ratio',
    'warning',
    { raise: [0.05, 0], clear: [0.02, 10 * MINUTE] },
    'Many model calls are given up',
    'See why in the reports’ gaps and with `deckhand fleet`; once it is repaired, `deckhand replay --status completed_with_gaps --gaps` fills what is missing.',
  ),
  rule(
    'analysis-failures',
    'analysis_failure_ratio',
    'critical',
    { raise: [0.05, 0], clear: [0.02, 10 * MINUTE], windowSec: 6 * HOUR },
    'Analyses fail',
    'Look at the failed ones in the Temporal UI (`deckhand queries failed-today`), repair the cause and replay them.',
  ),
  rule(
    'backlog-age',
    'backlog_age_seconds',
    'warning',
    { raise: [10 * MINUTE, MINUTE], clear: [5 * MINUTE, MINUTE] },
    'Model calls wait for too long',
    'See with `deckhand fleet` why the pool is no larger: its maximum, a budget, missing capacity or sick machines.',
  ),
  // Still for four minutes at every look of another one: for five. A round after a pause or a restart waits for that minute.
  rule(
    'analysis-still',
    'analysis_still_seconds',
    'warning',
    { raise: [4 * MINUTE, MINUTE], clear: [4 * MINUTE, 0] },
    'Nothing of a deck moves',
    'The progress of the analysis says what it waits for, and `deckhand fleet` what its pools do; the Temporal UI shows which step is tried again and why.',
  ),
  // Machines.
  rule(
    'stuck-boot',
    'boot_seconds',
    'warning',
    { raise: [20 * MINUTE, 0], clear: [20 * MINUTE, 0] },
    'An instance does not come up',
    'It is replaced by itself once its pool’s stuckAfterMs or proveTimeoutMs are over; `deckhand fleet show NAME` says where it stands.',
  ),
  rule(
    'unhealthy-gpu',
    'health_level',
    'critical',
    { raise: [2, 0], clear: [1, 2 * MINUTE] },
    'A GPU is unhealthy',
    'It is repaired or replaced by itself. If it stays so, end it: `deckhand fleet destroy NAME`; a server of your own needs a look at its driver.',
  ),
  rule(
    'degraded-gpu',
    'health_level',
    'info',
    { raise: [1, 10 * MINUTE], clear: [1, 5 * MINUTE] },
    'A GPU is slower or less sure than it should be',
    'Nothing yet. Several at one location speak for another location; a server of your own may need cooling.',
  ),
  rule(
    'health-unmeasured',
    'health_sample_age_seconds',
    'warning',
    { raise: [5 * MINUTE, AFTER_A_PAUSE], clear: [2 * MINUTE, MINUTE] },
    'A machine that serves is not measured',
    'Look whether the gateway reaches it (`deckhand fleet show NAME`) and whether its driver answers (`deckhand doctor --gpu NAME`).',
  ),
  rule(
    'quarantined-share',
    'quarantined_ratio',
    'warning',
    { raise: [0.5, 5 * MINUTE], clear: [0.5, MINUTE] },
    'A large part of a pool takes no work for its health',
    'Faults on many machines at once have one cause: a model, a driver, a location. `deckhand fleet show NAME` says what was seen.',
  ),
  rule(
    'gateway-silent',
    'gateway_silent_seconds',
    'critical',
    { raise: [2 * MINUTE, MINUTE], clear: [30, 0] },
    'No gateway serves a machine that is paid for',
    'Look whether gateway processes run and reach the machine.',
  ),
  rule(
    'worker-silent',
    'worker_silent_seconds',
    'critical',
    { raise: [3 * MINUTE, MINUTE], clear: [2 * MINUTE, 0] },
    'No process of a kind asks for work',
    'Start it again: `deckhand up`, or the container of that name.',
  ),
  rule(
    'orphan-found',
    'orphans_found',
    'warning',
    anyFor(0, 0),
    'Something is rented that nobody owns',
    'The reaper removes it at its next sightings. If it stays, remove it at the provider: it is billed.',
  ),
  // What was put right by itself is told all the same, for an hour.
  rule(
    'orphan-removed',
    'orphans_removed',
    'info',
    anyFor(0),
    'Something that nobody owned was removed',
    'Nothing. Several in a row speak for creates whose answers are lost, or for a second Deckhand with the same installation id.',
  ),
  rule(
    'machine-repaired',
    'health_repairs',
    'info',
    anyFor(0),
    'A machine was repaired or replaced for its health',
    'Nothing. `deckhand fleet health NAME` has what was seen; several at one location speak for another location.',
  ),
  rule(
    'spot-evicted',
    'spot_evictions',
    'info',
    anyFor(0),
    'The provider took a spot machine back',
    'Nothing: the work goes on on the next machine. Many in a day speak for `"market": "ondemand"`.',
  ),
  // Buying.
  rule(
    'offers-drought',
    'drought_seconds',
    'critical',
    { raise: [10 * MINUTE, MINUTE], clear: [10 * MINUTE, 2 * MINUTE] },
    'Decks wait and no machine can be had',
    '`deckhand plan` says why each offer is refused. Allow more locations, a wider selector or a higher price.',
  ),
  rule(
    'offer-price',
    'offer_price_ratio',
    'warning',
    { raise: [1.5, 0], clear: [1.2, 0], windowSec: 30 * DAY },
    'A machine costs far more than such machines did',
    'Compare with the provider’s page. maxPriceUsdPerHour keeps a pool from buying at such a price.',
  ),
  // Money.
  rule(
    'budget-near',
    'budget_ratio',
    'warning',
    { raise: [0.8, 0], clear: [0.75, 0] },
    'A budget is nearly used up',
    'Raise it, or let it hold: at the soft cap only urgent work buys, at the hard cap nothing does.',
  ),
  rule(
    'budget-spent',
    'budget_ratio',
    'critical',
    { raise: [1, 0], clear: [0.95, 0] },
    'A budget is used up',
    'Nothing more is bought against it until its period is over or it is raised.',
  ),
  rule(
    'budget-refusal',
    'budget_refusal',
    'warning',
    anyFor(MINUTE, MINUTE),
    'A budget keeps a pool from buying',
    'Decks wait for it. Raise the budget, or wait for its next period.',
  ),
  rule(
    'cost-anomaly',
    'daily_cost_ratio',
    'warning',
    { raise: [3, 0], clear: [2, 0], windowSec: 30 * DAY },
    'A day costs far more than days usually do',
    '`deckhand costs --by task` and `--by document` say what for.',
  ),
  rule(
    'account-balance',
    'account_seconds',
    'critical',
    { raise: [DAY, 0], clear: [2 * DAY, 0], comparison: 'below' },
    'The account at the provider runs out',
    'Top it up: machines are ended by the provider when it is empty.',
  ),
  rule(
    'ledger-behind',
    'deckhand_ledger_lag_seconds',
    'warning',
    // Calls that run, and machines whose first work is still to come, hold a settlement back for up to an hour and a quarter.
    { raise: [2 * HOUR, 10 * MINUTE], clear: [90 * MINUTE, 0] },
    'The ledger is behind',
    'Costs and budgets are too low meanwhile. Look at the runs of schedule `ledger-settle` in the Temporal UI.',
  ),
  // Deckhand itself.
  rule(
    'schedule-late',
    'schedule_late_seconds',
    'warning',
    { raise: [15 * MINUTE, 10 * MINUTE], clear: [15 * MINUTE, 0] },
    'A schedule was missed',
    '`deckhand schedules` says when it last ran; a run that does not end holds up the next.',
  ),
  rule(
    'schedule-paused',
    'schedule_paused',
    'info',
    anyFor(HOUR),
    'A schedule is paused',
    'Whoever paused it may have forgotten: `deckhand schedules resume ID`.',
  ),
  rule(
    'schedule-failing',
    'schedule_failures',
    'warning',
    { raise: [2, 0], clear: [1, 0] },
    'The runs of a schedule fail',
    '`deckhand schedules` names its last runs; the Temporal UI says why they failed.',
  ),
  rule(
    'deliveries-failing',
    'delivery_failures',
    'warning',
    { raise: [3, 0], clear: [1, 0] },
    'A webhook does not take its deliveries',
    '`deckhand webhooks deliveries ID` says what it answers, `deckhand webhooks retry` sends again what was given up.',
  ),
  rule(
    'disk-space',
    'disk_free_ratio',
    'critical',
    { raise: [0.1, 0], clear: [0.15, 0], comparison: 'below' },
    'The disk is nearly full',
    'Make room, or delete decks that are not needed any more: uploads are refused and pages wait when it is full.',
  ),
  rule(
    'rule-unread',
    'unread_rule',
    'warning',
    anyFor(5 * MINUTE),
    'An alert rule cannot be read',
    'What it watches is not watched. The message says why; the log of the control process says more.',
  ),
  rule(
    OPERATOR_TOLD_RULE,
    'operator_told',
    'warning',
    anyFor(0, 10 * MINUTE),
    'The life of an instance has something to say',
    'Do what the message asks for; `deckhand fleet show NAME` has the history.',
  ),
];
