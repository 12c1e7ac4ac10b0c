/** Utilisation as an input of scaling. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from '../../../domain/fleet/pool/decide/decide.ts';
import { newPoolMemory, type InstanceView, type PoolMemory } from '../../../domain/fleet/pool/pool.ts';
import { neededByUtilisation, UTILISATION_WINDOW_MS } from '../../../domain/fleet/pool/utilisation.ts';
import { forAll } from '../../../testing/property.ts';
import { demandOf, inputOf, instanceOf, NO_DEMAND, pool } from '../../../testing/fleet/made-up-pools.ts';

const WINDOW_SEC = UTILISATION_WINDOW_MS / 1000;
/** Busy seconds of so many places. */
const busy = (places: number): number => places * WINDOW_SEC;
const ready = (count: number): InstanceView[] =>
  Array.from({ length: count }, (_, index) => instanceOf(`visual-${index}`, { inFlight: 4 }));
const memoryOf = (target: number): PoolMemory => ({ ...newPoolMemory(), target });
const HALF = { config: pool({ max: 8, targetUtilisation: 0.5 }) };

describe('utilisation', () => {
  it('asks for as many instances as keep its share of places busy', () => {
    const needed = (places: number, slots: number, targetUtilisation: number): number =>
      neededByUtilisation({ targetUtilisation }, { busySlotSeconds: busy(places) }, slots);
    expect(needed(0, 4, 0.7)).toBe(0);
    expect(needed(2.8, 4, 0.7)).toBe(1);
    expect(needed(2.9, 4, 0.7)).toBe(2);
    expect(needed(8, 4, 0.5)).toBe(4);
  });

  it('asks for nothing where it is off', () =>
    expect(neededByUtilisation({ targetUtilisation: null }, { busySlotSeconds: busy(9) }, 4)).toBe(0));

  it('raises a pool that is busy although little waits, and only while there is work', () => {
    const few = demandOf(30, { openCalls: 3 });
    const at = 10_000_000;
    const more = { ...HALF, memory: { ...memoryOf(1), raisedSinceMs: at - 600_000 }, busySlotSeconds: busy(4) };
    expect(decide(inputOf(at, few, ready(1), more)).target).toBe(2);
    expect(decide(inputOf(at, few, ready(1), { ...more, config: pool({ max: 8 }) })).target).toBe(1);
    const idle = [instanceOf('visual-0', { inFlight: 0, idleSinceMs: at })];
    expect(decide(inputOf(at, NO_DEMAND, idle, more)).actions.filter(({ kind }) => kind === 'create')).toEqual([]);
  });

  it('keeps a pool from being made smaller than its work needs', () => {
    const at = 10_000_000;
    const lowered = { ...memoryOf(4), loweredSinceMs: at - 3_600_000, loweredMax: 1 };
    const idle = ready(4).map((instance) => ({ ...instance, inFlight: 0 }));
    const target = (places: number): number =>
      decide(inputOf(at, demandOf(10), idle, { ...HALF, memory: lowered, busySlotSeconds: busy(places) })).target;
    expect(target(8)).toBe(4);
    expect(target(0)).toBeLessThan(4);
  });

  it('never wants fewer instances for more work, fewer places or a lower share, and never lowers what demand asks for', async () => {
    const places = fc.double({ min: 0, max: 200, noNaN: true });
    const share = fc.double({ min: 0.05, max: 1, noNaN: true });
    await forAll([places, places, share, share, fc.integer({ min: 1, max: 16 })], (a, b, s, t, slots) => {
      const needed = (p: number, target: number, n: number): number =>
        neededByUtilisation({ targetUtilisation: target }, { busySlotSeconds: busy(p) }, n);
      expect(needed(Math.max(a, b), s, slots)).toBeGreaterThanOrEqual(needed(Math.min(a, b), s, slots));
      expect(needed(a, Math.min(s, t), slots)).toBeGreaterThanOrEqual(needed(a, Math.max(s, t), slots));
      expect(needed(a, s, slots)).toBeGreaterThanOrEqual(needed(a, s, slots + 1));
      // It is enough.
      expect(a).toBeLessThanOrEqual(needed(a, s, slots) * slots * s + 1e-6);
      const asked = { memory: memoryOf(1), busySlotSeconds: busy(a) };
      const demand = demandOf(500);
      const { wish } = decide(inputOf(1e7, demand, ready(1), { ...asked, config: pool({ max: 8 }) }));
      expect(decide(inputOf(1e7, demand, ready(1), { ...asked, ...HALF })).wish).toBeGreaterThanOrEqual(wish);
    });
  });

  it('turns a pool round at most once in the down delay, however the load swings about the threshold', async () => {
    await forAll(
      [fc.array(fc.double({ min: 0, max: 20, noNaN: true }), { minLength: 50, maxLength: 200 })],
      (loads) => {
        const { downDelayMs } = HALF.config.timing;
        let memory = memoryOf(1);
        let last: { readonly direction: string; readonly atMs: number } | null = null;
        for (const [index, load] of loads.entries()) {
          const atMs = 1e7 + index * 30_000;
          const { target } = memory;
          const decision = decide(
            inputOf(atMs, demandOf(20), ready(target), { ...HALF, memory, busySlotSeconds: busy(load) }),
          );
          ({ memory } = decision);
          if (decision.target === target) continue;
          const direction = decision.target > target ? 'up' : 'down';
          if (last !== null && last.direction !== direction)
            expect(atMs - last.atMs).toBeGreaterThanOrEqual(downDelayMs);
          last = { direction, atMs };
        }
      },
    );
  });
});
