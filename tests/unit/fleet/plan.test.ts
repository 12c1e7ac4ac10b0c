/** One look of a pool as a pure function: what holds whatever is seen and remembered, and how its parts come together. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HealthView } from '../../../domain/fleet/pool/quarantine.ts';
import { isRented } from '../../../domain/fleet/phases.ts';
import { planPool, type PlanInput, type PoolPlan, type PoolSight } from '../../../domain/fleet/pool/plan.ts';
import type { InstanceView } from '../../../domain/fleet/pool/pool.ts';
import { firstState, OPERATOR_REQUESTS, type Hold, type PoolState } from '../../../domain/fleet/pool/pool-state.ts';
import { forAll } from '../../../testing/property.ts';
import {
  demandOf,
  healthArb,
  inputArb,
  instanceOf,
  pool,
  setupOf,
  sightOf,
} from '../../../testing/fleet/made-up-pools.ts';

const NOW = 6_000_000;
const setup = setupOf(pool({ max: 2 }));
const state = (changes: Partial<PoolState> = {}): PoolState => ({ ...firstState(), ...changes });
const sight = (instances: readonly InstanceView[], changes: Partial<PoolSight> = {}): PoolSight =>
  sightOf(NOW, instances, changes);
const plan = (seen: PoolSight | null, changes: Partial<PlanInput> = {}): PoolPlan =>
  planPool({ setup, state: state(), atMs: NOW, seen, random01: 0.5, ...changes });
const working = (instances: readonly InstanceView[], openSeconds = 600): PoolSight => {
  const seen = sight(instances);
  return { ...seen, observation: { ...seen.observation, demand: demandOf(openSeconds) } };
};
/** What instances are asked, in order. */
const asked = ({ asks, steps }: PoolPlan): string[] =>
  [...asks, ...steps].flatMap((s) =>
    s.kind === 'ask' || s.kind === 'ask_for_health' ? [`${s.request} ${s.instance}`] : [s.kind],
  );

const unhealthy: HealthView = { level: 'unhealthy', failure: 'gpu_lost', reason: 'no GPU', sinceMs: NOW - 1000 };

const holdArb = fc
  .record({
    kind: fc.constantFrom<Hold['kind']>('cordoned', 'drained', 'asleep'),
    by: fc.constant('ada'),
    sinceMs: fc.integer({ min: 0, max: NOW }),
    endsMs: fc.integer({ min: 0, max: 2 * NOW }),
  })
  .map(({ endsMs, ...hold }): Hold => ({ ...hold, untilMs: hold.kind === 'asleep' ? endsMs : null }));
/** Any pool at any look. */
const lookArb = fc
  .record({
    base: inputArb,
    holds: fc.array(fc.option(holdArb), { minLength: 6, maxLength: 6 }),
    healths: fc.array(healthArb(0, NOW), { minLength: 6, maxLength: 6 }),
    asks: fc.array(fc.constantFrom(...OPERATOR_REQUESTS), { maxLength: 3 }),
    unpaid: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
    hasFailed: fc.boolean(),
    retired: fc.boolean(),
  })
  .map(({ base, holds, healths, asks, unpaid, hasFailed, retired }): PlanInput => {
    const instances = base.observation.instances.map((i, n) => ({ ...i, health: healths[n] ?? null }));
    const held = instances.flatMap(({ name }, n): [string, Hold][] => {
      const hold = holds[n] ?? null;
      return hold === null ? [] : [[name, hold]];
    });
    return {
      setup: { ...setup, config: base.config, retired },
      state: state({
        memory: base.memory,
        holds: Object.fromEntries(held),
        asks: asks.map((request) => ({ instance: 'visual-0', request, by: 'ada' })),
      }),
      atMs: base.observation.atMs,
      seen: {
        ...sight([]),
        observation: { ...base.observation, instances },
        failures: hasFailed
          ? { count: 1, lastAtMs: base.observation.atMs - 1, instance: 'visual-9', reason: 'bad image' }
          : null,
        money: {
          unpaid: instances.flatMap(({ name, phase }, n) =>
            unpaid[n] === true ? [{ instance: name, phase, reason: 'no money' }] : [],
          ),
          urgentOnly: false,
          onlyOverBudget: false,
          message: null,
          limited: [],
        },
      },
      random01: base.random01,
    };
  });

describe('whatever is seen and remembered', () => {
  it('machines and those that are created stay within the maximum, and nothing is created after a failure or when retired', () =>
    forAll([lookArb], (input) => {
      const { steps, instances } = planPool(input);
      const created = steps.filter((s) => s.kind === 'create').length;
      if (created === 0) return;
      const { config, retired } = input.setup;
      const takesPlace = (i: InstanceView): boolean => isRented(i, input.atMs, config.timing.destroyAlarmMs);
      const rented = (instances ?? []).filter(takesPlace).length;
      expect(rented + created).toBeLessThanOrEqual(config.max);
      expect(input.seen?.failures).toBeNull();
      expect(retired).toBe(false);
    }));

  it('it answers the same twice, changes nothing it was given, and remembers plain JSON', () =>
    forAll([lookArb], (input) => {
      const before = structuredClone(input);
      const first = planPool(input);
      expect(planPool(input)).toEqual(first);
      expect(input).toEqual(before);
      expect(JSON.parse(JSON.stringify(first.state))).toEqual(first.state);
      expect(first.state.asks).toEqual([]);
      expect(first.outcome.nextLookAtMs).toBeGreaterThan(input.atMs);
    }));

  it('what an operator keeps cordoned is not woken, put back to work or repaired', () =>
    forAll([lookArb], (input) => {
      const { state: after, asks, steps } = planPool(input);
      const own = input.state.asks.length;
      for (const s of [...asks.slice(own), ...steps]) {
        if (s.kind !== 'ask' && s.kind !== 'ask_for_health') continue;
        const kind = after.holds[s.instance]?.kind;
        if (kind === 'cordoned' || kind === 'drained') expect(['cordon', 'suspend', 'destroy']).toContain(s.request);
      }
    }));
});

describe('a look', () => {
  it('creates for open work, and does nothing when the database could not be read', () => {
    expect(asked(plan(working([])))).toEqual(['create']);
    const blind = plan(null, { state: state({ asks: [{ instance: 'a', request: 'cordon', by: 'ada' }] }) });
    expect(asked(blind)).toEqual([]);
    expect(blind.state.asks).toHaveLength(1);
    expect(blind.outcome.reasons).toEqual(['The open work is unknown, so nothing is changed.']);
  });

  it('sends what operators ask first, then what health asks, then what it decided', () => {
    const instances = [
      instanceOf('a'),
      instanceOf('b', { health: unhealthy }),
      instanceOf('c', { phase: 'suspended' }),
    ];
    const seen = working(instances, 6000);
    const asks = [{ instance: 'a', request: 'cordon', by: 'ada' }] as const;
    const look = plan(seen, { setup: { ...setup, config: pool({ max: 4 }) }, state: state({ asks }) });
    expect(asked(look).slice(0, 3)).toEqual(['cordon a', 'repair b', 'wake c']);
    expect(look.state).toMatchObject({ holds: { a: { kind: 'cordoned' } }, quarantines: { b: { kind: 'repair' } } });
  });

  it('gives the refusal of a budget first, and the reached caps of tenants and decks after the decision', () => {
    const money = { unpaid: [], urgentOnly: false, onlyOverBudget: false, message: 'hard cap', limited: ['soft cap'] };
    const { reasons } = plan(sight([], { money })).outcome;
    expect([reasons[0], reasons.at(-1), reasons.length]).toEqual(['hard cap', 'soft cap', 3]);
  });

  it('an instance that an operator puts back to work in spite of its health stays at work', () => {
    const seen = sight([instanceOf('a', { health: { ...unhealthy, level: 'degraded' } }), instanceOf('b')]);
    const asks = [{ instance: 'a', request: 'uncordon', by: 'ada' }] as const;
    expect(asked(plan(seen))).toContain('quarantine a');
    expect(asked(plan(seen, { state: state({ asks }) }))).not.toContain('quarantine a');
  });

  it('counts an instance that was started and has no row yet, until it has one', () => {
    const births = [{ name: 'visual-1-ab12', atMs: NOW - 1000 }];
    const one = { setup: { ...setup, config: pool({ max: 1 }) }, state: state({ births }) };
    expect(asked(plan(working([]), one))).toEqual([]);
    expect(plan(working([]), one).instances).toMatchObject([{ name: 'visual-1-ab12', phase: 'planned' }]);
    expect(plan({ ...working([]), known: ['visual-1-ab12'] }, one).state.births).toEqual([]);
  });

  it('of a retired pool ends everything, and is the last once nothing is left', () => {
    const retired = { setup: { ...setup, retired: true } };
    const leaving = plan(sight([instanceOf('a'), instanceOf('b', { phase: 'destroying' })]), retired);
    expect(asked(leaving)).toEqual(['destroy a']);
    expect(leaving.isOver).toBe(false);
    expect(plan(sight([]), retired).isOver).toBe(true);
  });

  it('of a static pool starts an instance per server and lets go of those whose server is not configured', () => {
    const hosts = { ...setup, provider: 'static', staticHosts: ['http://a', 'http://b'] };
    const first = plan(sight([]), { setup: hosts });
    expect(first.steps).toMatchObject([
      { kind: 'start', name: 'visual-0', url: 'http://a' },
      { kind: 'start', name: 'visual-1', url: 'http://b' },
    ]);
    const there = [instanceOf('visual-0'), instanceOf('visual-1')];
    const fewer = plan(sight(there, { known: ['visual-0', 'visual-1'] }), {
      setup: { ...hosts, staticHosts: ['http://a'] },
      state: first.state,
    });
    expect(asked(fewer)).toEqual(['destroy visual-1']);
  });

  it('a machine that is held back and being ended still takes its place: none is bought beyond the maximum', () => {
    const instances = [instanceOf('a', { phase: 'destroying', phaseSinceMs: NOW - 1000 })];
    const hold: Hold = { kind: 'cordoned', by: 'ada', sinceMs: 0, untilMs: null };
    const look = { setup: { ...setup, config: pool({ max: 1 }) }, state: state({ holds: { a: hold } }) };
    expect(asked(plan(working(instances), look))).toEqual([]);
  });
});

describe('the last disk of a pool', () => {
  const asleep = (hours: number): PoolSight =>
    sight([instanceOf('visual-1', { phase: 'suspended', phaseSinceMs: NOW - hours * 3_600_000, priceUsdPerHour: 2 })]);

  it('is worth the same pull however long boots have taken lately', () => {
    for (const bootSec of [null, 60, 300, 3600]) {
      expect(asked(plan({ ...asleep(20), bootSec }))).toEqual([]);
      expect(asked(plan({ ...asleep(60), bootSec }))).toEqual(['destroy visual-1']);
    }
  });
});
