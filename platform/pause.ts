/**
 * Waiting that can be cut short.
 */
import { setTimeout as delay } from 'node:timers/promises';

/** Waits `ms` milliseconds, or until the signal fires: that ends the pause and is no error. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
