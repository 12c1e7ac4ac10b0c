/** Which instances a pool quarantines: the guard over any pool at any time, and their order. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  LASTING_MS,
  largestQuarantine,
  quarantine,
  sickSince,
  underQuarantine,
  type HealthView,
  type JudgedInstance,
  type Quarantine,
  type QuarantineInput,
  type QuarantinePlan,
} from '../../../domain/fleet/pool/quarantine.ts';
import type { HealthLevel } from '../../../domain/health/types.ts';
import { INSTANCE_PHASES } from '../../../domain/fleet/phases.ts';
import { healthArb } from '../../../testing/fleet/made-up-pools.ts';
import { forAll } from '../../../testing/property.ts';

const NOW = 10_000_000;

const health = (level: HealthLevel, changes: Partial<HealthView> = {}): HealthView => ({
  level,
  failure: level === 'healthy' ? null : 'slow',
  reason: 'because',
  sinceMs: NOW - 60_000,
  ...changes,
});
const instance = (name: string, level: HealthLevel, changes: Partial<JudgedInstance> = {}): JudgedInstance => ({
  name,
  phase: 'ready',
  phaseSinceMs: NOW - 3_600_000,
  health: health(level),
  isHeld: false,
  ...changes,
});
const look = (instances: readonly JudgedInstance[], changes: Partial<QuarantineInput> = {}): QuarantinePlan =>
  quarantine({
    atMs: NOW,
    instances,
    quarantines: {},
    excused: {},
    isFull: false,
    mayPutToSleep: false,
    ...changes,
  });
const asked = (plan: QuarantinePlan): string[] => plan.asks.map(({ instance, request }) => `${request} ${instance}`);

const anyInstance = (name: string): fc.Arbitrary<JudgedInstance> =>
  fc.record({
    name: fc.constant(name),
    phase: fc.oneof({ weight: 6, arbitrary: fc.constant('ready' as const) }, fc.constantFrom(...INSTANCE_PHASES)),
    phaseSinceMs: fc.integer({ min: NOW - 7_200_000, max: NOW }),
    health: healthArb(NOW - 7_200_000, NOW),
    isHeld: fc.boolean(),
  });
const anyPool = fc
  .integer({ min: 1, max: 25 })
  .chain((size) => fc.tuple(...Array.from({ length: size }, (_, n) => anyInstance(`visual-${n + 1}`))));

it('whatever a pool sees, no more than a fifth of it is quarantined, or one', () =>
  forAll(
    [fc.array(anyPool, { minLength: 1, maxLength: 8 }), fc.boolean(), fc.boolean()],
    { runs: 2_000, seed: 20_261_126 },
    (looks, isFull, sleeps) => {
      let before: QuarantinePlan['quarantines'] = {};
      for (const [n, instances] of looks.entries()) {
        const plan = look(instances, { atMs: NOW + n * 60_000, quarantines: before, isFull, mayPutToSleep: sleeps });
        const out = Object.keys(plan.quarantines);
        const serving = instances.filter((p) => p.phase === 'ready' && !p.isHeld && !out.includes(p.name)).length;
        const added = out.filter((name) => before[name] === undefined);
        // A pool that has become smaller quarantines no other.
        if (added.length > 0) expect(out.length).toBeLessThanOrEqual(largestQuarantine(serving + out.length));
        for (const { instance, request } of plan.asks) {
          const one = instances.find((p) => p.name === instance);
          expect(one?.isHeld).toBe(false);
          // Silence alone is never treated.
          if (request === 'repair') expect(plan.quarantines[instance]?.level).not.toBe('unknown');
        }
        expect(JSON.parse(JSON.stringify(plan.quarantines))).toEqual(plan.quarantines);
        before = plan.quarantines;
      }
    },
  ));

it('asks again until it shows, and never twice for what it shows', () => {
  const faulty = instance('a', 'unhealthy');
  const first = look([faulty, instance('b', 'healthy')]);
  expect(asked(first)).toEqual(['repair a']);
  const again = look([faulty, instance('b', 'healthy')], { quarantines: first.quarantines, atMs: NOW + 5_000 });
  expect(asked(again)).toEqual(['repair a']);
  // The episode names it, so that the instance begins one repair.
  expect(again.asks[0]?.episodeMs).toBe(first.asks[0]?.episodeMs);
  const repairing = instance('a', 'unhealthy', { phase: 'booting', health: null });
  const third = look([repairing, instance('b', 'healthy')], { quarantines: again.quarantines, atMs: NOW + 10_000 });
  expect(asked(third)).toEqual([]);
  expect(Object.keys(third.quarantines)).toEqual(['a']);
  const back = instance('a', 'healthy', { phaseSinceMs: NOW + 12_000 });
  expect(look([back], { quarantines: third.quarantines, atMs: NOW + 15_000 }).quarantines).toEqual({});
});

it('the worst come first, those with the longest fault before others', () => {
  const plan = look([
    instance('a', 'unknown'),
    instance('b', 'degraded'),
    instance('c', 'unhealthy'),
    instance('d', 'unhealthy', { health: health('unhealthy', { sinceMs: NOW - 90_000 }) }),
    ...Array.from({ length: 6 }, (_, n) => instance(`ok-${n}`, 'healthy')),
  ]);
  expect(asked(plan)).toEqual(['repair d', 'repair c']);
  expect(plan.reasons.filter((reason) => reason.includes('stays in service'))).toHaveLength(2);
});

it('one that is only watched makes room for one that does no work', () => {
  const watched = look([instance('a', 'degraded'), instance('b', 'healthy')]).quarantines;
  const plan = look([instance('a', 'degraded', { phase: 'cordoned' }), instance('b', 'unhealthy')], {
    quarantines: watched,
    atMs: NOW + 60_000,
  });
  expect(asked(plan)).toEqual(['release a']);
  const later = look([instance('a', 'healthy', { phaseSinceMs: NOW + 65_000 }), instance('b', 'unhealthy')], {
    quarantines: plan.quarantines,
    atMs: NOW + 70_000,
  });
  expect(asked(later)).toEqual(['repair b']);
});

it('better, it goes back; worse, it is repaired; and what lasts is replaced', () => {
  const { quarantines } = look([instance('a', 'degraded'), instance('b', 'healthy')]);
  const held = (level: HealthLevel, atMs: number): string[] =>
    asked(look([instance('a', level, { phase: 'cordoned' }), instance('b', 'healthy')], { quarantines, atMs }));
  expect(held('healthy', NOW + 60_000)).toEqual(['release a']);
  expect(held('unhealthy', NOW + 60_000)).toEqual(['repair a']);
  expect(held('degraded', NOW + LASTING_MS - 1)).toEqual([]);
  expect(held('degraded', NOW + LASTING_MS)).toEqual(['repair a']);
  expect(held('unknown', NOW + 10 * LASTING_MS)).toEqual([]);
});

it('one that got well while it waited for its repair goes back: a server that is not ours is never repaired', () => {
  const { quarantines } = look([instance('a', 'unhealthy')]);
  const later = (level: HealthLevel, phase: JudgedInstance['phase']): string[] =>
    asked(look([instance('a', level, { phase })], { quarantines, atMs: NOW + 60_000 }));
  expect(later('unhealthy', 'cordoned')).toEqual(['repair a']);
  expect(later('healthy', 'cordoned')).toEqual(['release a']);
  // Its remedy is under way.
  expect(later('healthy', 'booting')).toEqual([]);
});

it('the last one at work stays there where no other may be had, until what ails it lasts', () => {
  expect(asked(look([instance('a', 'degraded')], { isFull: true }))).toEqual([]);
  expect(asked(look([instance('a', 'unknown')]))).toEqual([]);
  expect(asked(look([instance('a', 'degraded')]))).toEqual(['quarantine a']);
  expect(asked(look([instance('a', 'unhealthy')], { isFull: true }))).toEqual(['repair a']);
  const lasting = instance('a', 'degraded', { health: health('degraded', { sinceMs: NOW - LASTING_MS }) });
  expect(asked(look([lasting], { isFull: true }))).toEqual(['repair a']);
});

it('without work one that is degraded is put to sleep, one that is not heard of never', () => {
  const instances = (level: HealthLevel): JudgedInstance[] => [
    instance('a', level, { phase: 'cordoned' }),
    instance('b', 'healthy'),
  ];
  for (const level of ['degraded', 'unknown'] as const) {
    const { quarantines } = look([instance('a', level), instance('b', 'healthy')]);
    const plan = look(instances(level), { quarantines, atMs: NOW + 60_000, mayPutToSleep: true });
    expect(asked(plan)).toEqual(level === 'degraded' ? ['suspend a'] : []);
  }
});

it('an operator’s word counts: one that is held is left alone, one that is put back to work stays there for this episode', () => {
  expect(asked(look([instance('a', 'unhealthy', { isHeld: true })]))).toEqual([]);
  const faulty = instance('a', 'unhealthy');
  expect(asked(look([faulty], { excused: { a: NOW - 60_000 } }))).toEqual([]);
  expect(asked(look([faulty], { excused: { a: NOW - 90_000 } }))).toEqual(['repair a']);
});

it('one under repair counts as what will soon be at work again, for a while; one that is watched does not', () => {
  const cordoned = [
    instance('a', 'unhealthy', { phase: 'cordoned' }),
    instance('b', 'degraded', { phase: 'cordoned' }),
  ];
  const entry = { level: 'unhealthy', failure: null, reason: '', episodeMs: 0, sinceMs: NOW, atMs: NOW } as const;
  const quarantines = { a: { ...entry, kind: 'repair' as const }, b: { ...entry, kind: 'watch' as const } };
  const soon = underQuarantine(cordoned, quarantines, NOW + 60_000);
  expect(soon.disposable.map(({ name, phase }) => `${name} ${phase}`)).toEqual(['a booting']);
  expect(soon.takenOut.map(({ name }) => name)).toEqual(['b']);
  expect(underQuarantine(cordoned, quarantines, NOW + 600_000).disposable).toEqual([]);
});

it('the latest episode of an instance that does no work and is repaired counts, and no other quarantine', () => {
  const one = (changes: Partial<Quarantine>): Quarantine => ({
    kind: 'repair',
    level: 'unhealthy',
    failure: 'runner_wedged',
    reason: 'two calls ended without output',
    episodeMs: 1,
    sinceMs: 1,
    atMs: 1,
    ...changes,
  });
  expect(sickSince({ a: one({}), b: one({ episodeMs: 2 }), c: one({ kind: 'watch', episodeMs: 3 }) })).toBe(2);
  expect(sickSince({ a: one({ kind: 'release' }), b: one({ level: 'degraded' }) })).toBeNull();
  expect(sickSince({})).toBeNull();
});
