/** Routes of API keys, for operators: make, list, revoke, of all tenants. */
import { createRoute, z } from '@hono/zod-openapi';
import { createKey, revokeKey } from '../auth/keys.ts';
import type { RouteDeps } from '../context.ts';
import { apiKeyDocument, apiKeyListSchema, apiKeySchema, createdKeySchema, newKeySchema } from './schemas.ts';
import { createRoutes, idParam, json, jsonBody, problems, type Routes } from '../http/routes.ts';

const createKeyRoute = createRoute({
  method: 'post',
  path: '/keys',
  summary: 'Make an API key. The key itself is shown only in this answer.',
  request: { body: jsonBody(newKeySchema) },
  responses: {
    201: json(createdKeySchema, 'It is made.'),
    ...problems(400, 404),
  },
});

const listRoute = createRoute({
  method: 'get',
  path: '/keys',
  summary: 'API keys of all tenants, also revoked ones, oldest first.',
  responses: { 200: json(apiKeyListSchema, 'All of them.') },
});

const revokeRoute = createRoute({
  method: 'delete',
  path: '/keys/{id}',
  summary: 'Revoke an API key, with effect at once. Its sessions end with it.',
  request: {
    params: idParam,
    query: z.object({
      /** Also the last key of an operator. */
      force: z.stringbool().default(false).openapi({ type: 'boolean' }),
    }),
  },
  responses: {
    200: json(apiKeySchema, 'It is revoked.'),
    ...problems(400, 404, 409),
  },
});

/** The routes of API keys. */
export function keyRoutes({ db }: RouteDeps): Routes {
  const routes = createRoutes();
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
  return routes;
}
