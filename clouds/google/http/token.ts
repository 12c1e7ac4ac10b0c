/**
 * The access token: one per client, shared by all its calls and renewed a minute early, with one request at a time. A service account asks with
 * a statement that it signs (a JWT, RS256), a person with the token of the login.
 */
import { createSign } from 'node:crypto';
import { z } from 'zod';
import { DeckhandError } from '../../../domain/errors.ts';
import { providerError } from '../../errors.ts';
import { readJson } from '../../http/text.ts';
import type { GoogleCredentials, ServiceAccountKey } from '../credentials.ts';

/** Sends one token request, within so many ms. @returns the body of the 200 @throws DeckhandError `provider_auth` and others */
export type RequestToken = (form: Readonly<Record<string, string>>, withinMs: number) => Promise<string>;

/** See the file's header. */
export interface TokenSource {
  /** A token that should be valid for at least a minute. @param withinMs limit of the request, where one is made for this call */
  current(withinMs?: number): Promise<string>;
  /** A token other than this one, which the API refused. */
  renew(refused: string, withinMs?: number): Promise<string>;
}

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const RENEW_EARLY_MS = 60_000;
const STATEMENT_LIFE_SEC = 3_600;

const tokenSchema = z.looseObject({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().catch(600),
});

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

/** Fields of a token request. */
const formOf = (credentials: GoogleCredentials, nowMs: number): Readonly<Record<string, string>> =>
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

interface Token {
  readonly text: string;
  readonly renewAtMs: number;
}

/** See the file's header. */
export function createTokenSource(
  credentials: GoogleCredentials,
  request: RequestToken,
  now: () => number,
): TokenSource {
  let held: Token | null = null;
  let asking: Promise<Token> | null = null;

  const ask = async (withinMs: number): Promise<Token> => {
    const askedAtMs = now();
    const parsed = tokenSchema.safeParse(readJson(await request(formOf(credentials, askedAtMs), withinMs)));
    if (!parsed.success) throw providerError('transient', 'Google answered a token request without a token');
    const lifeMs = parsed.data.expires_in * 1000;
    // A token that lives shorter than the margin is used for half its life.
    return { text: parsed.data.access_token, renewAtMs: askedAtMs + Math.max(lifeMs - RENEW_EARLY_MS, lifeMs / 2) };
  };

  const shared = async (withinMs: number): Promise<string> => {
    asking ??= ask(withinMs).finally(() => (asking = null));
    held = await asking;
    return held.text;
  };

  return {
    current: async (withinMs = Infinity) => (held !== null && now() < held.renewAtMs ? held.text : shared(withinMs)),
    async renew(refused, withinMs = Infinity) {
      if (held !== null && held.text !== refused) return held.text;
      held = null;
      return shared(withinMs);
    },
  };
}
