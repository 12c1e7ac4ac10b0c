/**
 * What a pool remembers between looks beside its target: decks that were announced, and the gaps without work.
 */
import { hasWork } from '../demand.ts';
import type { Demand, IdleGap, Observation, PoolMemory } from '../pool.ts';
import { GAPS_KEPT } from '../../sleep/learned.ts';
import type { Roster } from './roster.ts';

/** Announced decks stand until an instance has polled for work, or until they turn out to bring none: cancelled, or all known. */
export function settleIntents(
  memory: PoolMemory,
  demand: Demand,
  roster: Roster,
  nowMs: number,
  recheckMs: number,
): Pick<PoolMemory, 'wakeIntents' | 'intentsSinceMs'> {
  if (memory.wakeIntents.length === 0) return { wakeIntents: [], intentsSinceMs: null };
  const sinceMs = memory.intentsSinceMs ?? nowMs;
  const served = hasWork(demand) && roster.ready.some((i) => i.hasPolled);
  const empty = !hasWork(demand) && nowMs - sinceMs >= recheckMs;
  if (served || empty) return { wakeIntents: [], intentsSinceMs: null };
  return { wakeIntents: memory.wakeIntents, intentsSinceMs: sinceMs };
}

/** Begins, keeps or ends the idle gap. A gap goes on while the pool sleeps: its whole length is what policies learn from. */
export function followGap(
  memory: PoolMemory,
  observation: Observation,
  roster: Roster,
  working: boolean,
  random01: number,
): Pick<PoolMemory, 'idleGap' | 'idleGapsSec'> {
  const { idleGap, idleGapsSec } = memory;
  const { atMs } = observation;
  if (working) {
    if (idleGap === null) return { idleGap, idleGapsSec };
    return { idleGap: null, idleGapsSec: withGap(idleGapsSec, idleGap, atMs) };
  }
  const lastWorkMs = lastWork(roster, atMs);
  if (idleGap === null) return { idleGap: { sinceMs: lastWorkMs ?? atMs, draw01: random01 }, idleGapsSec };
  if (lastWorkMs === null || lastWorkMs <= idleGap.sinceMs) return { idleGap, idleGapsSec };
  // Work came and went between two looks, or an instance became ready: a new gap; only the former teaches anything.
  return {
    idleGap: { sinceMs: lastWorkMs, draw01: random01 },
    idleGapsSec: observation.recentCalls > 0 ? withGap(idleGapsSec, idleGap, lastWorkMs) : idleGapsSec,
  };
}

function lastWork(roster: Roster, nowMs: number): number | null {
  const times = roster.ready.flatMap((i) => (i.idleSinceMs === null ? [] : [i.idleSinceMs]));
  return times.length === 0 ? null : Math.min(nowMs, Math.max(...times));
}

const withGap = (gaps: readonly number[], gap: IdleGap, endMs: number): number[] =>
  [...gaps, Math.max(0, endMs - gap.sinceMs) / 1000].slice(-GAPS_KEPT);
