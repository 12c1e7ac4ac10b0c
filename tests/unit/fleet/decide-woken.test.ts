/** An instance that an operator woke in a pool without work: it rests by the sleep policy, as every one that just became ready. */
import { expect, it } from 'vitest';
import { decide } from '../../../domain/fleet/pool/decide/decide.ts';
import { newPoolMemory } from '../../../domain/fleet/pool/pool.ts';
import type { PoolAction } from '../../../domain/fleet/pool/pool.ts';
import { inputOf, instanceOf, NO_DEMAND, pool } from '../../../testing/fleet/made-up-pools.ts';

const IDLE_MS = 60_000;
const SETTINGS = { sleepPolicy: 'fixed', timing: { fixedIdleMs: IDLE_MS, minIdleMs: 1000 } };

/** The looks at one instance that became ready at 0, every five seconds until it is told to sleep. */
function sleptAfter(
  settings: Record<string, unknown> = SETTINGS,
): { readonly atMs: number; readonly actions: readonly PoolAction[] } | null {
  let memory = { ...newPoolMemory(), idleGap: { sinceMs: -3_600_000, draw01: 0.5 } };
  for (let atMs = 1000; atMs <= 10 * IDLE_MS; atMs += 5000) {
    const instances = [instanceOf('visual-1', { phaseSinceMs: 0, idleSinceMs: 0, billedSinceMs: 0 })];
    const input = inputOf(atMs, NO_DEMAND, instances, { config: pool(settings), memory });
    const decision = decide(input);
    if (decision.actions.length > 0) return { atMs, actions: decision.actions };
    ({ memory } = decision as { memory: typeof memory });
    expect(decision.sleepsAtMs).toBe(IDLE_MS);
  }
  return null;
}

it('a woken instance stays awake for as long as the policy says, and then sleeps', () => {
  const slept = sleptAfter();
  expect(slept?.atMs).toBeGreaterThanOrEqual(IDLE_MS);
  expect(slept?.atMs).toBeLessThan(IDLE_MS + 10_000);
  expect(slept?.actions).toEqual([{ kind: 'suspend', instance: 'visual-1' }]);
});

it('beyond the maximum nothing rests', () => expect(sleptAfter({ ...SETTINGS, max: 0 })?.atMs).toBe(1000));
