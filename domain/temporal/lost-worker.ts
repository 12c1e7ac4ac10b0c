/**
 * How soon a worker that died is noticed, where an installation wants it sooner than the workflows say by themselves (30 s).
 *
 * The time travels as a memo from the client that starts a workflow, through continue-as-new and to its children; an interceptor in the
 * workflows applies it. Sooner costs something when the server is away: calls in flight for longer than this are then asked for again.
 */

/** Name of the memo; its value is in milliseconds. */
export const LOST_WORKER_MEMO = 'lostWorkerAfterMs';

/** The time out of a workflow's memo; null where none, or nothing usable, was given. */
export function lostWorkerAfterMs(memo: Readonly<Record<string, unknown>> | undefined): number | null {
  const value = memo?.[LOST_WORKER_MEMO];
  return typeof value === 'number' && value > 0 ? value : null;
}
