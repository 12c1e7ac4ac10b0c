/** Which seeds a chaos run takes. Pure. */
import type { Environment } from '../../platform/config.ts';

/** Runs of `deckhand test`. */
const USUAL_RUNS = 10;

/**
 * Without a choice those that once failed and ten more, the same each time; with a seed that one, or so many from it on.
 *
 * @param kept seeds that once failed
 */
export function chosenSeeds(environment: Environment, kept: readonly number[]): number[] {
  const seed = environment['DECKHAND_CHAOS_SEED'];
  const runs = Number(environment['DECKHAND_CHAOS_RUNS'] ?? (seed === undefined ? USUAL_RUNS : 1));
  const first = Number(seed ?? 1);
  const range = Array.from({ length: runs }, (_, index) => first + index);
  return [...new Set([...(seed === undefined ? kept : []), ...range])];
}
