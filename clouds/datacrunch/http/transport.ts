/**
 * Sends calls to the DataCrunch API: rate limit, token, classification of refusals, retries. Knows no endpoint.
 *
 * Every error is a DeckhandError with a provider code, and its text contains no secret.
 */
import type { DeckhandError } from '../../../domain/errors.ts';
import { accountKey, Connection, isAccepted, type ConnectionOptions, type OnRows } from '../../http/connection.ts';
import { DEFAULT_RETRY, DEFAULT_RETRY_AFTER_MS, type RetryOptions } from '../../http/retry.ts';
import { createTokenSource } from '../../http/token.ts';
import type { Call, WireAnswer } from '../../http/wire.ts';
import { bucketsOf, fullBuckets, readRateLimit, type RateLeft } from './limits.ts';
import { readRefusal } from './body.ts';
import { refusalError, throttledError } from './refusal.ts';

/** Credentials of one project. Secret. */
export interface DataCrunchCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface DataCrunchClientOptions extends ConnectionOptions {
  /** With /v1, such as `https://api.verda.com/v1`. */
  readonly baseUrl: string;
  readonly credentials: DataCrunchCredentials;
  /** Limit of one request, ms; by kind of call where left out. */
  readonly timeoutMs?: number;
  readonly retry?: RetryOptions;
}

export interface Transport {
  readonly baseUrl: string;
  /** Sends a call and reads its 2xx; what `read` throws as `provider_transient` counts as a fault on the way. */
  send<T>(call: Call, read: (answer: WireAnswer) => T): Promise<T>;
  /** See {@link ConnectionOptions.onRows}. */
  readonly onRows: OnRows;
  /** What is left of the account's calls, as the provider said last. */
  rateLimit(): RateLeft | null;
}

/** The provider's counters are reported to the rate limit if less than this share is left. */
const REPORT_BELOW_SHARE = 0.2;
const RENEW_EARLY_MS = 60_000;
const TOKEN_CALL: Call = { kind: 'token', method: 'POST', path: '/oauth2/token' };

export function createTransport(options: DataCrunchClientOptions): Transport {
  const { clientId, clientSecret } = options.credentials;
  const baseUrl = options.baseUrl.replace(/\/+$/u, '');
  const retry = options.retry ?? DEFAULT_RETRY;
  const connection = new Connection(options, [clientSecret]);
  const { rateLimit, now, clean } = connection;
  const account = accountKey('datacrunch', `${new URL(baseUrl).host} ${clientId}`);
  let projectLeft: RateLeft | null = null;

  const refused = (call: Call, answer: WireAnswer): DeckhandError =>
    refusalError(call, answer, { baseUrl, nowMs: now(), clean });
  const wire = connection.wireTo('DataCrunch', baseUrl, options.timeoutMs);
  const tokens = createTokenSource({
    provider: 'DataCrunch',
    now,
    renewEarlyMs: RENEW_EARLY_MS,
    // With the client credentials each time: the API's refresh tokens save nothing.
    async request(withinMs) {
      const fields = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
      const json = { 'Content-Type': 'application/json' };
      let answer = await wire(TOKEN_CALL, json, JSON.stringify(fields), withinMs);
      // Something in front of the API may read forms only.
      if (answer.status === 400 && /grant.?type|not valid json/iu.test(readRefusal(answer.text).message)) {
        const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
        answer = await wire(TOKEN_CALL, form, new URLSearchParams(fields).toString(), withinMs);
      }
      if (answer.status !== 200 && answer.status !== 201) throw refused(TOKEN_CALL, answer);
      return answer.text;
    },
  });

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

  /** One try. */
  async function attempt(call: Call, untilMs: number): Promise<WireAnswer> {
    const { endpoint, project } = bucketsOf(account, call.method, call.path);
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const contentType = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const leftMs = (): number => Math.max(1, untilMs - now());
    return connection.withToken(tokens, call.kind, leftMs, async (token) => {
      await connection.take([endpoint, project], call.kind, untilMs, ({ bucket, waitMs }) => {
        const full = bucket.key === project.key ? 'project' : 'endpoint';
        return throttledError(call, { baseUrl, nowMs: now() }, { full, waitMs });
      });
      const answer = await wire(call, { Authorization: `Bearer ${token}`, ...contentType }, body, leftMs());
      const error = isAccepted(answer) ? null : refused(call, answer);
      await observe(call, answer.headers, error);
      return { answer, error };
    });
  }

  return {
    baseUrl,
    async send(call, read) {
      // The token first, and with retries: before a create is sent its outcome is not in doubt.
      if (call.kind === 'create') await connection.keepTrying('token', retry, () => tokens.current());
      return connection.keepTrying(call.kind, retry, async (untilMs) => read(await attempt(call, untilMs)));
    },
    onRows: connection.onRows,
    rateLimit: () => projectLeft,
  };
}
