/**
 * The health of instances as a person reads it in a terminal: a line for each, or one of them over time as bars.
 */
import type { FleetDocument, HealthHistoryDocument } from '../../api/client.ts';
import { isAwake, isPresent } from '../../domain/fleet/phases.ts';
import { durationWords } from '../../domain/text/words.ts';
import { shorten, sparkline } from '../../domain/metrics/performance.ts';
import { clean, cut, minute, pad } from '../terminal/style.ts';
import { tableLines } from '../terminal/table.ts';

type Sample = HealthHistoryDocument['samples'][number];

/** Widest line of bars. */
const BARS = 60;
const CHANGES_SHOWN = 10;
/** The bars of temperatures stand for this much at most: a GPU at 90 °C is as hot as they get. */
const HOTTEST_C = 90;

/** How bad a level is, as a letter in the strip of levels. */
const STRIP: Readonly<Record<string, string>> = { healthy: '·', degraded: 'd', unhealthy: 'X', unknown: '?' };

/** All instances that are not over, without a trailing newline. */
export function healthOfAll(fleet: FleetDocument, width: number): string {
  const nowMs = Date.parse(fleet.at);
  const instances = fleet.pools.flatMap((pool) => pool.instances);
  if (instances.length === 0) return 'There are no instances.';
  const rows = instances.map(({ name, phase, health }) => [
    name,
    phase,
    health === null ? '–' : health.level,
    health === null ? '–' : durationWords(nowMs - Date.parse(health.since)),
    (health?.probeMs ?? null) === null ? '–' : `${health?.probeMs} ms`,
    health === null ? withoutHealth(phase) : clean(health.reason),
  ]);
  const head = ['INSTANCE', 'STATE', 'HEALTH', 'FOR', 'PROBE', 'WHY'];
  return tableLines(rows, { head })
    .map((line) => cut(line, width))
    .join('\n');
}

/** Only an attached machine has a health: what was judged before a sleep or a boot says nothing of now. */
const withoutHealth = (phase: string): string => (isPresent(phase) ? 'not judged yet' : `not checked while ${phase}`);

/** One instance over time, without a trailing newline. */
export function healthOfOne({ name, phase, health, samples, changes }: HealthHistoryDocument, width: number): string {
  if (health === null) return `${name}: no health data yet, it has not served.`;
  const out = health.quarantinedAt === null ? '' : `, quarantined since ${minute(health.quarantinedAt)} UTC`;
  const head = isAwake(phase)
    ? `${name}  ${health.level} since ${minute(health.since)} UTC${out}`
    : `${name}  ${withoutHealth(phase)}; was ${health.level} at last`;
  return [
    head,
    ...(health.level === 'healthy' ? [] : [cut(`  ${clean(health.reason)}`, width)]),
    ...pictureOf(samples),
    ...(changes.length === 0 ? [] : ['', 'LAST CHANGES']),
    ...changes.slice(0, CHANGES_SHOWN).map((change) => cut(`  ${minute(change.at)}  ${changeWords(change)}`, width)),
  ].join('\n');
}

function changeWords({ from, to, action, reason }: HealthHistoryDocument['changes'][number]): string {
  const what = action === 'none' ? `${from ?? 'new'} → ${to}` : action;
  return `${pad(what, 22)} ${clean(reason)}`;
}

/** Bars over the samples, oldest first; the worst of several that share a bar. Of several GPUs the worst counts. */
function pictureOf(newestFirst: readonly Sample[]): string[] {
  const times = [...Map.groupBy(newestFirst.toReversed(), (sample) => sample.at).values()];
  const bars = shorten(times, BARS, (some) => some.flat());
  const first = times[0]?.[0];
  const last = times.at(-1)?.[0];
  if (first === undefined || last === undefined) return ['', 'There are no samples.'];
  const row = (
    title: string,
    of: (sample: Sample) => number | null,
    words: (most: number) => string,
    top?: number,
  ): string[] => {
    const values = bars.map((bar) => largest(bar.map(of)));
    const most = largest(values);
    return most === null ? [] : [`  ${title.padEnd(12)} ${sparkline(values, top)}  up to ${words(most)}`];
  };
  return [
    '',
    `${minute(first.at)} to ${minute(last.at)} UTC, ${times.length} samples`,
    `  ${'health'.padEnd(12)} ${bars.map((bar) => STRIP[worst(bar)] ?? '?').join('')}`,
    ...row(
      'temperature',
      (s) => s.temperatureC,
      (most) => `${Math.round(most)} °C`,
      HOTTEST_C,
    ),
    ...row(
      'utilisation',
      (s) => s.utilRatio,
      (most) => `${Math.round(most * 100)} %`,
      1,
    ),
    ...row('memory', memoryRatio, (most) => `${Math.round(most * 100)} %`, 1),
    ...row(
      'probe',
      (s) => s.probeMs,
      (most) => `${most} ms`,
    ),
  ];
}

const memoryRatio = ({ memoryUsedBytes, memoryTotalBytes }: Sample): number | null =>
  memoryUsedBytes === null || memoryTotalBytes === null || memoryTotalBytes === 0
    ? null
    : memoryUsedBytes / memoryTotalBytes;

function largest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

const ORDER = ['healthy', 'unknown', 'degraded', 'unhealthy'];
/** The worst level of samples; one that was not answered shows as unknown. */
const worst = (samples: readonly Sample[]): string =>
  samples
    .map((sample) => (sample.missing ? 'unknown' : sample.level))
    .toSorted((a, b) => ORDER.indexOf(b) - ORDER.indexOf(a))[0] ?? 'unknown';
