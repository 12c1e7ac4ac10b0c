/** The text of a scrape: gauges by prom-client, and what each process has counted, each sample with the name of its process. */
import { Gauge, Registry } from 'prom-client';
import { definitionOf, METRIC_NAMES, type Sample } from '../../domain/metrics/catalogue.ts';

/** Gauges as Prometheus reads them. One without labels is left out while it has no value: 0 would be made up. */
export function gaugesText(samples: readonly Sample[]): Promise<string> {
  const registry = new Registry();
  const samplesOf = Map.groupBy(samples, ({ metric }) => metric);
  for (const name of METRIC_NAMES) {
    const { type, help, labels } = definitionOf(name);
    const own = samplesOf.get(name) ?? [];
    if (type !== 'gauge' || (own.length === 0 && labels.length === 0)) continue;
    const gauge = new Gauge({ name, help, labelNames: [...labels], registers: [registry] });
    for (const sample of own) gauge.set({ ...sample.labels }, sample.value);
  }
  return registry.metrics();
}

/** What one process shows, in the text format. */
export interface ProcessText {
  readonly process: string;
  readonly text: string;
}

/**
 * Metrics of several processes as one text: every sample gets the label `process`, and samples of one metric come together, because a metric may
 * be in a scrape once only. Lines before the first comment belong to no metric and are left out.
 */
export function mergedText(processes: readonly ProcessText[]): string {
  const metrics = new Map<string, { readonly comments: Map<string, string>; readonly samples: string[] }>();
  for (const { process, text } of processes) {
    const label = `process=${JSON.stringify(process)}`;
    let metric: { readonly comments: Map<string, string>; readonly samples: string[] } | undefined;
    for (const line of text.split('\n')) {
      const [, kind, name] = /^# (HELP|TYPE) (\S+)/u.exec(line) ?? [];
      if (kind !== undefined && name !== undefined) {
        metric = metrics.get(name) ?? { comments: new Map(), samples: [] };
        metrics.set(name, metric);
        if (!metric.comments.has(kind)) metric.comments.set(kind, line);
      } else if (line !== '' && !line.startsWith('#')) {
        metric?.samples.push(
          line.replace(
            /^(\w[\w:]*)(?:\{| )/u,
            (start, of: string) => `${of}{${label}${start.endsWith('{') ? ',' : '} '}`,
          ),
        );
      }
    }
  }
  const lines = [...metrics.values()].flatMap(({ comments, samples }) => [...comments.values(), ...samples, '']);
  return lines.join('\n');
}
