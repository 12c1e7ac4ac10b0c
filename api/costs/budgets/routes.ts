/** Routes of budgets, for operators: what may be spent, and what was. */
import { createRoute } from '@hono/zod-openapi';
import { loadFleet } from '../../../clouds/fleet-file.ts';
import type { RouteDeps } from '../../context.ts';
import { budgetListSchema, budgetNameSchema, newBudgetSchema } from './schemas.ts';
import { listBudgets, removeBudget, setBudget } from './store.ts';
import { createRoutes, json, jsonBody, problems, type Routes } from '../../http/routes.ts';

const all = json(budgetListSchema, 'All budgets.');

const listRoute = createRoute({
  method: 'get',
  path: '/budgets',
  summary: 'All budgets with the amounts spent, reserved and left, and the pools for which no machine is bought now.',
  responses: { 200: all },
});

const setRoute = createRoute({
  method: 'put',
  path: '/budgets',
  summary: 'Set the soft and hard cap of a budget. It applies at once.',
  description:
    'Above the soft cap machines are bought for work of priority 1 and 2 only. At the hard cap no machine is bought; running machines finish their calls and are suspended before it is exceeded. A cap that is not named does not change; null removes it.',
  request: { body: jsonBody(newBudgetSchema) },
  responses: { 200: all, ...problems(400, 404) },
});

const removeRoute = createRoute({
  method: 'delete',
  path: '/budgets',
  summary: 'Remove a budget.',
  request: { query: budgetNameSchema },
  responses: { 200: all, ...problems(400, 404) },
});

/** The routes of budgets. */
export function budgetRoutes({ db, config }: RouteDeps): Routes {
  const routes = createRoutes();
  const read = () => listBudgets(db, loadFleet(config).accounting.timezone, new Date());
  routes.openapi(listRoute, async (c) => c.json(await read(), 200));
  routes.openapi(setRoute, async (c) => {
    const wish = c.req.valid('json');
    await setBudget(db, wish);
    c.get('log').info({ budget: wish }, 'an operator set a budget');
    return c.json(await read(), 200);
  });
  routes.openapi(removeRoute, async (c) => {
    const name = c.req.valid('query');
    await removeBudget(db, name);
    c.get('log').info({ budget: name }, 'an operator removed a budget');
    return c.json(await read(), 200);
  });
  return routes;
}
