/** Routes of rollouts, for operators: a share of the decks gets other models or another pool, is compared, and is taken back. */
import { createRoute, z } from '@hono/zod-openapi';
import { loadFleet } from '../../clouds/fleet-file.ts';
import { ownPoolsOf } from '../../domain/fleet/pool/pool-config.ts';
import { authorOf } from '../auth/identity.ts';
import type { RouteDeps } from '../context.ts';
import { createRoutes, json, jsonBody, problems, type Routes } from '../http/routes.ts';
import { compareSides } from './compare.ts';
import { newRolloutSchema, rolloutComparisonSchema, rolloutListSchema, rolloutSchema } from './schemas.ts';
import { findRollout, listRollouts, rolloutDocument, startRollout, stopRollout } from './store.ts';

const nameParam = z.object({ name: z.string().min(1).max(100) });

const startRoute = createRoute({
  method: 'post',
  path: '/rollouts',
  summary:
    'Start a rollout, change its share, or start an ended one again. It holds for analyses that start from now on.',
  description:
    'The hash of the tenant and the deck decides which decks the candidate gets: always the same ones, and a higher percentage only adds decks. A replay, and an analysis that names another profile than the installation uses, are part of no rollout.',
  request: { body: jsonBody(newRolloutSchema) },
  responses: {
    200: json(rolloutSchema, 'Its share is changed, or it is active again.'),
    201: json(rolloutSchema, 'It is started.'),
    ...problems(400, 404, 409, 422),
  },
});

const listRoute = createRoute({
  method: 'get',
  path: '/rollouts',
  summary: 'All rollouts, newest first.',
  responses: { 200: json(rolloutListSchema, 'All of them.') },
});

const showRoute = createRoute({
  method: 'get',
  path: '/rollouts/{name}',
  summary: 'One rollout with both sides compared.',
  request: { params: nameParam },
  responses: { 200: json(rolloutComparisonSchema, 'The comparison.'), ...problems(404) },
});

const stopRoute = createRoute({
  method: 'post',
  path: '/rollouts/{name}/stop',
  summary: 'End a rollout: analyses that start from now on are as without it, running ones finish as they began.',
  request: { params: nameParam },
  responses: { 200: json(rolloutSchema, 'It is ended.'), ...problems(404) },
});

/** The routes of rollouts. */
export function rolloutRoutes({ db, config }: RouteDeps): Routes {
  const routes = createRoutes();
  routes.openapi(startRoute, async (c) => {
    const wish = c.req.valid('json');
    const identity = c.get('identity');
    const { keyId } = identity;
    const ownPools = ownPoolsOf(loadFleet(config).pools, config.models);
    const installation = { profile: config.models, ownPools };
    const { rollout, created } = await startRollout(db, wish, authorOf(identity), installation);
    c.get('log').info({ rollout, by: keyId }, 'an operator started or changed a rollout');
    return c.json(rollout, created ? 201 : 200);
  });
  routes.openapi(listRoute, async (c) => c.json({ items: await listRollouts(db) }, 200));
  routes.openapi(showRoute, async (c) => {
    const row = await findRollout(db, c.req.valid('param').name);
    return c.json({ ...rolloutDocument(row), ...(await compareSides(db, row.id)) }, 200);
  });
  routes.openapi(stopRoute, async (c) => {
    const identity = c.get('identity');
    const { keyId } = identity;
    const rollout = await stopRollout(db, c.req.valid('param').name, authorOf(identity));
    c.get('log').info({ rollout: rollout.name, by: keyId }, 'an operator ended a rollout');
    return c.json(rollout, 200);
  });
  return routes;
}
