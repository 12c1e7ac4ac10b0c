/** Routes of webhooks and the log of their deliveries. */
import { afterCursor, newestFirst, pageOf } from '../http/paging.ts';
import {
  deliveryDocument,
  webhookDocument,
  addRoute,
  listRoute,
  removeRoute,
  testRoute,
  deliveriesRoute,
  retryRoute,
} from './schemas.ts';
import { addWebhook, findWebhook, retryDelivery, sendTest } from './store.ts';
import { group } from '../http/routes.ts';

/** The routes of webhooks. */
export const webhookRoutes = group(({ db, temporal }, routes) => {
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
});
