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
const uncounted = new AsyncLocalStorage<true>();

/** Counts something that happened. What is not more than zero is left out: a counter never goes down. */
export function count(name: CounterName, labels: Labels, by = 1): void {
  if (!(by > 0) || uncounted.getStore() === true) return;
  const { help, labels: labelNames } = METRICS[name];
  const counter = counters.get(name) ?? new Counter({ name, help, labelNames: [...labelNames], registers: [registry] });
  counters.set(name, counter);
  counter.inc({ ...labels }, by);
}

/** Notes one value in a histogram. A negative one, from a clock that was set back, is 0. */
export function observe(name: HistogramName, labels: Labels, value: number): void {
  if (uncounted.getStore() === true) return;
  const { help, labels: labelNames, bounds } = METRICS[name];
  const histogram =
    histograms.get(name) ??
    new Histogram({ name, help, labelNames: [...labelNames], buckets: [...bounds], registers: [registry] });
  histograms.set(name, histogram);
  histogram.observe({ ...labels }, Math.max(0, value));
}

/** Does work whose writes are rolled back: nothing of it is counted. */
export const withoutCounting = <T>(work: () => Promise<T>): Promise<T> => uncounted.run(true, work);

/** Everything that this process has counted, in the text format of Prometheus. A metric without a value is left out. */
export const processMetricsText = (): Promise<string> => registry.metrics();
