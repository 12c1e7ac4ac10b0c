/**
 * Credentials that ask for an access token: a service account with a statement that it signs (a JWT, RS256), a person with the token of the login.
 */
import { createSign } from 'node:crypto';
import { DeckhandError } from '../../../domain/errors.ts';
import type { GoogleCredentials, ServiceAccountKey } from '../credentials.ts';

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const STATEMENT_LIFE_SEC = 3_600;

const part = (value: unknown): string => Buffer.from(JSON.stringify(value), 'utf8').toString('base64url');

/**
 * The signed statement of a service account.
 *
 * @throws DeckhandError `credentials_missing` when its private key cannot be read
 */
export function signedStatement({ email, keyId, privateKey, tokenUrl }: ServiceAccountKey, nowMs: number): string {
  const issuedAtSec = Math.floor(nowMs / 1000);
  const header = { alg: 'RS256', typ: 'JWT', ...(keyId === null ? {} : { kid: keyId }) };
  const claims = {
    iss: email,
    scope: SCOPE,
    aud: tokenUrl,
    iat: issuedAtSec,
    exp: issuedAtSec + STATEMENT_LIFE_SEC,
  };
  const text = `${part(header)}.${part(claims)}`;
  try {
    return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`;
  } catch {
    // The cause may quote the key.
    throw new DeckhandError('credentials_missing', `the private key of ${email} cannot be read`, {
      hint: 'Make a new key of the service account, in JSON.',
    });
  }
}

/** Fields of a token request. @throws DeckhandError as {@link signedStatement} */
export const tokenFields = (credentials: GoogleCredentials, nowMs: number): Record<string, string> =>
  credentials.kind === 'service_account'
    ? {
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: signedStatement(credentials, nowMs),
      }
    : {
        grant_type: 'refresh_token',
        client_id: credentials.clientId,
        client_secret: credentials.clientSecret,
        refresh_token: credentials.refreshToken,
      };
