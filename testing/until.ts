/**
 * Waits for something that happens in another process. The limit only keeps a broken test from hanging; nothing is measured by it.
 */
import { setTimeout as delay } from 'node:timers/promises';

const LIMIT_MS = 240_000;
const INTERVAL_MS = 50;

/** Asks until the answer is right and gives it back. @throws Error with the last answer when it never is. */
export async function until<T>(ask: () => Promise<T>, right: (answer: T) => boolean): Promise<T> {
  const deadlineMs = performance.now() + LIMIT_MS;
  for (;;) {
    const answer = await ask();
    if (right(answer)) return answer;
    if (performance.now() > deadlineMs) throw new Error(`never came true; last answer: ${JSON.stringify(answer)}`);
    await delay(INTERVAL_MS);
  }
}
