/**
 * Routes of sessions: a browser exchanges a key, or a link that works once, for a cookie. The cookie is what lets a person read reports and the Temporal UI ask the codec
 * server; programs show their key with each request.
 */
import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { parseAccept } from 'hono/utils/accept';
import { asDeckhandError, DeckhandError } from '../../domain/errors.ts';
import { LANGUAGES, type Language } from '../../domain/models/model-tasks.ts';
import { START_PAGE } from '../auth/access-rules.ts';
import { identify } from '../auth/authenticate.ts';
import { identityOfKey, OPEN_IDENTITY, type Identity } from '../auth/identity.ts';
import { ownPage, safeNext, SESSION_PATH } from '../auth/next-page.ts';
import { isTrustedOrigin } from '../auth/origin.ts';
import { beginSession, endSession } from '../auth/sessions.ts';
import { makeSignInLink, refuseOtherMachines, useSignInLink } from '../auth/sign-in-links.ts';
import { API_PREFIX, type ApiEnv, type RouteDeps } from '../context.ts';
import { validationError } from '../http/problem.ts';
import { documentContentSecurity } from '../pages/content-security.ts';
import { SIGN_IN_STYLE, signInPage } from './page.ts';
import {
  signInSchema,
  type SessionDocument,
  FORM_TYPE,
  showRoute,
  beginRoute,
  endRoute,
  endByFormRoute,
  makeLinkRoute,
  OPEN_PATH,
  openLinkRoute,
} from './schemas.ts';
import { SIGN_IN_PROBLEMS, type SignInProblem } from './words.ts';
import { group } from '../http/routes.ts';

const MAX_BODY_BYTES = 16 * 1024;
const wantsPage = (c: Context<ApiEnv>): boolean => c.req.header('accept')?.includes('text/html') === true;

/** The first language of the browser that the page has. */
function languageOf(c: Context<ApiEnv>): Language {
  const asked = parseAccept(c.req.header('accept-language') ?? '').map(({ type }) => type.split('-')[0]?.toLowerCase());
  const [first] = asked.flatMap((language) => LANGUAGES.filter((known) => known === language));
  return first ?? 'en';
}

/** Programs send no Origin; a browser always does when a page posts. A foreign page must not sign a browser in or out. */
function refuseOtherPages(c: Context<ApiEnv>, { config }: Pick<RouteDeps, 'config'>): void {
  const site = c.req.header('sec-fetch-site');
  const foreign = (site === 'cross-site' || site === 'same-site') && c.get('trustedOrigin') === undefined;
  if (!foreign && (c.req.header('origin') === undefined || isTrustedOrigin(c, config))) return;
  throw new DeckhandError('forbidden', `session route from origin ${c.req.header('origin') ?? 'none'}`, {
    userMessage: 'A page of another site may not sign a browser in or out.',
    hint: 'Use the sign-in page /api/v1/session. Behind a proxy, set DECKHAND_PUBLIC_URL to the address people use.',
  });
}

async function readJson(c: Context<ApiEnv>): Promise<unknown> {
  try {
    return await c.req.json<unknown>();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new DeckhandError('invalid_request', 'sign-in with a body that is not JSON', {
      userMessage: 'The body is not JSON.',
      cause: error,
    });
  }
}

/** The body of a sign-in. @throws DeckhandError `invalid_request` */
async function readSignIn(c: Context<ApiEnv>): Promise<z.infer<typeof signInSchema> & { readonly isForm: boolean }> {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  const isForm = type === FORM_TYPE;
  if (!isForm && type !== 'application/json') {
    throw new DeckhandError('invalid_request', `sign-in as ${type}`, {
      userMessage: `The key is sent as JSON, {"key": "dh_…"}, or as a form of the type ${FORM_TYPE}.`,
    });
  }
  const parsed = signInSchema.safeParse(isForm ? await c.req.parseBody() : await readJson(c));
  if (!parsed.success) throw validationError(parsed.error.issues, 'body');
  return { ...parsed.data, isForm };
}

/** The routes of sessions. */
export const sessionRoutes = group((deps, routes) => {
  const { db, config } = deps;
  // Described here, handled by hand: each answers a person as well as a program.
  for (const route of [showRoute, beginRoute, endRoute, endByFormRoute]) routes.openAPIRegistry.registerPath(route);

  const document = async (identity: Identity): Promise<SessionDocument> => {
    const { tenantId, role, keyId, name, sessionId } = identity;
    const row = sessionId === null ? null : await db.apiSession.findUnique({ where: { id: sessionId } });
    return { tenantId, role, keyId, name, expiresAt: row?.expiresAt.toISOString() ?? null };
  };
  const showPage = (
    c: Context<ApiEnv>,
    view: Omit<Parameters<typeof signInPage>[0], 'language'>,
    status: 200 | 401,
  ): Promise<Response> => {
    c.header('content-security-policy', documentContentSecurity({ style: SIGN_IN_STYLE, hasForms: true }));
    return Promise.resolve(c.html(signInPage({ ...view, language: languageOf(c) }), status));
  };

  routes.use('/session/*', async (c, next) => {
    c.header('cache-control', 'no-store');
    // What is answered depends on more than the address.
    c.header('vary', 'Accept, Accept-Language, Cookie, Authorization', { append: true });
    return next();
  });

  routes.get('/session', async (c) => {
    const identity = await identify(deps, c);
    const next = c.req.query('next');
    if (wantsPage(c)) {
      // A browser that is signed in by now is redirected at once; without a page that follows it sees who it is.
      if (identity !== null && next !== undefined) return c.redirect(safeNext(next), 303);
      const problem = SIGN_IN_PROBLEMS.find((known) => known === c.req.query('problem')) ?? null;
      return showPage(c, { identity, next: safeNext(next), problem }, 200);
    }
    if (identity !== null) return c.json(await document(identity), 200);
    throw new DeckhandError('unauthenticated', 'no session', {
      userMessage: 'You are not signed in.',
      hint: 'Send a key to POST /api/v1/session, or show it: `Authorization: Bearer dh_…`.',
    });
  });

  routes.post('/session', bodyLimit({ maxSize: MAX_BODY_BYTES, onError: refuseLarge }), async (c) => {
    refuseOtherPages(c, deps);
    const { key, next, isForm } = await readSignIn(c);
    let identity: Identity;
    try {
      identity = config.auth === 'open' ? OPEN_IDENTITY : await identityOfKey(db, key);
    } catch (error) {
      const refused = asDeckhandError(error);
      if (!isForm || refused.code !== 'unauthenticated') throw error;
      return showPage(c, { identity: null, next: safeNext(next), problem: 'key_refused' }, 401);
    }
    // An open API has no sessions.
    const { keyId } = identity;
    const expiresAt = keyId === null ? null : await beginSession(c, deps, { ...identity, keyId });
    if (isForm) return c.redirect(safeNext(next), 303);
    return c.json({ ...(await document(identity)), expiresAt: expiresAt?.toISOString() ?? null }, 200);
  });

  routes.delete('/session', async (c) => {
    refuseOtherPages(c, deps);
    await endSession(c, deps);
    return c.body(null, 204);
  });
  routes.post('/session/end', async (c) => {
    refuseOtherPages(c, deps);
    await endSession(c, deps);
    return c.redirect(SESSION_PATH, 303);
  });

  routes.openapi(makeLinkRoute, async (c) => {
    refuseOtherMachines(c, config);
    const { next: asked = START_PAGE } = c.req.valid('json');
    const next = ownPage(asked);
    if (next === null) {
      throw new DeckhandError('invalid_request', `sign-in link to ${asked}`, {
        userMessage: 'next: not a page of this installation',
        hint: 'It is the path of a page, such as /decks/ID.',
      });
    }
    const { origin } = new URL(c.req.url);
    const { keyId } = c.get('identity');
    // An open API signs nobody in.
    if (keyId === null) return c.json({ url: `${origin}${next}`, expiresAt: null }, 201);
    const { token, expiresAt } = await makeSignInLink(db, keyId, next);
    const url = `${origin}${API_PREFIX}${OPEN_PATH}?token=${token}`;
    return c.json({ url, expiresAt: expiresAt.toISOString() }, 201);
  });

  routes.openapi(openLinkRoute, async (c) => {
    // The address holds the token: the page that follows must not see it as the one before.
    c.header('referrer-policy', 'no-referrer');
    refuseOtherPages(c, deps);
    refuseOtherMachines(c, config);
    // Programs look at an address by HEAD before a person follows it.
    if (c.req.method === 'HEAD') return c.body(null, 204);
    const signIn = await useSignInLink(db, c.req.valid('query').token);
    if (signIn !== null) {
      await beginSession(c, deps, signIn.identity);
      return c.redirect(signIn.next, 303);
    }
    // A person follows a link again: this browser is signed in already.
    if ((await identify(deps, c)) !== null) return c.redirect(START_PAGE, 303);
    const problem = 'link_over' satisfies SignInProblem;
    if (wantsPage(c)) return c.redirect(`${SESSION_PATH}?problem=${problem}`, 303);
    throw new DeckhandError('unauthenticated', 'sign-in link that is over', {
      userMessage: 'This sign-in link was used before, or it is too old.',
      hint: 'Make another one: `./deckhand open`.',
    });
  });
});

function refuseLarge(): never {
  throw new DeckhandError('invalid_request', `sign-in of more than ${MAX_BODY_BYTES} bytes`, {
    userMessage: 'The sign-in request is too large.',
  });
}
