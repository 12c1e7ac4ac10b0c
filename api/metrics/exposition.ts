/** Our metrics as Prometheus reads them, written by prom-client from what was read for one scrape. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import {
  definitionOf,
  METRIC_NAMES,
  type Labels,
  type MetricDefinition,
  type MetricName,
  type Sample,
} from '../../domain/metrics/definitions.ts';
import { labelsText } from '../../domain/metrics/events.ts';
import type { Total } from './totals.ts';

interface Words {
  readonly name: string;
  readonly help: string;
}
type Bounds = Extract<MetricDefinition, { type: 'histogram' }>['bounds'];

/** A histogram whose buckets were counted elsewhere: prom-client's own can only observe. */
class CountedHistogram extends Histogram {
  readonly #totals: readonly Total[];
  readonly #bounds: Bounds;
  readonly #config: Words;

  constructor(config: Words & { labelNames: string[] }, bounds: Bounds, totals: readonly Total[]) {
    super({ ...config, buckets: [...bounds], registers: [] });
    this.#config = config;
    this.#bounds = bounds;
    this.#totals = totals;
  }

  /** What the registry writes down. */
  getForPromString() {
    const series = [...Map.groupBy(this.#totals, ({ labels }) => labelsText(labels)).values()];
    const { name, help } = this.#config;
    return Promise.resolve({
      name,
      help,
      type: 'histogram',
      values: series.flatMap((totals) => this.#valuesOf(totals)),
    });
  }

  /** Buckets hold one value each as they are counted, and all up to their bound as they are shown. */
  #valuesOf(totals: readonly Total[]) {
    const labels = totals[0]?.labels ?? {};
    const counted = totals.flatMap(({ bucket, value }) =>
      bucket === 'sum' ? [] : [{ bound: bucket === '+Inf' ? Infinity : Number(bucket), value }],
    );
    const upTo = (bound: number): number => counted.reduce((sum, c) => (c.bound <= bound ? sum + c.value : sum), 0);
    const sum = totals.find(({ bucket }) => bucket === 'sum')?.value ?? 0;
    const all = upTo(Infinity);
    return [
      ...this.#bounds.map((bound) => this.#value('_bucket', { ...labels, le: String(bound) }, upTo(bound))),
      this.#value('_bucket', { ...labels, le: '+Inf' }, all),
      this.#value('_sum', labels, sum),
      this.#value('_count', labels, all),
    ];
  }

  #value(ending: string, labels: Labels, value: number) {
    return { metricName: `${this.#config.name}${ending}`, labels: { ...labels }, value };
  }
}

/** The text of a scrape. A metric without labels is left out while it has no value: 0 would be made up. */
export async function showMetrics(samples: readonly Sample[], totals: readonly Total[]): Promise<string> {
  const registry = new Registry();
  const samplesOf = Map.groupBy(samples, ({ metric }) => metric);
  const totalsOf = Map.groupBy(totals, ({ metric }) => metric);
  for (const name of METRIC_NAMES) register(registry, name, samplesOf.get(name) ?? [], totalsOf.get(name) ?? []);
  return registry.metrics();
}

function register(registry: Registry, name: MetricName, samples: readonly Sample[], totals: readonly Total[]): void {
  const definition = definitionOf(name);
  const { type, help } = definition;
  const config = { name, help, labelNames: [...definition.labels] };
  const isKnown = samples.length > 0 || totals.length > 0;
  switch (type) {
    case 'counter': {
      const counter = new Counter({ ...config, registers: [registry] });
      for (const { labels, value } of totals) counter.inc({ ...labels }, value);
      return;
    }
    case 'gauge': {
      if (config.labelNames.length === 0 && !isKnown) return;
      const gauge = new Gauge({ ...config, registers: [registry] });
      for (const { labels, value } of samples) gauge.set({ ...labels }, value);
      return;
    }
    case 'histogram':
      if (config.labelNames.length > 0 || isKnown) {
        registry.registerMetric(new CountedHistogram(config, definition.bounds, totals));
      }
      return;
    default:
      return definition satisfies never;
  }
}
