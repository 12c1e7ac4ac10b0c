/**
 * What alert rules can be about: every metric with its unit and meaning. How each is read stands in activities/alerts/metrics.
 */

/** What a value is counted in. `ratio` = a share, `times` = a multiple, `flag` = 0 or 1. */
export type MetricUnit = 'ratio' | 'times' | 'seconds' | 'hours' | 'count' | 'level' | 'flag';

/** One metric. */
export interface AlertMetric {
  readonly unit: MetricUnit;
  /** What it says, as people read it beside a rule. */
  readonly description: string;
  /** What a subject of it is; `*` stands for the installation. */
  readonly subject: string;
  /** True when it is taken over the rule's window. */
  readonly windowed: boolean;
}

const metric = (unit: MetricUnit, subject: string, description: string): AlertMetric => ({
  unit,
  subject,
  description,
  windowed: false,
});
const windowed = (unit: MetricUnit, subject: string, description: string): AlertMetric => ({
  ...metric(unit, subject, description),
  windowed: true,
});

/** Fewer model calls than this in the window say nothing of a rate: it counts as 0. */
export const LEAST_CALLS = 20;
/** Fewer finished analyses than this in the window say nothing of a rate: it counts as 0. */
export const LEAST_ANALYSES = 5;

/** Every metric. */
export const ALERT_METRICS = {
  // The work.
  call_failure_ratio: windowed(
    'ratio',
    '*',
    `model calls given up as a share of those that ended; 0 below ${LEAST_CALLS} of them`,
  ),
  analysis_failure_ratio: windowed(
    'ratio',
    '*',
    `analyses that failed as a share of those that ended, decks refused as bad input left out; 0 below ${LEAST_ANALYSES} of them`,
  ),
  backlog_age_seconds: metric('seconds', 'GPU class', 'age of the oldest open model call'),
  analysis_still_seconds: metric(
    'seconds',
    '*',
    'longest time for which nothing of an analysis under way has moved: no page, no call, no stage; a paused one does not count',
  ),
  // Machines.
  boot_seconds: metric(
    'seconds',
    'instance',
    'time since it was ordered or woken without being ready, however often that was tried anew; 0 otherwise',
  ),
  health_level: metric(
    'level',
    'instance',
    'health of a machine that serves: 0 healthy, 1 degraded or not known, 2 unhealthy',
  ),
  health_sample_age_seconds: metric(
    'seconds',
    'instance',
    'time since a machine that serves was last measured, or has served without ever being measured',
  ),
  quarantined_ratio: metric('ratio', 'pool', 'instances that take no work for their health as a share of those awake'),
  gateway_silent_seconds: metric(
    'seconds',
    'instance',
    'time since a gateway last said anything of a machine that is ready',
  ),
  worker_silent_seconds: metric('seconds', 'worker', 'time since any process of this kind last asked for work'),
  orphan_count: metric('count', 'machine or disk', 'machines and disks at the provider that nobody owns'),
  orphans_removed: windowed('count', 'machine or disk', 'removals of what nobody owned, by the reaper'),
  health_repairs: windowed('count', 'instance', 'restarts, reboots and replacements that its health asked for'),
  spot_evictions: windowed('flag', 'instance', 'the provider took its spot machine back'),
  // Buying.
  drought_seconds: metric('seconds', 'pool', 'age of the oldest open call of a pool that has no machine and gets none'),
  offer_price_ratio: windowed(
    'times',
    'instance type and market',
    'price of a rented machine as a multiple of the median of earlier rents of its type',
  ),
  // Money.
  budget_ratio: metric('ratio', 'budget', 'spent and reserved as a share of the cap'),
  budget_refusal: metric('flag', 'pool', 'a budget keeps the pool from buying'),
  daily_cost_ratio: windowed(
    'times',
    '*',
    'cost of today or yesterday, whichever is more, as a multiple of the median of the days before that cost anything',
  ),
  account_hours: metric('hours', 'provider', 'how long the balance lasts at the prices of what runs'),
  ledger_lag_seconds: metric('seconds', '*', 'time that costs and is longest without being settled in the ledger'),
  // Deckhand itself.
  schedule_late_seconds: metric('seconds', 'schedule', 'time since a scheduled run should have begun and did not'),
  schedule_paused: metric('flag', 'schedule', 'the schedule is paused'),
  schedule_failures: metric('count', 'schedule', 'last runs in a row that failed'),
  delivery_failures: windowed(
    'count',
    'webhook',
    'deliveries that were given up, and waiting ones that failed three times or more',
  ),
  disk_free_ratio: metric(
    'ratio',
    '*',
    'free space of the disk that holds PDFs and slide images, or of their quota where there is less',
  ),
  unread_rule: metric('flag', 'rule', 'the metric of a rule could not be read'),
  operator_told: metric('flag', 'instance', 'something that the life of an instance tells an operator once'),
} as const satisfies Record<string, AlertMetric>;

/** Name of a metric. */
export type AlertMetricName = keyof typeof ALERT_METRICS;

/** Names, in the order of the table. */
export const ALERT_METRIC_NAMES = Object.keys(ALERT_METRICS) as readonly AlertMetricName[];

/** The metric of this name; undefined for one that this version does not know. */
export function metricOf(name: string): AlertMetric | undefined {
  return ALERT_METRIC_NAMES.some((known) => known === name) ? ALERT_METRICS[name as AlertMetricName] : undefined;
}

/** Subject of what concerns the whole installation. */
export const INSTALLATION = '*';

/** What a metric says of one subject now. */
export interface Reading {
  readonly subject: string;
  readonly value: number;
  /** The same for people, as a sentence that stands by itself. Never anything of a deck. */
  readonly message: string;
}
