/** A pool that warms instances ahead: one look, a day on virtual time, and what always holds. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRented } from '../../../../domain/fleet/phases.ts';
import {
  planPool,
  type PlanInput,
  type PoolPlan,
  type PoolSight,
  type PoolStep,
} from '../../../../domain/fleet/pool/plan.ts';
import { fleetConfigSchema } from '../../../../domain/fleet/pool/pool-config.ts';
import type { InstanceView } from '../../../../domain/fleet/pool/pool.ts';
import { firstState, type PoolSetup, type PoolState } from '../../../../domain/fleet/pool/pool-state.ts';
import type { WarmWindow } from '../../../../domain/fleet/prewarm/outlook.ts';
import { stepWarming, type PrewarmMemory } from '../../../../domain/fleet/prewarm/warming.ts';
import { forAll } from '../../../../testing/property.ts';
import {
  AWAY,
  demandOf,
  instanceOf,
  instancesArb,
  maybeDemandArb,
  NO_DEMAND,
  pool,
  setupOf,
  sightOf,
} from '../../../../testing/fleet/made-up-pools.ts';
import { HOUR, MINUTE } from '../../../../testing/fleet/made-up-arrivals.ts';

const NINE = Date.UTC(2026, 7, 4, 9);
const setup = (settings: Record<string, unknown> = {}): PoolSetup =>
  setupOf(pool({ max: 2, prewarm: 'learned', sleepPolicy: 'break_even', ...settings }), {
    volumeUsdPerGibMonth: 0,
    expectedBootMs: 3 * MINUTE,
  });

const window = (readyAtMs: number, keptMs = 0): WarmWindow => ({
  wakeAtMs: readyAtMs - 3 * MINUTE,
  readyAtMs,
  keptUntilMs: readyAtMs + keptMs,
  chance: 0.64,
  gainUsd: 0.1,
});
const memoryOf = (...windows: readonly WarmWindow[]): PrewarmMemory => ({
  askedAtMs: NINE - HOUR,
  outlook: { madeAtMs: NINE - HOUR, verdict: 'pays', words: 'Pre-warm pays.', windows },
  warmed: null,
});
const asleep = instanceOf('visual-1', {
  ...AWAY,
  phase: 'suspended',
  phaseSinceMs: NINE - 2 * HOUR,
  billedSinceMs: null,
});
const look = (
  atMs: number,
  instances: readonly InstanceView[],
  {
    state = {},
    seen = {},
    ...more
  }: { state?: Partial<PoolState>; seen?: Partial<PoolSight> } & Partial<Omit<PlanInput, 'state' | 'seen'>> = {},
): PoolPlan =>
  planPool({
    setup: setup(),
    state: { ...firstState(), prewarm: memoryOf(window(NINE)), ...state },
    atMs,
    seen: sightOf(atMs, instances, { bootSec: 180, ...seen }),
    random01: 0.5,
    ...more,
  });
const DUE = NINE - 2 * MINUTE;
const REASON = 'pre-warm: a deck is expected from 2026-08-04 09:00 UTC on (64 %)';
const kindsOf = (steps: readonly PoolStep[]): string[] =>
  steps.map((step) => (step.kind === 'ask' ? `${step.request} ${step.instance}` : step.kind));

describe('ahead of a time that pays', () => {
  it('a sleeping instance is woken, or a new one created, under a reason by name', () => {
    expect(look(DUE, [asleep]).steps).toEqual([{ kind: 'ask', instance: 'visual-1', request: 'wake', reason: REASON }]);
    expect(look(DUE, []).steps).toEqual([{ kind: 'create', reason: REASON }]);
    expect(look(DUE, []).outcome.reasons[0]).toBe(REASON);
  });

  it('nothing is woken before it, after it, without the setting, or beside an instance that is there', () => {
    expect(look(NINE - 4 * MINUTE, [asleep]).steps).toEqual([]);
    expect(look(NINE, [asleep]).steps).toEqual([]);
    expect(look(DUE, [asleep], { setup: setup({ prewarm: 'off' }) }).steps).toEqual([]);
    expect(look(DUE, [asleep], { state: { prewarm: memoryOf() } }).steps).toEqual([]);
    expect(kindsOf(look(DUE, [asleep, instanceOf('visual-2', { phase: 'booting' })]).steps)).not.toContain(
      'wake visual-1',
    );
  });

  it('the pool looks when the time comes', () => {
    expect(look(NINE - 3 * MINUTE - 10_000, [asleep]).outcome.nextLookAtMs).toBe(NINE - 3 * MINUTE);
  });

  it('never above the maximum, for an instance that an operator holds, or above a soft cap', () => {
    expect(look(DUE, [], { setup: setup({ max: 0 }) }).steps).toEqual([]);
    const ending = instanceOf('visual-1', { phase: 'destroying', phaseSinceMs: DUE - 1000 });
    expect(look(DUE, [ending], { setup: setup({ max: 1 }) }).steps).toEqual([]);
    const hold = { kind: 'asleep', by: 'ada', sinceMs: DUE - 1000, untilMs: NINE } as const;
    expect(look(DUE, [asleep], { state: { holds: { 'visual-1': hold } } }).steps).toEqual([]);
    const money = { unpaid: [], urgentOnly: true, onlyOverBudget: false, message: null, limited: [] };
    expect(look(DUE, [asleep], { seen: { money } }).steps).toEqual([]);
  });

  it('unknown work changes nothing', () => {
    const observation = { atMs: DUE, demand: null, instances: [asleep], recentCalls: 0, busySlotSeconds: 0 };
    expect(look(DUE, [asleep], { seen: { observation } }).steps).toEqual([]);
  });

  it('a setting of a pool whose machines nobody waits for is refused', () => {
    const parse = (classes: readonly string[]) =>
      fleetConfigSchema.safeParse({ pools: [{ name: 'text', classes, prewarm: 'learned' }] });
    expect(parse(['gpu-text']).error?.issues[0]?.message).toContain('only a pool that serves gpu-visual');
    expect(parse(['gpu-text', 'gpu-visual']).success).toBe(true);
  });
});

/** A pool on virtual time whose instances take three minutes to wake and sleep at once. */
function runDay(windows: readonly WarmWindow[], deckAtMs: number | null, fromMs: number, untilMs: number) {
  let state: PoolState = { ...firstState(), prewarm: memoryOf(...windows) };
  let instance: InstanceView = asleep;
  const seen: { atMs: number; kinds: string[] }[] = [];
  for (let atMs = fromMs; atMs < untilMs;) {
    if (instance.phase === 'waking' && atMs - instance.phaseSinceMs >= 3 * MINUTE)
      instance = { ...instance, phase: 'ready', phaseSinceMs: atMs, inFlight: 0, idleSinceMs: atMs, hasPolled: true };
    const isWorking = deckAtMs !== null && atMs >= deckAtMs && atMs < deckAtMs + 5 * MINUTE;
    if (isWorking && instance.phase === 'ready') instance = { ...instance, inFlight: 1, idleSinceMs: atMs };
    else if (instance.inFlight === 1) instance = { ...instance, inFlight: 0 };
    const demand = isWorking ? demandOf(300) : NO_DEMAND;
    const observation = { atMs, demand, instances: [instance], recentCalls: isWorking ? 3 : 0, busySlotSeconds: 0 };
    const plan = planPool({
      setup: setup(),
      state,
      atMs,
      seen: { ...sightOf(atMs, [instance]), observation },
      random01: 0.5,
    });
    state = plan.state;
    if (plan.steps.length > 0) seen.push({ atMs, kinds: kindsOf(plan.steps) });
    for (const step of plan.steps) {
      if (step.kind !== 'ask') throw new Error(`unexpected ${step.kind}`);
      const phase = step.request === 'wake' ? ('waking' as const) : ('suspended' as const);
      const billedSinceMs = phase === 'waking' ? atMs : null;
      instance = { ...instance, ...AWAY, phase, phaseSinceMs: atMs, billedSinceMs };
    }
    atMs = Math.min(untilMs, Math.max(atMs + 1000, plan.outcome.nextLookAtMs));
  }
  return seen.map(({ atMs, kinds }) => [(atMs - NINE) / MINUTE, ...kinds]);
}

describe('a warmed instance', () => {
  it('is ready in time, and without a deck sleeps by the sleep policy', () => {
    const events = runDay([window(NINE)], null, NINE - 10 * MINUTE, NINE + HOUR);
    expect(events[0]).toEqual([-3, 'wake visual-1']);
    // Break-even: a wake costs three minutes.
    expect(events[1]?.[1]).toBe('suspend visual-1');
    expect(events[1]?.[0]).toBeGreaterThanOrEqual(3);
    expect(events[1]?.[0]).toBeLessThan(4);
    expect(events).toHaveLength(2);
  });

  it('is kept for the time that pays, and then sleeps', () => {
    const events = runDay([window(NINE, 15 * MINUTE)], null, NINE - 10 * MINUTE, NINE + HOUR);
    expect(events.map(([, kind]) => kind)).toEqual(['wake visual-1', 'suspend visual-1']);
    expect(events[1]?.[0]).toBeGreaterThanOrEqual(15);
    expect(events[1]?.[0]).toBeLessThan(16);
  });

  it('serves the deck that comes, and then sleeps like any other', () => {
    const events = runDay([window(NINE, 30 * MINUTE)], NINE + 5 * MINUTE, NINE - 10 * MINUTE, NINE + HOUR);
    expect(events.map(([, kind]) => kind)).toEqual(['wake visual-1', 'suspend visual-1']);
    expect(events[1]?.[0]).toBeGreaterThanOrEqual(12.5);
    expect(events[1]?.[0]).toBeLessThan(15);
  });

  it('is warmed once for each time', () => {
    const times = [NINE, NINE + 15 * MINUTE].map((at) => window(at));
    const events = runDay(times, null, NINE - 10 * MINUTE, NINE + HOUR);
    expect(events.map(([, kind]) => kind)).toEqual([
      'wake visual-1',
      'suspend visual-1',
      'wake visual-1',
      'suspend visual-1',
    ]);
  });

  it('that could not be had is given up', () => {
    const planned = { ...asleep, phase: 'waking' as const, phaseSinceMs: NINE - 3 * MINUTE };
    const warmed = { readyAtMs: NINE, keptUntilMs: NINE, chance: 0.64, isOver: false };
    const prewarm = { ...memoryOf(window(NINE)), warmed };
    const memory = { ...firstState().memory, target: 1, idleGap: { sinceMs: NINE - HOUR, draw01: 0.5 } };
    expect(look(NINE + 14 * MINUTE, [planned], { state: { prewarm, memory } }).steps).toEqual([]);
    expect(kindsOf(look(NINE + 16 * MINUTE, [planned], { state: { prewarm, memory } }).steps)).toEqual([
      'suspend visual-1',
    ]);
  });
});

it('the minimum is raised only for a time that pays, by one, while there is no work; nothing bought is above the maximum', () =>
  forAll(
    [
      instancesArb,
      maybeDemandArb,
      fc.array(fc.integer({ min: -HOUR, max: HOUR }), { maxLength: 4 }),
      fc.option(fc.record({ offsetMs: fc.integer({ min: -HOUR, max: HOUR }), isOver: fc.boolean() })),
      fc.integer({ min: 0, max: 3 }),
    ],
    { runs: 1000 },
    (instances, demand, offsets, before, max) => {
      const atMs = 6_000_000;
      const warmed =
        before === null
          ? null
          : {
              readyAtMs: atMs + before.offsetMs,
              keptUntilMs: atMs + before.offsetMs,
              chance: 0.5,
              isOver: before.isOver,
            };
      const memory = { ...memoryOf(...offsets.map((offset) => window(atMs + offset, 10 * MINUTE))), warmed };
      const step = stepWarming(memory, { atMs, demand, instances, recentCalls: 0, busySlotSeconds: 0 });
      if (demand === null || demand.openCalls > 0 || demand.comingSeconds > 0) expect(step.min).toBe(0);
      if (step.min === 1) expect(step.memory.warmed?.isOver).toBe(false);
      expect(step.min === 1).toBe(step.reason !== null);
      expect(step.dueMs.every((dueMs) => dueMs > atMs)).toBe(true);
      const { steps } = look(atMs, instances, { setup: setup({ max }), state: { prewarm: memory } });
      const bought = steps.filter(({ kind }) => kind === 'create').length;
      const rented = instances.filter((i) => isRented(i, atMs, setup().config.timing.destroyAlarmMs)).length;
      if (bought > 0) expect(rented + bought).toBeLessThanOrEqual(max);
    },
  ));
