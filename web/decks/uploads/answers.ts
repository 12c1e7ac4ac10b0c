/** Whether Deckhand answers, for what waits until it does. */
import { apiPath } from '../../request.ts';

const PROBE_MS = 3000;

/** Whether Deckhand answers at all. */
export async function answers(): Promise<boolean> {
  try {
    await fetch(apiPath('/health'));
    return true;
  } catch {
    return false;
  }
}

/** Waits until it answers; asks at once when the browser has a network again. */
export async function untilAnswers(): Promise<void> {
  do {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, PROBE_MS);
      addEventListener('online', () => (clearTimeout(timer), resolve()), { once: true });
    });
  } while (!(await answers()));
}
