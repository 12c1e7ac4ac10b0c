/**
 * Priorities: what the classes are called, and how a call that has waited too long moves up, so that nothing starves behind urgent work.
 */

/** Classes of work, most urgent first: 1 critical (has the fleet scaled at once) … 5 batch. Temporal's own keys. */
export const PRIORITIES = [1, 2, 3, 4, 5] as const;
export const DEFAULT_PRIORITY = 3;

/** Waiting alone never takes a call beyond this class: 1 costs money and is a person's choice. */
const HIGHEST_BY_WAITING = 2;

/** A deck is to be done within this time (95 % of them); a call of it that waits for twice as long is late. */
export const DEFAULT_SLA_MS = 600_000;

/** How long a call waits before it moves up a class, in ms. */
export const lateAfterMs = (slaMs: number): number => 2 * slaMs;

/**
 * Class in which a call is scheduled: its analysis' own, and one higher for each time `2 · slaMs` that it has waited since it was wanted.
 *
 * It is the wait of the call that counts and not the age of its analysis: a deck of 500 pages that goes on steadily stays where it is, and
 * never stands before another's ten pages because it takes long.
 *
 * @param priority 1 (critical) … 5 (batch)
 */
export function priorityAfterWaiting(priority: number, waitedMs: number, slaMs: number): number {
  if (priority <= HIGHEST_BY_WAITING) return priority;
  const steps = Math.floor(Math.max(0, waitedMs) / lateAfterMs(slaMs));
  return Math.max(HIGHEST_BY_WAITING, priority - steps);
}
