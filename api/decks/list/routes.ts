/** Routes of the deck list: one page of it, and one deck as it stands there. */
import { createRoute } from '@hono/zod-openapi';
import type { RouteDeps } from '../../context.ts';
import { createRoutes, idParam, json, problems, type Routes } from '../../http/routes.ts';
import { findEntry } from './entries.ts';
import { listQuery, readPage } from './page.ts';
import { entryPageSchema, entrySchema } from './schemas.ts';

const listRoute = createRoute({
  method: 'get',
  path: '/decks',
  summary: 'Decks, filtered and sorted, newest first by default.',
  request: { query: listQuery },
  responses: {
    200: json(entryPageSchema, 'One page. `/events?after=<eventId>` tells what changes after it.'),
    ...problems(400),
  },
});

const showRoute = createRoute({
  method: 'get',
  path: '/decks/{id}',
  summary: 'One deck, as the list shows it.',
  request: { params: idParam },
  responses: { 200: json(entrySchema, 'The deck.'), ...problems(404) },
});

/** The routes of the deck list. */
export function deckListRoutes({ db }: RouteDeps): Routes {
  const routes = createRoutes();

  routes.openapi(listRoute, async (c) => c.json(await readPage(db, c.get('tenantId'), c.req.valid('query')), 200));

  routes.openapi(showRoute, async (c) => c.json(await findEntry(db, c.get('tenantId'), c.req.valid('param').id), 200));

  return routes;
}
