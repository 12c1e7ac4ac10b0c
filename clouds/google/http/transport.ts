/**
 * Sends calls to the services of Google: rate limit, token, classification of refusals, retries. Knows no endpoint.
 *
 * Every error is a DeckhandError with a provider code, and its text contains no secret. Reads and repeatable changes are sent again after
 * a fault, a create never.
 */
import {
  accountKey,
  Connection,
  isAccepted,
  tooManyCalls,
  type AccountConnectionOptions,
  type OnRows,
} from '../../http/connection.ts';
import { DEFAULT_RETRY, DEFAULT_RETRY_AFTER_MS } from '../../http/retry.ts';
import { createTokenSource } from '../../http/token.ts';
import type { Call, ServiceCallKind, WireAnswer } from '../../http/wire.ts';
import type { GoogleCredentials } from '../credentials.ts';
import type { RefusedOffer } from './classify.ts';
import { bucketOf } from './limits.ts';
import { refusalError } from './refusal.ts';
import { tokenFields } from './token.ts';

export interface GoogleTransportOptions extends AccountConnectionOptions<GoogleCredentials> {
  readonly project: string;
}

/** One call of a service. */
export interface GoogleCall extends Omit<Call, 'kind'> {
  readonly kind: ServiceCallKind;
  /** `compute` where left out. */
  readonly service?: 'compute' | 'billing';
  /** The offer it is about, so that a refusal can say what to block. */
  readonly offer?: RefusedOffer;
}

export interface GoogleTransport {
  readonly project: string;
  readonly now: () => number;
  readonly onRows: OnRows;
  /** Waits. @throws DeckhandError `provider_transient` when the process stops */
  wait(ms: number): Promise<void>;
  /** Masks our secrets in a text from the other side. */
  readonly clean: (text: string) => string;
  /** Sends a call and reads its 2xx; what `read` throws as `provider_transient` counts as a fault on the way. */
  send<T>(call: GoogleCall, read: (answer: WireAnswer) => T): Promise<T>;
}

/** Addresses of the services; a stand-in serves all of them at one. */
const HOSTS = { compute: 'https://compute.googleapis.com', billing: 'https://cloudbilling.googleapis.com' } as const;
const PATHS = { compute: '/compute/v1', billing: '/v1' } as const;
const RENEW_EARLY_MS = 60_000;

const secretsOf = (credentials: GoogleCredentials): readonly string[] =>
  credentials.kind === 'service_account'
    ? [credentials.privateKey]
    : [credentials.clientSecret, credentials.refreshToken];

export function createGoogleTransport(options: GoogleTransportOptions): GoogleTransport {
  const { project, credentials } = options;
  const connection = new Connection(options, secretsOf(credentials));
  const { rateLimit, now, clean } = connection;
  const who = credentials.kind === 'service_account' ? credentials.email : credentials.clientId;
  const account = accountKey('google', `${project} ${who}`);
  const base = options.baseUrl?.replace(/\/+$/u, '');
  // The price list answers a person's login only if it says whose calls these are; a service account belongs to a project.
  const quotaProject = credentials.kind === 'authorized_user' ? { 'X-Goog-User-Project': project } : {};
  const wires = {
    compute: connection.wireTo('Google', `${base ?? HOSTS.compute}${PATHS.compute}`),
    billing: connection.wireTo('Google', `${base ?? HOSTS.billing}${PATHS.billing}`),
  };
  const tokenAt = base === undefined ? new URL(credentials.tokenUrl) : new URL(`${base}/token`);
  const tokenWire = connection.wireTo('Google', tokenAt.origin);

  const tokens = createTokenSource({
    provider: 'Google',
    now,
    renewEarlyMs: RENEW_EARLY_MS,
    async request(withinMs) {
      const call = { kind: 'token', method: 'POST', path: tokenAt.pathname } as const;
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const form = new URLSearchParams(tokenFields(credentials, now())).toString();
      const answer = await tokenWire(call, headers, form, withinMs);
      if (answer.status === 200) return answer.text;
      const refused = { where: `POST ${tokenAt.pathname}`, kind: 'read', offer: null } as const;
      throw refusalError(refused, answer, { clean, nowMs: now() });
    },
  });

  /** One try. */
  async function attempt(call: GoogleCall, untilMs: number): Promise<WireAnswer> {
    const { service = 'compute', kind, offer = null } = call;
    const where = `${call.method} ${call.path}`;
    const bucket = bucketOf(account, service, kind);
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const contentType = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const leftMs = (): number => Math.max(1, untilMs - now());
    return connection.withToken(tokens, kind, leftMs, async (token) => {
      await connection.take([bucket], kind, untilMs, tooManyCalls(`${where}: the project`));
      const headers = { Authorization: `Bearer ${token}`, ...quotaProject, ...contentType };
      const answer = await wires[service](call, headers, body, leftMs());
      if (isAccepted(answer)) return { answer, error: null };
      const error = refusalError({ where, kind, offer }, answer, { clean, nowMs: now() });
      if (error.code === 'provider_throttled')
        await rateLimit.report(bucket, 0, error.retryAfterMs ?? DEFAULT_RETRY_AFTER_MS);
      return { answer, error };
    });
  }

  return {
    project,
    now,
    onRows: connection.onRows,
    clean,
    wait: (ms) => connection.wait(ms),
    async send(call, read) {
      // The token first, and with retries: before a create is sent its outcome is not in doubt.
      if (call.kind === 'create') await connection.keepTrying('token', DEFAULT_RETRY, () => tokens.current());
      return connection.keepTrying(call.kind, DEFAULT_RETRY, async (untilMs) => read(await attempt(call, untilMs)));
    },
  };
}
