/** Sessions, keys, tenants, webhooks, and the server with its models. */
import type { ModelProfile } from '../../domain/models/model-tasks.ts';
import type { WebhookEvent } from '../../domain/webhooks.ts';
import type { ApiKeyDocument, CreatedApiKeyDocument, NewApiKey } from '../keys/schemas.ts';
import type { ModelList } from '../models/routes.ts';
import type { SessionDocument } from '../session/schemas.ts';
import type { NewTenant, TenantChange, TenantDocument } from '../tenants/schemas.ts';
import type { DeliveryDocument, DeliveryPage, NewWebhookDocument, WebhookDocument } from '../webhooks/schemas.ts';
import { asJson, queryString, type Transport } from './transport.ts';

const webhookPath = (id: string): string => `/webhooks/${encodeURIComponent(id)}`;

/** The calls of access, webhooks and the server. */
export const accessCalls = (http: Transport) => ({
  /** Whose key this client shows. @throws DeckhandError `unauthenticated` when it is not valid */
  session(signal?: AbortSignal): Promise<SessionDocument> {
    return http.json<SessionDocument>('/session', { signal });
  },

  /** Makes an API key; the key itself is in this answer and nowhere else. @throws DeckhandError `not_found` (tenant) */
  createKey(key: NewApiKey, signal?: AbortSignal): Promise<CreatedApiKeyDocument> {
    return http.json<CreatedApiKeyDocument>('/keys', { method: 'POST', ...asJson(key), signal });
  },

  /** API keys of all tenants, oldest first. */
  async keys(signal?: AbortSignal): Promise<readonly ApiKeyDocument[]> {
    return (await http.json<{ items: ApiKeyDocument[] }>('/keys', { signal })).items;
  },

  /** Revokes an API key. @throws DeckhandError `not_found`, `conflict` for the last key of an operator, unless forced */
  revokeKey(id: string, { force = false } = {}, signal?: AbortSignal): Promise<ApiKeyDocument> {
    const path = `/keys/${encodeURIComponent(id)}${queryString({ force })}`;
    return http.json<ApiKeyDocument>(path, { method: 'DELETE', signal });
  },

  /** Makes a tenant, or gives back the one that is there. @throws DeckhandError `conflict` when it has other values */
  createTenant(tenant: NewTenant, signal?: AbortSignal): Promise<TenantDocument> {
    return http.json<TenantDocument>('/tenants', { method: 'POST', ...asJson(tenant), signal });
  },

  /** All tenants. */
  async tenants(signal?: AbortSignal): Promise<readonly TenantDocument[]> {
    return (await http.json<{ items: TenantDocument[] }>('/tenants', { signal })).items;
  },

  /** Changes what is given. @throws DeckhandError `not_found` */
  changeTenant(slug: string, change: TenantChange, signal?: AbortSignal): Promise<TenantDocument> {
    const path = `/tenants/${encodeURIComponent(slug)}`;
    return http.json<TenantDocument>(path, { method: 'PATCH', ...asJson(change), signal });
  },

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
    await http.call(webhookPath(id), { method: 'DELETE', signal });
  },

  /** Sends a test; what came of it is in the log. @throws DeckhandError `not_found` */
  testWebhook(id: string, signal?: AbortSignal): Promise<DeliveryDocument> {
    return http.json<DeliveryDocument>(`${webhookPath(id)}/test`, { method: 'POST', signal });
  },

  /** A page of the log of a webhook, newest first. @throws DeckhandError `not_found` */
  deliveries(
    id: string,
    page: { readonly limit?: number; readonly cursor?: string } = {},
    signal?: AbortSignal,
  ): Promise<DeliveryPage> {
    return http.json<DeliveryPage>(`${webhookPath(id)}/deliveries${queryString(page)}`, { signal });
  },

  /** Has a delivery tried now. @throws DeckhandError `not_found`, `conflict` when it has arrived */
  retryDelivery(id: string, deliveryId: string, signal?: AbortSignal): Promise<DeliveryDocument> {
    const path = `${webhookPath(id)}/deliveries/${encodeURIComponent(deliveryId)}/retry`;
    return http.json<DeliveryDocument>(path, { method: 'POST', signal });
  },

  /** Asks whether the API, its database and Temporal answer. @throws DeckhandError `service_unavailable` when one does not */
  async health(signal?: AbortSignal): Promise<void> {
    await http.call('/health', { signal });
  },

  /** Which model answers which task. */
  models(signal?: AbortSignal): Promise<ModelList> {
    return http.json<ModelList>('/models', { signal });
  },

  /** Forgets the pinned digests of a profile, so that the gateway pins what its hosts hold. */
  async unpinModels(profile: ModelProfile, signal?: AbortSignal): Promise<void> {
    await http.call(`/models/${profile}/pins`, { method: 'DELETE', signal });
  },
});
