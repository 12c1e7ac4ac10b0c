/**
 * Waits for something that happens in another process. The limit only keeps a broken test from hanging; nothing is measured by it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

const LIMIT_MS = 240_000;
const INTERVAL_MS = 50;

/**
 * `await until(ask).is(right)` asks until the answer is right, and gives it back. `right` is the answer itself or a test of it.
 * @throws Error with the last answer when it never is, or what `ask` throws
 */
export const until = <T>(ask: () => T | Promise<T>) => ({
  is: async (right: T | ((answer: T) => boolean)): Promise<T> => {
    const isRight = right instanceof Function ? right : (answer: T) => isDeepStrictEqual(answer, right);
    const deadlineMs = performance.now() + LIMIT_MS;
    for (;;) {
      const answer = await ask();
      if (isRight(answer)) return answer;
      if (performance.now() > deadlineMs) throw new Error(`never came true; last answer: ${JSON.stringify(answer)}`);
      await delay(INTERVAL_MS);
    }
  },
});
