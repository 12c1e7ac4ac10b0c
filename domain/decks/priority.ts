/**
 * Priorities, and how a call that has waited too long moves up, so that urgent work cannot starve it.
 */

/** Classes of work, most urgent first: 1 critical (has the fleet scaled at once) … 5 batch. Temporal's own keys. */
export const PRIORITIES = [1, 2, 3, 4, 5] as const;
export const DEFAULT_PRIORITY = 3;

/** Highest class that a call reaches by waiting: 1 costs money and is only set by a person. */
const HIGHEST_BY_WAITING = 2;

/** 95 % of decks should be done within this time; a call that waits for twice as long is late. */
export const DEFAULT_SLA_MS = 600_000;

/** How long a call waits before it moves up a class, in ms. */
export const lateAfterMs = (slaMs: number): number => 2 * slaMs;

/**
 * Class in which a call is scheduled: its analysis' own, and one higher for each time `2 · slaMs` that it has waited since it was wanted.
 *
 * The wait of the call counts, not the age of its analysis: a deck of 500 pages that makes progress does not move up.
 *
 * @param priority 1 (critical) … 5 (batch)
 */
export function priorityAfterWaiting(priority: number, waitedMs: number, slaMs: number): number {
  if (priority <= HIGHEST_BY_WAITING) return priority;
  const steps = Math.floor(Math.max(0, waitedMs) / lateAfterMs(slaMs));
  return Math.max(HIGHEST_BY_WAITING, priority - steps);
}
