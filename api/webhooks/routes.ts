/** Routes of webhooks and the log of their deliveries. */
import { createRoute, z } from '@hono/zod-openapi';
import type { RouteDeps } from '../context.ts';
import { afterCursor, newestFirst, pageOf, pageQuery } from '../http/paging.ts';
import {
  deliveryDocument,
  deliveryPageSchema,
  deliverySchema,
  newWebhookSchema,
  webhookDocument,
  webhookInputSchema,
  webhookListSchema,
} from './schemas.ts';
import { addWebhook, findWebhook, retryDelivery, sendTest } from './store.ts';
import { createRoutes, idParam, json, jsonBody, problems, type Routes } from '../http/routes.ts';

const addRoute = createRoute({
  method: 'post',
  path: '/webhooks',
  summary: 'Add a webhook. Its signing secret is shown only in this answer.',
  request: { body: jsonBody(webhookInputSchema) },
  responses: {
    200: json(newWebhookSchema, 'It existed already; its secret is not shown again.'),
    201: json(newWebhookSchema, 'It is added.'),
    ...problems(400, 409),
  },
});

const listRoute = createRoute({
  method: 'get',
  path: '/webhooks',
  summary: 'Webhooks, oldest first.',
  responses: { 200: json(webhookListSchema, 'All of them.') },
});

const removeRoute = createRoute({
  method: 'delete',
  path: '/webhooks/{id}',
  summary: 'Remove a webhook with its log. Pending deliveries are not sent any more.',
  request: { params: idParam },
  responses: { 204: { description: 'It is removed.' }, ...problems(404) },
});

const testRoute = createRoute({
  method: 'post',
  path: '/webhooks/{id}/test',
  summary: 'Send a test: one try, whose outcome is in the log. A delivered test enables a disabled webhook again.',
  request: { params: idParam },
  responses: { 202: json(deliverySchema, 'It is being sent.'), ...problems(404, 503) },
});

const deliveriesRoute = createRoute({
  method: 'get',
  path: '/webhooks/{id}/deliveries',
  summary: 'The log of a webhook, newest first.',
  request: { params: idParam, query: pageQuery },
  responses: { 200: json(deliveryPageSchema, 'One page.'), ...problems(400, 404) },
});

const retryRoute = createRoute({
  method: 'post',
  path: '/webhooks/{id}/deliveries/{deliveryId}/retry',
  summary: 'Retry a delivery now: one that failed or waits for its next try.',
  request: { params: idParam.extend({ deliveryId: z.string().min(1).max(100) }) },
  responses: { 202: json(deliverySchema, 'It is being tried.'), ...problems(404, 409, 503) },
});

/** The routes of webhooks. */
export function webhookRoutes({ db, temporal }: RouteDeps): Routes {
  const routes = createRoutes();

  routes.openapi(addRoute, async (c) => {
    const { webhook, created } = await addWebhook(db, c.get('tenantId'), c.req.valid('json'));
    c.get('log').info({ webhookId: webhook.id, created }, 'webhook added');
    return c.json({ ...webhookDocument(webhook), secret: created ? webhook.secret : null }, created ? 201 : 200);
  });

  routes.openapi(listRoute, async (c) => {
    const rows = await db.webhook.findMany({ where: { tenantId: c.get('tenantId') }, orderBy: { createdAt: 'asc' } });
    return c.json({ items: rows.map(webhookDocument) }, 200);
  });

  routes.openapi(removeRoute, async (c) => {
    const { id } = await findWebhook(db, c.get('tenantId'), c.req.valid('param').id);
    await db.webhook.deleteMany({ where: { id } });
    c.get('log').info({ webhookId: id }, 'webhook removed');
    return c.body(null, 204);
  });

  routes.openapi(testRoute, async (c) => {
    const webhook = await findWebhook(db, c.get('tenantId'), c.req.valid('param').id);
    return c.json(deliveryDocument(await sendTest(db, temporal, webhook)), 202);
  });

  routes.openapi(deliveriesRoute, async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const { id } = await findWebhook(db, c.get('tenantId'), c.req.valid('param').id);
    const where = { webhookId: id, ...afterCursor(cursor) };
    const rows = await db.webhookDelivery.findMany({ where, orderBy: newestFirst, take: limit + 1 });
    const page = pageOf(rows, limit);
    return c.json({ items: page.items.map(deliveryDocument), nextCursor: page.nextCursor }, 200);
  });

  routes.openapi(retryRoute, async (c) => {
    const { id, deliveryId } = c.req.valid('param');
    const webhook = await findWebhook(db, c.get('tenantId'), id);
    return c.json(deliveryDocument(await retryDelivery(db, temporal, webhook, deliveryId)), 202);
  });

  return routes;
}
