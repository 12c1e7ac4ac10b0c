/**
 * Sends calls to the services of AWS: rate limit, signature, classification of refusals, retries. Knows no action.
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
} from '../../http/connection.ts';
import { timedPauseMs, timeLimits } from '../../http/retry.ts';
import type { WireAnswer } from '../../http/wire.ts';
import type { AwsCall, AwsService } from './call.ts';
import { bucketOf } from './limits.ts';
import { refusalError } from './refusal.ts';
import { signedHeaders, type AwsCredentials } from './sign.ts';

export interface AwsTransport {
  /** Sends a call and reads its 2xx; what `read` throws as `provider_transient` counts as a fault on the way. */
  send<T>(call: AwsCall, read: (answer: WireAnswer) => T): Promise<T>;
}

const TIME_LIMITS = timeLimits({ wholeMs: 30_000, requestMs: 15_000 });

/** The price list has its own addresses, in a few regions; one of them knows all prices. */
export const PRICING_REGION = 'us-east-1';

const hostOf = (service: AwsService, region: string): string =>
  `${service === 'pricing' ? 'api.pricing' : service}.${region}.amazonaws.com`;

export function createAwsTransport(options: AccountConnectionOptions<AwsCredentials>): AwsTransport {
  const { credentials } = options;
  const connection = new Connection(options, [credentials.secretAccessKey, credentials.sessionToken ?? '']);
  const { rateLimit, now, clean } = connection;
  const account = accountKey('aws', credentials.accessKeyId);

  /** One try: an answer, or the error of its class. */
  async function attempt(call: AwsCall, leftMs: number): Promise<WireAnswer> {
    const { service, region, kind, action } = call;
    const baseUrl = (options.baseUrl ?? `https://${hostOf(service, region)}`).replace(/\/+$/u, '');
    const { headers, body } = contentOf(call);
    const unsigned = { method: 'POST', url: `${baseUrl}/`, headers, body };
    const answer = await connection.wireTo('AWS', baseUrl)(
      { kind, method: 'POST', path: '/', name: `${action} in ${region}`, timeoutMs: TIME_LIMITS[kind].requestMs },
      await signedHeaders(unsigned, credentials, { service, region, atMs: now() }),
      body,
      leftMs,
    );
    if (isAccepted(answer)) return answer;
    throw refusalError(call, answer, { clean, nowMs: now() });
  }

  return {
    send(call, read) {
      const untilMs = now() + TIME_LIMITS[call.kind].wholeMs;
      const bucket = bucketOf(account, call);
      return connection.persist(
        call.kind,
        untilMs,
        (tried) => timedPauseMs(tried, (waitMs) => rateLimit.report(bucket, 0, waitMs)),
        async () => read(await attempt(call, untilMs - now())),
        () =>
          connection.take([bucket], call.kind, untilMs, tooManyCalls(`${call.action} in ${call.region}: the account`)),
      );
    },
  };
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
