/** How much a pool wants, and what it remembers while it waits. */
import { describe, expect, it } from 'vitest';
import { decide } from '../../../domain/fleet/pool/decide/decide.ts';
import { keptBusy, wishFor } from '../../../domain/fleet/pool/demand.ts';
import { demandOf, inputOf, instanceOf, NO_DEMAND, pool, VirtualPool } from '../../../testing/fleet/made-up-pools.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const sizing = { slots: 4, drainGoalMs: 5 * MINUTE, inFlight: 0 };

describe('the wish', () => {
  it('the wish is the work in seconds, over what one instance does within the drain goal', () => {
    expect(wishFor(demandOf(1200), sizing)).toBe(1);
    expect(wishFor(demandOf(1201), sizing)).toBe(2);
    expect(wishFor(demandOf(600, { comingSeconds: 601 }), sizing)).toBe(2);
    // Few long calls ask for more than many short ones.
    expect(wishFor(demandOf(3000, { openCalls: 20 }), sizing)).toBe(3);
    expect(wishFor(demandOf(300, { openCalls: 100 }), sizing)).toBe(1);
  });

  it('the wish is never more than the calls can fill', () => {
    expect(wishFor(demandOf(9000, { openCalls: 5 }), sizing)).toBe(2);
    expect(wishFor(demandOf(0, { openCalls: 0, comingSeconds: 3000 }), sizing)).toBe(3);
  });

  it('the wish is at least one while anything is open, announced or in flight, and else none', () => {
    expect(wishFor(demandOf(1), sizing)).toBe(1);
    expect(wishFor({ ...NO_DEMAND, comingSeconds: 1 }, sizing)).toBe(1);
    expect(wishFor(NO_DEMAND, { ...sizing, inFlight: 2 })).toBe(1);
    expect(wishFor(NO_DEMAND, sizing)).toBe(0);
  });

  it('the wish is not followed down below what recent calls and calls in flight keep busy', () => {
    const busy = (recentCalls: number, inFlight: number): number =>
      keptBusy(demandOf(40, { openCalls: 4 }), ['gpu-visual'], { slots: 4, inFlight, recentCalls });
    expect(busy(48, 0)).toBe(2);
    expect(busy(49, 0)).toBe(3);
    expect(busy(0, 9)).toBe(3);
    // Nothing is open: the kinds of call the classes serve tell how long one takes.
    expect(keptBusy(NO_DEMAND, ['gpu-visual'], { slots: 4, inFlight: 0, recentCalls: 60 })).toBe(3);
  });
});

describe('what is remembered between looks', () => {
  it('the pool shrinks to the most that was wished for while it waited', () => {
    const virtual = new VirtualPool(pool({ max: 5 }), MINUTE);
    virtual.instances = Array.from({ length: 5 }, (_, i) => instanceOf(`visual-${i + 1}`));
    virtual.memory = { ...virtual.memory, target: 5 };
    virtual.run(10 * MINUTE + 1, (now) => demandOf((now > 4 * MINUTE && now < 5 * MINUTE ? 3 : 1) * 1200));
    expect(virtual.memory.target).toBe(3);
    virtual.run(21 * MINUTE, () => demandOf(1200));
    expect(virtual.memory.target).toBe(1);
  });

  it('an announced deck keeps an instance awake until its calls are seen or it brings none', () => {
    const virtual = new VirtualPool(pool({ sleepPolicy: 'break_even' }), MINUTE);
    virtual.instances = [instanceOf('visual-1')];
    virtual.memory = { ...virtual.memory, target: 1, wakeIntents: ['analysis-1'] };
    virtual.nowMs = 10 * MINUTE;
    expect(virtual.look(NO_DEMAND).actions).toEqual([]);
    virtual.nowMs += 59 * SECOND;
    expect(virtual.look(NO_DEMAND).actions).toEqual([]);
    virtual.nowMs += 1 * SECOND;
    expect(virtual.look(NO_DEMAND).actions).toEqual([{ kind: 'suspend', instance: 'visual-1' }]);
    expect(virtual.memory.wakeIntents).toEqual([]);
  });

  it('an announced deck whose work an instance polls for is settled', () => {
    const input = inputOf(MINUTE, demandOf(30), [instanceOf('visual-1', { inFlight: 1 })]);
    const memory = { ...input.memory, target: 1, wakeIntents: ['analysis-1'] };
    expect(decide({ ...input, memory }).memory).toMatchObject({ wakeIntents: [], intentsSinceMs: null });
  });

  it('looks come every few seconds while anything is there, and seldom at zero', () => {
    expect(decide(inputOf(0, NO_DEMAND, [])).nextLookAtMs).toBe(MINUTE);
    expect(decide(inputOf(0, NO_DEMAND, [instanceOf('visual-1', { phase: 'suspended' })])).nextLookAtMs).toBe(MINUTE);
    expect(decide(inputOf(0, demandOf(10), [instanceOf('visual-1')])).nextLookAtMs).toBe(5 * SECOND);
    const soon = inputOf(MINUTE, demandOf(4000), [instanceOf('visual-1')], { config: pool() });
    // A delay that ends sooner than the next look brings it forward.
    const memory = { ...soon.memory, target: 1, raisedSinceMs: MINUTE - 118 * SECOND };
    expect(decide({ ...soon, memory }).nextLookAtMs).toBe(MINUTE + 2 * SECOND);
  });
});
