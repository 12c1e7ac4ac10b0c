/**
 * The one place that decides whose a request is and whether it may use its route. It runs before every route; a request that it refuses
 * runs no other code.
 */
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { matchedRoutes } from 'hono/route';
import { DeckhandError } from '../../domain/errors.ts';
import type { Config } from '../../platform/config.ts';
import { isLoopbackHost } from '../../platform/loopback.ts';
import { API_PREFIX, type ApiEnv } from '../context.ts';
import type { ApiDeps } from '../deps.ts';
import { noSuchRoute } from '../http/problem.ts';
import { type Access, accessOfRequest, roleReaches } from './access-rules.ts';
import { type Identity, identityOfKey, identityOfSession, OPEN_IDENTITY } from './identity.ts';
import { signInPath } from './next-page.ts';
import { isSafe, isTrustedOrigin } from './origin.ts';
import { sessionToken } from './sessions.ts';

const BEARER = /^Bearer +(\S+)$/i;

type Deps = Pick<ApiDeps, 'db' | 'config'>;

/**
 * The identity of a request; null when it shows no key and no session.
 *
 * @throws DeckhandError `unauthenticated` when its key is not valid, `forbidden` when a page of another site uses a browser's session
 */
export async function identify({ db, config }: Deps, c: Context<ApiEnv>): Promise<Identity | null> {
  if (config.auth === 'open') return OPEN_IDENTITY;
  const authorization = c.req.header('authorization');
  if (authorization !== undefined) {
    const key = BEARER.exec(authorization)?.[1];
    if (key !== undefined) return identityOfKey(db, key);
    throw new DeckhandError('unauthenticated', 'authorization header of another scheme', {
      userMessage: 'The Authorization header holds no API key.',
      hint: 'Send it as `Authorization: Bearer dh_…`.',
    });
  }
  const token = sessionToken(c, config);
  if (token === undefined) return null;
  const identity = await identityOfSession(db, token);
  if (identity !== null && !isSafe(c.req.method) && !isTrustedOrigin(c, config)) {
    throw new DeckhandError('forbidden', `a session used from origin ${c.req.header('origin') ?? 'none'}`, {
      userMessage: 'A page of another site may not use the session of this browser.',
      hint: 'Programs show a key: `Authorization: Bearer dh_…`. Behind a proxy, set DECKHAND_PUBLIC_URL to the address people use.',
    });
  }
  return identity;
}

/** The refusal of an identity that may not use the route; null when it may. */
function refusal(c: Context<ApiEnv>, access: Access | undefined, identity: Identity | null): DeckhandError | null {
  const { path } = c.req;
  const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
  // Nothing else is served outside the prefix.
  if (access === undefined && !path.startsWith(`${API_PREFIX}/`)) return noSuchRoute(c);
  if (identity === null) {
    return new DeckhandError('unauthenticated', `no key for ${method} ${path}`, {
      userMessage: 'An API key is needed.',
      hint: 'Send `Authorization: Bearer dh_…`; an operator makes a key with `./deckhand keys create`. Browsers sign in at /api/v1/session.',
    });
  }
  if (access === undefined) {
    // A mistyped path is reported as such, and a route without a rule as a missing rule.
    if (!matchedRoutes(c).some((route) => route.method === method)) return noSuchRoute(c);
    return new DeckhandError('forbidden', `no role is declared for ${method} ${path} in api/auth/access-rules.ts`, {
      userMessage: 'This route cannot be used: no role is declared for it.',
    });
  }
  if (roleReaches(identity.role, access)) return null;
  return new DeckhandError('forbidden', `${method} ${path} needs the role ${access}, the key has ${identity.role}`, {
    userMessage: `This needs a key of the role ${access}; yours has the role ${identity.role}.`,
    hint: 'Ask an operator to do it, or for a key: `./deckhand keys create --role operator`.',
  });
}

/** Whether a browser wants a page, so that a sign-in can follow. */
const wantsPage = (c: Context<ApiEnv>): boolean =>
  c.req.method === 'GET' && c.req.header('accept')?.includes('text/html') === true;

/** The middleware. Sets `identity` and `tenantId`, but not on the routes that anyone may use. */
export const authenticate = (deps: Deps) =>
  createMiddleware<ApiEnv>(async (c, next) => {
    const access = accessOfRequest(c.req.method, c.req.path);
    const identity = access === 'anyone' ? null : await identify(deps, c);
    if (identity === null || identity.via === 'open') refuseForeign(c, deps.config);
    if (access === 'anyone') return next();
    const refused = refusal(c, access, identity);
    if (refused?.code === 'unauthenticated' && wantsPage(c)) {
      const { pathname, search } = new URL(c.req.url);
      return c.redirect(signInPath(`${pathname}${search}`), 303);
    }
    if (refused !== null || identity === null) throw refused ?? new DeckhandError('internal', 'no identity');
    c.set('identity', identity);
    c.set('tenantId', identity.tenantId);
    return next();
  });

/** Whether a foreign page caused a request. An answer to a followed link is shown to the user and not given to the page. */
function isForeign(c: Context<ApiEnv>): boolean {
  // The one foreign page that is allowed: the Temporal UI, on the routes that exist for it.
  if (c.get('trustedOrigin') !== undefined) return false;
  const site = c.req.header('sec-fetch-site');
  const navigates = c.req.method === 'GET' && c.req.header('sec-fetch-dest') === 'document';
  if ((site === 'cross-site' || site === 'same-site') && !navigates) return true;
  const origin = c.req.header('origin');
  if (origin === undefined) return false;
  const url = URL.parse(origin);
  return url === null || !isLoopbackHost(url.host);
}

/** Throws `invalid_request` unless a request without a key may come here. */
function refuseForeign(c: Context<ApiEnv>, config: Pick<Config, 'auth' | 'apiHost' | 'publicUrl'>): void {
  const host = c.req.header('host') ?? '';
  const { auth, apiHost, publicUrl } = config;
  // Beyond loopback the host names of this API are not known; requests need a key there.
  const isOurs =
    isLoopbackHost(host) ||
    (auth === 'keys' && (!isLoopbackHost(apiHost) || (publicUrl !== undefined && new URL(publicUrl).host === host)));
  if (isOurs && (auth === 'keys' || !isForeign(c))) return;
  throw new DeckhandError('invalid_request', `refused host ${host}, origin ${c.req.header('origin') ?? 'none'}`, {
    userMessage: 'Without a key Deckhand answers only to this machine.',
    hint:
      auth === 'open'
        ? 'Use http://127.0.0.1 or http://localhost with the port of the API.'
        : 'Show a key, use http://127.0.0.1 with the port of the API, or set DECKHAND_PUBLIC_URL to the address people use.',
  });
}
