/** What the routes of sessions take and give. */
import { z } from '@hono/zod-openapi';
import { apiRoleSchema } from '../keys/schemas.ts';
import { SIGN_IN_PROBLEMS } from './words.ts';
import { json, jsonOr, optionalJsonBody, problems, route, texts } from '../http/definition.ts';

const MAX_KEY = 200;
const MAX_NEXT = 2000;

/** A sign-in: as JSON by a program, as a form by the sign-in page. */
export const signInSchema = z
  .object({ key: z.string().trim().min(1).max(MAX_KEY), next: z.string().max(MAX_NEXT).optional() })
  .openapi('SignIn');

export const sessionSchema = z
  .object({
    tenantId: z.string(),
    role: apiRoleSchema,
    /** Id of the key; null where the API is open. */
    keyId: z.string().nullable(),
    /** Name of the key. */
    name: z.string(),
    /** When the session ends; null for a request with a key, and where the API is open. */
    expiresAt: z.string().nullable(),
  })
  .openapi('Session');
export type SessionDocument = z.infer<typeof sessionSchema>;

/** Which page a link that signs in leads to; by default the start page. */
export const newSignInLinkSchema = z.object({ next: z.string().max(MAX_NEXT).optional() }).openapi('NewSignInLink');

export const signInLinkSchema = z
  .object({
    /** For one browser on the machine that Deckhand runs on. */
    url: z.string(),
    /** Until when it works; null where the API is open, which needs no token. */
    expiresAt: z.iso.datetime().nullable(),
  })
  .openapi('SignInLink');

/** The only accepted form: multipart/form-data has a parser with errors of its own, and no page of ours sends it. */
export const FORM_TYPE = 'application/x-www-form-urlencoded';

export const showRoute = route('get', '/session', {
  summary: 'Who is signed in; for a browser the sign-in page.',
  request: {
    query: z.object({
      next: z.string().optional().openapi({ description: 'Page of this installation that follows; by default `/`.' }),
      problem: z.enum(SIGN_IN_PROBLEMS).optional().openapi({ description: 'What the page says of a refused sign-in.' }),
    }),
  },
  responses: { 200: jsonOr(sessionSchema, 'The session, or the page.', texts('text/html')), ...problems(401) },
});

export const beginRoute = route('post', '/session', {
  summary: 'Exchange a key for a cookie that is valid for 12 hours.',
  request: {
    body: {
      required: true,
      content: { 'application/json': { schema: signInSchema }, [FORM_TYPE]: { schema: signInSchema } },
    },
  },
  responses: {
    200: json(sessionSchema, 'The session.'),
    303: { description: 'For a form: redirect to the page that was requested before.' },
    ...problems(400, 403),
    401: {
      description: 'The key is not valid.',
      content: { ...problems(401)[401].content, ...texts('text/html') },
    },
  },
});

export const endRoute = route('delete', '/session', {
  summary: 'End the session of this browser.',
  responses: { 204: { description: 'There is none any more.' }, ...problems(403) },
});

export const endByFormRoute = route('post', '/session/end', {
  summary: 'End the session of this browser, for a page without scripts.',
  responses: { 303: { description: 'To the sign-in page.' }, ...problems(403) },
});

export const makeLinkRoute = route('post', '/session/links', {
  summary: 'Make a link that signs one browser in, once, within 12 hours.',
  description:
    'For programs and people on the machine that Deckhand runs on. The session has the role of the key that made the link.',
  request: { body: optionalJsonBody(newSignInLinkSchema) },
  responses: { 201: json(signInLinkSchema, 'The link. It cannot be shown again.'), ...problems(400, 403) },
});

export const OPEN_PATH = '/session/open';

export const openLinkRoute = route('get', OPEN_PATH, {
  summary: 'Sign in with a link, which is used up by it.',
  description: 'Only on the machine that Deckhand runs on. HEAD uses nothing up.',
  request: { query: z.object({ token: z.string().min(1).max(100) }) },
  responses: {
    204: { description: 'The answer to HEAD.' },
    303: {
      description:
        'To the page of the link, with the cookie of a session; for a link that is over, to the sign-in page.',
    },
    ...problems(400, 401, 403),
  },
});
