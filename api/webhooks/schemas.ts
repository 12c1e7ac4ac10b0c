/** Documents of the webhook routes. */
import { z } from '@hono/zod-openapi';
import type { Webhook, WebhookDelivery } from '../../generated/prisma/client.ts';
import { WEBHOOK_EVENTS } from '../../domain/webhooks.ts';
import { documentOf, idParam, json, jsonBody, pageQuery, problems, route } from '../http/definition.ts';

const MAX_URL_CHARS = 2000;

/** What a new webhook is made of. */
export const webhookInputSchema = z.strictObject({
  url: z.string().min(1).max(MAX_URL_CHARS),
  /** Left out or empty: every end of an analysis. Events of the installation, such as `alert.raised`, have to be named. */
  events: z.array(z.enum(WEBHOOK_EVENTS)).default([]),
});

export const webhookSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(z.enum(WEBHOOK_EVENTS)),
    createdAt: z.iso.datetime(),
    /** Since when nothing is sent any more, because the receiver answered 410; a test that arrives ends it. */
    disabledAt: z.iso.datetime().nullable(),
  })
  .openapi('Webhook');
export type WebhookDocument = z.infer<typeof webhookSchema>;

export const newWebhookSchema = webhookSchema
  .extend({
    /** Verifies signatures (Standard Webhooks). Shown this once; null for a webhook that was there already. */
    secret: z.string().nullable(),
  })
  .openapi('NewWebhook');
export type NewWebhookDocument = z.infer<typeof newWebhookSchema>;

export const webhookListSchema = z.object({ items: z.array(webhookSchema) }).openapi('WebhookList');

export const deliverySchema = z
  .object({
    /** Sent as `webhook-id`, the same with every try. */
    id: z.string(),
    webhookId: z.string(),
    event: z.string(),
    /** Null for an event without an analysis. */
    analysisId: z.string().nullable(),
    /** Null for an event without an alert. */
    alertId: z.string().nullable(),
    /** Null for an event without a cost report. */
    costReportId: z.string().nullable(),
    state: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.int(),
    /** HTTP status of the last try; null when there was no answer. */
    lastStatus: z.int().nullable(),
    lastError: z.string().nullable(),
    createdAt: z.iso.datetime(),
    lastTriedAt: z.iso.datetime().nullable(),
    deliveredAt: z.iso.datetime().nullable(),
  })
  .openapi('Delivery');
export type DeliveryDocument = z.infer<typeof deliverySchema>;

export const deliveryPageSchema = z
  .object({ items: z.array(deliverySchema), nextCursor: z.string().nullable() })
  .openapi('DeliveryPage');
export type DeliveryPage = z.infer<typeof deliveryPageSchema>;

/** A webhook as the API shows it: without its secret. */
export const webhookDocument = (row: Webhook): WebhookDocument =>
  documentOf(webhookSchema, { ...row, events: WEBHOOK_EVENTS.filter((event) => row.events.includes(event)) });

/** A line of the delivery log. */
export const deliveryDocument = (row: WebhookDelivery): DeliveryDocument => documentOf(deliverySchema, row);

export const addRoute = route('post', '/webhooks', {
  summary: 'Add a webhook. Its signing secret is shown only in this answer.',
  request: { body: jsonBody(webhookInputSchema) },
  responses: {
    200: json(newWebhookSchema, 'It existed already; its secret is not shown again.'),
    201: json(newWebhookSchema, 'It is added.'),
    ...problems(400, 409),
  },
});

export const listRoute = route('get', '/webhooks', {
  summary: 'Webhooks, oldest first.',
  responses: { 200: json(webhookListSchema, 'All of them.') },
});

export const removeRoute = route('delete', '/webhooks/{id}', {
  summary: 'Remove a webhook with its log. Pending deliveries are not sent any more.',
  request: { params: idParam },
  responses: { 204: { description: 'It is removed.' }, ...problems(404) },
});

export const testRoute = route('post', '/webhooks/{id}/test', {
  summary: 'Send a test: one try, whose outcome is in the log. A delivered test enables a disabled webhook again.',
  request: { params: idParam },
  responses: { 202: json(deliverySchema, 'It is being sent.'), ...problems(404, 503) },
});

export const deliveriesRoute = route('get', '/webhooks/{id}/deliveries', {
  summary: 'The log of a webhook, newest first.',
  request: { params: idParam, query: pageQuery },
  responses: { 200: json(deliveryPageSchema, 'One page.'), ...problems(400, 404) },
});

export const retryRoute = route('post', '/webhooks/{id}/deliveries/{deliveryId}/retry', {
  summary: 'Retry a delivery now: one that failed or waits for its next try.',
  request: { params: idParam.extend({ deliveryId: z.string().min(1).max(100) }) },
  responses: { 202: json(deliverySchema, 'It is being tried.'), ...problems(404, 409, 503) },
});
