/**
 * Refuses a query parameter that a route does not have. A misspelt filter would otherwise be ignored, and the answer would be to another
 * question than the one that was asked.
 */
import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { createMiddleware } from 'hono/factory';
import { matchedRoutes } from 'hono/route';
import { DeckhandError } from '../../domain/errors.ts';
import type { ApiEnv } from '../context.ts';

/** Unknown names that an answer repeats, and the length of each. */
const MAX_NAMES = 5;
const MAX_NAME_CHARS = 60;

/** Names of the parameters by method and path of a route, such as `GET /api/v1/decks/{id}`. */
type KnownNames = ReadonlyMap<string, readonly string[]>;

/** A path as the OpenAPI document writes it: Hono writes `:id`, or `:id{pattern}`. */
const documentedPath = (path: string): string => path.replaceAll(/:(\w+)(?:\{[^}]*\})?/gu, '{$1}');

/** The parameters of every described route. A query is described as an object, so that its names are known. */
function readNames(app: OpenAPIHono<ApiEnv>): KnownNames {
  const names = new Map<string, readonly string[]>();
  for (const definition of app.openAPIRegistry.definitions) {
    if (definition.type !== 'route') continue;
    const { method, path, request } = definition.route;
    const query = request?.query;
    if (query !== undefined && !(query instanceof z.ZodObject)) {
      throw new DeckhandError('internal', `the query of ${method} ${path} is not an object`);
    }
    names.set(`${method.toUpperCase()} ${documentedPath(path)}`, Object.keys(query?.shape ?? {}));
  }
  return names;
}

/**
 * The middleware, for every route of the document. Pages of the workspace and their files are not in it: their query is the workspace's own.
 *
 * @throws DeckhandError `invalid_request`, which names the parameter and those that the route has
 */
export function refuseUnknownQuery(app: OpenAPIHono<ApiEnv>) {
  // Read at the first request: by then every route is there.
  let names: KnownNames | undefined;
  return createMiddleware<ApiEnv>(async (c, next) => {
    const asked = Object.keys(c.req.queries());
    if (asked.length === 0) return next();
    names ??= readNames(app);
    const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
    // The first route that fits answers.
    const route = matchedRoutes(c).find((each) => each.method === method);
    const known = route === undefined ? undefined : names.get(`${method} ${documentedPath(route.path)}`);
    const unknown = known === undefined ? [] : asked.filter((name) => !known.includes(name));
    if (known === undefined || unknown.length === 0) return next();
    const shown = unknown.slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_NAME_CHARS).toWellFormed());
    throw new DeckhandError('invalid_request', `unknown query parameters of ${method} ${route?.path}`, {
      userMessage: `${shown.join(', ')}: no parameter of ${method} ${c.req.path}`,
      hint: known.length === 0 ? 'It has no parameters.' : `Its parameters are ${known.join(', ')}.`,
    });
  });
}
