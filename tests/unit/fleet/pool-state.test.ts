/** What a pool remembers between looks, and the servers of a static one. */
import { describe, expect, it } from 'vitest';
import { newPoolMemory } from '../../../domain/fleet/pool/pool.ts';
import { poolConfigSchema, SUSPEND_STRATEGIES, type SuspendStrategy } from '../../../domain/fleet/pool/pool-config.ts';
import { suspendStrategies } from '../../../workflows/fleet/pool/instance-input.ts';
import { makeHostname, rentedInstanceName } from '../../../domain/fleet/provider/names.ts';
import {
  creationPauseUntilMs,
  endedGap,
  openBirths,
  withIntent,
  withLiveIntents,
} from '../../../domain/fleet/pool/pool-state.ts';
import { planHosts } from '../../../domain/fleet/pool/static-hosts.ts';
import { CAPABILITIES } from '../../../testing/fleet/made-up-pools.ts';

const { timing } = poolConfigSchema.parse({
  name: 'p',
  classes: ['gpu-text'],
  timing: { ladderPauseMs: 30_000, ladderPauseMaxMs: 300_000 },
});

describe('ways to sleep', () => {
  const ways = (suspendStrategy: SuspendStrategy, billsStopped: boolean): readonly SuspendStrategy[] =>
    suspendStrategies(
      { config: poolConfigSchema.parse({ name: 'p', classes: ['gpu-text'], suspendStrategy }) },
      { ...CAPABILITIES, suspendStrategies: SUSPEND_STRATEGIES, billsStopped },
    );

  it('suspend strategies begin with the requested one; a stopped machine that is billed is no alternative to a refused one', () => {
    expect(ways('hibernate', true)).toEqual(['hibernate', 'discontinue_keep_volume', 'delete']);
    expect(ways('hibernate', false)).toEqual(['hibernate', 'discontinue_keep_volume', 'shutdown', 'delete']);
    expect(ways('shutdown', true)).toEqual(['shutdown', 'discontinue_keep_volume', 'hibernate', 'delete']);
  });
});

it('announcements are kept once each, and dropped when their analysis is over; those not asked about stay', () => {
  const twice = ['a', 'a', 'b'].reduce((memory, analysisId) => withIntent(memory, { analysisId }), newPoolMemory());
  expect(twice.wakeIntents).toEqual(['a', 'b']);
  const meanwhile = withIntent(twice, { analysisId: 'c' });
  expect(withLiveIntents(meanwhile, ['a', 'b'], ['b']).wakeIntents).toEqual(['b', 'c']);
});

it('announcements are bounded: a flood of decks says no more than that there is work', () => {
  const many = Array.from({ length: 5000 }, (_, n) => n).reduce(
    (memory, n) => withIntent(memory, { analysisId: `analysis-${n}` }),
    newPoolMemory(),
  );
  expect(many.wakeIntents).toHaveLength(50);
});

it('births count until their row is there, and no longer than a boot may take', () => {
  const births = [
    { name: 'a', atMs: 0 },
    { name: 'b', atMs: 900 },
    { name: 'c', atMs: 900 },
  ];
  expect(openBirths(births, ['b'], 1000, 1000).map((b) => b.name)).toEqual(['c']);
});

it('births have names that are host names at the provider', () => {
  const name = rentedInstanceName('abcdefghijkl', 1234, '0f3c2a7e-1111-4111-8111-111111111111');
  expect(name).toBe('abcdefghijkl-1234-0f3c');
  expect(makeHostname('abcdefghijkl', name, 99)).toBe('dh-abcdefghijkl-abcdefghijkl-1234-0f3c-99');
});

describe('instances that fail for good', () => {
  const failures = (count: number) => ({ count, lastAtMs: 1000, instance: 'a', reason: 'image unknown' });

  it('instances that fail for good hold up the next one, longer each time, up to a limit', () => {
    const pauses = [1, 2, 3, 4, 5, 60].map((count) => creationPauseUntilMs(failures(count), timing, 1000));
    expect(pauses).toEqual([31_000, 61_000, 121_000, 241_000, 301_000, 301_000]);
  });

  it('instances that fail for good do so no longer than that', () => {
    expect(creationPauseUntilMs(failures(1), timing, 31_000)).toBeNull();
    expect(creationPauseUntilMs(null, timing, 0)).toBeNull();
  });
});

describe('idle gaps', () => {
  const before = { ...newPoolMemory(), idleGap: { sinceMs: 5000, draw01: 0.5 }, idleGapsSec: [7] };

  it('idle gaps are told when a decision closed one', () => {
    const after = { ...before, idleGap: null, idleGapsSec: [7, 7] };
    expect(endedGap(before, after)).toEqual({ startedAtMs: 5000, seconds: 7 });
  });

  it('idle gaps are not told again, nor when an instance merely became ready', () => {
    expect(endedGap(before, { ...before, idleGap: { sinceMs: 6000, draw01: 0.1 } })).toBeNull();
    expect(endedGap(before, before)).toBeNull();
  });
});

describe('servers that run already', () => {
  const urls = ['http://a:1', 'http://b:2'];

  it('servers that run already get one instance each, once', () => {
    const first = planHosts('static', urls, {}, [], 0);
    expect(first.start).toEqual([
      { name: 'static-0', url: 'http://a:1' },
      { name: 'static-1', url: 'http://b:2' },
    ]);
    const again = planHosts('static', urls, first.hosts, ['static-0', 'static-1'], 2);
    expect(again).toEqual({ hosts: first.hosts, start: [], release: [] });
  });

  it('servers that run already are let go when they are not configured any more, and get a new name when they come back', () => {
    const hosts = { 'static-0': 'http://a:1', 'static-1': 'http://b:2' };
    const moved = planHosts('static', ['http://b:2', 'http://c:3'], hosts, ['static-0', 'static-1'], 2);
    expect(moved).toEqual({
      hosts: { 'static-1': 'http://b:2', 'static-2': 'http://c:3' },
      start: [{ name: 'static-2', url: 'http://c:3' }],
      release: ['static-0'],
    });
  });

  it('servers that run already whose instance has ended get a new one; instances of a state that was lost are let go', () => {
    expect(planHosts('static', ['http://a:1'], { 'static-0': 'http://a:1' }, [], 1).start).toEqual([
      { name: 'static-1', url: 'http://a:1' },
    ]);
    const expected = { release: ['static-0'], start: [{ name: 'static-1' }] };
    expect(planHosts('static', ['http://a:1'], {}, ['static-0'], 1)).toMatchObject(expected);
  });
});
