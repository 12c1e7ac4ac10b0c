/** Targets and performance as a person reads them in a terminal. */
import type { PerformanceDocument, TargetList } from '../../api/client.ts';
import { shorten, sparkline } from '../../domain/metrics/performance.ts';
import { figureWords, limitWords, percentWords, secondsWords, STATE_WORDS } from '../../domain/metrics/target-words.ts';
import { clean, minute, pad, widthOf } from '../terminal/style.ts';
import { table } from '../terminal/table.ts';

type Series = PerformanceDocument['items'][number];

/** Widest line of bars. */
const BARS = 48;

/** The targets, without a trailing newline. */
export function targetTable({ from, until, items }: TargetList): string {
  const rows = items.map(({ title, unit, value, limit, state, samples, sampleOf }) => [
    title,
    figureWords(value, unit),
    limitWords(limit, unit),
    STATE_WORDS[state],
    `${samples} ${sampleOf}`,
  ]);
  const head = ['TARGET', 'FIGURE', 'LIMIT', '', 'MADE OF'];
  return `${minute(from)} to ${minute(until)} UTC\n${table(rows, { head, right: [1] })}`;
}

/** One block for each group: how long its calls took and how many failed, as bars over time. */
export function performanceTable({ from, until, by, bucket, items }: PerformanceDocument): string {
  const head = `Model calls by ${by}, ${minute(from)} to ${minute(until)} UTC, one bar for each ${bucket}`;
  if (items.length === 0) return `${head}\nNo model call ended in this time.`;
  const width = Math.max(...items.map((item) => widthOf(clean(item.group))));
  return [head, ...items.flatMap((item) => block(item, width, bucket))].join('\n');
}

function block(series: Series, width: number, bucket: string): string[] {
  const { group, stored, failed, cut, meanSeconds, failureRate } = series;
  const points = shorten(series.points, BARS, mergePoints);
  const perBar = Math.ceil(series.points.length / Math.max(1, points.length));
  const tops = points.flatMap((p) => p.meanSeconds ?? []);
  const top = tops.length === 0 ? 'no data' : `up to ${secondsWords(Math.max(...tops))}`;
  const rates = points.flatMap((p) => p.failureRate ?? []);
  const rate = rates.length === 0 ? 'no data' : `up to ${percentWords(Math.max(...rates))}`;
  const counts = [`${stored} stored`, `${failed} failed`, ...(cut === 0 ? [] : [`${cut} cut`])].join(', ');
  const mean = meanSeconds === null ? '' : `, mean ${secondsWords(meanSeconds)}`;
  const share = failureRate === null ? '' : `, ${percentWords(failureRate)} failed`;
  const scale = perBar === 1 ? '' : ` (${perBar} ${bucket}s a bar)`;
  return [
    '',
    `${pad(clean(group), width)}  ${counts}${mean}${share}${scale}`,
    `  duration  ${sparkline(points.map((p) => p.meanSeconds))}  ${top}`,
    `  failures  ${sparkline(
      points.map((p) => p.failureRate),
      Math.max(0.01, ...rates),
    )}  ${rate}`,
  ];
}

type Point = Pick<Series['points'][number], 'stored' | 'failed' | 'meanSeconds' | 'failureRate'>;

function mergePoints(some: readonly Series['points'][number][]): Series['points'][number] {
  const [first] = some;
  if (first === undefined) throw new RangeError('no points to put together');
  const total = (of: (p: Point) => number): number => some.reduce((sum, p) => sum + of(p), 0);
  const stored = total((p) => p.stored);
  const failed = total((p) => p.failed);
  return {
    ...first,
    stored,
    failed,
    cut: some.reduce((sum, p) => sum + p.cut, 0),
    meanSeconds: stored === 0 ? null : total((p) => (p.meanSeconds ?? 0) * p.stored) / stored,
    failureRate: stored + failed === 0 ? null : failed / (stored + failed),
    medianSeconds: null,
    p95Seconds: null,
  };
}
