/**
 * The time without work: which instances the sleep policy lets go now and when it would let go the others, and the gaps it learns from.
 */
import { counted } from '../../../text/words.ts';
import { billsContinuously } from '../../provider/billing.ts';
import { RECENT_CALLS_WINDOW_MS } from '../demand.ts';
import {
  billingOf,
  type DecideInput,
  type IdleGap,
  type InstanceView,
  type Observation,
  type PoolMemory,
} from '../pool.ts';
import { GAPS_KEPT } from '../../sleep/learned.ts';
import { sleepTime, type SleepTime } from '../../sleep/policy.ts';
import { isStoppable, type InstancesByRole } from './roles.ts';

/** An instance with the time it goes to sleep. */
interface Sleeper {
  readonly instance: InstanceView;
  readonly time: SleepTime;
}

/** What the sleep policy says. */
export interface SleepPlan {
  /** May be stopped now. */
  readonly due: readonly Sleeper[];
  /** Planned, or waking without a machine: not bought yet, and withdrawn because there is no work any more. */
  readonly withdrawn: readonly InstanceView[];
  /** When the last stoppable instance sleeps; null = none does. */
  readonly sleepsAtMs: number | null;
  /** All times of sleep that are still to come. */
  readonly dueMs: readonly number[];
  /** Why nothing sleeps although it could; null = nothing is in the way. */
  readonly veto: string | null;
}

/** Plans the sleep of a pool without work. The idle time is the pool's, so that instances which worked side by side sleep together. */
export function planSleep(
  input: DecideInput,
  roles: InstancesByRole,
  gap: IdleGap,
  gapsSec: readonly number[],
): SleepPlan {
  const { config, memory, observation, wakeCostSec, volumeUsdPerHour } = input;
  const nowMs = observation.atMs;
  const ownWish = memory.target > config.min;
  // Without paid blocks machines of one price have the same sleep time.
  const asked = new Map<string, SleepTime>();
  const sleepers = roles.ready.filter(isStoppable).map((instance): Sleeper => {
    const billing = billingOf(input, instance);
    const alike = `${instance.provider} ${instance.priceUsdPerHour} ${billsContinuously(billing) ? '' : instance.billedSinceMs}`;
    const time =
      asked.get(alike) ??
      sleepTime({
        policy: config.sleepPolicy,
        billing,
        wakeCostSec,
        priceUsdPerHour: instance.priceUsdPerHour,
        volumeUsdPerHour,
        minIdleMs: config.timing.minIdleMs,
        fixedIdleMs: config.timing.fixedIdleMs,
        idleGapsSec: gapsSec,
        draw01: gap.draw01,
        nowMs,
        idleSinceMs: gap.sinceMs,
        billedSinceMs: instance.billedSinceMs,
      });
    asked.set(alike, time);
    return { instance, time };
  });
  const times = sleepers.map((s) => s.time.atMs);
  const known = times.flatMap((t) => (t === null ? [] : [t]));
  const veto = contradiction(roles, observation.recentCalls, nowMs);
  return {
    due: veto === null ? sleepers.filter((s) => s.time.atMs !== null && s.time.atMs <= nowMs) : [],
    withdrawn: roles.capacity.filter((i) => isUnbought(i, ownWish)),
    sleepsAtMs: times.length > 0 && known.length === times.length ? Math.max(...known) : null,
    dueMs: known.filter((t) => t > nowMs),
    veto,
  };
}

/** @param ownWish the pool wants more than its minimum; otherwise an operator had the instance woken, and it goes on waking */
const isUnbought = ({ phase, billedSinceMs }: InstanceView, ownWish: boolean): boolean =>
  phase === 'planned' || (phase === 'waking' && billedSinceMs === null && ownWish);

/** Why the idle times are not believed: calls ended in the last minute, yet every instance says that it was idle for longer. */
function contradiction(roles: InstancesByRole, recentCalls: number, nowMs: number): string | null {
  if (recentCalls === 0) return null;
  const fresh = roles.ready.some((i) => i.idleSinceMs === null || nowMs - i.idleSinceMs <= RECENT_CALLS_WINDOW_MS);
  return fresh
    ? null
    : `${counted(recentCalls, 'call')} ended in the last minute although every instance says it was idle`;
}

/** Begins, keeps or ends the idle gap. A gap goes on while the pool sleeps: its whole length is what policies learn from. */
export function followGap(
  memory: PoolMemory,
  observation: Observation,
  roles: InstancesByRole,
  working: boolean,
  random01: number,
): Pick<PoolMemory, 'idleGap' | 'idleGapsSec'> {
  const { idleGap, idleGapsSec } = memory;
  const { atMs } = observation;
  if (working) {
    if (idleGap === null) return { idleGap, idleGapsSec };
    return { idleGap: null, idleGapsSec: withGap(idleGapsSec, idleGap, atMs) };
  }
  const lastWorkMs = lastWork(roles, atMs);
  if (idleGap === null) return { idleGap: { sinceMs: lastWorkMs ?? atMs, draw01: random01 }, idleGapsSec };
  if (lastWorkMs === null || lastWorkMs <= idleGap.sinceMs) return { idleGap, idleGapsSec };
  // Work came and went between two looks, or an instance became ready: a new gap; only the former teaches anything.
  return {
    idleGap: { sinceMs: lastWorkMs, draw01: random01 },
    idleGapsSec: observation.recentCalls > 0 ? withGap(idleGapsSec, idleGap, lastWorkMs) : idleGapsSec,
  };
}

function lastWork(roles: InstancesByRole, nowMs: number): number | null {
  const times = roles.ready.flatMap((i) => (i.idleSinceMs === null ? [] : [i.idleSinceMs]));
  return times.length === 0 ? null : Math.min(nowMs, Math.max(...times));
}

const withGap = (gaps: readonly number[], gap: IdleGap, endMs: number): number[] =>
  [...gaps, Math.max(0, endMs - gap.sinceMs) / 1000].slice(-GAPS_KEPT);
