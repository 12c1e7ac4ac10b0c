/** Routes of what people say about a deck: the history, and one thing more. */
import { createRoute } from '@hono/zod-openapi';
import type { RouteDeps } from '../../context.ts';
import { createRoutes, idParam, json, jsonBody, problems, type Routes } from '../../http/routes.ts';
import { findDeck } from '../store.ts';
import { newVerdictBody, verdictListSchema, verdictSchema } from './schemas.ts';
import { addVerdict, verdictsOf } from './store.ts';

const historyRoute = createRoute({
  method: 'get',
  path: '/decks/{id}/verdicts',
  summary: 'What people said about a deck: corrected values, scores, notes, tags, assignee, decision.',
  description:
    'The whole history, oldest first. The newest verdict of each kind, subject and item holds, unless it is withdrawn. What the machine said stays in the report.',
  request: { params: idParam },
  responses: { 200: json(verdictListSchema, 'The history.'), ...problems(404) },
});

const addRoute = createRoute({
  method: 'post',
  path: '/decks/{id}/verdicts',
  summary: 'Say something about a deck. Nothing is overwritten: a change or a withdrawal is one more verdict.',
  description: 'What holds already is not said twice: the answer is then the verdict that says it, with 200.',
  request: { params: idParam, body: jsonBody(newVerdictBody) },
  responses: {
    200: json(verdictSchema, 'It holds already.'),
    201: json(verdictSchema, 'It is stored.'),
    ...problems(400, 404, 409),
  },
});

/** The routes of verdicts. */
export function verdictRoutes({ db }: RouteDeps): Routes {
  const routes = createRoutes();
  routes.openapi(historyRoute, async (c) => {
    const tenantId = c.get('tenantId');
    const { id: deckId } = await findDeck(db, tenantId, c.req.valid('param').id);
    return c.json({ items: await verdictsOf(db, { tenantId, deckId }) }, 200);
  });
  routes.openapi(addRoute, async (c) => {
    const { id } = c.req.valid('param');
    const { verdict, created } = await addVerdict(db, id, c.get('identity'), c.req.valid('json'));
    return c.json(verdict, created ? 201 : 200);
  });
  return routes;
}
