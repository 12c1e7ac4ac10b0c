/** The OpenAPI document: what the routes say of themselves, and what the access rules say of all of them. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { accessOf } from './auth/access-rules.ts';
import { API_PREFIX } from './context.ts';
import type { ApiEnv } from './context.ts';
import { PROBLEM_CONTENT_TYPE } from './http/problem.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const SECURITY = [{ key: [] }, { session: [] }];

/** In the finished document a schema is its name. */
const problem = (description: string) => ({
  description,
  content: { [PROBLEM_CONTENT_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
});

/** What every route answers to whoever may not use it. */
const REFUSALS = {
  303: { description: 'For a browser without a key: to the login page.' },
  401: problem('Problem: unauthenticated'),
  403: problem('Problem: forbidden'),
};

/** Adds to every route who may use it, and the two answers to whoever may not. */
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
      const access = accessOf(method.toUpperCase(), path.slice(API_PREFIX.length));
      if (operation === undefined || access === 'anyone') continue;
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
