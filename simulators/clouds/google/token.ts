/** The token server: access tokens for a login (`refresh_token`) and for the signed statement of a service account. */
import { verify } from 'node:crypto';
import { z } from 'zod';
import { drawUuid } from '../core/random.ts';
import type { Credentials, Simulation } from './account.ts';
import { GoogleError } from './errors.ts';

const LIFE_SEC = 3599;
/** A statement is valid for an hour, and clocks may differ by some minutes. */
const SKEW_SEC = 300;

const refused = (error: string, error_description: string): Response =>
  Response.json({ error, error_description }, { status: error === 'invalid_client' ? 401 : 400 });

const claimsSchema = z.object({
  iss: z.string(),
  iat: z.number(),
  exp: z.number(),
  scope: z.string().optional(),
  aud: z.string().optional(),
});

const decoded = (part: string): unknown => {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
};

/** Why a statement is refused; null = it is right. @param nowMs null on a virtual clock, which clients do not share */
function faultOf(assertion: string, { serviceAccounts }: Credentials, nowMs: number | null): string | null {
  const [header = '', body = '', signature = ''] = assertion.split('.');
  const claims = claimsSchema.safeParse(decoded(body));
  if (!claims.success || (claims.data.scope ?? claims.data.aud) === undefined) return 'Invalid JWT: it lacks a claim.';
  const key = serviceAccounts[claims.data.iss];
  if (key === undefined) return 'Invalid grant: account not found';
  const isSigned = verify('RSA-SHA256', Buffer.from(`${header}.${body}`), key, Buffer.from(signature, 'base64url'));
  if (!isSigned) return 'Invalid JWT Signature.';
  const nowSec = nowMs === null ? claims.data.iat : nowMs / 1000;
  const isTimely =
    claims.data.iat <= nowSec + SKEW_SEC && claims.data.exp > nowSec && claims.data.exp - claims.data.iat <= 3600;
  return isTimely ? null : 'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe.';
}

/** Answers a token request. */
export function issueToken(sim: Simulation, form: URLSearchParams, nowMs: number): Response {
  const { credentials, cloud, account } = sim;
  switch (form.get('grant_type')) {
    case 'refresh_token': {
      const isClient =
        form.get('client_id') === credentials.clientId && form.get('client_secret') === credentials.clientSecret;
      if (!isClient) return refused('invalid_client', 'The OAuth client was not found.');
      if (form.get('refresh_token') !== credentials.refreshToken)
        return refused('invalid_grant', 'Token has been expired or revoked.');
      break;
    }
    case 'urn:ietf:params:oauth:grant-type:jwt-bearer': {
      const fault = faultOf(form.get('assertion') ?? '', credentials, cloud.clock.kind === 'real' ? nowMs : null);
      if (fault !== null) return refused('invalid_grant', fault);
      break;
    }
    default:
      return refused('unsupported_grant_type', 'Invalid grant_type');
  }
  const token = `ya29.simulated-${drawUuid(cloud.state.random)}`;
  account.tokens[token] = nowMs + LIFE_SEC * 1000;
  return Response.json({ access_token: token, expires_in: LIFE_SEC, token_type: 'Bearer' });
}

/** A service account may also sign each call itself, instead of asking for a token. */
const isStatement = (token: string): boolean => token.split('.').length === 3 && token.startsWith('eyJ');

/** @throws GoogleError for a call without a token that is valid */
export function checkToken({ account, credentials, cloud }: Simulation, request: Request, nowMs: number): void {
  const [, token = ''] = /^Bearer (\S+)$/u.exec(request.headers.get('authorization') ?? '') ?? [];
  const untilMs = account.tokens[token];
  if (untilMs !== undefined && untilMs > nowMs) return;
  if (isStatement(token) && faultOf(token, credentials, cloud.clock.kind === 'real' ? nowMs : null) === null) return;
  throw new GoogleError(
    401,
    'authError',
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
  );
}
