/** Spot and on-demand instances side by side: the share, the floor while critical work is open, and what is added and stopped. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from '../../../domain/fleet/pool/decide/decide.ts';
import type { Decision, InstanceView, PoolAction } from '../../../domain/fleet/pool/pool.ts';
import { newPoolMemory } from '../../../domain/fleet/pool/pool.ts';
import { isCapacity } from '../../../domain/fleet/phases.ts';
import { configForMarket, marketsOfNew, mixOf } from '../../../domain/fleet/pool/spot-mix.ts';
import { forAll } from '../../../testing/property.ts';
import { demandOf, inputArb, inputOf, instanceOf, NO_DEMAND, pool } from '../../../testing/fleet/made-up-pools.ts';

const CALM = { criticalCalls: 0 };
const CRITICAL = { criticalCalls: 2 };
const spot = (name: string, more: Partial<InstanceView> = {}): InstanceView =>
  instanceOf(name, { market: 'spot', ...more });
const onDemand = (name: string, more: Partial<InstanceView> = {}): InstanceView =>
  instanceOf(name, { market: 'ondemand', ...more });
const creates = ({ actions }: Decision): (string | undefined)[] =>
  actions.flatMap((a) => (a.kind === 'create' ? [a.market] : []));
const memory = (target: number) => ({ ...newPoolMemory(), target });
const busy = { inFlight: 4 };

const ratioArb = fc.double({ min: 0, max: 1, noNaN: true });

describe('the markets of new instances', () => {
  it('have a share that is never further from the ratio than half an instance', () =>
    forAll([ratioArb, fc.integer({ min: 1, max: 40 })], (ratio, count) => {
      const markets = marketsOfNew(count, ratio, { spot: 0, ondemand: 0 }, CALM);
      const made = markets.filter((market) => market === 'spot').length;
      expect(Math.abs(made - ratio * count)).toBeLessThanOrEqual(0.5 + 1e-9);
    }));

  it('bring any mix to the ratio as instances are added', () =>
    forAll([ratioArb, fc.nat(8), fc.nat(8)], (ratio, some, others) => {
      const markets = marketsOfNew(400, ratio, { spot: some, ondemand: others }, CALM);
      const share = (some + markets.filter((m) => m === 'spot').length) / (some + others + markets.length);
      expect(Math.abs(share - ratio)).toBeLessThanOrEqual(0.5 / 408 + 0.02);
    }));

  it('begin on demand while critical work is open and nothing on demand is there', () => {
    expect(marketsOfNew(3, 0.7, { spot: 0, ondemand: 0 }, CRITICAL)).toEqual(['ondemand', 'spot', 'spot']);
    expect(marketsOfNew(3, 1, { spot: 4, ondemand: 0 }, CRITICAL)).toEqual(['ondemand', 'spot', 'spot']);
    expect(marketsOfNew(3, 0.7, { spot: 0, ondemand: 0 }, CALM)).toEqual(['spot', 'ondemand', 'spot']);
  });
});

describe('an instance of a mixed pool', () => {
  it('that is for on-demand takes nothing else, one for spot takes on-demand where it has to', () => {
    const config = pool({ spotRatio: 0.7 });
    expect(configForMarket(config, 'ondemand')).toMatchObject({ market: 'ondemand', spotRatio: null });
    expect(configForMarket(config, 'spot')).toEqual(config);
    expect(configForMarket(pool(), undefined)).toEqual(pool());
  });
});

describe('a pool with a share of spot', () => {
  const config = pool({ spotRatio: 0.7, max: 10, maxKeptVolumes: 0 });

  it('creates what the mix lacks', () => {
    const decision = decide(inputOf(1000, demandOf(3600), [spot('visual-1', busy)], { config, memory: memory(4) }));
    expect(creates(decision)).toEqual(['ondemand', 'spot', 'spot']);
  });

  it('scenario 39: wants spot again after an instance got on-demand for want of spot', () => {
    const instances = [onDemand('visual-1', busy), onDemand('visual-2', busy)];
    const decision = decide(inputOf(1000, demandOf(3600), instances, { config, memory: memory(3) }));
    expect(creates(decision)).toEqual(['spot']);
  });

  it('adds one on demand beside enough spot as soon as critical work is open, and then leaves it at that', () => {
    const demand = demandOf(300, CRITICAL);
    const first = decide(inputOf(1000, demand, [spot('visual-1', busy)], { config, memory: memory(1) }));
    expect(creates(first)).toEqual(['ondemand']);
    expect(first.target).toBe(2);
    const both = [spot('visual-1', busy), onDemand('visual-2', { phase: 'booting', inFlight: null })];
    const second = decide(inputOf(6000, demand, both, { config, memory: first.memory }));
    expect(second.actions).toEqual([]);
    const ready = [spot('visual-1'), onDemand('visual-2')];
    expect(decide(inputOf(9000, demand, ready, { config, memory: second.memory })).actions).toEqual([]);
  });

  it('scenario 38: replaces what a wave of evictions took at once, on demand first while work is critical', () => {
    const taken = [1, 2, 3].map((n) =>
      spot(`visual-${n}`, { phase: 'cordoned', phaseSinceMs: 900, inFlight: 2, isTakenBack: true }),
    );
    const input = inputOf(1000, demandOf(3600, CRITICAL), taken, { config, memory: memory(3) });
    expect(creates(decide(input))).toEqual(['ondemand', 'spot', 'spot']);
    expect(decide(input).actions).not.toContainEqual(expect.objectContaining({ kind: 'uncordon' }));
  });

  it('rents on demand for the floor, whatever the instance that wakes was before', () => {
    const asleep = { phase: 'suspended', inFlight: null, billedSinceMs: null } as const;
    const kept = pool({ spotRatio: 0.7, max: 3 });
    const demand = demandOf(60, { openCalls: 1, ...CRITICAL });
    const woken = decide(inputOf(1000, demand, [spot('visual-1', asleep)], { config: kept })).actions;
    expect(woken).toEqual([{ kind: 'wake', instance: 'visual-1', market: 'ondemand' }]);
    const calm = demandOf(60, { openCalls: 1 });
    const again = decide(inputOf(1000, calm, [onDemand('visual-1', asleep)], { config: kept })).actions;
    expect(again).toEqual([{ kind: 'wake', instance: 'visual-1', market: 'spot' }]);
  });

  it('lets a spot machine that is still on come back only where nothing on demand can be added', () => {
    const held = [spot('visual-1', { phase: 'cordoned' })];
    const demand = demandOf(60, { openCalls: 1, ...CRITICAL });
    const actions = (max: number) =>
      decide(inputOf(1000, demand, held, { config: pool({ spotRatio: 0.7, max }) })).actions;
    expect(actions(2)).toEqual([{ kind: 'create', market: 'ondemand' }]);
    expect(actions(1)).toEqual([{ kind: 'uncordon', instance: 'visual-1' }]);
  });

  it('stops what is on demand first when there is less to do, and keeps the last one while work is critical', () => {
    const instances = [spot('visual-1'), spot('visual-2'), onDemand('visual-3')];
    const calm = decide(inputOf(1000, demandOf(30), instances, { config, memory: memory(2) }));
    expect(calm.actions).toEqual([{ kind: 'destroy', instance: 'visual-3' }]);
    const critical = decide(inputOf(1000, demandOf(30, CRITICAL), instances, { config, memory: memory(2) }));
    expect(critical.actions).toEqual([{ kind: 'destroy', instance: 'visual-1' }]);
  });

  it('puts everything to sleep without work', () => {
    const instances = [spot('visual-1'), onDemand('visual-2')];
    const asleep = decide(inputOf(36_000_000, NO_DEMAND, instances, { config, memory: memory(2) })).actions;
    expect(asleep.map((a) => a.kind)).toEqual(['destroy', 'destroy']);
  });
});

/** Capacity after the actions. */
function after(instances: readonly InstanceView[], actions: readonly PoolAction[]): InstanceView[] {
  const named = new Map(actions.flatMap((a) => (a.kind === 'create' ? [] : [[a.instance, a.kind] as const])));
  const kept = instances.filter((i) => {
    const kind = named.get(i.name);
    if (kind === 'suspend' || kind === 'destroy' || kind === 'wake') return false;
    return isCapacity(i.phase) || kind === 'uncordon';
  });
  const made = actions.flatMap((a) =>
    a.kind === 'create' || a.kind === 'wake' ? [instanceOf('new', { market: a.market ?? 'ondemand' })] : [],
  );
  return [...kept, ...made];
}

const marketArb = fc.option(fc.constantFrom('spot' as const, 'ondemand' as const), { nil: undefined });

it('whatever is seen, critical work has something on demand unless the maximum or a failed instance forbids it', () =>
  forAll(
    [inputArb, ratioArb, fc.array(marketArb, { minLength: 6, maxLength: 6 })],
    { runs: 3000 },
    (input, ratio, markets) => {
      const { observation, config } = input;
      const instances = observation.instances.map((instance, i) => {
        const market = markets[i];
        return market === undefined ? instance : { ...instance, market };
      });
      const mixed = { ...input, config: { ...config, spotRatio: ratio }, observation: { ...observation, instances } };
      const { actions, target } = decide(mixed);
      const rented = instances.filter(
        (i) =>
          isCapacity(i.phase) ||
          i.phase === 'cordoned' ||
          i.phase === 'suspending' ||
          (i.phase === 'destroying' && observation.atMs - i.phaseSinceMs <= config.timing.destroyAlarmMs),
      ).length;
      const buys = actions.filter((a) => a.kind === 'create' || a.kind === 'wake');
      if (buys.length > 0) expect(after(instances, actions).length).toBeLessThanOrEqual(config.max);
      for (const action of buys) expect(action.market).toBeDefined();
      if (observation.demand === null || observation.demand.criticalCalls === 0) return;
      const pausing = instances.some(
        (i) => i.phase === 'failed' && i.phaseSinceMs + config.timing.ladderPauseMaxMs > observation.atMs,
      );
      const isFull = rented >= config.max;
      if (config.max === 0 || isFull || pausing) return;
      expect(target).toBeGreaterThanOrEqual(1);
      expect(mixOf(after(instances, actions)).ondemand).toBeGreaterThanOrEqual(1);
    },
  ));

it('without a share of spot nothing is decided differently', () =>
  forAll([inputArb], (input) => {
    const { spotRatio: _, ...earlier } = input.config;
    expect(decide({ ...input, config: earlier as typeof input.config })).toEqual(decide(input));
    for (const action of decide(input).actions) expect(action).not.toHaveProperty('market');
  }));
