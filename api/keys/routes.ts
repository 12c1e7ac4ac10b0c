/** Routes of API keys, for operators: make, list, revoke, of all tenants. */
import { createKey, revokeKey } from '../auth/keys.ts';
import { apiKeyDocument, createKeyRoute, listRoute, revokeRoute } from './schemas.ts';
import { group } from '../http/routes.ts';

/** The routes of API keys. */
export const keyRoutes = group(({ db }, routes) => {
  routes.openapi(createKeyRoute, async (c) => {
    const { name, role, tenant } = c.req.valid('json');
    const { key, row } = await createKey(db, { name, role, tenantId: tenant ?? c.get('tenantId') });
    c.get('log').info({ keyId: row.id, role, tenantId: row.tenantId, by: c.get('identity').keyId }, 'API key made');
    c.header('cache-control', 'no-store');
    return c.json({ ...apiKeyDocument(row), key }, 201);
  });
  routes.openapi(listRoute, async (c) => {
    const rows = await db.apiKey.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
    return c.json({ items: rows.map(apiKeyDocument) }, 200);
  });
  routes.openapi(revokeRoute, async (c) => {
    const row = await revokeKey(db, c.req.valid('param').id, c.req.valid('query').force);
    c.get('log').info({ keyId: row.id, by: c.get('identity').keyId }, 'API key revoked');
    return c.json(apiKeyDocument(row), 200);
  });
});
