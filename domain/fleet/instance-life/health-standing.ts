/**
 * What others learn of an instance's health from its state: where its health loop stands with it, and what a step did for it.
 */
import type { HealthFailure } from '../../health/types.ts';
import type { InstanceState } from './types.ts';

/** What the health loop of an instance has to know of it. */
export interface HealthStanding {
  /** `away`: it cannot or need not be looked at. */
  readonly mode: 'serving' | 'watched' | 'away';
  /** The machine it has; another one starts with a clean slate. */
  readonly machine: string | null;
  /** Out of service for its health since this time; null = it is not. */
  readonly quarantinedSinceMs: number | null;
}

/** Where an instance stands, for its health loop. */
export function healthStanding({ phase, machine, illness }: InstanceState): HealthStanding {
  const isIll = illness !== null && illness !== undefined;
  const isWatched = phase === 'cordoned' && isIll;
  return {
    mode: phase === 'ready' ? 'serving' : isWatched ? 'watched' : 'away',
    machine: machine?.providerId ?? null,
    quarantinedSinceMs: isIll ? illness.sinceMs : null,
  };
}

/** Something that was done for an instance's health. */
export interface HealthAct {
  readonly action: 'quarantine' | 'restart' | 'reboot' | 'replace' | 'release';
  readonly failure: HealthFailure | null;
  readonly reason: string;
}

/** What a step did for an instance's health; null = nothing. */
export function healthAct(before: InstanceState, after: InstanceState): HealthAct | null {
  const was = before.illness ?? null;
  const is = after.illness ?? null;
  if (is !== null && is.remedy !== was?.remedy) {
    const action = is.remedy === 'watch' ? 'quarantine' : is.remedy;
    return { action, failure: is.failure, reason: is.reason };
  }
  const isReleased = was?.remedy === 'watch' && is === null && after.phase === 'cordoned' && after.wanted === 'serve';
  return isReleased ? { action: 'release', failure: was.failure, reason: after.reason } : null;
}
