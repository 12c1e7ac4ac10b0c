/**
 * Sends calls to the services of Azure: rate limit, token, classification of refusals, retries. Knows no resource.
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
import { timedPauseMs, timeLimits } from '../../http/retry.ts';
import { createTokenSource } from '../../http/token.ts';
import type { WireAnswer } from '../../http/wire.ts';
import type { AzureCredentials } from '../credentials.ts';
import type { AzureCall } from './call.ts';
import { bucketOf } from './limits.ts';
import { refusalError, shortPath } from './refusal.ts';

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

const TIME_LIMITS = timeLimits({ wholeMs: 45_000, requestMs: 20_000 });

const URLS = {
  login: 'https://login.microsoftonline.com',
  management: 'https://management.azure.com',
  prices: 'https://prices.azure.com',
} as const;

/** Azure asks clients to renew well before the end of a token, which is after an hour or more. */
const RENEW_EARLY_MS = 300_000;
/** The address that the token is for; a simulator takes the same. */
const SCOPE = 'https://management.azure.com/.default';

export function createAzureTransport(options: AccountConnectionOptions<AzureCredentials>): AzureTransport {
  const { tenantId, subscriptionId, clientId, clientSecret } = options.credentials;
  const connection = new Connection(options, [clientSecret]);
  const { rateLimit, now, clean } = connection;
  const account = accountKey('azure', `${subscriptionId} ${clientId}`);
  const urlOf = (service: keyof typeof URLS): string => (options.baseUrl ?? URLS[service]).replace(/\/+$/u, '');
  const wires = {
    login: connection.wireTo('Azure', urlOf('login')),
    management: connection.wireTo('Azure', urlOf('management')),
    prices: connection.wireTo('Azure', urlOf('prices')),
  };

  const tokens = createTokenSource({
    provider: 'Azure',
    now,
    renewEarlyMs: RENEW_EARLY_MS,
    async request(withinMs) {
      const fields = {
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
        scope: SCOPE,
      };
      const answer = await wires.login(
        { kind: 'token', method: 'POST', path: `/${encodeURIComponent(tenantId)}/oauth2/v2.0/token` },
        { 'Content-Type': 'application/x-www-form-urlencoded' },
        new URLSearchParams(fields).toString(),
        withinMs,
      );
      if (answer.status === 200) return answer.text;
      const call = { kind: 'read', method: 'POST', path: '/oauth2/v2.0/token' } as const;
      throw refusalError(call, answer, { clean, nowMs: now() });
    },
  });

  /** One try: an answer, or the error of its class. */
  async function attempt({ service = 'management', ...call }: AzureCall, untilMs: number): Promise<WireAnswer> {
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const contentType = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const leftMs = (): number => Math.max(1, Math.min(TIME_LIMITS[call.kind].requestMs, untilMs - now()));
    const sendAs = async (authorization: Readonly<Record<string, string>>) => {
      const answer = await wires[service](call, { ...authorization, ...contentType, ...call.headers }, body, leftMs());
      return { answer, error: isAccepted(answer) ? null : refusalError(call, answer, { clean, nowMs: now() }) };
    };
    if (service !== 'prices')
      return connection.withToken(tokens, call.kind, leftMs, (token) => sendAs({ Authorization: `Bearer ${token}` }));
    // The price list is public.
    const { answer, error } = await sendAs({});
    if (error !== null) throw error;
    return answer;
  }

  /** Tries as often as the kind of call allows. */
  function persist<T>(
    call: AzureCall,
    what: (untilMs: number) => Promise<T>,
    before?: (untilMs: number) => Promise<void>,
  ): Promise<T> {
    const untilMs = now() + TIME_LIMITS[call.kind].wholeMs;
    return connection.persist(
      call.kind,
      untilMs,
      (tried) => timedPauseMs(tried, (waitMs) => rateLimit.report(bucketOf(account, call), 0, waitMs)),
      () => what(untilMs),
      () => before?.(untilMs) ?? Promise.resolve(),
    );
  }

  return {
    subscriptionId,
    managementUrl: urlOf('management'),
    pricesUrl: urlOf('prices'),
    async send(call, read) {
      // The token first, and with retries: before a create is sent its outcome is not in doubt.
      if (call.kind === 'create')
        await persist({ ...call, kind: 'read' }, async (untilMs) => tokens.current(untilMs - now()));
      const tooMany = tooManyCalls(`${call.method} ${shortPath(call.path)}: the subscription`);
      return persist(
        call,
        async (untilMs) => read(await attempt(call, untilMs)),
        (untilMs) => connection.take([bucketOf(account, call)], call.kind, untilMs, tooMany),
      );
    },
    wait: (ms) => connection.wait(ms),
    onRows: connection.onRows,
  };
}
