/**
 * Counters and histograms of this process (prom-client). They start at zero with the process; `/metrics` of the API shows those of every
 * process of the machine, with the label `process`.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Counter, Histogram, Registry } from 'prom-client';
import { METRICS, type CounterName, type HistogramName, type Labels } from '../domain/metrics/catalogue.ts';

const registry = new Registry();
const counters = new Map<CounterName, Counter>();
const histograms = new Map<HistogramName, Histogram>();
/** Counts of the current transaction, which are held back until it is committed. */
const held = new AsyncLocalStorage<(() => void)[]>();

/** Adds to a counter. Values that are not above zero are ignored: a counter never decreases. */
export function count(name: CounterName, labels: Labels, by = 1): void {
  if (!(by > 0)) return;
  const holding = held.getStore();
  if (holding !== undefined) return void holding.push(() => count(name, labels, by));
  const { help, labels: labelNames } = METRICS[name];
  const counter = counters.get(name) ?? new Counter({ name, help, labelNames: [...labelNames], registers: [registry] });
  counters.set(name, counter);
  counter.inc({ ...labels }, by);
}

/** Adds a value to a histogram. A negative value, from a clock that was set back, counts as 0. */
export function observe(name: HistogramName, labels: Labels, value: number): void {
  const holding = held.getStore();
  if (holding !== undefined) return void holding.push(() => observe(name, labels, value));
  const { help, labels: labelNames, bounds } = METRICS[name];
  const histogram =
    histograms.get(name) ??
    new Histogram({ name, help, labelNames: [...labelNames], buckets: [...bounds], registers: [registry] });
  histograms.set(name, histogram);
  histogram.observe({ ...labels }, Math.max(0, value));
}

/** Runs a transaction. Its counts are applied when it is committed, and dropped when it fails. */
export async function countCommitted<T>(work: () => Promise<T>): Promise<T> {
  const counts: (() => void)[] = [];
  const result = await held.run(counts, work);
  for (const countNow of counts) countNow();
  return result;
}

/** All counters and histograms of this process, in the text format of Prometheus. A metric without a value is left out. */
export const processMetricsText = (): Promise<string> => registry.metrics();
