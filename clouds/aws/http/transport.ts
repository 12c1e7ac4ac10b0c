/**
 * Sends calls to the services of AWS: rate limit, signature, classification of refusals, retries. Knows no action.
 *
 * Every error is a DeckhandError with a provider code, and its text contains no secret. Reads and repeatable changes are sent again after
 * a fault, a create never.
 */
import { createHash } from 'node:crypto';
import { asDeckhandError, DeckhandError } from '../../../domain/errors.ts';
import type { CallRateLimit, Pause } from '../../call-rate-limit.ts';
import { providerError } from '../../errors.ts';
import { backOffMs, CREATE_PATIENCE_MS, LEAST_ANSWER_MS } from '../../http/retry.ts';
import { reasonOf, stoppedError, type Fetch } from '../../http/wire.ts';
import type { AwsAnswer, AwsCall, AwsService } from './call.ts';
import type { CallKind } from './classify.ts';
import { bucketOf } from './limits.ts';
import { refusalError } from './refusal.ts';
import { signedHeaders, type AwsCredentials } from './sign.ts';

export interface AwsTransportOptions {
  /** Where every call of every service goes, as to a simulator; left out = to AWS. */
  readonly baseUrl?: string | undefined;
  readonly credentials: AwsCredentials;
  readonly rateLimit: CallRateLimit;
  readonly fetch: Fetch;
  readonly pause: Pause;
  readonly now: () => number;
  /** Ends every wait and call when it fires. */
  readonly signal?: AbortSignal | undefined;
  /** A number in [0, 1); for the jitter of pauses. */
  readonly random?: (() => number) | undefined;
}

/** See the file's header. */
export interface AwsTransport {
  /** Sends a call and reads its 2xx; what `read` throws as `provider_transient` counts as a fault on the way. */
  send<T>(call: AwsCall, read: (answer: AwsAnswer) => T): Promise<T>;
}

/**
 * Limits of a call with all its repetitions and waits, and of one request, ms. A create has one request, which may take all of its time after the
 * wait for the rate limit: an unknown outcome is expensive.
 */
const TIME_LIMITS: Readonly<Record<CallKind, { readonly wholeMs: number; readonly requestMs: number }>> = {
  read: { wholeMs: 30_000, requestMs: 15_000 },
  change: { wholeMs: 60_000, requestMs: 30_000 },
  create: { wholeMs: CREATE_PATIENCE_MS + 90_000, requestMs: 90_000 },
};

const MAX_TRIES = 5;
/** Pause after the first fault, ms; doubles each time. AWS names no time when it throttles. */
const PAUSES = { baseMs: 1_000, maxMs: 8_000 };
/** Shorter secrets are not masked, because that would mask ordinary words. */
const SHORTEST_SECRET = 6;

/** The price list has its own addresses, in a few regions; one of them knows all prices. */
export const PRICING_REGION = 'us-east-1';

const hostOf = (service: AwsService, region: string): string =>
  `${service === 'pricing' ? 'api.pricing' : service}.${region}.amazonaws.com`;

/** See the file's header. */
export function createAwsTransport(options: AwsTransportOptions): AwsTransport {
  const { credentials, rateLimit, now, pause } = options;
  const stop = options.signal ?? new AbortController().signal;
  const account = `aws:${createHash('sha256').update(credentials.accessKeyId).digest('hex').slice(0, 12)}`;

  /** Masks our secrets in a text from the other side. */
  const clean = (text: string): string =>
    [credentials.secretAccessKey, credentials.sessionToken ?? '']
      .filter((secret) => secret.length >= SHORTEST_SECRET)
      .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);

  /** Waits for the rate limit. @throws DeckhandError `provider_throttled` when that would take too long; nothing was sent then */
  async function take(call: AwsCall, untilMs: number): Promise<void> {
    const patienceMs = call.kind === 'create' ? CREATE_PATIENCE_MS : untilMs - LEAST_ANSWER_MS - now();
    let full;
    try {
      full = await rateLimit.take([bucketOf(account, call)], stop, patienceMs);
    } catch (error) {
      throw stop.aborted ? stoppedError() : error;
    }
    if (full === null) return;
    throw providerError('throttled', `${call.action} in ${call.region}: the account makes too many calls`, {
      retryAfterMs: full.waitMs,
      hint: `AWS takes the next call of this kind in ${Math.ceil(full.waitMs / 1000)} s.`,
    });
  }

  /** One request. */
  async function request(call: AwsCall, timeoutMs: number): Promise<AwsAnswer> {
    const url = options.baseUrl ?? `https://${hostOf(call.service, call.region)}/`;
    const { headers, body } = contentOf(call);
    const unsigned = { method: 'POST', url, headers, body };
    const scope = { service: call.service, region: call.region, atMs: now() };
    try {
      const response = await options.fetch(url, {
        method: 'POST',
        headers: { 'user-agent': 'deckhand/0.1', ...signedHeaders(unsigned, credentials, scope) },
        body,
        // Followed, a redirect would carry the signature to an address that is not configured.
        redirect: 'manual',
        signal: AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]),
      });
      return { status: response.status, headers: response.headers, text: await response.text() };
    } catch (error) {
      if (stop.aborted) throw stoppedError();
      throw providerError('transient', clean(`${call.action} in ${call.region}: ${reasonOf(error, timeoutMs)}`), {
        userMessage: `AWS did not answer at ${new URL(url).host}.`,
        hint: 'Look at the network and at the status page of AWS, then try again.',
      });
    }
  }

  /** One try: an answer, or the error of its class. */
  async function attempt(call: AwsCall, leftMs: number): Promise<AwsAnswer> {
    const answer = await request(call, Math.ceil(Math.min(TIME_LIMITS[call.kind].requestMs, leftMs)));
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw refusalError(call, answer, { clean, nowMs: now() });
  }

  return {
    async send(call, read) {
      const untilMs = now() + TIME_LIMITS[call.kind].wholeMs;
      await take(call, untilMs);
      for (let tried = 1; ; tried += 1) {
        try {
          return read(await attempt(call, untilMs - now()));
        } catch (error) {
          const failure = asProviderFailure(error);
          const waitMs = pauseMs(call.kind, failure, tried, (options.random ?? Math.random)());
          if (failure.code === 'provider_throttled')
            await rateLimit.report(bucketOf(account, call), 0, waitMs ?? PAUSES.baseMs);
          if (waitMs === null || now() + waitMs >= untilMs || stop.aborted) throw failure;
          await pause(waitMs, stop);
          await take(call, untilMs);
          if (now() >= untilMs) throw failure;
        }
      }
    },
  };
}

/** How long to wait before sending again; null = do not. */
function pauseMs(kind: CallKind, error: DeckhandError, tried: number, random: number): number | null {
  // A create is never sent twice: the first may have worked.
  if (kind === 'create' || tried >= MAX_TRIES) return null;
  if (error.code !== 'provider_transient' && error.code !== 'provider_throttled') return null;
  return Math.max(error.retryAfterMs ?? 0, backOffMs(tried, PAUSES, random));
}

/** Headers that say what the body is, and the body. */
function contentOf({ input, action }: AwsCall): {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
} {
  if ('json' in input) {
    const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `${input.target}.${action}` };
    return { headers, body: JSON.stringify(input.json) };
  }
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    body: new URLSearchParams(input.form).toString(),
  };
}

/** Our own errors as they are; anything else is a fault whose outcome is unknown. */
const asProviderFailure = (error: unknown): DeckhandError =>
  error instanceof DeckhandError ? error : providerError('transient', asDeckhandError(error).message, { cause: error });
