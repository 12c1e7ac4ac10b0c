/** `POST /oauth2/token`: client credentials and refresh tokens, as JSON or as a form. */
import { Hono } from 'hono';
import { z } from 'zod';
import { drawUuid } from '../../core/random.ts';
import type { Env, Simulation } from '../account.ts';
import { ApiError } from '../errors.ts';

const LIFETIME_SEC = 3600;
const REFRESH_LIFETIME_SEC = 24 * 3600;

const field = z.string().optional().catch(undefined);
const bodySchema = z
  .object({ grant_type: field, client_id: field, client_secret: field, refresh_token: field })
  .catch({});

export const oauthRoutes = new Hono<Env>().post('/oauth2/token', (c) => {
  const { sim, body } = c.env;
  const request = bodySchema.parse(body);
  switch (request.grant_type) {
    case 'client_credentials':
      if (request.client_id === undefined) throw new ApiError('invalid_request', 'client_id was not specified');
      if (request.client_secret === undefined) throw new ApiError('invalid_request', 'client_secret was not specified');
      if (request.client_id !== sim.clientId || request.client_secret !== sim.clientSecret)
        throw new ApiError('unauthorized_request', 'Invalid client id or client secret');
      break;
    case 'refresh_token':
      if ((sim.account.refreshTokens[request.refresh_token ?? ''] ?? 0) <= sim.cloud.clock.nowMs())
        throw new ApiError('unauthorized_request', 'Invalid refresh token');
      break;
    default:
      throw new ApiError('invalid_request', 'unsupported grant type');
  }
  return c.json(issueTokens(sim));
});

function issueTokens({ cloud, account }: Simulation): Record<string, unknown> {
  const nowMs = cloud.clock.nowMs();
  for (const tokens of [account.tokens, account.refreshTokens])
    for (const [token, endsAtMs] of Object.entries(tokens)) if (endsAtMs <= nowMs) delete tokens[token];
  const accessToken = `sim.${drawUuid(cloud.state.random)}.token`;
  const refreshToken = `sim.${drawUuid(cloud.state.random)}.refresh`;
  account.tokens[accessToken] = nowMs + LIFETIME_SEC * 1000;
  account.refreshTokens[refreshToken] = nowMs + REFRESH_LIFETIME_SEC * 1000;
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: LIFETIME_SEC,
    refresh_token: refreshToken,
    scope: 'cloud-api-v1',
  };
}
