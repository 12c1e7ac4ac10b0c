/** One try of a delivery: a signed POST with a limit of its own. What the receiver answers besides its status is not read. */
import type { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { Agent, request } from 'undici';
import { DeckhandError, errorText } from '../../domain/errors.ts';
import { checkedLookup } from '../../platform/checked-lookup.ts';
import { parseRetryAfter } from '../../domain/retry-after.ts';
import type { WebhookPayload } from '../../domain/webhooks.ts';
import { isRefusedAddress } from './receiver-url.ts';

/** Longest time a receiver may take to connect and answer. */
export const TRY_LIMIT_MS = 10_000;

/** What is sent where. */
export interface SignedMessage {
  /** The same for every try, so that a receiver can tell a repetition. */
  readonly id: string;
  readonly url: string;
  /** `whsec_…` */
  readonly secret: string;
  readonly payload: WebhookPayload;
}

/** Result: a status, or the reason why there is none. */
export type Answer =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfterMs: number | null }
  | { readonly kind: 'unanswered'; readonly error: string };

/** A name may resolve to another address than when its URL was stored. @param resolve asks for all addresses of a name */
export const receiverLookup = (resolve?: typeof lookup): LookupFunction =>
  checkedLookup({
    accepts: (address) => !isRefusedAddress(address),
    refusal: (hostname) => new DeckhandError('invalid_request', `${hostname} has only addresses that are refused`),
    resolve,
  });

/** Sends a message once. Redirects are not followed: the receiver's URL is what an operator allowed. */
export async function sendOnce(message: SignedMessage, limitMs: number): Promise<Answer> {
  const body = JSON.stringify(message.payload);
  const now = new Date();
  // A connection of its own, closed with its unread answer.
  const agent = new Agent({ connect: { lookup: receiverLookup(), timeout: limitMs } });
  try {
    const {
      statusCode,
      headers,
      body: unread,
    } = await request(message.url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Deckhand-Webhooks/1',
        'webhook-id': message.id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(message.secret).sign(message.id, now, body),
      },
      dispatcher: agent,
      signal: AbortSignal.timeout(limitMs),
    });
    unread.on('error', ignore).destroy();
    const retryAfter = headers['retry-after'];
    const retryAfterMs = parseRetryAfter(typeof retryAfter === 'string' ? retryAfter : null, now.getTime());
    return { kind: 'answered', status: statusCode, retryAfterMs };
  } catch (error) {
    return { kind: 'unanswered', error: reasonOf(error, limitMs) };
  } finally {
    await agent.destroy();
  }
}

function ignore(): void {
  // The status was all that was wanted; the rest of the answer is cut off on purpose.
}

/** The network's own words, such as `connect ECONNREFUSED 10.0.0.7:443`. */
function reasonOf(error: unknown, limitMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${limitMs / 1000} s`;
  const message = errorText(error);
  return (message === '' ? 'the connection failed' : message).slice(0, 300);
}
