/** Routes of saved views: filters of the deck list under a name, for everybody of a tenant. */
import { randomUUID } from 'node:crypto';
import { DeckhandError } from '../../domain/errors.ts';
import { group } from '../http/routes.ts';
import { viewDocument, listRoute, saveRoute, removeRoute } from './schemas.ts';

/** The routes of saved views. */
export const viewRoutes = group(({ db }, routes) => {
  routes.openapi(listRoute, async (c) => {
    const rows = await db.savedView.findMany({ where: { tenantId: c.get('tenantId') }, orderBy: { name: 'asc' } });
    return c.json({ items: rows.map(viewDocument) }, 200);
  });

  routes.openapi(saveRoute, async (c) => {
    const { tenantId, name: createdBy } = c.get('identity');
    const { name, query } = c.req.valid('json');
    const id = randomUUID();
    const view = await db.savedView.upsert({
      where: { tenantId_name: { tenantId, name } },
      create: { id, tenantId, name, query, createdBy },
      update: { query },
    });
    return c.json(viewDocument(view), view.id === id ? 201 : 200);
  });

  routes.openapi(removeRoute, async (c) => {
    const { id } = c.req.valid('param');
    const { count } = await db.savedView.deleteMany({ where: { id, tenantId: c.get('tenantId') } });
    if (count === 0) throw new DeckhandError('not_found', `no view ${id}`, { userMessage: 'There is no such view.' });
    return c.body(null, 204);
  });
});
