/**
 * Sends calls to the DataCrunch API: rate limit, token, classification of refusals, retries. Knows no endpoint.
 *
 * Every error is a DeckhandError with a provider code, and its text contains no secret.
 */
import { createHash } from 'node:crypto';
import { asDeckhandError, DeckhandError } from '../../../domain/errors.ts';
import type { CallRateLimit, Pause } from '../../call-rate-limit.ts';
import { providerError } from '../../errors.ts';
import {
  CREATE_PATIENCE_MS,
  DEFAULT_RETRY,
  DEFAULT_RETRY_AFTER_MS,
  LEAST_ANSWER_MS,
  retryPauseMs,
  type RetryOptions,
} from '../../http/retry.ts';
import { createWire, stoppedError, type Call, type CallKind, type Fetch, type WireAnswer } from '../../http/wire.ts';
import { bucketsOf, fullBuckets, readRateLimit, type RateLeft } from './limits.ts';
import { refusalError, throttledError } from './refusal.ts';
import { createTokenSource, tokenRequester, type DataCrunchCredentials } from './token.ts';

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
  /** Told after each reading of a list whose rows stand alone which of them could not be read; an empty list = all could. */
  readonly onRows?: OnRows;
}

/** @param route such as `/instance-types` @param unreadable a sentence per row */
export type OnRows = (route: string, unreadable: readonly string[]) => void;

/** See the file's header. */
export interface Transport {
  readonly baseUrl: string;
  /** Sends a call and reads its 2xx; what `read` throws as `provider_transient` counts as a fault on the way. */
  send<T>(call: Call, read: (answer: WireAnswer) => T): Promise<T>;
  /** See {@link TransportOptions.onRows}. */
  readonly onRows: OnRows;
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
  const retry = options.retry ?? DEFAULT_RETRY;
  const refused = (call: Call, answer: WireAnswer): DeckhandError =>
    refusalError(call, answer, { baseUrl, nowMs: now(), clean });
  const { fetch, timeoutMs } = options;
  const wire = createWire({ provider: 'DataCrunch', baseUrl, fetch, stop, timeoutMs, clean });
  const tokens = createTokenSource(credentials, tokenRequester(wire, refused), now);

  /** Takes one call from both buckets. @throws DeckhandError `provider_throttled` when they stay full beyond the deadline, or a create's patience */
  async function take(call: Call, deadlineMs: number): Promise<void> {
    const { endpoint, project } = bucketsOf(account, call.method, call.path);
    const patienceMs = call.kind === 'create' ? CREATE_PATIENCE_MS : deadlineMs - LEAST_ANSWER_MS - now();
    let full;
    try {
      full = await rateLimit.take([endpoint, project], stop, patienceMs);
    } catch (error) {
      throw stop.aborted ? stoppedError() : error;
    }
    if (full === null) return;
    const { bucket, waitMs } = full;
    const name = bucket.key === project.key ? 'project' : 'endpoint';
    throw throttledError(call, { baseUrl, nowMs: now() }, { full: name, waitMs });
  }

  /** Reports the provider's own counters to the rate limit. */
  async function observe(call: Call, headers: Headers, error: DeckhandError | null): Promise<void> {
    const { endpoint, project } = bucketsOf(account, call.method, call.path);
    const left = readRateLimit(headers.get('ratelimit'));
    projectLeft = left.project ?? projectLeft;
    const buckets = { endpoint, project };
    if (error?.code === 'provider_throttled') {
      const waitMs = error.retryAfterMs ?? DEFAULT_RETRY_AFTER_MS;
      for (const name of fullBuckets(left)) await rateLimit.report(buckets[name], 0, waitMs);
      return;
    }
    for (const name of ['endpoint', 'project'] as const) {
      const { remaining = Infinity, resetMs = 0 } = left[name] ?? {};
      if (remaining < buckets[name].limit * REPORT_BELOW_SHARE)
        await rateLimit.report(buckets[name], remaining, resetMs);
    }
  }

  /** One try. A 401 says that nothing was done: it is answered by one new token and one more request. */
  async function attempt(call: Call, deadlineMs: number): Promise<WireAnswer> {
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const contentType = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const leftMs = (): number => Math.max(1, deadlineMs - now());
    let token = await tokens.current(leftMs());
    for (let renewed = false; ; renewed = true) {
      await take(call, deadlineMs);
      tokenInUse = token;
      const headers = { Authorization: `Bearer ${token}`, ...contentType };
      const answer = await wire(call, headers, body, leftMs());
      const error = answer.status >= 200 && answer.status < 300 ? null : refused(call, answer);
      await observe(call, answer.headers, error);
      if (error === null) return answer;
      if (answer.status !== 401 || renewed) throw error;
      token = await tokens.renew(token, leftMs());
    }
  }

  /** Retries as far as the kind of call allows. */
  async function persist<T>(kind: CallKind, what: (deadlineMs: number) => Promise<T>): Promise<T> {
    const deadlineMs = kind === 'read' ? now() + retry.readWithinMs : Infinity;
    for (let times = 1; ; times += 1) {
      try {
        return await what(deadlineMs);
      } catch (thrown) {
        const error = asProviderFailure(thrown);
        const random = (options.random ?? Math.random)();
        const patienceMs = deadlineMs - LEAST_ANSWER_MS - now();
        const waitMs = retryPauseMs({ kind, error, times, patienceMs }, retry, random);
        if (waitMs === null || stop.aborted) throw error;
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
      return persist(call.kind, async (deadlineMs) => read(await attempt(call, deadlineMs)));
    },
    onRows: options.onRows ?? (() => undefined),
    rateLimit: () => projectLeft,
  };
}

/** Our own errors as they are; anything else is a fault whose outcome is unknown. */
const asProviderFailure = (error: unknown): DeckhandError =>
  error instanceof DeckhandError ? error : providerError('transient', asDeckhandError(error).message, { cause: error });
