/** The health of instances as a person reads it in a terminal. */
import { expect, it } from 'vitest';
import type { FleetDocument, HealthHistoryDocument } from '../../../api/client.ts';
import { healthOfAll, healthOfOne } from '../../../cli/health/health-table.ts';

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

it('shows one instance over time: levels as letters, figures as bars, changes as lines', async () => {
  const text = healthOfOne(history(), 100);
  await expect(text).toMatchFileSnapshot('snapshots/health-of-one.txt');
  expect(text).not.toContain('\u001b');
});

it('puts many samples into few bars, the worst of each', () => {
  const samples = Array.from({ length: 600 }, (_, n) => sample(600 - n, n === 300 ? { level: 'unhealthy' } : {}));
  const strip = healthOfOne(history({ samples }), 100)
    .split('\n')
    .find((line) => line.includes('health  '));
  expect(strip).toMatch(/^ {2}health {7}·*X·*$/u);
  expect(strip?.length).toBeLessThanOrEqual(80);
});

it('says so where nothing was judged, and where no sample is left', async () => {
  await expect(healthOfOne(history({ health: null }), 80)).toMatchFileSnapshot('snapshots/health-not-judged.txt');
  const text = healthOfOne(history({ samples: [], changes: [] }), 80);
  await expect(text).toMatchFileSnapshot('snapshots/health-without-samples.txt');
});

it('what an instance was before it went to sleep is not what it is', () => {
  const [first] = healthOfOne(history({ phase: 'suspended' }), 80).split('\n');
  expect(first).toMatch(/^visual-1 .*while suspended.*was degraded/u);
});

it('lists all instances with what is known of their health', async () => {
  const instance = { name: 'visual-1', phase: 'ready', health: history().health };
  const asleep = { name: 'visual-2', phase: 'suspended', health: null };
  const fresh = { name: 'visual-3', phase: 'booting', health: null };
  const fleet = { at: minuteAfter(5), pools: [{ instances: [instance, asleep, fresh] }] } as unknown as FleetDocument;
  const text = healthOfAll(fleet, 80);
  await expect(text).toMatchFileSnapshot('snapshots/health-of-all.txt');
  const lines = text.split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(healthOfAll({ ...fleet, pools: [] }, 60)).not.toContain('visual');
});
