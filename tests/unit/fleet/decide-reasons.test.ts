/** Reasons that pools give: each is true of what happens at that moment. */
import { expect, it } from 'vitest';
import { actionReason } from '../../../domain/fleet/pool/decide/actions.ts';
import { decide } from '../../../domain/fleet/pool/decide/decide.ts';
import { newPoolMemory } from '../../../domain/fleet/pool/pool.ts';
import { demandOf, inputOf, instanceOf, NO_DEMAND, pool } from '../../../testing/fleet/made-up-pools.ts';

const NOW_MS = 3_600_000;

it('a pool that is asleep does not say that nothing sleeps', () => {
  const asleep = [instanceOf('visual-1', { phase: 'suspended', idleSinceMs: null, billedSinceMs: null })];
  const memory = { ...newPoolMemory(), target: 1, idleGap: { sinceMs: NOW_MS - 1000, draw01: 0.5 } };
  const told = decide(inputOf(NOW_MS, NO_DEMAND, asleep, { memory, recentCalls: 28 })).reasons.join(' ');
  expect(told).not.toMatch(/sleeps/u);
});

it('a pool whose machines say they are idle although calls ended says that nothing sleeps', () => {
  const idle = [instanceOf('visual-1', { idleSinceMs: NOW_MS - 600_000 })];
  const memory = { ...newPoolMemory(), target: 1, idleGap: { sinceMs: NOW_MS - 600_000, draw01: 0.5 } };
  const told = decide(inputOf(NOW_MS, NO_DEMAND, idle, { memory, recentCalls: 28 })).reasons.join(' ');
  expect(told).toMatch(/Nothing sleeps: 28 calls/u);
});

it('a target that the sleep policy lowers is not said to stay', () => {
  const idle = ['visual-1', 'visual-2', 'visual-3'].map((name) => instanceOf(name, { idleSinceMs: NOW_MS - 300_000 }));
  const config = pool({ sleepPolicy: 'fixed', timing: { fixedIdleMs: 60_000 } });
  const memory = {
    ...newPoolMemory(),
    target: 3,
    loweredSinceMs: NOW_MS - 300_000,
    loweredMax: 1,
    idleGap: { sinceMs: NOW_MS - 300_000, draw01: 0.5 },
  };
  const decision = decide(inputOf(NOW_MS, NO_DEMAND, idle, { config, memory }));
  expect(decision.target).toBe(0);
  expect(decision.reasons.join(' ')).not.toMatch(/the target stays/u);
  for (const action of decision.actions) expect(actionReason(action, decision, memory.target)).not.toMatch(/stays/u);
});

it('an instance that is given up while the target stays is told why it is given up', () => {
  const old = instanceOf('visual-9', {
    phase: 'suspended',
    phaseSinceMs: NOW_MS - 30 * 24 * 3_600_000,
    idleSinceMs: null,
    billedSinceMs: null,
  });
  const working = ['visual-1', 'visual-2', 'visual-3'].map((name) => instanceOf(name, { inFlight: 2 }));
  const memory = { ...newPoolMemory(), target: 3, loweredSinceMs: NOW_MS - 1000, loweredMax: 2 };
  const decision = decide(inputOf(NOW_MS, demandOf(2000), [...working, old], { memory }));
  expect(decision.reasons[0]).toMatch(/the target stays 3/u);
  const [action] = decision.actions;
  expect(action).toEqual({ kind: 'destroy', instance: 'visual-9' });
  if (action !== undefined) expect(actionReason(action, decision, memory.target)).toMatch(/given up/u);
});
