/** The OpenAPI document: made from the definitions of the routes and the access rules. */
import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { accessOfRequest } from './auth/access-rules.ts';
import { API_PREFIX, type ApiEnv } from './context.ts';
import { json, PROBLEM_CONTENT_TYPE, route } from './http/definition.ts';

/** The route of the document itself. */
export const documentRoute = route('get', `${API_PREFIX}/openapi.json`, {
  summary: 'This document.',
  responses: { 200: json(z.object({ openapi: z.string() }).loose(), 'OpenAPI 3.1.') },
});

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const SECURITY = [{ key: [] }, { session: [] }];

/** In the finished document a schema is its name. */
const problem = (description: string) => ({
  description,
  content: { [PROBLEM_CONTENT_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
});

/** The answer of every route to a malformed request. */
const BAD_REQUEST = { 400: problem('Problem: invalid_request') };

/** The answers of every route to a request without the role, and while the database is unavailable. */
const REFUSALS = {
  303: { description: 'For a browser without a session: redirect to the sign-in page.' },
  401: problem('Problem: unauthenticated'),
  403: problem('Problem: forbidden'),
  503: problem('Problem: service_unavailable. Retry-After says when to ask again.'),
};

/** Adds to every route the role it needs, and the answers to refused and malformed requests. */
export function describeApi(app: OpenAPIHono<ApiEnv>) {
  app.openAPIRegistry.registerComponent('securitySchemes', 'key', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, `dh_…`.',
  });
  app.openAPIRegistry.registerComponent('securitySchemes', 'session', {
    type: 'apiKey',
    in: 'cookie',
    name: 'deckhand_session',
    description: 'A browser gets it for a key at POST /api/v1/session; behind https its name begins with `__Host-`.',
  });
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Deckhand',
      version: '1',
      description: 'Pitch decks in, scored reviews out. Every error is a problem document (RFC 9457).',
    },
  });
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation === undefined) continue;
      operation.responses = { ...BAD_REQUEST, ...operation.responses };
      const access = accessOfRequest(method.toUpperCase(), path);
      if (access === 'anyone') continue;
      operation.security = SECURITY;
      operation.description = [
        operation.description,
        access === undefined ? 'No role may use it.' : `Needs a key of the role ${access}.`,
      ]
        .filter((part) => part !== undefined)
        .join('\n\n');
      const { 303: toSignIn, ...problems } = REFUSALS;
      operation.responses = { ...problems, ...(method === 'get' ? { 303: toSignIn } : {}), ...operation.responses };
    }
  }
  return document;
}
