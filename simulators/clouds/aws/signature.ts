/** Signature version 4 of a request: which credentials signed it, for which service and region, and whether the signature is right. */
import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { AwsError, type Service } from './errors.ts';

/** What the Authorization header says. */
export interface Credential {
  readonly accessKeyId: string;
  /** YYYYMMDD. */
  readonly date: string;
  readonly region: string;
  readonly service: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256\s+Credential=([^/,]+)\/(\d{8})\/([\w-]+)\/([\w-]+)\/aws4_request,\s*SignedHeaders=([\w;-]+),\s*Signature=([0-9a-f]{64})$/u;
/** A signature is valid for this long, and this much before its time. */
const SKEW_MS = 15 * 60_000;

/** Null if the request carries no such header. */
export function credentialOf(request: Request): Credential | null {
  const match = AUTHORIZATION.exec(request.headers.get('authorization') ?? '');
  if (match === null) return null;
  const [, accessKeyId = '', date = '', region = '', service = '', signedHeaders = '', signature = ''] = match;
  return { accessKeyId, date, region, service, signedHeaders: signedHeaders.split(';'), signature };
}

const sha256 = (text: string): string => hash('sha256', text, 'hex');
const hmac = (key: string | Buffer | KeyObject, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/gu, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function canonicalQuery(url: URL): string {
  return [...url.searchParams]
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .toSorted(([a, x], [b, y]) => inOrder(a, b) || inOrder(x, y))
    .map((pair) => pair.join('='))
    .join('&');
}

/** Keys by what they are good for, of the accounts that this process simulates. */
const keys = new Map<string, KeyObject>();

/** The key with which the owner of a secret signs for a day, a region and a service. */
function keyFor({ date, region, service }: Credential, secret: string): KeyObject {
  const of = [secret, date, region, service].join('/');
  const key =
    keys.get(of) ?? createSecretKey(hmac(hmac(hmac(hmac(`AWS4${secret}`, date), region), service), 'aws4_request'));
  keys.set(of, key);
  return key;
}

/** The signature that the owner of a secret would have made. */
function signatureFor(request: Request, body: string, credential: Credential, secret: string): string {
  const url = new URL(request.url);
  const header = (name: string): string =>
    (request.headers.get(name) ?? (name === 'host' ? url.host : '')).trim().replaceAll(/\s+/gu, ' ');
  const payload =
    request.headers.get('x-amz-content-sha256') === 'UNSIGNED-PAYLOAD' ? 'UNSIGNED-PAYLOAD' : sha256(body);
  const canonical = [
    request.method,
    url.pathname,
    canonicalQuery(url),
    ...credential.signedHeaders.map((name) => `${name}:${header(name)}`),
    '',
    credential.signedHeaders.join(';'),
    payload,
  ].join('\n');
  const { date, region, service } = credential;
  const toSign = [
    'AWS4-HMAC-SHA256',
    header('x-amz-date'),
    `${date}/${region}/${service}/aws4_request`,
    sha256(canonical),
  ].join('\n');
  return hmac(keyFor(credential, secret), toSign).toString('hex');
}

const AMZ_DATE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/u;

const signedAtMs = (request: Request): number =>
  Date.parse((request.headers.get('x-amz-date') ?? '').replace(AMZ_DATE, '$1-$2-$3T$4:$5:$6Z'));

const unknownKey = (service: Service): AwsError => {
  switch (service) {
    case 'ec2':
      return new AwsError('AuthFailure', 'AWS was not able to validate the provided access credentials', 401);
    case 'sts':
      return new AwsError('InvalidClientTokenId', 'The security token included in the request is invalid.', 403);
    case 'ssm':
    case 'pricing':
      return new AwsError('UnrecognizedClientException', 'The security token included in the request is invalid.');
  }
};

const WRONG_SIGNATURE =
  'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.';

/**
 * Checks who signed a request.
 *
 * @param nowMs - null on a virtual clock, which clients do not share: the time of the signature is then not checked
 * @throws AwsError in the words of the service
 */
export function verifySignature(
  request: Request,
  body: string,
  service: Service,
  known: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly nowMs: number | null },
): void {
  const credential = credentialOf(request);
  if (credential === null)
    throw new AwsError('MissingAuthenticationToken', 'Request is missing Authentication Token', 403);
  if (credential.accessKeyId !== known.accessKeyId) throw unknownKey(service);
  const right = signatureFor(request, body, credential, known.secretAccessKey);
  if (!timingSafeEqual(Buffer.from(right), Buffer.from(credential.signature)))
    throw service === 'ec2' || service === 'sts'
      ? new AwsError('SignatureDoesNotMatch', WRONG_SIGNATURE, 403)
      : new AwsError('InvalidSignatureException', WRONG_SIGNATURE);
  const ageMs = known.nowMs === null ? 0 : known.nowMs - signedAtMs(request);
  if (!(Math.abs(ageMs) <= SKEW_MS)) throw new AwsError('RequestExpired', 'Request has expired.');
}
