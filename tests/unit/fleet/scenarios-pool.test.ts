/** Complaints of users of other autoscalers, as scenarios on virtual time: the pool's part of them, by number. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Demand, InstanceView, PoolMemory } from '../../../domain/fleet/pool/pool.ts';
import {
  AWAY,
  demandOf,
  inputOf,
  instanceOf,
  NO_DEMAND,
  PLAIN_BLOCKS,
  pool,
  REFUNDED,
  VirtualPool,
} from '../../../testing/fleet/made-up-pools.ts';
import { decide } from '../../../domain/fleet/pool/decide/decide.ts';
import { forAll } from '../../../testing/property.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Work that keeps so many instances of four slots busy for the drain goal of five minutes. */
const workFor = (instances: number): Demand => demandOf(instances * 1200);

/** A pool with ready instances, at a target reached long ago. */
function settled(count: number, settings: Record<string, unknown> = {}, more = {}): VirtualPool {
  const virtual = new VirtualPool(pool(settings), 3 * MINUTE, more);
  virtual.instances = Array.from({ length: count }, (_, i) => instanceOf(`visual-${i + 1}`));
  virtual.memory = { ...virtual.memory, target: count };
  return virtual;
}
const kinds = (virtual: VirtualPool): string[] =>
  virtual.decisions.flatMap((d) => d.decision.actions.map((a) => a.kind));

describe('scenarios of the pool', () => {
  it('scenario 19: a busy instance is not stopped when the pool shrinks; an idle one is, once the others are', () => {
    const virtual = settled(3);
    for (const name of ['visual-1', 'visual-2', 'visual-3']) virtual.set(name, { inFlight: 1 });
    const small = demandOf(20, { openCalls: 3 });
    virtual.run(30 * MINUTE, () => small);
    expect(virtual.memory.target).toBe(1);
    expect(kinds(virtual)).toEqual([]);
    virtual.set('visual-2', { inFlight: 0, idleSinceMs: virtual.nowMs });
    virtual.set('visual-3', { inFlight: null });
    virtual.run(40 * MINUTE, () => small);
    expect(virtual.decisions.flatMap((d) => d.decision.actions)).toEqual([{ kind: 'suspend', instance: 'visual-2' }]);
  });

  it('scenario 20: a queue that reads 0 between polls does not put to sleep what works', () => {
    const inFlight = settled(1);
    inFlight.set('visual-1', { inFlight: 2 });
    inFlight.run(3 * HOUR, () => NO_DEMAND);
    expect(kinds(inFlight)).toEqual([]);
    // Calls end although every instance claims to be idle: one of them works.
    const contradicting = settled(1);
    contradicting.nowMs = HOUR;
    expect(contradicting.look(NO_DEMAND, 12).actions).toEqual([]);
    expect(contradicting.decisions[0]?.decision.reasons[0]).toContain('12 calls ended in the last minute');
    contradicting.nowMs += MINUTE;
    expect(contradicting.look(NO_DEMAND, 0).actions).toEqual([{ kind: 'suspend', instance: 'visual-1' }]);
    // A pool that keeps up has a short backlog; its throughput says that it is needed.
    const keepingUp = settled(3);
    for (; keepingUp.nowMs < HOUR; keepingUp.nowMs += 5 * SECOND) keepingUp.look(demandOf(40, { openCalls: 4 }), 70);
    expect(keepingUp.memory.target).toBe(3);
  });

  it('scenario 21: at zero without any worker the first open call creates an instance at once, also after a blackout', () => {
    const virtual = new VirtualPool(pool(), 3 * MINUTE);
    expect(virtual.look(NO_DEMAND).actions).toEqual([]);
    virtual.nowMs = 10 * SECOND;
    expect(virtual.look(demandOf(15)).actions).toEqual([{ kind: 'create' }]);
    const blind = new VirtualPool(pool(), 3 * MINUTE);
    blind.memory = { ...blind.memory, wakeIntents: ['analysis-1'] };
    blind.run(10 * MINUTE, () => null);
    expect(kinds(blind)).toEqual([]);
    expect(blind.memory.wakeIntents).toEqual(['analysis-1']);
    expect(blind.look(demandOf(15)).actions).toEqual([{ kind: 'create' }]);
  });

  it('scenario 21: pages that are only announced wake the pool before the first call is planned', () => {
    const virtual = new VirtualPool(pool(), 3 * MINUTE);
    expect(virtual.look({ ...NO_DEMAND, comingSeconds: 690 }).actions).toEqual([{ kind: 'create' }]);
  });

  it('scenario 21: a deck that is cancelled, or known already, wakes nothing, and its announcement is forgotten', () => {
    const virtual = new VirtualPool(pool(), 3 * MINUTE);
    virtual.memory = { ...virtual.memory, wakeIntents: ['analysis-1'] };
    virtual.run(5 * MINUTE, () => NO_DEMAND);
    expect(kinds(virtual)).toEqual([]);
    expect(virtual.memory.wakeIntents).toEqual([]);
  });

  it('scenario 22: work that swings faster than the down delay turns the target round once at most', () => {
    for (const period of [30 * SECOND, 4 * MINUTE, 9 * MINUTE, 15 * MINUTE]) {
      const virtual = settled(1, { max: 5 });
      const turns: number[] = [];
      let direction = 0;
      let target = 1;
      virtual.run(6 * HOUR, (now) => workFor(now % period < period / 2 ? 1 : 4));
      for (const { atMs, decision } of virtual.decisions) {
        const now = Math.sign(decision.target - target);
        if (now !== 0 && direction !== 0 && now !== direction) turns.push(atMs);
        if (now !== 0) direction = now;
        target = decision.target;
      }
      for (const [index, atMs] of turns.entries())
        if (index > 0) expect(atMs - (turns[index - 1] ?? 0)).toBeGreaterThanOrEqual(10 * MINUTE);
      if (period <= 10 * MINUTE) expect(turns.length).toBeLessThanOrEqual(1);
    }
  });

  it('scenario 23: a pool grows in one step: at once from zero, after one delay above it', () => {
    const fromZero = new VirtualPool(pool({ max: 8 }), 3 * MINUTE);
    expect(fromZero.look(workFor(8)).actions).toHaveLength(8);
    const above = settled(1, { max: 8 });
    above.run(2 * MINUTE - 1, () => workFor(8));
    expect(above.memory.target).toBe(1);
    above.run(2 * MINUTE + 1, () => workFor(8));
    expect(above.count('create')).toBe(7);
  });

  it('scenario 23: critical work and work that has waited too long know no delay, and nothing shrinks shortly after', () => {
    const critical = settled(1, { max: 8 });
    expect(critical.look({ ...workFor(3), criticalCalls: 1 }).target).toBe(3);
    const late = settled(1, { max: 8 });
    expect(late.look({ ...workFor(2), oldestAgeMs: 11 * MINUTE }).target).toBe(3);
    late.nowMs += 59 * SECOND;
    expect(late.look(NO_DEMAND).reasons).toContain('Nothing sleeps: an emergency is not long over.');
  });

  it('scenario 24: without metrics the last decision stands for as long as they are missing', () => {
    const virtual = settled(3);
    virtual.run(9 * MINUTE, () => workFor(1));
    virtual.run(5 * HOUR, () => null);
    expect(kinds(virtual)).toEqual([]);
    expect(virtual.memory.target).toBe(3);
    // The blackout does not count as time with less work.
    virtual.run(5 * HOUR + 9 * MINUTE, () => workFor(1));
    expect(kinds(virtual)).toEqual([]);
    virtual.run(5 * HOUR + 11 * MINUTE, () => workFor(1));
    expect(kinds(virtual)).toEqual(['suspend', 'suspend']);
  });

  it('scenario 25: a restart between any two looks changes no decision', () => {
    const swing = (now: number): Demand => (now % (25 * MINUTE) < 12 * MINUTE ? workFor(3) : NO_DEMAND);
    const steady = new VirtualPool(pool(), 3 * MINUTE);
    const restarted = new VirtualPool(pool(), 3 * MINUTE);
    steady.run(4 * HOUR, swing);
    while (restarted.nowMs < 4 * HOUR) {
      restarted.memory = JSON.parse(JSON.stringify(restarted.memory)) as typeof restarted.memory;
      const { nextLookAtMs } = restarted.look(swing(restarted.nowMs));
      restarted.nowMs = Math.min(4 * HOUR, nextLookAtMs);
    }
    expect(restarted.decisions).toEqual(steady.decisions);
    expect(steady.count('suspend')).toBeGreaterThan(0);
  });

  it('scenario 43: no refresh of what is known of an instance changes when it goes to sleep: that is its pool’s to remember', () => {
    const virtual = settled(1, { sleepPolicy: 'fixed', timing: { fixedIdleMs: 10 * MINUTE } });
    for (virtual.nowMs = 0; virtual.nowMs < HOUR; virtual.nowMs += 5 * SECOND) {
      // Everything about it is written anew, and the pool goes on in another process.
      virtual.set('visual-1', { billedSinceMs: null, priceUsdPerHour: null, models: [] });
      virtual.memory = JSON.parse(JSON.stringify(virtual.memory)) as PoolMemory;
      if (virtual.look(NO_DEMAND).actions.length > 0) break;
    }
    expect(virtual.nowMs).toBe(10 * MINUTE);
    expect(kinds(virtual)).toEqual(['suspend']);
  });

  it('scenario 47: under an even load nothing is replaced for hours', () => {
    const virtual = settled(2);
    virtual.set('visual-1', { inFlight: 4 });
    virtual.set('visual-2', { inFlight: 4 });
    virtual.run(12 * HOUR, () => workFor(2));
    expect(kinds(virtual)).toEqual([]);
  });

  it('scenario 47: what cannot be had is tried again at a bounded rate', () => {
    const virtual = new VirtualPool(pool(), 3 * MINUTE);
    while (virtual.nowMs < HOUR) {
      const decision = virtual.look(demandOf(15));
      virtual.instances = virtual.instances.map((i) =>
        i.phase === 'failed' ? i : { ...i, phase: 'failed' as const, phaseSinceMs: virtual.nowMs },
      );
      virtual.nowMs = decision.nextLookAtMs;
    }
    expect(virtual.count('create')).toBeGreaterThan(10);
    expect(virtual.count('create')).toBeLessThanOrEqual(13);
  });

  it('scenario 48: an instance that was woken is not put to sleep before it has polled, though its work is gone meanwhile', () => {
    const virtual = new VirtualPool(pool(), 3 * MINUTE);
    virtual.memory = { ...virtual.memory, wakeIntents: ['analysis-1'] };
    virtual.look(demandOf(15));
    virtual.nowMs = 10 * SECOND;
    virtual.run(2 * MINUTE, () => NO_DEMAND);
    virtual.instances = virtual.instances.map((i) => ({
      ...i,
      phase: 'ready',
      inFlight: 0,
      idleSinceMs: i.phaseSinceMs,
      hasPolled: false,
    }));
    virtual.run(2 * HOUR, () => NO_DEMAND);
    expect(kinds(virtual)).toEqual(['create']);
    virtual.instances = virtual.instances.map((i) => ({ ...i, hasPolled: true }));
    virtual.run(3 * HOUR, () => NO_DEMAND);
    expect(kinds(virtual)).toEqual(['create', 'suspend']);
  });

  it('scenario 49: an instance that boots is neither stopped nor ordered twice, however long it takes', () => {
    const virtual = new VirtualPool(pool(), 14 * MINUTE);
    virtual.run(14 * MINUTE, (now) => (now < 5 * MINUTE ? demandOf(15) : NO_DEMAND));
    expect(kinds(virtual)).toEqual(['create']);
  });

  it('scenario 49: one that boots does not replace one that works', () => {
    const instances = [instanceOf('visual-1'), instanceOf('visual-2', { ...AWAY, phase: 'booting' })];
    const input = inputOf(HOUR, demandOf(15), instances);
    expect(decide({ ...input, memory: { ...input.memory, target: 1 } }).actions).toEqual([]);
  });
});

describe('which instance', () => {
  it('which instance to add: one that is cordoned, then one that sleeps, then one on its way to sleep, then a new one', () => {
    const instances = [
      instanceOf('visual-1', { phase: 'suspending' }),
      instanceOf('visual-2', { phase: 'suspended', phaseSinceMs: 1000 }),
      instanceOf('visual-3', { phase: 'suspended', phaseSinceMs: 2000 }),
      instanceOf('visual-4', { phase: 'cordoned' }),
    ];
    const config = pool({ max: 8 });
    expect(decide(inputOf(HOUR, workFor(5), instances, { config })).actions).toEqual([
      { kind: 'uncordon', instance: 'visual-4' },
      { kind: 'wake', instance: 'visual-3' },
      { kind: 'wake', instance: 'visual-2' },
      { kind: 'wake', instance: 'visual-1' },
      { kind: 'create' },
    ]);
  });

  it('which instance to stop: the nearest to the end of its paid block, then the one whose models others hold, then the dearest', () => {
    const stopped = (billing: typeof REFUNDED, atMs: number, ...changes: readonly Partial<InstanceView>[]): unknown => {
      const instances = changes.map((change, i) => instanceOf(`visual-${i + 1}`, change));
      const input = inputOf(atMs, demandOf(15), instances, { billing });
      return decide({ ...input, memory: { ...input.memory, target: instances.length - 1 } }).actions;
    };
    const atMs = 58.7 * MINUTE;
    const second = [{ kind: 'suspend', instance: 'visual-2' }];
    const blocks = [{ billedSinceMs: 5 * MINUTE }, { billedSinceMs: 0 }];
    expect(stopped(PLAIN_BLOCKS, atMs, ...blocks)).toEqual(second);
    // No block is near its end: what is paid is kept.
    expect(stopped(PLAIN_BLOCKS, 53 * MINUTE, ...blocks)).toEqual([]);
    expect(stopped(REFUNDED, atMs, { models: ['phi4', 'a'] }, { models: ['a'] }, { models: ['b'] })).toEqual(second);
    expect(stopped(REFUNDED, atMs, {}, { priceUsdPerHour: 4 })).toEqual(second);
  });

  it('a pool keeps as many disks as configured, and gives up those too many, too old or not worth their storage', () => {
    const asleep = (name: string, hours: number) =>
      instanceOf(name, { phase: 'suspended', phaseSinceMs: 1000 * HOUR - hours * HOUR });
    const disks = (instances: ReturnType<typeof asleep>[], more = {}): string[] =>
      decide(inputOf(1000 * HOUR, NO_DEMAND, instances, more)).actions.flatMap((a) =>
        a.kind === 'destroy' ? [a.instance] : [],
      );
    expect(disks([asleep('visual-1', 5), asleep('visual-2', 4), asleep('visual-3', 3)])).toEqual(['visual-1']);
    expect(disks([asleep('visual-1', 169)])).toEqual(['visual-1']);
    // Five minutes of boot at 2 USD/h are worth 6 h of storage at 0.0274 USD/h.
    const worth = { wakeCostSec: 180, coldCostSec: 480, volumeUsdPerHour: 0.0274 };
    expect(disks([asleep('visual-1', 7), asleep('visual-2', 7)], worth)).toEqual(['visual-1']);
    expect(disks([asleep('visual-1', 6), asleep('visual-2', 5)], worth)).toEqual([]);
    // The last disk also saves five minutes of waiting at 0.1 USD each: 24 h of storage.
    expect(disks([asleep('visual-1', 24)], worth)).toEqual([]);
    expect(disks([asleep('visual-1', 25)], worth)).toEqual(['visual-1']);
    const idle = { ...worth, config: pool({ waitingUsdPerMinute: 0 }) };
    expect(disks([asleep('visual-1', 6)], idle)).toEqual([]);
    expect(disks([asleep('visual-1', 7)], idle)).toEqual(['visual-1']);
  });

  it('the last disk of a pool is kept until its storage has cost what it saves at a wake, whatever the prices', () =>
    forAll(
      [
        fc.double({ min: 0, max: 167, noNaN: true }),
        fc.double({ min: 0.01, max: 40, noNaN: true }),
        fc.double({ min: 0.001, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 2, noNaN: true }),
        fc.double({ min: 0, max: 3600, noNaN: true }),
      ],
      (hours, priceUsdPerHour, volumeUsdPerHour, waitingUsdPerMinute, longerSec) => {
        const instance = instanceOf('visual-1', {
          phase: 'suspended',
          phaseSinceMs: (1000 - hours) * HOUR,
          priceUsdPerHour,
        });
        const savedUsd = (longerSec / 3600) * priceUsdPerHour + (longerSec / 60) * waitingUsdPerMinute;
        const storedUsd = hours * volumeUsdPerHour;
        // At the very limit rounding decides.
        fc.pre(Math.abs(storedUsd - savedUsd) > 1e-6 * (1 + savedUsd));
        const decision = decide(
          inputOf(1000 * HOUR, NO_DEMAND, [instance], {
            config: pool({ waitingUsdPerMinute }),
            wakeCostSec: 180,
            coldCostSec: 180 + longerSec,
            volumeUsdPerHour,
          }),
        );
        expect(decision.actions).toEqual(storedUsd > savedUsd ? [{ kind: 'destroy', instance: 'visual-1' }] : []);
      },
    ));

  it('an instance is withdrawn when it was planned and its work has gone', () => {
    const planned = instanceOf('visual-1', { ...AWAY, phase: 'planned', billedSinceMs: null });
    const input = inputOf(HOUR, NO_DEMAND, [planned]);
    const expected = { target: 0, actions: [{ kind: 'destroy', instance: 'visual-1' }] };
    expect(decide({ ...input, memory: { ...input.memory, target: 1 } })).toMatchObject(expected);
  });
});

describe('sleep', () => {
  it('goes on for an instance that was woken, has no machine yet, and whose work has gone', () => {
    const waking = instanceOf('visual-1', { ...AWAY, phase: 'waking', billedSinceMs: null });
    const input = inputOf(HOUR, NO_DEMAND, [waking]);
    const memory = { ...input.memory, target: 1 };
    const expected = { target: 0, actions: [{ kind: 'suspend', instance: 'visual-1' }] };
    expect(decide({ ...input, memory })).toMatchObject(expected);
    // Only an operator had it woken: it goes on.
    expect(decide(input).actions).toEqual([]);
    const bought = { ...waking, billedSinceMs: HOUR - 1000 };
    expect(decide({ ...inputOf(HOUR, NO_DEMAND, [bought]), memory }).actions).toEqual([]);
  });

  it('a quiet pool goes to sleep as a whole, and a look at the right time does it', () => {
    const virtual = settled(3, { sleepPolicy: 'break_even', maxKeptVolumes: 3 }, { wakeCostSec: 240 });
    virtual.look(NO_DEMAND);
    expect(virtual.decisions[0]?.decision.sleepsAtMs).toBe(4 * MINUTE);
    virtual.run(4 * MINUTE + 1, () => NO_DEMAND);
    expect(virtual.decisions.at(-1)?.atMs).toBe(4 * MINUTE);
    expect(kinds(virtual)).toEqual(['suspend', 'suspend', 'suspend']);
    expect(virtual.look(NO_DEMAND).target).toBe(0);
  });

  it('a pool draws once per gap, and learns the length of gaps through sleep', () => {
    const virtual = settled(1, { sleepPolicy: 'randomised' });
    virtual.look(NO_DEMAND);
    const sleepsAtMs = virtual.decisions[0]?.decision.sleepsAtMs;
    virtual.nowMs = 5 * SECOND;
    expect(virtual.look(NO_DEMAND).sleepsAtMs).toBe(sleepsAtMs);
    virtual.run(2 * HOUR, () => NO_DEMAND);
    virtual.look(workFor(1));
    expect(virtual.memory.idleGapsSec).toEqual([7200]);
    expect(virtual.memory.idleGap).toBeNull();
  });
});
