/** Routes of the fleet: what there is, why, and what it costs; and what an operator can ask of an instance. */
import { createRoute, z } from '@hono/zod-openapi';
import { liftBlocks, readStandingBlocks } from '../../activities/fleet/selection/offer-blocks.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import { DeckhandError } from '../../domain/errors.ts';
import type { PoolConfig } from '../../domain/fleet/pool/pool-config.ts';
import type { RouteDeps } from '../context.ts';
import { pageQuery } from '../http/paging.ts';
import { fleetSchema, instanceHistorySchema, offerBlockListSchema, operatorRequestSchema } from './fleet-schemas.ts';
import { blockDocument, loadFleetView, loadInstance } from './fleet-view.ts';
import { healthHistorySchema } from '../health/health-schemas.ts';
import { loadHealth } from '../health/health-view.ts';
import { askInstance } from './operator-asks.ts';
import { createRoutes, json, pathId, problems, type Routes } from '../http/routes.ts';

/** Name of the requester, until there are users. */
const OPERATOR = 'the operator';

const nameParam = z.object({ name: pathId });

const fleetRoute = createRoute({
  method: 'get',
  path: '/fleet',
  summary: 'Pools with their last decision and its reasons; instances with their state and cost so far.',
  responses: { 200: json(fleetSchema, 'The fleet.') },
});

const instanceRoute = createRoute({
  method: 'get',
  path: '/fleet/instances/{name}',
  summary: 'One instance with its history.',
  request: { params: nameParam },
  responses: {
    200: json(instanceHistorySchema, 'The instance.'),
    ...problems(400, 404),
  },
});

const healthRoute = createRoute({
  method: 'get',
  path: '/fleet/instances/{name}/health',
  summary: 'Health of an instance: level, changes and samples, newest first.',
  request: {
    params: nameParam,
    query: pageQuery.extend({ limit: z.coerce.number().int().min(1).max(2000).default(200) }),
  },
  responses: {
    200: json(healthHistorySchema, 'Its health.'),
    ...problems(400, 404),
  },
});

const askRoute = createRoute({
  method: 'post',
  path: '/fleet/instances/{name}/{request}',
  summary: 'Cordon, uncordon, drain, wake, suspend or destroy an instance.',
  description:
    'The pool carries it out. A cordoned or drained instance stays so until it is uncordoned or woken. A suspended instance is woken for new work; for a destroyed one, another is created.',
  request: { params: nameParam.extend({ request: operatorRequestSchema }) },
  responses: {
    202: json(instanceHistorySchema, 'The pool was asked. The instance is shown as it is now.'),
    ...problems(400, 404, 409, 503),
  },
});

const blocksRoute = createRoute({
  method: 'get',
  path: '/fleet/blocks',
  summary: 'The blocks: what is not tried again for a while after a provider refused it.',
  responses: {
    200: json(offerBlockListSchema, 'The present blocks.'),
  },
});

const unblockRoute = createRoute({
  method: 'delete',
  path: '/fleet/blocks',
  summary: 'Lift blocks early, for example when a quota was raised.',
  description:
    'The failures behind a block are forgotten with it. Instances that wait try again at the end of their pause.',
  request: {
    query: z.object({
      scope: z
        .string()
        .min(1)
        .max(500)
        .optional()
        .openapi({ description: 'As in the answer to GET; if absent, every block.' }),
    }),
  },
  responses: {
    200: json(offerBlockListSchema, 'The blocks that were lifted.'),
    ...problems(400, 404),
  },
});

/** The routes of the fleet. */
export function fleetRoutes({ db, temporal, config }: RouteDeps): Routes {
  const routes = createRoutes();
  let pools: readonly PoolConfig[] | undefined;
  // As they run: a fleet file that is changed counts from the next start.
  const configured = (): readonly PoolConfig[] => (pools ??= loadFleet(config).pools);
  routes.openapi(fleetRoute, async (c) => c.json(await loadFleetView(db, new Date(), configured()), 200));
  routes.openapi(instanceRoute, async (c) =>
    c.json(await loadInstance(db, c.req.valid('param').name, new Date()), 200),
  );
  routes.openapi(healthRoute, async (c) =>
    c.json(await loadHealth(db, c.req.valid('param').name, c.req.valid('query')), 200),
  );
  routes.openapi(blocksRoute, async (c) =>
    c.json({ items: (await readStandingBlocks(db, new Date())).map(blockDocument) }, 200),
  );
  routes.openapi(unblockRoute, async (c) => {
    const { scope } = c.req.valid('query');
    const lifted = await liftBlocks(db, scope ?? null, new Date());
    if (scope !== undefined && lifted.length === 0) {
      throw new DeckhandError('not_found', `no block of ${scope}`, {
        userMessage: `Nothing is blocked under ${scope}.`,
        hint: '`./deckhand fleet --json` lists every block.',
      });
    }
    c.get('log').info({ scopes: lifted.map((block) => block.scopeKey) }, 'an operator lifted blocks');
    return c.json({ items: lifted.map(blockDocument) }, 200);
  });
  routes.openapi(askRoute, async (c) => {
    const { name, request } = c.req.valid('param');
    await askInstance(db, temporal, { instance: name, request, by: OPERATOR });
    c.get('log').info({ instance: name, request }, 'an operator asked something of an instance');
    return c.json(await loadInstance(db, name, new Date()), 202);
  });
  return routes;
}
