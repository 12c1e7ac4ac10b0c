/** Webhooks and the log of their deliveries. */
import type { WebhookEvent } from '../../domain/webhooks.ts';
import type { DeliveryDocument, DeliveryPage, NewWebhookDocument, WebhookDocument } from '../webhooks/schemas.ts';
import { asJson, queryString, type Transport } from './transport.ts';

const pathOf = (id: string): string => `/webhooks/${encodeURIComponent(id)}`;

/** The calls of webhooks. */
export const webhookCalls = (http: Transport) => ({
  /** Adds a webhook; its secret is shown this once. No events = all. */
  addWebhook(
    input: { readonly url: string; readonly events?: readonly WebhookEvent[] },
    signal?: AbortSignal,
  ): Promise<NewWebhookDocument> {
    return http.json<NewWebhookDocument>('/webhooks', { method: 'POST', ...asJson(input), signal });
  },

  /** Every webhook of the tenant. */
  async webhooks(signal?: AbortSignal): Promise<readonly WebhookDocument[]> {
    const { items } = await http.json<{ readonly items: readonly WebhookDocument[] }>('/webhooks', { signal });
    return items;
  },

  /** Removes a webhook with its log. @throws DeckhandError `not_found` */
  async removeWebhook(id: string, signal?: AbortSignal): Promise<void> {
    await http.call(pathOf(id), { method: 'DELETE', signal });
  },

  /** Sends a test; what came of it is in the log. @throws DeckhandError `not_found` */
  testWebhook(id: string, signal?: AbortSignal): Promise<DeliveryDocument> {
    return http.json<DeliveryDocument>(`${pathOf(id)}/test`, { method: 'POST', signal });
  },

  /** A page of the log of a webhook, newest first. @throws DeckhandError `not_found` */
  deliveries(
    id: string,
    page: { readonly limit?: number; readonly cursor?: string } = {},
    signal?: AbortSignal,
  ): Promise<DeliveryPage> {
    return http.json<DeliveryPage>(`${pathOf(id)}/deliveries${queryString(page)}`, { signal });
  },

  /** Has a delivery tried now. @throws DeckhandError `not_found`, `conflict` when it has arrived */
  retryDelivery(id: string, deliveryId: string, signal?: AbortSignal): Promise<DeliveryDocument> {
    const path = `${pathOf(id)}/deliveries/${encodeURIComponent(deliveryId)}/retry`;
    return http.json<DeliveryDocument>(path, { method: 'POST', signal });
  },
});
