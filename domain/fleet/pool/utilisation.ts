/**
 * Utilisation as an input of scaling: a pool that is busy beyond a share of its places is made larger before calls wait.
 *
 * What counts is the work of a recent time, in busy seconds of places, and not the share of places that are busy: the answer does not change when
 * a machine is added for it, so a pool does not swing round the threshold.
 */
import type { Observation } from './pool.ts';
import type { PoolConfig } from './pool-config.ts';

/** Busy time is counted over this time: long enough for some calls, short enough for a burst. */
export const UTILISATION_WINDOW_MS = 300_000;

/**
 * Instances at which the recent work keeps at most `targetUtilisation` of the places busy, not limited by the pool's size:
 *
 *     ceil(busy seconds of places ÷ window ÷ (slots · target))
 *
 * 0 where the setting is off.
 */
export function neededByUtilisation(
  { targetUtilisation }: Pick<PoolConfig, 'targetUtilisation'>,
  { busySlotSeconds }: Pick<Observation, 'busySlotSeconds'>,
  slots: number,
): number {
  if (targetUtilisation === null) return 0;
  const busyPlaces = Math.max(0, busySlotSeconds) / (UTILISATION_WINDOW_MS / 1000);
  return Math.ceil(busyPlaces / (Math.max(1, slots) * targetUtilisation));
}
