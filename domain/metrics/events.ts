/**
 * How events become counters and histograms. Events are written by triggers (migration `metrics`) in the transaction of what they tell of;
 * adding them up is exact, in any order and in any grouping, and a total never goes down.
 */
import { Decimal } from 'decimal.js';
import { MODEL_TASKS, type ModelTask, type TaskType } from '../models/model-tasks.ts';
import { STAGE_OF_TASK } from '../decks/replay/stages.ts';
import { definitionOf, type Labels, type MetricName } from './definitions.ts';

/** Something that happened, as it was written down. */
export interface MetricEvent {
  readonly kind: string;
  readonly labels: Readonly<Record<string, unknown>>;
  readonly value: Decimal;
}

/** Part of a total: a counter has one, a histogram one for each bucket and one for the sum. */
export interface TotalKey {
  readonly metric: MetricName;
  readonly labels: Labels;
  /** Upper bound of the bucket (`+Inf` for the last), `sum`, or empty for a counter. */
  readonly bucket: string;
}

/** By how much a part of a total grows. Never negative. */
export interface Increment extends TotalKey {
  readonly by: Decimal;
}

const ONE = new Decimal(1);

/** Which of the eleven task types a model task is done for. Condensing prepares the text that mostly the template's questions read. */
const TASK_TYPE_OF_TASK: Readonly<Record<ModelTask, TaskType>> = {
  describe_slide: 'visual_analysis',
  slide_feedback: 'slide_feedback',
  condense_slide: 'template_analysis',
  extract_offering: 'company_offering_extraction',
  extract_company_name: 'startup_name_extraction',
  extract_funding: 'funding_amount_extraction',
  extract_deck_date: 'deck_date_extraction',
  classify_sector: 'healthcare_classification',
  answer_question: 'template_analysis',
  score_answer: 'template_analysis',
  specialised_clinical: 'specialized_clinical',
  specialised_regulatory: 'specialized_regulatory',
  specialised_science: 'specialized_science',
};

const isTask = (name: string): name is ModelTask => Object.hasOwn(MODEL_TASKS, name);

/** What is left out or of a later version has a word, too: a label is never empty. */
const text = (value: unknown): string =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'boolean' ? String(value) : 'none';
const stageOf = (task: string): string => (isTask(task) ? STAGE_OF_TASK[task] : 'none');
const taskTypeOf = (task: string): string => (isTask(task) ? TASK_TYPE_OF_TASK[task] : 'none');

/** Picks labels of the event under their own names. */
function pick(labels: MetricEvent['labels'], ...names: readonly string[]): Labels {
  return Object.fromEntries(names.map((name) => [name, text(labels[name])]));
}

/** A counter grows; what would take from it is left out. */
function grow(metric: MetricName, labels: Labels, by: Decimal = ONE): Increment[] {
  return by.greaterThan(0) ? [{ metric, labels, bucket: '', by }] : [];
}

/** A histogram gets one value. */
function observe(metric: MetricName, labels: Labels, value: Decimal): Increment[] {
  const definition = definitionOf(metric);
  const bounds = definition.type === 'histogram' ? definition.bounds : [];
  const seen = Decimal.max(0, value);
  const bound = bounds.find((b) => seen.lessThanOrEqualTo(b));
  return [
    { metric, labels, bucket: bound === undefined ? '+Inf' : String(bound), by: ONE },
    { metric, labels, bucket: 'sum', by: seen },
  ];
}

type Counting = (labels: MetricEvent['labels'], value: Decimal) => readonly Increment[];

const COUNTING: Readonly<Record<string, Counting>> = {
  call: (labels, seconds) => {
    const stage = stageOf(text(labels['task']));
    const whole = { stage, ...pick(labels, 'task', 'model', 'gpu', 'outcome') };
    const onSlide = labels['slide'] === true && labels['outcome'] === 'stored';
    return [
      ...observe('deckhand_model_call_seconds', whole, seconds),
      ...(onSlide ? observe('slide_seconds', pick(labels, 'task', 'model', 'gpu'), seconds) : []),
    ];
  },
  task: (labels, count) =>
    grow(
      'deckhand_model_calls_total',
      { stage: stageOf(text(labels['task'])), ...pick(labels, 'task', 'outcome', 'cached') },
      count,
    ),
  model_load: (labels, seconds) => [
    ...observe('model_load_seconds', pick(labels, 'model', 'gpu'), seconds),
    ...(labels['swap'] === true ? grow('model_swaps_total', pick(labels, 'model', 'gpu')) : []),
  ],
  analysis: (labels, seconds) => observe('deckhand_analysis_seconds', pick(labels, 'task_type', 'outcome'), seconds),
  analysis_wait: (labels, seconds) => observe('deckhand_analysis_wait_seconds', pick(labels, 'task_type'), seconds),
  create: (labels) => grow('gpu_create_attempts_total', pick(labels, 'offer', 'class')),
  provision: (labels, seconds) =>
    observe('gpu_provision_seconds', pick(labels, 'provider', 'location', 'type', 'market', 'outcome'), seconds),
  wake: (labels) => grow('wake_path_total', pick(labels, 'step')),
  orphan: (labels) => grow('gpu_orphans_total', pick(labels, 'kind')),
  decision: (labels) => grow('pool_decisions_total', pick(labels, 'pool', 'reason')),
  xid: (labels) => grow('gpu_xid_total', pick(labels, 'xid')),
  cost: (labels, usd) => {
    const task = text(labels['task']);
    const whole = { kind: text(labels['kind']), task_type: taskTypeOf(task), task };
    // A correction may give money back, and a counter never goes down: that is a counter of its own.
    return [...grow('cost_usd_total', whole, usd), ...grow('cost_refunds_usd_total', whole, usd.negated())];
  },
  document_cost: (_, usd) => observe('cost_per_document_usd', {}, usd),
  delivery: (labels) => grow('deckhand_webhook_deliveries_total', pick(labels, 'event', 'outcome')),
  alert: (labels) => grow('deckhand_alerts_total', pick(labels, 'rule', 'severity')),
};

/** Kinds this version counts; others are left for the version that wrote them. */
export const EVENT_KINDS: readonly string[] = Object.keys(COUNTING);

/** What one event adds. */
export const incrementsOf = ({ kind, labels, value }: MetricEvent): readonly Increment[] =>
  COUNTING[kind]?.(labels, value) ?? [];

/** Labels as they are kept: equal labels give equal text. */
export const labelsText = (labels: Labels): string =>
  JSON.stringify(Object.fromEntries(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1))));

/** Increments of many events, one for each part of a total, in one order for all, so that two who add at once wait and do not lock. */
export function addUp(events: Iterable<MetricEvent>): Increment[] {
  const sums = new Map<string, Increment>();
  for (const event of events) {
    for (const increment of incrementsOf(event)) {
      const key = `${increment.metric}\n${labelsText(increment.labels)}\n${increment.bucket}`;
      const sum = sums.get(key);
      sums.set(key, sum === undefined ? increment : { ...sum, by: sum.by.plus(increment.by) });
    }
  }
  return [...sums.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, increment]) => increment);
}
