/**
 * What a pool remembers between looks: plain JSON, all of it carried through continue-as-new.
 */
import { newPoolMemory, type Observation, type PoolMemory } from '../../../domain/fleet/pool/pool.ts';
import type { PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import type { Birth, PoolResumeState, WorkComing } from '../../../contracts/pool.ts';

/** A time without work that is over. */
export interface IdleGapSeen {
  readonly startedAtMs: number;
  readonly seconds: number;
}

/** State of a pool that starts; it looks at once. */
export const firstState = (): PoolResumeState => ({
  memory: newPoolMemory(),
  instancesMade: 0,
  nextLookAtMs: 0,
  births: [],
  holds: {},
  asks: [],
  hosts: {},
});

/** Announcements kept at most: they say that work is there; how much, the database says. */
const WAKE_INTENTS_KEPT = 50;

/** Memory with one more announcement. */
export function withIntent(memory: PoolMemory, { analysisId }: WorkComing): PoolMemory {
  const { wakeIntents } = memory;
  if (wakeIntents.includes(analysisId) || wakeIntents.length >= WAKE_INTENTS_KEPT) return memory;
  return { ...memory, wakeIntents: [...wakeIntents, analysisId] };
}

/** Memory without announcements whose analysis is over; those that were not asked about stay. */
export function withLiveIntents(memory: PoolMemory, asked: readonly string[], live: readonly string[]): PoolMemory {
  return { ...memory, wakeIntents: memory.wakeIntents.filter((id) => !asked.includes(id) || live.includes(id)) };
}

/** Births that have no row yet; one without a row for as long as a boot may take was lost. */
export function openBirths(births: readonly Birth[], known: readonly string[], atMs: number, limitMs: number): Birth[] {
  return births.filter(({ name, atMs: bornAtMs }) => !known.includes(name) && atMs - bornAtMs < limitMs);
}

/** An observation with the instances that were started and are not in the database yet: they count as capacity. */
export function withBirths(observation: Observation, births: readonly Birth[], slots: number): Observation {
  const unborn = births.map(({ name, atMs }) => ({
    name,
    phase: 'planned' as const,
    phaseSinceMs: atMs,
    inFlight: 0,
    idleSinceMs: null,
    hasPolled: false,
    billedSinceMs: null,
    priceUsdPerHour: null,
    slots,
    models: [],
  }));
  return { ...observation, instances: [...observation.instances, ...unborn] };
}

/** The idle gap that a decision closed; null when it closed none. A list that did not change is the same list. */
export function endedGap(before: PoolMemory, after: PoolMemory): IdleGapSeen | null {
  const seconds = after.idleGapsSec.at(-1);
  if (after.idleGapsSec === before.idleGapsSec || before.idleGap === null || seconds === undefined) return null;
  return { startedAtMs: before.idleGap.sinceMs, seconds };
}

/** How instances failed lately, as far as a new one would fail the same way. */
export interface RecentFailures {
  readonly count: number;
  readonly lastAtMs: number;
  readonly instance: string;
  readonly reason: string;
}

/**
 * Until when nothing is created because instances failed for good: each failure doubles the pause. Null = go on.
 *
 * An instance fails for a reason that waiting does not cure (configuration, credentials); what is cured by waiting it waits for itself.
 */
export function creationPauseUntilMs(
  failures: RecentFailures | null,
  { ladderPauseMs, ladderPauseMaxMs }: PoolConfig['timing'],
  atMs: number,
): number | null {
  if (failures === null) return null;
  const pauseMs = Math.min(ladderPauseMaxMs, ladderPauseMs * 2 ** Math.min(failures.count - 1, 16));
  const untilMs = failures.lastAtMs + pauseMs;
  return atMs < untilMs ? untilMs : null;
}
