/**
 * How soon a dead worker is noticed, where an installation configures less than the default of 30 s.
 *
 * The time travels as a memo from the client that starts a workflow, through continue-as-new and to its children; an interceptor in the
 * workflows applies it. A shorter time has a cost when the server is away: calls in flight for longer are repeated.
 */

/** Name of the memo; its value is in milliseconds. */
export const LOST_WORKER_MEMO = 'lostWorkerAfterMs';

/** The time out of a workflow's memo; null where none, or nothing usable, was given. */
export function lostWorkerAfterMs(memo: Readonly<Record<string, unknown>> | undefined): number | null {
  const value = memo?.[LOST_WORKER_MEMO];
  return typeof value === 'number' && value > 0 ? value : null;
}
