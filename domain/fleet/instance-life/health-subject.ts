/**
 * What others read from an instance's state about its health: what its health loop has to know, and what was done for its health.
 */
import type { HealthFailure } from '../../health/types.ts';
import type { InstanceState } from './types.ts';

/** What the health loop has to know about the instance it checks. */
export interface HealthSubject {
  /** `away`: it cannot or need not be checked. */
  readonly mode: 'serving' | 'watched' | 'away';
  /** Its machine; what was seen of another one does not count. */
  readonly machine: string | null;
  /** Null = not quarantined. */
  readonly quarantinedSinceMs: number | null;
}

/** The instance as its health loop sees it. */
export function healthSubject({ phase, machine, illness }: InstanceState): HealthSubject {
  const quarantinedSinceMs = illness?.sinceMs ?? null;
  const isWatched = phase === 'cordoned' && quarantinedSinceMs !== null;
  return {
    mode: phase === 'ready' ? 'serving' : isWatched ? 'watched' : 'away',
    machine: machine?.providerId ?? null,
    quarantinedSinceMs,
  };
}

/** Something that was done for an instance's health. */
export interface HealthAct {
  readonly action: 'quarantine' | 'restart' | 'reboot' | 'replace' | 'release';
  readonly failure: HealthFailure | null;
  readonly reason: string;
}

/** What an event did for an instance's health; null = nothing. */
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
