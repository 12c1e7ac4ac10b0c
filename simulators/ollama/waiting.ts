/** Waiting that an AbortSignal ends at once. */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** Ends one wait. */
export type Waiter = () => void;

/**
 * Waits until `register`'s callback is called. On abort it calls the function that `register` returned, which undoes the registration.
 *
 * @throws the signal's reason on abort
 */
export function abortable(signal: AbortSignal, register: (wake: Waiter) => () => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  if (signal.aborted) return Promise.reject(abortReason(signal));
  const onAbort = (): void => {
    undo();
    reject(abortReason(signal));
  };
  const undo = register(() => {
    signal.removeEventListener('abort', onAbort);
    resolve();
  });
  signal.addEventListener('abort', onAbort, { once: true });
  return promise;
}

/** Waits `ms` milliseconds. @throws AbortError on abort */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (ms > 0) await delay(ms, undefined, { signal });
}

/** Waits until the signal aborts. @throws the signal's reason */
export async function forever(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw abortReason(signal);
}

function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('aborted', { cause: signal.reason });
}
