/**
 * How often a call is sent to models, over all machines and all retries: bounded, so that every deck ends.
 *
 * Requests that a live server answered, failed or had cut for its silence count against the call. Those that were lost with their machine,
 * gateway or network are not the call's fault and have a bound of their own.
 */
import type { ErrorCode } from '../errors.ts';

/** Requests of one call so far. */
export interface SendCounts {
  readonly sends: number;
  readonly lostSends: number;
  /** Of the sends, those during which the model's runner ended. */
  readonly crashes: number;
}

export const MOST_SENDS = 3;
export const MOST_LOST_SENDS = 5;
/** The second one is alone on its machine, so that no other call can be its cause. */
export const MOST_CRASHES = 2;

export type SendBound = 'crashes' | 'sends' | 'lost';

/** The bound that a call has reached; null = it may be sent. */
export function reachedBound({ sends, lostSends, crashes }: SendCounts): SendBound | null {
  if (crashes >= MOST_CRASHES) return 'crashes';
  if (sends >= MOST_SENDS) return 'sends';
  return lostSends >= MOST_LOST_SENDS ? 'lost' : null;
}

/** The count that a failed request raises; null = none, because a person took it back. */
export function countsAs(code: ErrorCode): 'sends' | 'lostSends' | null {
  switch (code) {
    case 'cancelled':
      return null;
    case 'model_unreachable':
    case 'host_not_ready':
      return 'lostSends';
    default:
      return 'sends';
  }
}

/** Counts after a request that ended with this error; null = it was answered. */
export function afterSend(counts: SendCounts, code: ErrorCode | null): SendCounts {
  const counted = code === null ? 'sends' : countsAs(code);
  return {
    sends: counts.sends + (counted === 'sends' ? 1 : 0),
    lostSends: counts.lostSends + (counted === 'lostSends' ? 1 : 0),
    crashes: counts.crashes + (code === 'model_crashed' ? 1 : 0),
  };
}
