/** Asking again while faults last, as a client should. */
import { setTimeout as delay } from 'node:timers/promises';

/** Decks and machines have to come to rest within this time; nothing is measured by it. */
const LIMIT_MS = 240_000;
const INTERVAL_MS = 200;

/** Asks until there is an answer that is right. @throws Error with what was last known when there never is */
export async function insist<T>(
  what: string,
  ask: () => Promise<T>,
  right: (answer: T) => boolean = () => true,
): Promise<T> {
  const deadlineMs = performance.now() + LIMIT_MS;
  let last = 'nothing was heard';
  while (performance.now() < deadlineMs) {
    try {
      const answer = await ask();
      if (right(answer)) return answer;
      last = JSON.stringify(answer);
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    await delay(INTERVAL_MS);
  }
  throw new Error(`${what}: not within ${LIMIT_MS / 1000} s; last: ${last}`);
}
