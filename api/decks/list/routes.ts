/** Routes of the deck list: pages, values to filter by, figures, files, and one deck as it stands in the list. */
import { createRoute, z } from '@hono/zod-openapi';
import type { RouteDeps } from '../../context.ts';
import { createRoutes, idParam, json, problems, type Routes } from '../../http/routes.ts';
import { findEntry } from './entries.ts';
import { EXPORT_TYPES, exportCsv, exportExcel, exportQuery } from './export.ts';
import { readFacets } from './facets.ts';
import { filterQuery } from './filter.ts';
import { listQuery, readPage } from './page.ts';
import { readPortfolio } from './portfolio.ts';
import { entryPageSchema, entrySchema, facetsSchema, portfolioSchema } from './schemas.ts';

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

const facetsRoute = createRoute({
  method: 'get',
  path: '/decks/facets',
  summary: 'Values to filter decks by, each counted among the decks that fit everything else of the filter.',
  request: { query: filterQuery },
  responses: { 200: json(facetsSchema, 'The values, the most frequent first.'), ...problems(400) },
});

const portfolioRoute = createRoute({
  method: 'get',
  path: '/decks/portfolio',
  summary: 'Figures over the decks that fit a filter, for charts.',
  request: { query: filterQuery },
  responses: { 200: json(portfolioSchema, 'By sector, score, coverage, ask, month and decision.'), ...problems(400) },
});

const file = { schema: z.string().openapi({ format: 'binary' }) };

const exportRoute = createRoute({
  method: 'get',
  path: '/decks/export',
  summary: 'All decks that fit a filter, as a file.',
  request: { query: exportQuery },
  responses: {
    200: { description: 'The file.', content: { [EXPORT_TYPES.csv]: file, [EXPORT_TYPES.xlsx]: file } },
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

  routes.openapi(facetsRoute, async (c) => c.json(await readFacets(db, c.get('tenantId'), c.req.valid('query')), 200));

  routes.openapi(portfolioRoute, async (c) =>
    c.json(await readPortfolio(db, c.get('tenantId'), c.req.valid('query')), 200),
  );

  routes.openapi(exportRoute, async (c) => {
    const query = c.req.valid('query');
    const tenantId = c.get('tenantId');
    const headers = {
      'content-disposition': `attachment; filename="decks.${query.format}"`,
      'cache-control': 'no-store',
    };
    if (query.format === 'xlsx') {
      const workbook = await exportExcel(db, tenantId, query);
      return c.body(new Uint8Array(workbook), 200, { ...headers, 'content-type': EXPORT_TYPES.xlsx });
    }
    const pieces = ReadableStream.from(exportCsv(db, tenantId, query)).pipeThrough(new TextEncoderStream());
    return c.body(pieces, 200, { ...headers, 'content-type': `${EXPORT_TYPES.csv}; charset=utf-8` });
  });

  // After the others: they would be taken for ids.
  routes.openapi(showRoute, async (c) => c.json(await findEntry(db, c.get('tenantId'), c.req.valid('param').id), 200));

  return routes;
}
