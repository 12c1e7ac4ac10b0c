/** The health of instances as a person reads it in a terminal. */
import { expect, it } from 'vitest';
import type { FleetDocument, HealthHistoryDocument } from '../../../api/client.ts';
import { healthOfAll, healthOfOne } from '../../../cli/fleet/health-table.ts';

const AT = '2026-11-22T10:00:00.000Z';
const minuteAfter = (minutes: number): string => new Date(Date.parse(AT) + minutes * 60_000).toISOString();

type Sample = HealthHistoryDocument['samples'][number];
const sample = (minutes: number, changes: Partial<Sample> = {}): Sample => ({
  at: minuteAfter(minutes),
  gpu: 0,
  level: 'healthy',
  missing: false,
  message: null,
  utilRatio: 0.5,
  memoryUsedBytes: 20,
  memoryTotalBytes: 80,
  temperatureC: 60,
  slowdownMarginC: 27,
  throttleReasons: [],
  xids: [],
  eccUncorrected: 0,
  rowRemapPending: false,
  rowRemapFailed: false,
  modelBytes: 1,
  modelVramBytes: 1,
  diskFreeBytes: 1,
  diskTotalBytes: 2,
  probeMs: null,
  ...changes,
});

const history = (changes: Partial<HealthHistoryDocument> = {}): HealthHistoryDocument => ({
  name: 'visual-1',
  pool: 'visual',
  phase: 'ready',
  health: {
    level: 'degraded',
    since: minuteAfter(3),
    reason: 'GPU 0 is hot\u001b[2J',
    failure: 'overheating',
    lastSampleAt: minuteAfter(4),
    lastProbeAt: null,
    probeMs: null,
    baselineProbeMs: null,
    quarantinedAt: minuteAfter(4),
  },
  changes: [
    { at: minuteAfter(4), from: 'degraded', to: 'degraded', failure: null, reason: 'hot', action: 'quarantine' },
    { at: minuteAfter(3), from: 'healthy', to: 'degraded', failure: 'overheating', reason: 'hot', action: 'none' },
  ],
  samples: [
    sample(4, { level: 'degraded', temperatureC: 88 }),
    sample(3, { missing: true, utilRatio: null, temperatureC: null, memoryUsedBytes: null }),
    sample(2, { probeMs: 480 }),
    sample(1),
  ],
  nextCursor: null,
  ...changes,
});

it('shows one instance over time: levels as letters, figures as bars, changes as lines', () => {
  expect(healthOfOne(history(), 100).split('\n')).toEqual([
    'visual-1  degraded since 2026-11-22 10:03 UTC, out of service since 2026-11-22 10:04 UTC',
    '  GPU 0 is hot [2J',
    '',
    '2026-11-22 10:01 to 2026-11-22 10:04 UTC, 4 samples',
    '  health       ··?d',
    expect.stringMatching(/^ {2}temperature {2}.{4} {2}up to 88 °C$/u),
    expect.stringMatching(/^ {2}utilisation {2}.{4} {2}up to 50 %$/u),
    expect.stringMatching(/^ {2}memory {7}.{4} {2}up to 25 %$/u),
    expect.stringMatching(/^ {2}probe {8}.{4} {2}up to 480 ms$/u),
    '',
    'LAST CHANGES',
    '  2026-11-22 10:04  quarantine             hot',
    '  2026-11-22 10:03  healthy → degraded     hot',
  ]);
});

it('puts many samples into few bars, the worst of each', () => {
  const samples = Array.from({ length: 600 }, (_, n) => sample(600 - n, n === 300 ? { level: 'unhealthy' } : {}));
  const strip = healthOfOne(history({ samples }), 100)
    .split('\n')
    .find((line) => line.includes('health  '));
  expect(strip).toMatch(/^ {2}health {7}·*X·*$/u);
  expect(strip?.length).toBeLessThanOrEqual(80);
});

it('says so where nothing was judged, and where no sample is left', () => {
  expect(healthOfOne(history({ health: null }), 80)).toBe('visual-1 was never judged: it has not served yet.');
  expect(healthOfOne(history({ samples: [], changes: [] }), 80)).toContain('There are no samples.');
});

it('what an instance was before it went to sleep is not what it is', () => {
  expect(healthOfOne(history({ phase: 'suspended' }), 80).split('\n')[0]).toBe(
    'visual-1  not looked at while suspended; was degraded at last',
  );
});

it('lists all instances with what is known of their health', () => {
  const instance = { name: 'visual-1', phase: 'ready', health: history().health };
  const asleep = { name: 'visual-2', phase: 'suspended', health: null };
  const fresh = { name: 'visual-3', phase: 'booting', health: null };
  const fleet = { at: minuteAfter(5), pools: [{ instances: [instance, asleep, fresh] }] } as unknown as FleetDocument;
  const lines = healthOfAll(fleet, 80).split('\n');
  expect(lines[1]).toMatch(/^visual-1 {2}ready {6}degraded {2}2 min {2}–/u);
  expect(lines[2]).toContain('not looked at while suspended');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(lines[3]).toContain('not judged yet');
  expect(healthOfAll({ ...fleet, pools: [] }, 60)).toBe('There are no instances.');
});
