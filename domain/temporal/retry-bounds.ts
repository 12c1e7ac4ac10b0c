/**
 * How often the activities of a deck's run are tried, by the class of their error: none is repeated without a bound that a user sees. At the
 * bound the error is final, and its message says how often it was tried.
 *
 * Pauses between tries grow to half a minute (workflows/retry-policies.ts), so 120 tries are about an hour and 2,880 about a day. How often a
 * call is sent to models is bounded apart, see domain/models/send-bounds.ts.
 */
import type { ErrorCode } from '../errors.ts';

const AN_HOUR = 120;
const A_DAY = 2880;

/**
 * Tries of one activity at most; null = it waits for capacity to rent, which is no retry.
 *
 * @param code null = an error that is not ours, such as an absent database
 * @param isModelCall it runs on a machine, as opposed to planning and rendering
 */
export function mostTries(code: ErrorCode | null, isModelCall: boolean): number | null {
  switch (code) {
    // Before a host has shown a model nothing can be planned; the machine may have to be rented first.
    case 'model_not_ready':
      return isModelCall ? AN_HOUR : null;
    default:
      return A_DAY;
  }
}
