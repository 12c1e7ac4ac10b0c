/**
 * Sends calls to the services of Azure: rate limit, token, classification of refusals, retries. Knows no resource.
 *
 * Every error is a DeckhandError with a provider code, and its text contains no secret. Reads and repeatable changes are sent again after
 * a fault, a create never.
 */
import { createHash } from 'node:crypto';
import { asDeckhandError, DeckhandError } from '../../../domain/errors.ts';
import type { CallRateLimit, Pause } from '../../call-rate-limit.ts';
import { providerError } from '../../errors.ts';
import { backOffMs, CREATE_PATIENCE_MS, LEAST_ANSWER_MS } from '../../http/retry.ts';
import { createWire, stoppedError, type Call, type Fetch, type Wire, type WireAnswer } from '../../http/wire.ts';
import type { AzureCredentials } from '../credentials.ts';
import type { AzureCall } from './call.ts';
import { bucketOf } from './limits.ts';
import { refusalError, shortPath } from './refusal.ts';
import { createTokenSource } from './token.ts';

export interface AzureTransportOptions {
  /** Where every call of every service goes, as to a simulator; left out = to Azure. */
  readonly baseUrl?: string | undefined;
  readonly credentials: AzureCredentials;
  readonly rateLimit: CallRateLimit;
  readonly fetch: Fetch;
  readonly pause: Pause;
  readonly now: () => number;
  /** Ends every wait and call when it fires. */
  readonly signal?: AbortSignal | undefined;
  /** A number in [0, 1); for the jitter of pauses. */
  readonly random?: (() => number) | undefined;
  /** Told after each reading of a list of offers which of its rows could not be read; an empty list = all could. */
  readonly onRows?: OnRows | undefined;
}

/** @param route such as `/skus` @param unreadable a sentence per row */
export type OnRows = (route: string, unreadable: readonly string[]) => void;

/** See the file's header. */
export interface AzureTransport {
  readonly subscriptionId: string;
  /** Address of the management API: where its lists may go on. */
  readonly managementUrl: string;
  readonly pricesUrl: string;
  /** Sends a call and reads its 2xx; what `read` throws as `provider_transient` counts as a fault on the way. */
  send<T>(call: AzureCall, read: (answer: WireAnswer) => T): Promise<T>;
  /** Waits. @throws when the process stops */
  wait(ms: number): Promise<void>;
  readonly onRows: OnRows;
}

/**
 * Limits of a call with all its repetitions and waits, and of one request, ms. A create has one request, which may take all of its time after the
 * wait for the rate limit: an unknown outcome is expensive.
 */
const TIME_LIMITS: Readonly<Record<AzureCall['kind'], { readonly wholeMs: number; readonly requestMs: number }>> = {
  read: { wholeMs: 45_000, requestMs: 20_000 },
  change: { wholeMs: 60_000, requestMs: 30_000 },
  create: { wholeMs: CREATE_PATIENCE_MS + 90_000, requestMs: 90_000 },
};

const MAX_TRIES = 5;
/** Pause after the first fault, ms; doubles each time. */
const PAUSES = { baseMs: 1_000, maxMs: 8_000 };
/** Shorter secrets are not masked, because that would mask ordinary words. */
const SHORTEST_SECRET = 6;

const URLS = {
  login: 'https://login.microsoftonline.com',
  management: 'https://management.azure.com',
  prices: 'https://prices.azure.com',
} as const;

/** See the file's header. */
export function createAzureTransport(options: AzureTransportOptions): AzureTransport {
  const { credentials, rateLimit, now, pause } = options;
  const stop = options.signal ?? new AbortController().signal;
  const { subscriptionId, clientId, clientSecret } = credentials;
  const digest = createHash('sha256').update(`${subscriptionId} ${clientId}`).digest('hex');
  const account = `azure:${digest.slice(0, 12)}`;
  let tokenInUse = '';

  /** Masks our secrets in a text from the other side. */
  const clean = (text: string): string =>
    [clientSecret, tokenInUse]
      .filter((secret) => secret.length >= SHORTEST_SECRET)
      .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
  const urlOf = (service: keyof typeof URLS): string => (options.baseUrl ?? URLS[service]).replace(/\/+$/u, '');
  const wireTo = (service: keyof typeof URLS): Wire =>
    createWire({ provider: 'Azure', baseUrl: urlOf(service), fetch: options.fetch, stop, clean });
  const wires = { management: wireTo('management'), prices: wireTo('prices') };
  const refused = (call: Pick<AzureCall, 'kind' | 'method' | 'path'>, answer: WireAnswer): DeckhandError =>
    refusalError(call, answer, { clean, nowMs: now() });
  const tokens = createTokenSource(
    credentials,
    wireTo('login'),
    (call: Call, answer) => refused({ ...call, kind: 'read', path: '/oauth2/v2.0/token' }, answer),
    now,
  );

  /** Waits for the rate limit. @throws DeckhandError `provider_throttled` when that would take too long; nothing was sent then */
  async function take(call: AzureCall, untilMs: number): Promise<void> {
    const patienceMs = call.kind === 'create' ? CREATE_PATIENCE_MS : untilMs - LEAST_ANSWER_MS - now();
    let full;
    try {
      full = await rateLimit.take([bucketOf(account, call)], stop, patienceMs);
    } catch (error) {
      throw stop.aborted ? stoppedError() : error;
    }
    if (full === null) return;
    throw providerError('throttled', `${call.method} ${shortPath(call.path)}: the subscription makes too many calls`, {
      retryAfterMs: full.waitMs,
      hint: `Azure takes the next call of this kind in ${Math.ceil(full.waitMs / 1000)} s.`,
    });
  }

  /** One try: an answer, or the error of its class. A 401 says that nothing was done: it is answered by one new token and one more request. */
  async function attempt({ service = 'management', ...call }: AzureCall, untilMs: number): Promise<WireAnswer> {
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const contentType = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const leftMs = (): number => Math.max(1, Math.min(TIME_LIMITS[call.kind].requestMs, untilMs - now()));
    for (let renewed = false; ; renewed = true) {
      // The price list is public.
      const token = service === 'prices' ? null : await tokens.current(leftMs());
      tokenInUse = token ?? tokenInUse;
      const authorization = token === null ? {} : { Authorization: `Bearer ${token}` };
      const headers = { ...authorization, ...contentType, ...call.headers };
      const answer = await wires[service](call, headers, body, leftMs());
      if (answer.status >= 200 && answer.status < 300) return answer;
      if (answer.status !== 401 || renewed || token === null) throw refusalError(call, answer, { clean, nowMs: now() });
      tokens.forget(token);
    }
  }

  /** Sends again as often as the kind of call allows. */
  async function persist<T>(call: AzureCall, what: (untilMs: number) => Promise<T>): Promise<T> {
    const untilMs = now() + TIME_LIMITS[call.kind].wholeMs;
    for (let tried = 1; ; tried += 1) {
      try {
        return await what(untilMs);
      } catch (error) {
        const failure = asProviderFailure(error);
        const waitMs = pauseMs(call.kind, failure, tried, (options.random ?? Math.random)());
        if (failure.code === 'provider_throttled')
          await rateLimit.report(bucketOf(account, call), 0, waitMs ?? failure.retryAfterMs ?? PAUSES.baseMs);
        if (waitMs === null || now() + waitMs >= untilMs || stop.aborted) throw failure;
        await pause(waitMs, stop);
        if (now() >= untilMs) throw failure;
      }
    }
  }

  return {
    subscriptionId,
    managementUrl: urlOf('management'),
    pricesUrl: urlOf('prices'),
    async send(call, read) {
      // The token first, and with retries: before a create is sent its outcome is not in doubt.
      if (call.kind === 'create')
        await persist({ ...call, kind: 'read' }, async (untilMs) => tokens.current(untilMs - now()));
      return persist(call, async (untilMs) => {
        await take(call, untilMs);
        return read(await attempt(call, untilMs));
      });
    },
    async wait(ms) {
      await pause(ms, stop);
      if (stop.aborted) throw stoppedError();
    },
    onRows: options.onRows ?? (() => undefined),
  };
}

/** How long to wait before sending again; null = do not. */
function pauseMs(kind: AzureCall['kind'], error: DeckhandError, tried: number, random: number): number | null {
  // A create is never sent twice: the first may have worked.
  if (kind === 'create' || tried >= MAX_TRIES) return null;
  if (error.code !== 'provider_transient' && error.code !== 'provider_throttled') return null;
  return Math.max(error.retryAfterMs ?? 0, backOffMs(tried, PAUSES, random));
}

/** Our own errors as they are; anything else is a fault whose outcome is unknown. */
const asProviderFailure = (error: unknown): DeckhandError =>
  error instanceof DeckhandError ? error : providerError('transient', asDeckhandError(error).message, { cause: error });
