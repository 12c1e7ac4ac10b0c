/**
 * Sends calls to the DataCrunch API: rate limit, token, classification of refusals, retries. Knows no endpoint.
 *
 * Every error is a DeckhandError with a provider code, and its text contains no secret.
 */
import { createHash } from 'node:crypto';
import { asDeckhandError, DeckhandError } from '../../../domain/errors.ts';
import type { CallBucket, CallRateLimit, Pause } from '../../call-rate-limit.ts';
import { providerError } from '../../errors.ts';
import { bucketsOf, readRateLimit, type RateLeft } from './limits.ts';
import { DEFAULT_RETRY_AFTER_MS, refusalError } from './refusal.ts';
import { DEFAULT_RETRY, retryPauseMs, type RetryOptions } from './retry.ts';
import { createTokenSource, tokenRequester, type DataCrunchCredentials } from './token.ts';
import { createWire, stoppedError, type Call, type Fetch, type WireAnswer } from './wire.ts';
import type { CallKind } from './classify.ts';

export interface TransportOptions {
  /** With /v1, such as `https://api.verda.com/v1`. */
  readonly baseUrl: string;
  readonly credentials: DataCrunchCredentials;
  readonly rateLimit: CallRateLimit;
  readonly fetch: Fetch;
  readonly pause: Pause;
  readonly now: () => number;
  /** Ends every wait and call when it fires. */
  readonly signal?: AbortSignal;
  /** Limit of one request, ms; by kind of call where left out. */
  readonly timeoutMs?: number;
  readonly retry?: RetryOptions;
  /** A number in [0, 1); for the jitter of pauses. */
  readonly random?: () => number;
}

/** See the file's header. */
export interface Transport {
  readonly baseUrl: string;
  /** Sends a call and reads its 2xx; what `read` throws as `provider_transient` counts as a fault on the way. */
  send<T>(call: Call, read: (answer: WireAnswer) => T): Promise<T>;
  /** What is left of the account's calls, as the provider said last. */
  rateLimit(): RateLeft | null;
}

/** The provider's counters are reported to the rate limit if less than this share is left. */
const REPORT_BELOW_SHARE = 0.2;
/** Shorter secrets are not masked, because that would mask ordinary words. */
const SHORTEST_SECRET = 6;

/** Name of the account in rate limit keys: short, and reveals nothing about the credentials. */
const accountKey = (baseUrl: string, clientId: string): string =>
  `datacrunch:${createHash('sha256')
    .update(`${new URL(baseUrl).host} ${clientId}`)
    .digest('hex')
    .slice(0, 12)}`;

/** See the file's header. */
export function createTransport(options: TransportOptions): Transport {
  const { credentials, rateLimit, now, pause } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/u, '');
  const stop = options.signal ?? new AbortController().signal;
  const account = accountKey(baseUrl, credentials.clientId);
  let tokenInUse = '';
  let projectLeft: RateLeft | null = null;

  /** Masks our secrets in a text from the provider. */
  const clean = (text: string): string =>
    [credentials.clientSecret, tokenInUse]
      .filter((secret) => secret.length >= SHORTEST_SECRET)
      .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
  const refused = (call: Call, answer: WireAnswer): DeckhandError => refusalError(call, answer, now(), clean);
  const wire = createWire({ baseUrl, fetch: options.fetch, stop, timeoutMs: options.timeoutMs, clean });
  const tokens = createTokenSource(credentials, tokenRequester(wire, refused), now);

  async function take(buckets: readonly CallBucket[]): Promise<void> {
    try {
      await rateLimit.take(buckets, stop);
    } catch (error) {
      throw stop.aborted ? stoppedError() : error;
    }
  }

  /** Reports the provider's own counters to the rate limit. */
  async function observe(call: Call, headers: Headers, error: DeckhandError | null): Promise<void> {
    const { endpoint, project } = bucketsOf(account, call.method, call.path);
    const left = readRateLimit(headers.get('ratelimit'));
    projectLeft = left.project ?? projectLeft;
    const pairs = [
      [endpoint, left.endpoint],
      [project, left.project],
    ] as const;
    if (error?.code === 'provider_throttled') {
      const full = pairs.filter(([, seen]) => seen?.remaining === 0);
      // Where the headers do not say which window is full, it may be either.
      for (const [bucket] of full.length > 0 ? full : pairs)
        await rateLimit.report(bucket, 0, error.retryAfterMs ?? DEFAULT_RETRY_AFTER_MS);
      return;
    }
    for (const [bucket, seen] of pairs)
      if (seen !== undefined && seen.remaining < bucket.limit * REPORT_BELOW_SHARE)
        await rateLimit.report(bucket, seen.remaining, seen.resetMs);
  }

  /** One try. A 401 says that nothing was done: it is answered by one new token and one more request. */
  async function attempt(call: Call): Promise<WireAnswer> {
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const contentType = body === undefined ? {} : { 'Content-Type': 'application/json' };
    let token = await tokens.current();
    for (let renewed = false; ; renewed = true) {
      const { endpoint, project } = bucketsOf(account, call.method, call.path);
      await take([endpoint, project]);
      tokenInUse = token;
      const answer = await wire(call, { Authorization: `Bearer ${token}`, ...contentType }, body);
      const error = answer.status >= 200 && answer.status < 300 ? null : refused(call, answer);
      await observe(call, answer.headers, error);
      if (error === null) return answer;
      if (answer.status !== 401 || renewed) throw error;
      token = await tokens.renew(token);
    }
  }

  /** Retries as far as the kind of call allows. */
  async function persist<T>(kind: CallKind, what: () => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await what();
      } catch (error) {
        const failure = asProviderFailure(error);
        const random = (options.random ?? Math.random)();
        const waitMs = retryPauseMs(kind, failure, tried, options.retry ?? DEFAULT_RETRY, random);
        if (waitMs === null || stop.aborted) throw failure;
        await pause(waitMs, stop);
        if (stop.aborted) throw stoppedError();
      }
    }
  }

  return {
    baseUrl,
    async send(call, read) {
      // The token first, and with retries: before a create is sent its outcome is not in doubt.
      if (call.kind === 'create') await persist('token', () => tokens.current());
      return persist(call.kind, async () => read(await attempt(call)));
    },
    rateLimit: () => projectLeft,
  };
}

/** Our own errors as they are; anything else is a fault whose outcome is unknown. */
const asProviderFailure = (error: unknown): DeckhandError =>
  error instanceof DeckhandError ? error : providerError('transient', asDeckhandError(error).message, { cause: error });
