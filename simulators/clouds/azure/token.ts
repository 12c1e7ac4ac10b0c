/**
 * Sign-in: `POST /<tenant>/oauth2/v2.0/token` and its older form without a version, with client id and secret.
 */
import { drawUuid } from '../core/random.ts';
import type { Simulation } from './account.ts';

const refused = (error: string, description: string, status: number): Response =>
  Response.json(
    { error, error_description: description, error_codes: [Number(/\d{5,}/u.exec(description)?.[0])] },
    { status },
  );

/** Answers a request for a token. */
export function answerToken({ cloud, account, secrets, dialect }: Simulation, path: string, body: string): Response {
  const form = new URLSearchParams(body);
  const [, tenant = ''] = path.split('/');
  if (tenant.toLowerCase() !== secrets.tenantId.toLowerCase())
    return refused('invalid_request', `AADSTS90002: Tenant '${tenant}' not found.`, 400);
  if (form.get('grant_type') !== 'client_credentials')
    return refused('unsupported_grant_type', 'AADSTS70003: The app requested an unsupported grant type.', 400);
  if (form.get('scope') === null && form.get('resource') === null)
    return refused(
      'invalid_request',
      "AADSTS900144: The request body must contain the following parameter: 'scope'.",
      400,
    );
  if (form.get('client_id') !== secrets.clientId)
    return refused('unauthorized_client', 'AADSTS700016: Application was not found in the directory.', 400);
  if (form.get('client_secret') !== secrets.clientSecret)
    return refused('invalid_client', 'AADSTS7000215: Invalid client secret provided.', 401);
  const nowMs = cloud.clock.nowMs();
  for (const [token, endsAtMs] of Object.entries(account.tokens)) if (endsAtMs <= nowMs) delete account.tokens[token];
  const token = `sim.${drawUuid(cloud.state.random)}`;
  account.tokens[token] = nowMs + dialect.tokenSec * 1000;
  const lifeSec = dialect.tokenSec;
  return Response.json({
    token_type: 'Bearer',
    expires_in: lifeSec,
    ext_expires_in: lifeSec,
    // The older form says when it ends.
    ...(path.includes('/v2.0/') ? {} : { expires_on: String(Math.floor(nowMs / 1000) + lifeSec) }),
    access_token: token,
  });
}
