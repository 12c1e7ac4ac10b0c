/** The OpenAPI document: what the routes say of themselves, and what the access rules say of all of them. */
import { createRoute, z } from '@hono/zod-openapi';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { accessOfRequest } from './auth/authenticate.ts';
import { API_PREFIX } from './context.ts';
import type { ApiEnv } from './context.ts';
import { PROBLEM_CONTENT_TYPE } from './http/problem.ts';
import { json } from './http/routes.ts';

/** The route of the document itself. */
export const documentRoute = createRoute({
  method: 'get',
  path: `${API_PREFIX}/openapi.json`,
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

/** What every route answers to what is not asked as it says, or is not meant for this API. */
const BAD_REQUEST = { 400: problem('Problem: invalid_request') };

/** What every route answers to a request that may not use it, and while the database is away. */
const REFUSALS = {
  303: { description: 'For a browser without a key: to the login page.' },
  401: problem('Problem: unauthenticated'),
  403: problem('Problem: forbidden'),
  503: problem('Problem: service_unavailable. Retry-After says when to ask again.'),
};

/** Adds to every route who may use it, and the answers to whoever may not or does not ask as it says. */
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
    description: 'What a browser gets for a key at POST /api/v1/session; behind https its name begins with `__Host-`.',
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
      operation.description = [operation.description, `Needs a key of the role ${access ?? 'nobody has'}.`]
        .filter((part) => part !== undefined)
        .join('\n\n');
      const { 303: toLogin, ...problems } = REFUSALS;
      operation.responses = { ...problems, ...(method === 'get' ? { 303: toLogin } : {}), ...operation.responses };
    }
  }
  return document;
}
