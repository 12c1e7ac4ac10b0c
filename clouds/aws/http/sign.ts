/**
 * Signs requests with AWS Signature Version 4. The same request at the same time has the same signature.
 */
import { AwsV4Signer } from 'aws4fetch';

/** Credentials of an account. Secret. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Only with temporary credentials. */
  readonly sessionToken?: string;
}

/** A request before it is signed. All of its headers are. */
export interface UnsignedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a signature is valid for. */
export interface SigningScope {
  readonly service: string;
  readonly region: string;
  readonly atMs: number;
}

/** The headers of a signed request, in lower case: those given, the time, the session token and `authorization`; `host` is left to the client. */
export async function signedHeaders(
  request: UnsignedRequest,
  credentials: AwsCredentials,
  { atMs, ...scope }: SigningScope,
): Promise<Readonly<Record<string, string>>> {
  const datetime = new Date(atMs).toISOString().replaceAll(/[-:]|\.\d{3}/gu, '');
  const signer = new AwsV4Signer({ ...request, ...credentials, ...scope, datetime, allHeaders: true });
  return Object.fromEntries((await signer.sign()).headers);
}
