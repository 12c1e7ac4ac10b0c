/**
 * Every metric of Deckhand, as data: name, unit, labels and help. `/metrics` shows what is listed here and nothing else, and alert rules, Prometheus rules
 * and the documentation use the same names. activities/metrics reads the gauges; each process counts its own counters and histograms.
 */

/** Unit of a gauge. `ratio` = a share, `times` = a multiple, `level` = an ordinal, `flag` = 0 or 1, `timestamp` = Unix time in seconds. */
export const METRIC_UNITS = [
  'ratio',
  'times',
  'seconds',
  'count',
  'level',
  'flag',
  'usd',
  'bytes',
  'celsius',
  'timestamp',
] as const;
export type MetricUnit = (typeof METRIC_UNITS)[number];

interface Described {
  /** One sentence for `/metrics`, for alert rules and for docs/monitoring.md. */
  readonly help: string;
  readonly labels: readonly string[];
}

/** A value that is read when it is asked for. */
export interface GaugeDefinition extends Described {
  readonly type: 'gauge';
  readonly unit: MetricUnit;
  /** Present on gauges that alert rules can be about. */
  readonly alert?: {
    /** Labels whose values, joined by `/`, name the subject of an alert; none = the whole installation. */
    readonly subject: readonly string[];
    /** Default length of the period that the value covers; null = the value is of the moment. A rule has a window of its own. */
    readonly windowSec: number | null;
  };
}

interface CounterDefinition extends Described {
  readonly type: 'counter';
}

interface HistogramDefinition extends Described {
  readonly type: 'histogram';
  /** Upper bounds of the buckets. */
  readonly bounds: readonly number[];
}

/** One metric. Counters and histograms are shown with the label `process` besides their own. */
export type MetricDefinition = CounterDefinition | GaugeDefinition | HistogramDefinition;

const counter = (help: string, labels: readonly string[]): CounterDefinition => ({ type: 'counter', help, labels });
const histogram = (help: string, labels: readonly string[], bounds: readonly number[]): HistogramDefinition => ({
  type: 'histogram',
  help,
  labels,
  bounds,
});
const gauge = (unit: MetricUnit, labels: readonly string[], help: string): GaugeDefinition => ({
  type: 'gauge',
  unit,
  labels,
  help,
});
/** A gauge that alert rules can be about. @param subject labels that name the subject of an alert, all of them by default */
const watched = (
  unit: MetricUnit,
  labels: readonly string[],
  help: string,
  { subject = labels, windowSec = null }: { subject?: readonly string[]; windowSec?: number | null } = {},
): GaugeDefinition => ({ ...gauge(unit, labels, help), alert: { subject, windowSec } });

const HOUR_SEC = 3600;
const DAY_SEC = 24 * HOUR_SEC;
const INSTANCE = ['pool', 'instance'] as const;
const GPU = ['pool', 'instance', 'gpu'] as const;
const ORPHAN = ['provider', 'kind', 'id'] as const;
const OF_INSTANCE = { subject: ['instance'] };
const CALL_BOUNDS = [0.5, 1, 2.5, 5, 10, 15, 20, 25, 30, 45, 60, 120, 300] as const;

/** Fewer model calls than this in the window give no failure rate: it is 0. */
export const LEAST_CALLS = 20;
/** Fewer finished analyses than this in the window give no failure rate: it is 0. */
export const LEAST_ANALYSES = 5;

export const METRICS = {
  // Machines.
  gpu_instances: gauge(
    'count',
    ['pool', 'provider', 'location', 'type', 'market', 'state'],
    'Instances whose life has not ended, by where they are in it.',
  ),
  gpu_provision_seconds: histogram(
    'From the order of a machine until it served (ready), or until it was given up (failed) or not wanted any more (ended).',
    ['provider', 'location', 'type', 'market', 'outcome'],
    [5, 15, 30, 60, 90, 120, 180, 240, 300, 480, 600, 900, 1800],
  ),
  gpu_create_attempts_total: counter(
    'Creates that were sent to a provider, by offer and result: created, unknown, or the class of the error.',
    ['offer', 'class'],
  ),
  gpu_offer_blocked: gauge(
    'flag',
    ['offer', 'class'],
    '1 while offers of this scope are not tried after an error of this class.',
  ),
  gpu_offer_blocked_until_timestamp_seconds: gauge(
    'timestamp',
    ['offer', 'class'],
    'When the block of gpu_offer_blocked ends.',
  ),
  gpu_launch_budget: gauge(
    'count',
    ['pool', 'offer'],
    'Creates that an offer may still take now, for offers tried within three hours.',
  ),
  gpu_orphans_total: counter(
    'Machines, disks, scripts, keys, parts of machines and deployments without an owner that were removed.',
    ['kind'],
  ),
  wake_path_total: counter(
    'Wakes by their result: started (the stopped machine), kept_disk (a new machine from the kept disk), fresh (an empty one), given_up.',
    ['step'],
  ),
  boot_seconds: watched(
    'seconds',
    INSTANCE,
    'Time since an instance was ordered or woken without being ready, over all attempts; 0 otherwise.',
    OF_INSTANCE,
  ),
  gateway_silent_seconds: watched(
    'seconds',
    INSTANCE,
    'Time since a gateway last reported a machine that is ready; 0 for other instances.',
    OF_INSTANCE,
  ),
  provider_silent_seconds: watched(
    'seconds',
    ['provider'],
    'Time since this provider last answered the search for leftovers.',
  ),
  orphans_found: watched('count', ORPHAN, 'Machines, disks and deployments at the provider that have no owner.'),
  orphans_removed: watched(
    'count',
    ORPHAN,
    'Machines, disks and deployments without an owner that the reaper removed.',
    {
      windowSec: HOUR_SEC,
    },
  ),
  health_repairs: watched('count', INSTANCE, 'Restarts, reboots and replacements because of an instance’s health.', {
    ...OF_INSTANCE,
    windowSec: HOUR_SEC,
  }),
  spot_evictions: watched('flag', ['instance'], 'The provider took the spot machine of an instance back.', {
    windowSec: HOUR_SEC,
  }),
  offer_price_ratio: watched(
    'times',
    ['provider', 'type', 'market'],
    'Price of a rented machine as a multiple of the median of earlier rents of its type.',
    { windowSec: 30 * DAY_SEC },
  ),
  // Pools.
  pool_target: gauge('count', ['pool'], 'Instances that a pool aims at.'),
  pool_wish: gauge('count', ['pool'], 'Instances that the open work of a pool asks for.'),
  pool_backlog_work_seconds: gauge(
    'seconds',
    ['pool'],
    'Open model calls of a pool, in the seconds that such calls took lately.',
  ),
  pool_backlog_calls: gauge('count', ['pool'], 'Open model calls of a pool.'),
  pool_decided_timestamp_seconds: gauge('timestamp', ['pool'], 'When a pool last decided.'),
  pool_decisions_total: counter(
    'Decisions of a pool that changed something: raised, lowered (its target), held_by_budget (a budget began to refuse it).',
    ['pool', 'reason'],
  ),
  budget_refusal: watched('flag', ['pool'], '1 while a budget keeps a pool from buying.'),
  drought_seconds: watched(
    'seconds',
    ['pool'],
    'Age of the oldest open model call of a pool that has no machine and gets none; 0 otherwise.',
  ),
  // Health.
  gpu_util_ratio: gauge('ratio', GPU, 'Utilisation of a GPU, 0 to 1, as last sampled.'),
  gpu_mem_used_bytes: gauge('bytes', GPU, 'Memory in use on a GPU, as last sampled.'),
  gpu_mem_total_bytes: gauge('bytes', GPU, 'Memory of a GPU.'),
  gpu_temp_celsius: gauge('celsius', GPU, 'Temperature of a GPU, as last sampled.'),
  gpu_margin_celsius: gauge('celsius', GPU, 'Degrees left to the temperature at which the GPU slows itself down.'),
  gpu_quarantined: gauge('flag', INSTANCE, '1 while an instance gets no new work because of its health.'),
  gpu_xid_total: counter('XID errors of GPUs, by number.', ['xid']),
  health_level: watched(
    'level',
    ['pool', 'instance', 'level'],
    'Health of a machine that serves: 0 healthy, 1 degraded or not known, 2 unhealthy; 0 with level none while it does not serve.',
    OF_INSTANCE,
  ),
  health_sample_age_seconds: watched(
    'seconds',
    INSTANCE,
    'Time since a machine that serves was last sampled, or began to serve if it never was; 0 while it is not to be sampled.',
    OF_INSTANCE,
  ),
  quarantined_ratio: watched(
    'ratio',
    ['pool'],
    'Instances that get no new work because of their health, as a share of those that are awake.',
  ),
  // Work.
  slide_seconds: histogram(
    'Model calls on one slide that stored an answer, from the moment they had their place.',
    ['task', 'model', 'gpu'],
    CALL_BOUNDS,
  ),
  deckhand_model_call_seconds: histogram(
    'Attempts of model calls, from the moment they had their place until they released it: stored, failed or cut.',
    ['stage', 'task', 'model', 'gpu', 'outcome'],
    CALL_BOUNDS,
  ),
  deckhand_model_calls_total: counter(
    'Model calls that ended: stored or failed for good; cached = the answer was there already.',
    ['stage', 'task', 'outcome', 'cached'],
  ),
  deckhand_model_calls_open: gauge('count', ['gpu_class', 'priority'], 'Model calls that are planned and not ended.'),
  backlog_age_seconds: watched('seconds', ['gpu_class'], 'Age of the oldest open model call; 0 while none is open.'),
  call_failure_ratio: watched(
    'ratio',
    [],
    `Model calls that failed for good as a share of those that ended; 0 below ${LEAST_CALLS} of them.`,
    { windowSec: HOUR_SEC },
  ),
  model_load_seconds: histogram(
    'Loads of a model into the memory of a GPU that a call waited for half a second or longer.',
    ['model', 'gpu'],
    [1, 2.5, 5, 10, 15, 20, 30, 60, 120, 300],
  ),
  model_swaps_total: counter('Such loads on a machine whose call before was for another model.', ['model', 'gpu']),
  deckhand_analyses: gauge(
    'count',
    ['state'],
    'Analyses that have not ended: queued, running, held (paused by an operator).',
  ),
  deckhand_analysis_seconds: histogram(
    'From the start of an analysis until its end.',
    ['task_type', 'outcome'],
    [10, 30, 60, 120, 180, 300, 450, 600, 900, 1800, 3600, 7200],
  ),
  deckhand_analysis_wait_seconds: histogram(
    'From the start of an analysis until its first model call had its place; counted when the analysis ends.',
    ['task_type'],
    [1, 5, 15, 30, 60, 120, 300, 600, 1200, 3600],
  ),
  analysis_failure_ratio: watched(
    'ratio',
    [],
    `Analyses that failed as a share of those that ended, without decks refused as bad input; 0 below ${LEAST_ANALYSES} of them.`,
    { windowSec: 6 * HOUR_SEC },
  ),
  analysis_still_seconds: watched(
    'seconds',
    [],
    'Longest time for which an analysis under way has made no progress: no page, no call, no stage; a paused one does not count.',
  ),
  // Money.
  cost_usd_total: counter('Settled costs, by what the time was spent on; task = none where it was for no model call.', [
    'kind',
    'task_type',
    'task',
  ]),
  cost_refunds_usd_total: counter(
    'What settled costs were corrected by, where a provider gave something back or billed less; cost_usd_total less this is the ledger.',
    ['kind', 'task_type', 'task'],
  ),
  cost_per_document_usd: histogram(
    'What the ledger attributes to an analysis, once it has ended and its time is settled; only where machines were rented.',
    [],
    [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2, 5],
  ),
  budget_remaining_usd: gauge(
    'usd',
    ['scope', 'scope_id', 'period', 'cap'],
    'What may still be spent below a cap, after reservations; below zero when the cap is passed.',
  ),
  budget_ratio: watched(
    'ratio',
    ['scope', 'scope_id', 'period'],
    'Spent and reserved as a share of the cap; /metrics leaves out caps per document.',
  ),
  daily_cost_ratio: watched(
    'times',
    [],
    'Cost of today or yesterday, whichever is more, as a multiple of the median of the days before that cost anything.',
    { windowSec: 30 * DAY_SEC },
  ),
  account_seconds: watched(
    'seconds',
    ['provider'],
    'How long the balance at a provider lasts at the prices of what runs.',
  ),
  deckhand_ledger_lag_seconds: watched(
    'seconds',
    [],
    'Longest time of a rental that is billed and not settled yet; 0 while all is settled.',
  ),
  // Alerts, webhooks, targets.
  deckhand_alerts_open: gauge('count', ['rule', 'severity'], 'Alerts that are raised and not cleared.'),
  deckhand_alerts_total: counter('Alerts that were raised.', ['rule', 'severity']),
  deckhand_webhook_deliveries_open: gauge('count', [], 'Deliveries that are written and not taken yet.'),
  deckhand_webhook_deliveries_total: counter('Deliveries that were taken (delivered) or given up (failed).', [
    'event',
    'outcome',
  ]),
  delivery_failures: watched(
    'count',
    ['webhook'],
    'Deliveries that were given up, and waiting ones that failed three times or more.',
    { windowSec: HOUR_SEC },
  ),
  deckhand_target_value: gauge(
    'count',
    ['target', 'unit'],
    'Figure of a target over the last 30 days; absent without data.',
  ),
  deckhand_target_limit: gauge('count', ['target', 'unit'], 'Limit of a target.'),
  deckhand_target_met: gauge('flag', ['target'], '1 = a target is met, 0 = it is not; absent without data.'),
  // Deckhand itself.
  worker_silent_seconds: watched(
    'seconds',
    ['worker'],
    'Time since any worker process of this kind last polled for work.',
  ),
  schedule_late_seconds: watched('seconds', ['schedule'], 'Time since a scheduled run should have begun and did not.'),
  schedule_paused: watched('flag', ['schedule'], '1 while a schedule is paused.'),
  schedule_failures: watched('count', ['schedule'], 'Last runs of a schedule that failed in a row.'),
  disk_free_ratio: watched(
    'ratio',
    [],
    'Free space of the disk that holds PDFs and slide images, or of their quota where that is less.',
  ),
  deckhand_build_info: gauge('flag', ['version', 'node'], '1; the version that answers.'),
  deckhand_metrics_read: gauge(
    'flag',
    ['group'],
    '1 = this group of metrics could be read, 0 = it is missing from this scrape.',
  ),
  deckhand_worker_up: gauge(
    'flag',
    ['process'],
    '1 = the metrics of this worker process are below, 0 = it did not answer.',
  ),
} as const satisfies Record<string, MetricDefinition>;

/** Name of a metric. */
export type MetricName = keyof typeof METRICS;
export const METRIC_NAMES = Object.keys(METRICS) as MetricName[];

type NameOf<D extends MetricDefinition> = {
  [K in MetricName]: (typeof METRICS)[K] extends D ? K : never;
}[MetricName];
/** Name of a counter. */
export type CounterName = NameOf<CounterDefinition>;
/** Name of a histogram. */
export type HistogramName = NameOf<HistogramDefinition>;

/** The definition without the precision of its literal. */
export const definitionOf = (name: MetricName): MetricDefinition => METRICS[name];

/** True for the name of a metric. */
export const isMetricName = (name: string): name is MetricName => Object.hasOwn(METRICS, name);

/** What alert rules can be about besides gauges: facts that the alert rounds find themselves. `/metrics` shows them as open alerts. */
const ALERT_EVENTS = {
  unread_rule: watched('flag', ['rule'], 'The metric of a rule could not be read.'),
  operator_told: watched('flag', ['instance'], 'A message of an instance to the operator, sent once.'),
} as const;

/** Names of what alert rules can be about, in the order of the catalogue. */
export const ALERT_METRIC_NAMES: readonly string[] = [
  ...METRIC_NAMES.filter((name) => 'alert' in METRICS[name]),
  ...Object.keys(ALERT_EVENTS),
];

/** A metric that alert rules can be about. */
export type AlertMetric = GaugeDefinition & { readonly alert: NonNullable<GaugeDefinition['alert']> };

/** What a rule about this name is about; undefined for a name that this version has no such metric of. */
export function alertMetricOf(name: string): AlertMetric | undefined {
  const found: MetricDefinition | undefined = isMetricName(name)
    ? METRICS[name]
    : Object.hasOwn(ALERT_EVENTS, name)
      ? ALERT_EVENTS[name as keyof typeof ALERT_EVENTS]
      : undefined;
  return found?.type === 'gauge' && found.alert !== undefined ? { ...found, alert: found.alert } : undefined;
}

/** Values of labels by name. */
export type Labels = Readonly<Record<string, string>>;

/** One value of a gauge. */
export interface Sample {
  readonly metric: MetricName;
  readonly labels: Labels;
  readonly value: number;
  /** The value in words, for alerts: a complete sentence without anything of a deck. */
  readonly message?: string;
}

/** Subject of an alert about the whole installation. */
export const INSTALLATION = '*';

/** Subject of an alert about this sample. */
export function subjectOf({ metric, labels }: Sample): string {
  const parts = alertMetricOf(metric)?.alert.subject ?? [];
  return parts.length === 0 ? INSTALLATION : parts.map((label) => labels[label] ?? 'none').join('/');
}
