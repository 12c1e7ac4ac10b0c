/** Routes of companies: find, name and merge them, and put decks to them. */
import { group } from '../http/routes.ts';
import { mergeCompanies, nameCompany, putDeck } from './change.ts';
import { findCompany, findCompanyDetails, readCompanies } from './read.ts';
import { listRoute, showRoute, changeRoute, mergeRoute, putRoute } from './schemas.ts';

/** The routes of companies. */
export const companyRoutes = group(({ db, config }, routes) => {
  routes.openapi(listRoute, async (c) => c.json(await readCompanies(db, c.get('tenantId'), c.req.valid('query')), 200));
  routes.openapi(showRoute, async (c) =>
    c.json(await findCompanyDetails(db, c.get('tenantId'), c.req.valid('param').id, config.answering), 200),
  );
  routes.openapi(changeRoute, async (c) => {
    const tenantId = c.get('tenantId');
    const id = await nameCompany(db, tenantId, c.req.valid('param').id, c.req.valid('json').name);
    return c.json(await findCompany(db, tenantId, id), 200);
  });
  routes.openapi(mergeRoute, async (c) => {
    const tenantId = c.get('tenantId');
    const { from } = c.req.valid('json');
    const id = await mergeCompanies(db, tenantId, c.req.valid('param').id, from);
    c.get('log').info({ companyId: id, from, by: c.get('identity').keyId }, 'companies merged');
    return c.json(await findCompany(db, tenantId, id), 200);
  });
  routes.openapi(putRoute, async (c) => {
    const tenantId = c.get('tenantId');
    const ref = { tenantId, deckId: c.req.valid('param').id };
    const id = await putDeck(db, ref, c.req.valid('json'));
    return c.json(await findCompany(db, tenantId, id), 200);
  });
});
