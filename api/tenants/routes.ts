/** Routes of tenants, for operators: who shares this installation, and how large each one's share of the GPUs is. */
import { createRoute, z } from '@hono/zod-openapi';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { ApiEnv, RouteDeps } from '../context.ts';
import { problems } from '../http/problem.ts';
import { createRoutes } from '../http/validated.ts';
import {
  newTenantSchema,
  tenantChangeSchema,
  tenantDocument,
  tenantListSchema,
  tenantSchema,
  tenantSlugSchema,
} from './schemas.ts';
import { changeTenant, createTenant } from './store.ts';

const one = (description: string) => ({ description, content: { 'application/json': { schema: tenantSchema } } });

const createTenantRoute = createRoute({
  method: 'post',
  path: '/tenants',
  summary: 'Make a tenant, with templates, prompts, sectors and model configuration of its own.',
  request: { body: { required: true, content: { 'application/json': { schema: newTenantSchema } } } },
  responses: { 200: one('It was there already.'), 201: one('It is made.'), ...problems(400, 409) },
});

const listRoute = createRoute({
  method: 'get',
  path: '/tenants',
  summary: 'All tenants.',
  responses: { 200: { description: 'All of them.', content: { 'application/json': { schema: tenantListSchema } } } },
});

const changeRoute = createRoute({
  method: 'patch',
  path: '/tenants/{slug}',
  summary: 'Change the name or the weight of a tenant. The weight counts for work that is scheduled from then on.',
  request: {
    params: z.object({ slug: tenantSlugSchema }),
    body: { required: true, content: { 'application/json': { schema: tenantChangeSchema } } },
  },
  responses: { 200: one('It is changed.'), ...problems(400, 404) },
});

/** The routes of tenants. */
export function tenantRoutes({ db }: RouteDeps): OpenAPIHono<ApiEnv> {
  const routes = createRoutes();
  routes.openapi(createTenantRoute, async (c) => {
    const { created, tenant } = await createTenant(db, c.req.valid('json'));
    return c.json(tenantDocument(tenant), created ? 201 : 200);
  });
  routes.openapi(listRoute, async (c) => {
    const rows = await db.tenant.findMany({ orderBy: { id: 'asc' } });
    return c.json({ items: rows.map(tenantDocument) }, 200);
  });
  routes.openapi(changeRoute, async (c) => {
    const tenant = await changeTenant(db, c.req.valid('param').slug, c.req.valid('json'));
    return c.json(tenantDocument(tenant), 200);
  });
  return routes;
}
