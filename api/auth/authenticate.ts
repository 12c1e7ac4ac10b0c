/**
 * The one place that decides who a request is and whether it may use its route. Every route comes after it; what it does not let through
 * has run nothing.
 */
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { matchedRoutes } from 'hono/route';
import { DeckhandError } from '../../domain/errors.ts';
import { API_PREFIX } from '../context.ts';
import type { ApiDeps, ApiEnv } from '../context.ts';
import { refuseForeign } from '../http/local-only.ts';
import { noSuchRoute } from '../http/problem.ts';
import { accessOf, roleReaches } from './access-rules.ts';
import { identityOfKey, OPEN_IDENTITY } from './identity.ts';
import type { Identity } from './identity.ts';

const BEARER = /^Bearer +(\S+)$/i;

/** Who the request says it is; null when it says nothing. @throws DeckhandError `unauthenticated` when what it shows is not valid */
async function identify({ db, config }: ApiDeps, c: Context<ApiEnv>): Promise<Identity | null> {
  if (config.auth === 'open') return OPEN_IDENTITY;
  const authorization = c.req.header('authorization');
  if (authorization === undefined) return null;
  const key = BEARER.exec(authorization)?.[1];
  if (key === undefined) {
    throw new DeckhandError('unauthenticated', 'authorization header of another scheme', {
      userMessage: 'The Authorization header holds no API key.',
      hint: 'Send it as `Authorization: Bearer dh_…`.',
    });
  }
  return identityOfKey(db, key);
}

/** Path below the prefix; undefined for one that is elsewhere. */
function pathBelowPrefix(path: string): string | undefined {
  return path.startsWith(`${API_PREFIX}/`) ? path.slice(API_PREFIX.length) : undefined;
}

/** Throws unless this identity may use this route. */
function refuseUnlessAllowed(c: Context<ApiEnv>, identity: Identity | null): void {
  const { path } = c.req;
  const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
  const below = pathBelowPrefix(path);
  // Nothing is served outside the prefix.
  if (below === undefined) throw noSuchRoute(c);
  const access = accessOf(method, below);
  if (access === 'anyone') return;
  if (identity === null) {
    throw new DeckhandError('unauthenticated', `no key for ${method} ${path}`, {
      userMessage: 'An API key is needed.',
      hint: 'Send `Authorization: Bearer dh_…`; an operator makes a key with `./deckhand keys create`. Browsers log in at /api/v1/session.',
    });
  }
  if (access === undefined) {
    // Whoever mistyped a path is told so; whoever added a route without a rule is told that.
    if (!matchedRoutes(c).some((route) => route.method === method)) throw noSuchRoute(c);
    throw new DeckhandError('forbidden', `no role is declared for ${method} ${path} in api/auth/access-rules.ts`, {
      userMessage: 'Nobody may use this route: no role is declared for it.',
    });
  }
  if (!roleReaches(identity.role, access)) {
    throw new DeckhandError('forbidden', `${method} ${path} needs the role ${access}, the key has ${identity.role}`, {
      userMessage: `This needs a key of the role ${access}; yours has the role ${identity.role}.`,
      hint: 'Ask an operator to do it, or for a key: `./deckhand keys create --role operator`.',
    });
  }
}

/** The middleware. Sets `identity` and `tenantId`. */
export const authenticate = (deps: ApiDeps) =>
  createMiddleware<ApiEnv>(async (c, next) => {
    const identity = await identify(deps, c);
    if (identity === null || identity.via === 'open') refuseForeign(c, deps.config);
    refuseUnlessAllowed(c, identity);
    if (identity !== null) {
      c.set('identity', identity);
      c.set('tenantId', identity.tenantId);
    }
    return next();
  });
