/**
 * Every metric of Deckhand's own, as data: name, kind, labels and words. What stands here and nothing else is shown at `/metrics`; a metric
 * without an honest source is left out.
 *
 * Counters and histograms are totals in the database (see events.ts), so they outlive every process. Gauges are read when they are asked for.
 */

interface Words {
  readonly help: string;
  readonly labels: readonly string[];
}

/** One metric. Upper bounds of a histogram stay as they are for ever: what was counted is kept by them. */
export type MetricDefinition =
  | (Words & { readonly type: 'counter' | 'gauge' })
  | (Words & { readonly type: 'histogram'; readonly bounds: readonly number[] });

const counter = (help: string, labels: readonly string[]): MetricDefinition => ({ type: 'counter', help, labels });
const gauge = (help: string, labels: readonly string[] = []): MetricDefinition => ({ type: 'gauge', help, labels });
const histogram = (help: string, labels: readonly string[], bounds: readonly number[]): MetricDefinition => ({
  type: 'histogram',
  help,
  labels,
  bounds,
});

const MACHINE = ['pool', 'instance', 'gpu'] as const;
const CALL_BOUNDS = [0.5, 1, 2.5, 5, 10, 15, 20, 25, 30, 45, 60, 120, 300] as const;

/** See the file's header. */
export const METRICS = {
  // Machines.
  gpu_instances: gauge('Instances whose life has not ended, by where they are in it.', [
    'pool',
    'provider',
    'location',
    'type',
    'market',
    'state',
  ]),
  gpu_provision_seconds: histogram(
    'From the order of a machine until it served (ready), or until it was given up (failed) or not wanted any more (ended).',
    ['provider', 'location', 'type', 'market', 'outcome'],
    [5, 15, 30, 60, 90, 120, 180, 240, 300, 480, 600, 900, 1800],
  ),
  gpu_create_attempts_total: counter(
    'Creates that were sent to a provider, by offer and what came of them: created, unknown, or the class of the error.',
    ['offer', 'class'],
  ),
  gpu_offer_blocked: gauge('1 while offers of this scope are not tried after an error of this class.', [
    'offer',
    'class',
  ]),
  gpu_offer_blocked_until_timestamp_seconds: gauge('When the block of gpu_offer_blocked ends.', ['offer', 'class']),
  gpu_launch_budget: gauge('Creates that an offer may still take now, for offers tried within three hours.', [
    'pool',
    'offer',
  ]),
  gpu_orphans_total: counter('Machines, disks, scripts and keys without an owner that were removed.', ['kind']),
  wake_path_total: counter(
    'Wakes by the way they went: started (the stopped machine), kept_disk (a new machine from the kept disk), fresh (an empty one), given_up.',
    ['step'],
  ),
  // Pools.
  pool_target: gauge('Instances a pool aims at.', ['pool']),
  pool_wish: gauge('Instances its open work asks for.', ['pool']),
  pool_backlog_work_seconds: gauge('Open model calls of a pool, in the seconds that such calls took lately.', ['pool']),
  pool_backlog_calls: gauge('Open model calls of a pool.', ['pool']),
  pool_oldest_age_seconds: gauge('How long the oldest open model call of a pool waits.', ['pool']),
  pool_decided_timestamp_seconds: gauge('When the pool last decided.', ['pool']),
  pool_decisions_total: counter(
    'Decisions of a pool that changed something: raised, lowered (its target), held_by_budget (it began to be held).',
    ['pool', 'reason'],
  ),
  // Health.
  gpu_util_ratio: gauge('Utilisation of a GPU, 0 to 1, as last sampled.', MACHINE),
  gpu_mem_used_bytes: gauge('Memory in use on a GPU, as last sampled.', MACHINE),
  gpu_mem_total_bytes: gauge('Memory of a GPU.', MACHINE),
  gpu_temp_celsius: gauge('Temperature of a GPU, as last sampled.', MACHINE),
  gpu_margin_celsius: gauge('Degrees left to the temperature at which the GPU slows itself down.', MACHINE),
  gpu_health: gauge('1 for the level of health an instance was last judged to have.', ['pool', 'instance', 'level']),
  gpu_quarantined: gauge('1 while an instance gets no new work for its health.', ['pool', 'instance']),
  gpu_sampled_timestamp_seconds: gauge('When an instance was last sampled; absent while it is not to be.', [
    'pool',
    'instance',
  ]),
  gpu_xid_total: counter('XID errors of GPUs, by number.', ['xid']),
  // Work.
  slide_seconds: histogram(
    'Model calls on one slide that stored an answer, from the moment they had their place.',
    ['task', 'model', 'gpu'],
    CALL_BOUNDS,
  ),
  deckhand_model_call_seconds: histogram(
    'Attempts of model calls, from the moment they had their place until they let go of it: stored, failed or cut.',
    ['stage', 'task', 'model', 'gpu', 'outcome'],
    CALL_BOUNDS,
  ),
  deckhand_model_calls_total: counter(
    'Model calls that came to their end: stored or failed for good; cached = the answer was there already.',
    ['stage', 'task', 'outcome', 'cached'],
  ),
  deckhand_model_calls_open: gauge('Model calls that are planned and not ended.', ['gpu_class', 'priority']),
  model_load_seconds: histogram(
    'Loads of a model into the memory of a GPU that a call waited for half a second or longer.',
    ['model', 'gpu'],
    [1, 2.5, 5, 10, 15, 20, 30, 60, 120, 300],
  ),
  model_swaps_total: counter('Such loads on a machine whose call before was for another model.', ['model', 'gpu']),
  deckhand_analyses: gauge('Analyses that have not ended: queued, running, held (by an operator).', ['state']),
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
    'What may still be spent below a cap, reservations taken off; below zero when it is passed.',
    ['scope', 'scope_id', 'period', 'cap'],
  ),
  deckhand_ledger_lag_seconds: gauge('Longest time of a rental that is billed and not settled yet.'),
  // Alerts, webhooks, targets.
  deckhand_alerts_open: gauge('Alerts that are raised and not cleared.', ['rule', 'severity']),
  deckhand_alerts_total: counter('Alerts that were raised.', ['rule', 'severity']),
  deckhand_webhook_deliveries_open: gauge('Deliveries that are written and not taken yet.'),
  deckhand_webhook_deliveries_total: counter('Deliveries that were taken (delivered) or given up (failed).', [
    'event',
    'outcome',
  ]),
  deckhand_target_value: gauge('Figure of a target over the last 30 days; absent without data.', ['target', 'unit']),
  deckhand_target_limit: gauge('Limit of a target.', ['target', 'unit']),
  deckhand_target_met: gauge('1 = a target is met, 0 = it is not; absent without data.', ['target']),
  // The scrape itself.
  deckhand_build_info: gauge('1; the version that answers.', ['version', 'node']),
  deckhand_metrics_read: gauge('1 = this group of metrics could be read, 0 = it is missing from this scrape.', [
    'group',
  ]),
  deckhand_worker_up: gauge('1 = the metrics of this worker process are below, 0 = it did not answer.', ['process']),
} as const satisfies Record<string, MetricDefinition>;

/** Name of a metric of Deckhand's own. */
export type MetricName = keyof typeof METRICS;
export const METRIC_NAMES = Object.keys(METRICS) as MetricName[];

/** The definition without the precision of its literal. */
export const definitionOf = (name: MetricName): MetricDefinition => METRICS[name];

/** True for one of our names. */
export const isMetricName = (name: string): name is MetricName => Object.hasOwn(METRICS, name);

/** Labels with their values, as they are shown. */
export type Labels = Readonly<Record<string, string>>;

/** One value of a counter or gauge. */
export interface Sample {
  readonly metric: MetricName;
  readonly labels: Labels;
  readonly value: number;
}
