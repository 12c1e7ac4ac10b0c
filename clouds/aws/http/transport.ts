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
import type { AwsAnswer, AwsCall, AwsService } from './call.ts';
import type { CallKind } from './classify.ts';
import { bucketOf } from './limits.ts';
import { refusalError } from './refusal.ts';
import { signedHeaders, type AwsCredentials } from './sign.ts';

/** `fetch`, as far as it is used; replaced in tests that run without sockets. */
export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

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

/** Limits of a call with all its repetitions, and of one request, ms. A create has one request, and an unknown outcome is expensive. */
const TIME_LIMITS: Readonly<Record<CallKind, { readonly wholeMs: number; readonly requestMs: number }>> = {
  read: { wholeMs: 30_000, requestMs: 15_000 },
  change: { wholeMs: 60_000, requestMs: 30_000 },
  create: { wholeMs: 90_000, requestMs: 90_000 },
};

const MAX_TRIES = 5;
/** Pause after the first fault, ms; doubles each time. AWS names no time when it throttles. */
const BASE_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 8_000;
/** Pauses vary by this share either way, so that callers who failed together do not come back together. */
const JITTER = 0.4;
/** Shorter secrets are not masked, because that would mask ordinary words. */
const SHORTEST_SECRET = 6;

/** The price list has its own addresses, in a few regions; one of them knows all prices. */
export const PRICING_REGION = 'us-east-1';

const hostOf = (service: AwsService, region: string): string =>
  `${service === 'pricing' ? 'api.pricing' : service}.${region}.amazonaws.com`;

/** The error of a call that ends because its process stops: it is unknown whether it took effect. */
const stoppedError = (): DeckhandError => providerError('transient', 'the call was ended because this process stops');

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

  async function take(call: AwsCall): Promise<void> {
    try {
      await rateLimit.take([bucketOf(account, call)], stop);
    } catch (error) {
      throw stop.aborted ? stoppedError() : error;
    }
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
    throw refusalError(call, answer, clean);
  }

  return {
    async send(call, read) {
      await take(call);
      const untilMs = now() + TIME_LIMITS[call.kind].wholeMs;
      for (let tried = 1; ; tried += 1) {
        try {
          return read(await attempt(call, untilMs - now()));
        } catch (error) {
          const failure = asProviderFailure(error);
          const waitMs = pauseMs(call.kind, failure, tried, (options.random ?? Math.random)());
          if (failure.code === 'provider_throttled')
            await rateLimit.report(bucketOf(account, call), 0, waitMs ?? BASE_PAUSE_MS);
          if (waitMs === null || now() + waitMs >= untilMs || stop.aborted) throw failure;
          await pause(waitMs, stop);
          await take(call);
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
  const backOffMs = Math.min(BASE_PAUSE_MS * 2 ** (tried - 1), MAX_PAUSE_MS);
  return Math.max(error.retryAfterMs ?? 0, backOffMs * (1 - JITTER + 2 * JITTER * random));
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

/** Why no answer came, in a few words. */
function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? `${error.message}: ${cause.message}` : error.message;
}
