/** Routes of the deck list: pages, values to filter by, figures, files, and one deck as it stands in the list. */
import { group } from '../../http/routes.ts';
import { findEntry } from './entries.ts';
import { exportCsv, exportExcel } from './export.ts';
import { readFacets } from './facets.ts';
import { readPage } from './page.ts';
import { readPortfolio } from './portfolio.ts';
import { EXPORT_TYPES, listRoute, facetsRoute, portfolioRoute, exportRoute, showRoute } from './schemas.ts';

/** The routes of the deck list. */
export const deckListRoutes = group(({ db, config: { answering } }, routes) => {
  routes.openapi(listRoute, async (c) =>
    c.json(await readPage(db, c.get('tenantId'), c.req.valid('query'), answering), 200),
  );

  routes.openapi(facetsRoute, async (c) =>
    c.json(await readFacets(db, c.get('tenantId'), c.req.valid('query'), answering), 200),
  );

  routes.openapi(portfolioRoute, async (c) =>
    c.json(await readPortfolio(db, c.get('tenantId'), c.req.valid('query'), answering), 200),
  );

  routes.openapi(exportRoute, async (c) => {
    const query = c.req.valid('query');
    const tenantId = c.get('tenantId');
    const headers = {
      'content-disposition': `attachment; filename="decks.${query.format}"`,
      'cache-control': 'no-store',
    };
    if (query.format === 'xlsx') {
      const workbook = await exportExcel(db, tenantId, query, answering);
      return c.body(new Uint8Array(workbook), 200, { ...headers, 'content-type': EXPORT_TYPES.xlsx });
    }
    const pieces = ReadableStream.from(exportCsv(db, tenantId, query, answering)).pipeThrough(new TextEncoderStream());
    return c.body(pieces, 200, { ...headers, 'content-type': `${EXPORT_TYPES.csv}; charset=utf-8` });
  });

  // After the others: they would be taken for ids.
  routes.openapi(showRoute, async (c) =>
    c.json(await findEntry(db, c.get('tenantId'), c.req.valid('param').id, answering), 200),
  );
});
