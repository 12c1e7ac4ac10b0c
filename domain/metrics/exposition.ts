/**
 * The text that Prometheus reads, as far as other processes' has to be put beside ours: each sample gets one more label, and what belongs to
 * one metric comes together, because a metric may stand in a scrape once only.
 */

/** A metric as a process shows it. */
export interface MetricFamily {
  readonly name: string;
  /** Text of the line behind `# HELP name `; null = it has none. */
  readonly help: string | null;
  readonly type: string | null;
  /** Lines of samples, without a line end. */
  readonly samples: readonly string[];
}

const SAMPLE = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})?( .+)$/u;
const COMMENT = /^# (HELP|TYPE) ([A-Za-z_:][\w:]*) ?(.*)$/u;

/** A label's value, in quotes. */
export const quoteLabel = (value: string): string =>
  `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;

/**
 * Reads what a process shows. Samples before any comment, and lines that are none, are left out: they belong to no metric that could be shown.
 *
 * @param label what every sample gets besides, in place of a label of this name; left out = they stay as they are
 */
export function readFamilies(text: string, label?: { readonly name: string; readonly value: string }): MetricFamily[] {
  interface Open {
    name: string;
    help: string | null;
    type: string | null;
    samples: string[];
  }
  const families = new Map<string, Open>();
  let open: Open | undefined;
  for (const line of text.split('\n')) {
    const comment = COMMENT.exec(line);
    if (comment !== null) {
      const [, what = '', name = '', rest = ''] = comment;
      open = families.get(name) ?? { name, help: null, type: null, samples: [] };
      families.set(name, open);
      if (what === 'HELP') open.help = rest;
      else open.type = rest;
      continue;
    }
    const sample = SAMPLE.exec(line);
    if (sample === null || open === undefined) continue;
    const [, name = '', labels = '', value = ''] = sample;
    if (!belongsTo(name, open.name)) continue;
    open.samples.push(label === undefined ? line : `${name}{${withLabel(labels, label)}}${value}`);
  }
  return [...families.values()];
}

/** Parts of histograms and summaries bear the name of the metric with an ending. */
const belongsTo = (sample: string, metric: string): boolean =>
  sample === metric || ['_bucket', '_sum', '_count', '_total'].some((end) => sample === `${metric}${end}`);

/** `a="1",b="2"` with one more, in place of one of its name. */
function withLabel(labels: string, { name, value }: { readonly name: string; readonly value: string }): string {
  const kept = [...labels.matchAll(/([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"/gu)].filter((match) => match[1] !== name);
  return [...kept.map((match) => match[0]), `${name}=${quoteLabel(value)}`].join(',');
}

/** Metrics of several processes as one text: equal names together, with the words of the first. */
export function showFamilies(families: readonly MetricFamily[]): string {
  const lines = [...Map.groupBy(families, (family) => family.name).entries()].flatMap(([name, same]) => {
    const help = same.find((f) => f.help !== null)?.help ?? null;
    const type = same.find((f) => f.type !== null)?.type ?? null;
    // Two that do not agree on what it is cannot be shown together.
    const alike = same.filter((f) => f.type === null || f.type === type);
    return [
      ...(help === null ? [] : [`# HELP ${name} ${help}`]),
      ...(type === null ? [] : [`# TYPE ${name} ${type}`]),
      ...alike.flatMap((f) => f.samples),
      '',
    ];
  });
  return lines.join('\n');
}
