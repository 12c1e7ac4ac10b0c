/** Answers that several callers wait for, each of which may be cancelled by itself. */
import type { Memo } from '../../../../platform/memo.ts';

/**
 * The value of a key, loaded once for all who wait. A caller that is cancelled stops waiting; the others still get the value.
 *
 * @param load is given a signal that fires after `limitMs`
 * @throws the signal's reason; what `load` throws
 */
export async function shared<T>(
  signal: AbortSignal,
  memo: Memo<T>,
  key: string,
  load: (own: AbortSignal) => Promise<T>,
  limitMs: number,
): Promise<T> {
  signal.throwIfAborted();
  const cancelled = Promise.withResolvers<never>();
  const cancel = (): void => cancelled.reject(signal.reason as Error);
  signal.addEventListener('abort', cancel);
  try {
    return await Promise.race([memo.get(key, () => load(AbortSignal.timeout(limitMs))), cancelled.promise]);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
