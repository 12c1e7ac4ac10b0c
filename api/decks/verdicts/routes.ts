/** Routes of what people say about a deck: the history, and one thing more. */
import { group } from '../../http/routes.ts';
import { findDeck } from '../store.ts';
import { addVerdict, verdictsOf } from './store.ts';
import { historyRoute, addRoute } from './schemas.ts';

/** The routes of verdicts. */
export const verdictRoutes = group(({ db, config }, routes) => {
  routes.openapi(historyRoute, async (c) => {
    const tenantId = c.get('tenantId');
    const { id: deckId } = await findDeck(db, tenantId, c.req.valid('param').id);
    return c.json({ items: await verdictsOf(db, { tenantId, deckId }) }, 200);
  });
  routes.openapi(addRoute, async (c) => {
    const { id } = c.req.valid('param');
    const { verdict, created } = await addVerdict(db, id, c.get('identity'), c.req.valid('json'), config.answering);
    return c.json(verdict, created ? 201 : 200);
  });
});
