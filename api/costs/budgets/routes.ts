/** Routes of budgets, for operators: what may be spent, and what was. */
import { loadFleet } from '../../../clouds/fleet-file.ts';
import { listBudgets, removeBudget, setBudget } from './store.ts';
import { group } from '../../http/routes.ts';
import { listRoute, setRoute, removeRoute } from './schemas.ts';

/** The routes of budgets. */
export const budgetRoutes = group(({ db, config }, routes) => {
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
});
