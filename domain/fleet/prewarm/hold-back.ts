/**
 * After several instances in a row were warm for nothing, none is warmed for a while: the rhythm has changed, and the forecast learns it
 * within weeks only.
 */

/** Misses in a row that are put up with. */
const MISSES = 3;
const FIRST_PAUSE_MS = 86_400_000;
const LONGEST_PAUSE_MS = 7 * FIRST_PAUSE_MS;

/** Until when nothing is warmed; null = no reason to wait. Each further miss doubles the pause. @param lastMs when the last of them was warmed */
export function heldBackUntilMs(missesInARow: number, lastMs: number | null): number | null {
  if (lastMs === null || missesInARow < MISSES) return null;
  return lastMs + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (missesInARow - MISSES));
}

/** Misses since the last hit. Those that are not decided yet count as neither. @param isHits in order of time */
export function missesInARow(isHits: readonly (boolean | null)[]): number {
  const decided = isHits.filter((isHit) => isHit !== null);
  return decided.length - 1 - decided.lastIndexOf(true);
}
