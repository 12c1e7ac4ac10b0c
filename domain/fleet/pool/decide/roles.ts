/**
 * The instances of a pool, grouped by what they mean for its size.
 */
import { isAwake, isCapacity, isRented, type InstancePhase } from '../../phases.ts';
import type { InstanceView } from '../pool.ts';

/** A pool's instances by role. An instance can have several. */
export interface InstancesByRole {
  readonly capacity: readonly InstanceView[];
  readonly ready: readonly InstanceView[];
  /** Cordoned by the pool: operators' holds are left out before. */
  readonly cordoned: readonly InstanceView[];
  /** Asleep or on the way there; the quickest to wake first. */
  readonly wakeable: readonly InstanceView[];
  /** Asleep with a kept disk, the longest asleep first. */
  readonly asleep: readonly InstanceView[];
  /** Machines that count against the pool's maximum: a new one is only bought below it. */
  readonly rented: number;
  /** The instance that failed for good most recently. */
  readonly lastFailed: InstanceView | null;
  /** Calls in flight as far as they are known. */
  readonly inFlight: number;
}

/**
 * Groups instances by role.
 *
 * @param destroyAlarmMs a machine that is being ended for longer no longer counts as rented: operators know of it, and a stuck delete must not stop a pool for ever
 */
export function groupByRole(
  instances: readonly InstanceView[],
  nowMs: number,
  destroyAlarmMs: number,
): InstancesByRole {
  const inPhase = (...phases: readonly InstancePhase[]): InstanceView[] =>
    instances.filter((i) => phases.includes(i.phase));
  const capacity = instances.filter((i) => isCapacity(i.phase));
  const asleep = inPhase('suspended').toSorted(byAge);
  const awake = instances.filter((i) => isAwake(i.phase));
  return {
    capacity,
    ready: inPhase('ready').toSorted(byName),
    // What the provider takes back never serves again.
    cordoned: inPhase('cordoned')
      .filter((i) => i.isTakenBack !== true)
      .toSorted(byName),
    wakeable: [...asleep.toReversed(), ...inPhase('suspending').toSorted(byAge)],
    asleep,
    rented: instances.filter((i) => isRented(i, nowMs, destroyAlarmMs)).length,
    lastFailed: inPhase('failed').toSorted(byAge).at(-1) ?? null,
    inFlight: awake.reduce((sum, i) => sum + (i.inFlight ?? 0), 0),
  };
}

/** True for an instance that may be stopped: ready, polled since its wake, known to be idle. */
export const isStoppable = (i: InstanceView): boolean =>
  i.phase === 'ready' && i.hasPolled && i.inFlight === 0 && i.idleSinceMs !== null;

const byName = (a: InstanceView, b: InstanceView): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
/** Longest in its phase first. */
const byAge = (a: InstanceView, b: InstanceView): number => a.phaseSinceMs - b.phaseSinceMs || byName(a, b);
