/**
 * Signs requests with AWS Signature Version 4. Pure: the same request at the same time has the same signature.
 */
import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

/** Credentials of an account. Secret. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Only with temporary credentials. */
  readonly sessionToken?: string;
}

/** A request before it is signed. */
export interface UnsignedRequest {
  readonly method: string;
  /** Without a query: no call of ours has one. */
  readonly url: string;
  /** All of them are signed. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a signature is valid for. */
export interface SigningScope {
  readonly service: string;
  readonly region: string;
  readonly atMs: number;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

const hmac = (key: KeyObject, text: string): Buffer => createHmac('sha256', key).update(text, 'utf8').digest();
const sha256 = (text: string): string => hash('sha256', text, 'hex');

/** The last signing key of each account. A key is valid for a day, and computing it takes four of the five digests of a signature. */
const lastKeys = new WeakMap<AwsCredentials, { readonly scope: string; readonly key: KeyObject }>();

/** The signing key for a scope, `DAY/REGION/SERVICE/aws4_request`. */
function signingKey(credentials: AwsCredentials, scope: string): KeyObject {
  const last = lastKeys.get(credentials);
  if (last?.scope === scope) return last.key;
  const secret = createSecretKey(`AWS4${credentials.secretAccessKey}`, 'utf8');
  const key = scope.split('/').reduce((made, part) => createSecretKey(hmac(made, part)), secret);
  lastKeys.set(credentials, { scope, key });
  return key;
}

/** The headers of a signed request, in lower case: those given, the time, the session token and `authorization`; `host` is left to the client. */
export function signedHeaders(
  { method, url, headers, body }: UnsignedRequest,
  credentials: AwsCredentials,
  { service, region, atMs }: SigningScope,
): Readonly<Record<string, string>> {
  const { host, pathname } = new URL(url);
  const time = new Date(atMs).toISOString().replaceAll(/[-:]|\.\d{3}/gu, '');
  const day = time.slice(0, 8);
  const own = {
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    'x-amz-date': time,
    ...(credentials.sessionToken === undefined ? {} : { 'x-amz-security-token': credentials.sessionToken }),
  };
  const lines = Object.entries({ ...own, host })
    .map(([name, value]) => [name, value.trim().replaceAll(/ +/gu, ' ')] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const names = lines.map(([name]) => name).join(';');
  const canonical = [
    method,
    pathname,
    '',
    ...lines.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    sha256(body),
  ];
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = [ALGORITHM, time, scope, sha256(canonical.join('\n'))].join('\n');
  const signature = hmac(signingKey(credentials, scope), toSign).toString('hex');
  const authorization = `${ALGORITHM} Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...own, authorization };
}
