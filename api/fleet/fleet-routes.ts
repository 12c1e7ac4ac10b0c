/** Routes of the fleet: what there is, why, and what it costs; and what an operator can ask of an instance. */
import { createRoute, z } from '@hono/zod-openapi';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { ApiEnv, RouteDeps } from '../context.ts';
import { problems } from '../http/problem.ts';
import { createRoutes } from '../http/validated.ts';
import { pageQuery } from '../http/paging.ts';
import { fleetSchema, instanceHistorySchema, operatorRequestSchema } from './fleet-schemas.ts';
import { loadFleetView, loadInstance } from './fleet-view.ts';
import { healthHistorySchema } from './health-schemas.ts';
import { loadHealth } from './health-view.ts';
import { askInstance } from './operator-asks.ts';

/** Who asks, until there are users. */
const OPERATOR = 'the operator';

const nameParam = z.object({ name: z.string().min(1).max(100) });

const fleetRoute = createRoute({
  method: 'get',
  path: '/fleet',
  summary: 'Pools with their last decision and its reasons; instances with their state and cost so far.',
  responses: { 200: { description: 'The fleet.', content: { 'application/json': { schema: fleetSchema } } } },
});

const instanceRoute = createRoute({
  method: 'get',
  path: '/fleet/instances/{name}',
  summary: 'One instance with its history.',
  request: { params: nameParam },
  responses: {
    200: { description: 'The instance.', content: { 'application/json': { schema: instanceHistorySchema } } },
    ...problems(400, 404),
  },
});

const healthRoute = createRoute({
  method: 'get',
  path: '/fleet/instances/{name}/health',
  summary: 'Health of an instance: where it stands, what changed, and its samples, newest first.',
  request: {
    params: nameParam,
    query: pageQuery.extend({ limit: z.coerce.number().int().min(1).max(2000).default(200) }),
  },
  responses: {
    200: { description: 'Its health.', content: { 'application/json': { schema: healthHistorySchema } } },
    ...problems(400, 404),
  },
});

const askRoute = createRoute({
  method: 'post',
  path: '/fleet/instances/{name}/{request}',
  summary: 'Ask something of an instance: cordon, uncordon, drain, wake, suspend, destroy.',
  description:
    'The pool carries it out. A cordoned or drained instance stays so until it is uncordoned or woken; a suspended or destroyed one comes back when there is work.',
  request: { params: nameParam.extend({ request: operatorRequestSchema }) },
  responses: {
    202: {
      description: 'The pool was asked. The instance is shown as it is now.',
      content: { 'application/json': { schema: instanceHistorySchema } },
    },
    ...problems(400, 404, 409, 503),
  },
});

/** The routes of the fleet. */
export function fleetRoutes({ db, temporal }: RouteDeps): OpenAPIHono<ApiEnv> {
  const routes = createRoutes();
  routes.openapi(fleetRoute, async (c) => c.json(await loadFleetView(db, new Date()), 200));
  routes.openapi(instanceRoute, async (c) =>
    c.json(await loadInstance(db, c.req.valid('param').name, new Date()), 200),
  );
  routes.openapi(healthRoute, async (c) =>
    c.json(await loadHealth(db, c.req.valid('param').name, c.req.valid('query')), 200),
  );
  routes.openapi(askRoute, async (c) => {
    const { name, request } = c.req.valid('param');
    await askInstance(db, temporal, { instance: name, request, by: OPERATOR });
    c.get('log').info({ instance: name, request }, 'an operator asked something of an instance');
    return c.json(await loadInstance(db, name, new Date()), 202);
  });
  return routes;
}
