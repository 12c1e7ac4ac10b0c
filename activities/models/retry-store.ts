/** Repeats a write through a short absence of the database, so that a model's answer is not lost and computed again. */
import { setTimeout as delay } from 'node:timers/promises';
import { DeckhandError, errorText } from '../../domain/errors.ts';
import { isDatabaseRefusal } from '../../platform/db.ts';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5000;
/** After this long Temporal's own retry takes over. */
const GIVE_UP_AFTER_MS = 120_000;

/**
 * Repeats `store` (idempotent) until it succeeds, two minutes pass or the signal fires. Our own named errors are not repeated.
 *
 * @throws DeckhandError `model_output_unparseable` at once for values that the database never takes
 */
export async function retryStore<T>(signal: AbortSignal, store: () => Promise<T>): Promise<T> {
  const startedAtMs = Date.now();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await store();
    } catch (error) {
      if (isDatabaseRefusal(error)) {
        throw new DeckhandError('model_output_unparseable', `the database refuses an answer: ${errorText(error)}`, {
          userMessage: 'The answer of the model holds something that cannot be stored.',
          cause: error,
        });
      }
      if (error instanceof DeckhandError || Date.now() - startedAtMs > GIVE_UP_AFTER_MS) throw error;
      await delay(pauseMs, undefined, { signal });
    }
  }
}
