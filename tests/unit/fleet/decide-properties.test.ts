/** Properties of `decide()` that hold for every input. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from '../../../domain/fleet/pool/decide/decide.ts';
import { hasWork } from '../../../domain/fleet/pool/demand.ts';
import type { DecideInput, Decision, InstanceView } from '../../../domain/fleet/pool/pool.ts';
import { forAll } from '../../../testing/property.ts';
import { propertyRuns } from '../../../testing/tier.ts';
import {
  demandOf,
  inputArb,
  maybeDemandArb,
  PLAIN_BLOCKS,
  pool,
  REFUNDED,
  VirtualPool,
} from '../../../testing/fleet/made-up-pools.ts';

const CAPACITY = ['planned', 'creating', 'booting', 'waking', 'ready'];
const runs = { runs: 3000 };

const isCapacity = (i: InstanceView): boolean => CAPACITY.includes(i.phase);
const find = (input: DecideInput, name: string): InstanceView | undefined =>
  input.observation.instances.find((i) => i.name === name);

/** Capacity after the actions have been carried out. */
function capacityAfter(input: DecideInput, decision: Decision): number {
  let count = input.observation.instances.filter(isCapacity).length;
  for (const action of decision.actions) {
    if (action.kind === 'create' || action.kind === 'wake' || action.kind === 'uncordon') count += 1;
    else {
      const instance = find(input, action.instance);
      if (instance !== undefined && isCapacity(instance)) count -= 1;
    }
  }
  return count;
}

describe('whatever is observed and remembered', () => {
  it('the target stays within the pool limits and capacity is never taken above the maximum or below the minimum', () =>
    forAll([inputArb], runs, (input) => {
      const decision = decide(input);
      const { min, max } = input.config;
      const before = input.observation.instances.filter(isCapacity).length;
      const after = capacityAfter(input, decision);
      expect(decision.target).toBeGreaterThanOrEqual(min);
      expect(decision.target).toBeLessThanOrEqual(max);
      expect(decision.memory.target).toBe(decision.target);
      if (after > before) expect(after).toBeLessThanOrEqual(Math.min(max, Math.max(decision.target, min)));
      if (after < before) expect(after).toBeGreaterThanOrEqual(Math.max(min, decision.target));
    }));

  it('machines that are still being ended count against the maximum', () =>
    forAll([inputArb], runs, (input) => {
      const { instances, atMs } = input.observation;
      const rented = instances.filter(
        (i) =>
          isCapacity(i) ||
          i.phase === 'cordoned' ||
          i.phase === 'suspending' ||
          (i.phase === 'destroying' && atMs - i.phaseSinceMs <= input.config.timing.destroyAlarmMs),
      ).length;
      const rents = decide(input).actions.filter(
        (a) => a.kind === 'create' || (a.kind === 'wake' && find(input, a.instance)?.phase === 'suspended'),
      ).length;
      if (rents > 0) expect(rented + rents).toBeLessThanOrEqual(input.config.max);
    }));

  it('a busy instance, one with unknown calls and one that has not polled are never stopped', () =>
    forAll([inputArb], runs, (input) => {
      for (const action of decide(input).actions) {
        if (action.kind !== 'suspend' && action.kind !== 'destroy') continue;
        const instance = find(input, action.instance);
        if (instance?.phase === 'planned' || instance?.phase === 'suspended') {
          expect(action.kind).toBe('destroy');
          continue;
        }
        if (instance?.phase === 'waking') {
          // It has no machine yet: it goes on sleeping.
          expect(action.kind).toBe('suspend');
          expect(instance.billedSinceMs).toBeNull();
          continue;
        }
        expect(instance).toMatchObject({ phase: 'ready', inFlight: 0, hasPolled: true });
      }
    }));

  it('unknown metrics lead to no action and leave the target', () =>
    forAll([inputArb], runs, (input) => {
      const decision = decide({ ...input, observation: { ...input.observation, demand: null } });
      expect(decision.actions).toEqual([]);
      const { min, max } = input.config;
      expect(decision.target).toBe(Math.max(min, Math.min(max, input.memory.target)));
    }));

  it('the same input gives the same decision, and every decision has reasons and a next look in the future', () =>
    forAll([inputArb], runs, (input) => {
      const decision = decide(input);
      expect(decide(structuredClone(input))).toEqual(decision);
      expect(JSON.parse(JSON.stringify(decision.memory))).toEqual(decision.memory);
      expect(decision.reasons.length).toBeGreaterThan(0);
      expect(decision.nextLookAtMs).toBeGreaterThan(input.observation.atMs);
      expect(decision.nextLookAtMs - input.observation.atMs).toBeLessThanOrEqual(input.config.timing.idleTickMs);
    }));

  it('each instance is named in at most one action, and is put to one that its phase allows', async () => {
    const allowed: Record<string, readonly string[]> = {
      wake: ['suspended', 'suspending'],
      uncordon: ['cordoned'],
      suspend: ['ready', 'waking'],
      destroy: ['ready', 'planned', 'suspended'],
    };
    await forAll([inputArb], runs, (input) => {
      const named = decide(input).actions.flatMap((a) => (a.kind === 'create' ? [] : [a]));
      expect(new Set(named.map((a) => a.instance)).size).toBe(named.length);
      for (const action of named) expect(allowed[action.kind]).toContain(find(input, action.instance)?.phase);
    });
  });

  it('nothing is created or woken without open, announced or running work, except for the minimum', () =>
    forAll([inputArb], runs, (input) => {
      const { demand, instances } = input.observation;
      const inFlight = instances
        .filter((i) => i.phase === 'ready' || i.phase === 'cordoned')
        .reduce((sum, i) => sum + (i.inFlight ?? 0), 0);
      if (demand === null || hasWork(demand) || inFlight > 0) return;
      const after = capacityAfter(input, decide(input));
      if (after > instances.filter(isCapacity).length) expect(after).toBeLessThanOrEqual(input.config.min);
    }));
});

describe('over any sequence of observations', () => {
  /** Stretches of time in which the demand is the same: delays only end in those that last. */
  const stretches = fc.array(
    fc.record({
      demand: fc.oneof(
        { weight: 2, arbitrary: maybeDemandArb },
        { weight: 3, arbitrary: fc.integer({ min: 0, max: 5 }).map((n) => demandOf(n * 1200)) },
      ),
      lastsMs: fc.integer({ min: 10_000, max: 1_200_000 }),
      lookMs: fc.integer({ min: 5000, max: 60_000 }),
      busy: fc.boolean(),
      recentCalls: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 100 })),
    }),
    { minLength: 5, maxLength: 25 },
  );
  type Stretch = typeof stretches extends fc.Arbitrary<(infer T)[]> ? T : never;

  /** Lets a pool live through stretches; `seen` is told of every look. */
  function live(
    virtual: VirtualPool,
    list: readonly Stretch[],
    seen: (stretch: Stretch, before: number) => void,
  ): void {
    for (const stretch of list) {
      const endMs = virtual.nowMs + stretch.lastsMs;
      while (virtual.nowMs < endMs) {
        for (const i of virtual.instances) {
          if (i.phase !== 'ready') continue;
          if (stretch.busy) virtual.set(i.name, { inFlight: 2 });
          else if (i.inFlight === 2) virtual.set(i.name, { inFlight: 0, idleSinceMs: virtual.nowMs });
        }
        const before = virtual.instances.filter(isCapacity).length;
        virtual.look(stretch.demand, stretch.recentCalls);
        seen(stretch, before);
        virtual.nowMs += stretch.lookMs;
      }
    }
  }

  /**
   * A flip = the target moves against its last move sooner than the down delay. Moves to and from zero belong to the sleep policy and to
   * the wake without delay; emergencies know no delay.
   */
  it('the target does not flip inside the down delay', async () => {
    let moves = 0;
    await forAll(
      [stretches, fc.constantFrom(REFUNDED, PLAIN_BLOCKS), fc.integer({ min: 0, max: 2 })],
      { runs: 400 },
      (list, billing, min) => {
        const config = pool({ min, max: 5 });
        const virtual = new VirtualPool(config, 90_000, { billing });
        let last: { direction: number; atMs: number } | null = null;
        let target = 0;
        live(virtual, list, ({ demand }, before) => {
          const next = virtual.memory.target;
          const direction = Math.sign(next - target);
          if (direction === 0) return;
          const emergency =
            demand !== null && (demand.criticalCalls > 0 || (demand.oldestAgeMs ?? 0) > config.timing.oldestAgePanicMs);
          const exempt = next === 0 || target === 0 || (direction > 0 && (before === 0 || emergency));
          if (!exempt && last !== null && last.direction !== direction)
            expect(virtual.nowMs - last.atMs).toBeGreaterThanOrEqual(config.timing.downDelayMs);
          last = { direction, atMs: virtual.nowMs };
          target = next;
          moves += 1;
        });
      },
    );
    expect(moves).toBeGreaterThan(2.5 * propertyRuns(400));
  });

  it('capacity stays within the limits all the time', () =>
    forAll([stretches, fc.integer({ min: 0, max: 2 })], { runs: 200 }, (list, min) => {
      const virtual = new VirtualPool(pool({ min, max: 3 }), 90_000);
      let known = false;
      live(virtual, list, ({ demand }) => {
        known ||= demand !== null;
        const capacity = virtual.instances.filter(isCapacity).length;
        expect(capacity).toBeLessThanOrEqual(3);
        if (known) expect(capacity).toBeGreaterThanOrEqual(min);
      });
    }));
});
