/**
 * Waiting that an AbortSignal ends at once: for time, and for somebody else to call.
 */

/** Called when what was waited for has come. */
export type Waiter = () => void;

/** Waits until `register`'s callback is called; rejects at once on abort, after `register`'s undo was called. */
export function abortable(signal: AbortSignal, register: (wake: Waiter) => () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(abortReason(signal));
      return;
    }
    const onAbort = (): void => {
      undo();
      reject(abortReason(signal));
    };
    const undo = register(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Waits so many milliseconds; rejects at once on abort. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (ms <= 0) return;
  await abortable(signal, (wake) => {
    const timer = setTimeout(wake, ms);
    return () => clearTimeout(timer);
  });
}

/** Waits until the signal aborts, then rejects. */
export async function forever(signal: AbortSignal): Promise<never> {
  await abortable(signal, () => () => undefined);
  throw abortReason(signal);
}

function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('aborted', { cause: signal.reason });
}
