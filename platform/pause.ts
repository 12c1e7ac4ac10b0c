/** Waiting that a signal can end early. */
import { setTimeout as delay } from 'node:timers/promises';

/** Waits `ms` milliseconds, or until the signal fires, which is not an error. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
