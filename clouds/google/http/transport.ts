/**
 * Sends calls to the services of Google: rate limit, token, classification of refusals, retries. Knows no endpoint.
 *
 * Every error is a DeckhandError with a provider code, and its text contains no secret. Reads and repeatable changes are sent again after
 * a fault, a create never.
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
} from '../../http/retry.ts';
import { createWire, stoppedError, type Call, type CallKind, type Fetch, type WireAnswer } from '../../http/wire.ts';
import type { GoogleCredentials } from '../credentials.ts';
import type { RefusedOffer } from './classify.ts';
import { bucketOf } from './limits.ts';
import { refusalError } from './refusal.ts';
import { createTokenSource, type RequestToken } from './token.ts';

export interface GoogleTransportOptions {
  /** Where every call of every service goes, as to a simulator; left out = to Google. */
  readonly baseUrl?: string | undefined;
  readonly project: string;
  readonly credentials: GoogleCredentials;
  readonly rateLimit: CallRateLimit;
  readonly fetch: Fetch;
  readonly pause: Pause;
  readonly now: () => number;
  /** Ends every wait and call when it fires. */
  readonly signal?: AbortSignal | undefined;
  /** A number in [0, 1); for the jitter of pauses. */
  readonly random?: (() => number) | undefined;
}

/** One call of a service. */
export interface GoogleCall extends Omit<Call, 'kind'> {
  readonly kind: 'read' | 'change' | 'create';
  /** `compute` where left out. */
  readonly service?: 'compute' | 'billing';
  /** The offer it is about, so that a refusal can say what to block. */
  readonly offer?: RefusedOffer;
}

/** See the file's header. */
export interface GoogleTransport {
  readonly project: string;
  readonly now: () => number;
  /** Waits on the transport's clock. @throws DeckhandError `provider_transient` when the process stops */
  pause(ms: number): Promise<void>;
  /** Masks our secrets in a text from the other side. */
  readonly clean: (text: string) => string;
  /** Sends a call and reads its 2xx; what `read` throws as `provider_transient` counts as a fault on the way. */
  send<T>(call: GoogleCall, read: (answer: WireAnswer) => T): Promise<T>;
}

/** Addresses of the services; a stand-in serves all of them at one. */
const HOSTS = { compute: 'https://compute.googleapis.com', billing: 'https://cloudbilling.googleapis.com' } as const;
const PATHS = { compute: '/compute/v1', billing: '/v1' } as const;
/** Shorter secrets are not masked, because that would mask ordinary words. */
const SHORTEST_SECRET = 6;
const TOKEN_CALL = { kind: 'token', method: 'POST' } as const;

/** Name of the account in rate limit keys: short, and reveals nothing about the credentials. */
function accountKey(project: string, credentials: GoogleCredentials): string {
  const who = credentials.kind === 'service_account' ? credentials.email : credentials.clientId;
  return `google:${createHash('sha256').update(`${project} ${who}`).digest('hex').slice(0, 12)}`;
}

const secretsOf = (credentials: GoogleCredentials): readonly string[] =>
  credentials.kind === 'service_account'
    ? [credentials.privateKey]
    : [credentials.clientSecret, credentials.refreshToken];

/** See the file's header. */
export function createGoogleTransport(options: GoogleTransportOptions): GoogleTransport {
  const { project, credentials, rateLimit, now, pause } = options;
  const stop = options.signal ?? new AbortController().signal;
  const account = accountKey(project, credentials);
  const base = options.baseUrl?.replace(/\/+$/u, '');
  // The price list answers a person's login only if it says whose calls these are; a service account belongs to a project.
  const quotaProject = credentials.kind === 'authorized_user' ? { 'X-Goog-User-Project': project } : {};
  let tokenInUse = '';

  const clean = (text: string): string =>
    [...secretsOf(credentials), tokenInUse]
      .filter((secret) => secret.length >= SHORTEST_SECRET)
      .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);

  const wireTo = (baseUrl: string) => createWire({ provider: 'Google', baseUrl, fetch: options.fetch, stop, clean });
  const wires = {
    compute: wireTo(`${base ?? HOSTS.compute}${PATHS.compute}`),
    billing: wireTo(`${base ?? HOSTS.billing}${PATHS.billing}`),
  };
  const tokenAt = base === undefined ? new URL(credentials.tokenUrl) : new URL(`${base}/token`);
  const tokenWire = wireTo(tokenAt.origin);

  const requestToken: RequestToken = async (form, withinMs) => {
    const call = { ...TOKEN_CALL, path: tokenAt.pathname };
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await tokenWire(call, headers, new URLSearchParams({ ...form }).toString(), withinMs);
    if (answer.status === 200) return answer.text;
    const refused = { where: `POST ${tokenAt.pathname}`, kind: 'read', offer: null } as const;
    throw refusalError(refused, answer, { clean, nowMs: now() });
  };
  const tokens = createTokenSource(credentials, requestToken, now);

  /** Takes one call. @throws DeckhandError `provider_throttled` when the bucket stays full beyond the deadline, or a create's patience */
  async function take(call: GoogleCall, deadlineMs: number): Promise<void> {
    const patienceMs = call.kind === 'create' ? CREATE_PATIENCE_MS : deadlineMs - LEAST_ANSWER_MS - now();
    let full;
    try {
      full = await rateLimit.take([bucketOf(account, call.service ?? 'compute', call.kind)], stop, patienceMs);
    } catch (error) {
      throw stop.aborted ? stoppedError() : error;
    }
    if (full === null) return;
    throw providerError('throttled', `${call.method} ${call.path}: the project makes too many calls`, {
      retryAfterMs: full.waitMs,
      hint: `The next call of this kind is sent in ${Math.ceil(full.waitMs / 1000)} s.`,
    });
  }

  /** One try. A 401 says that nothing was done: it is answered by one new token and one more request. */
  async function attempt(call: GoogleCall, deadlineMs: number): Promise<WireAnswer> {
    const { service = 'compute', kind, offer = null } = call;
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const leftMs = (): number => Math.max(1, deadlineMs - now());
    let token = await tokens.current(leftMs());
    for (let renewed = false; ; renewed = true) {
      await take(call, deadlineMs);
      tokenInUse = token;
      const contentType = body === undefined ? {} : { 'Content-Type': 'application/json' };
      const headers = { Authorization: `Bearer ${token}`, ...quotaProject, ...contentType };
      const answer = await wires[service](call, headers, body, leftMs());
      if (answer.status >= 200 && answer.status < 300) return answer;
      const refused = { where: `${call.method} ${call.path}`, kind, offer };
      const error = refusalError(refused, answer, { clean, nowMs: now() });
      if (error.code === 'provider_throttled')
        await rateLimit.report(bucketOf(account, service, kind), 0, error.retryAfterMs ?? DEFAULT_RETRY_AFTER_MS);
      if (answer.status !== 401 || renewed) throw error;
      try {
        token = await tokens.renew(token, leftMs());
      } catch (renewal) {
        // The outcome of the create is not in doubt: it was refused.
        throw kind === 'create' ? error : renewal;
      }
    }
  }

  /** Retries as far as the kind of call allows. */
  async function persist<T>(kind: CallKind, what: (deadlineMs: number) => Promise<T>): Promise<T> {
    const deadlineMs = kind === 'read' ? now() + DEFAULT_RETRY.readWithinMs : Infinity;
    for (let times = 1; ; times += 1) {
      try {
        return await what(deadlineMs);
      } catch (thrown) {
        const error = asProviderFailure(thrown);
        const patienceMs = deadlineMs - LEAST_ANSWER_MS - now();
        const waitMs = retryPauseMs(
          { kind, error, times, patienceMs },
          DEFAULT_RETRY,
          (options.random ?? Math.random)(),
        );
        if (waitMs === null || stop.aborted) throw error;
        await pause(waitMs, stop);
        if (stop.aborted) throw stoppedError();
      }
    }
  }

  return {
    project,
    now,
    clean,
    async pause(ms) {
      await pause(ms, stop);
      if (stop.aborted) throw stoppedError();
    },
    async send(call, read) {
      // The token first, and with retries: before a create is sent its outcome is not in doubt.
      if (call.kind === 'create') await persist('token', () => tokens.current());
      return persist(call.kind, async (deadlineMs) => read(await attempt(call, deadlineMs)));
    },
  };
}

/** Our own errors as they are; anything else is a fault whose outcome is unknown. */
const asProviderFailure = (error: unknown): DeckhandError =>
  error instanceof DeckhandError ? error : providerError('transient', asDeckhandError(error).message, { cause: error });
