/**
 * Counters and histograms of this process, by prom-client. They begin at zero with the process; `/metrics` of the API shows those of every process
 * of the machine, each with the label `process`.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Counter, Histogram, Registry } from 'prom-client';
import { METRICS, type CounterName, type HistogramName, type Labels } from '../domain/metrics/catalogue.ts';

const registry = new Registry();
const counters = new Map<CounterName, Counter>();
const histograms = new Map<HistogramName, Histogram>();
/** What the work under way has counted and is still held back. */
const held = new AsyncLocalStorage<(() => void)[]>();

/** Counts something that happened. What is not more than zero is left out: a counter never goes down. */
export function count(name: CounterName, labels: Labels, by = 1): void {
  if (!(by > 0)) return;
  const holding = held.getStore();
  if (holding !== undefined) return void holding.push(() => count(name, labels, by));
  const { help, labels: labelNames } = METRICS[name];
  const counter = counters.get(name) ?? new Counter({ name, help, labelNames: [...labelNames], registers: [registry] });
  counters.set(name, counter);
  counter.inc({ ...labels }, by);
}

/** Notes one value in a histogram. A negative one, from a clock that was set back, is 0. */
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

/** Runs a transaction: what it counts is counted when it is committed, and not at all when it fails or is rolled back. */
export async function countCommitted<T>(work: () => Promise<T>): Promise<T> {
  const counts: (() => void)[] = [];
  const result = await held.run(counts, work);
  for (const countNow of counts) countNow();
  return result;
}

/** Everything that this process has counted, in the text format of Prometheus. A metric without a value is left out. */
export const processMetricsText = (): Promise<string> => registry.metrics();
