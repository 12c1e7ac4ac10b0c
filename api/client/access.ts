/** Sessions, keys, tenants, webhooks, and the server with its models. */
import type { z } from 'zod';
import type { ModelProfile } from '../../domain/models/model-tasks.ts';
import type { ApiKeyDocument, CreatedApiKeyDocument, NewApiKey } from '../keys/schemas.ts';
import type { ModelList } from '../models/schemas.ts';
import type { SessionDocument, SignInLinkDocument } from '../session/schemas.ts';
import type { NewTenant, TenantChange, TenantDocument } from '../tenants/schemas.ts';
import type {
  DeliveryDocument,
  DeliveryPage,
  NewWebhookDocument,
  WebhookDocument,
  webhookInputSchema,
} from '../webhooks/schemas.ts';
import { path, type Transport } from './transport.ts';

/** The calls of access, webhooks and the server. */
export const accessCalls = (http: Transport) => ({
  /** Owner and role of the key that this client shows. @throws DeckhandError `unauthenticated` when it is not valid */
  session: (signal?: AbortSignal) => http.json<SessionDocument>('GET', '/session', { signal }),

  /** Makes a link that signs a browser on this machine in, once. @param next page that it leads to. @throws DeckhandError `forbidden` from another machine */
  signInLink: (next?: string, signal?: AbortSignal) =>
    http.json<SignInLinkDocument>('POST', '/session/links', { body: { next }, signal }),

  /** Makes an API key. The key itself is only in this answer. @throws DeckhandError `not_found` (tenant) */
  createKey: (body: NewApiKey, signal?: AbortSignal) =>
    http.json<CreatedApiKeyDocument>('POST', '/keys', { body, signal }),

  /** API keys of all tenants, oldest first. */
  keys: (signal?: AbortSignal) => http.items<ApiKeyDocument>('/keys', { signal }),

  /** Revokes an API key. @throws DeckhandError `not_found`, `conflict` for the last key of an operator, unless forced */
  revokeKey: (id: string, { force = false } = {}, signal?: AbortSignal) =>
    http.json<ApiKeyDocument>('DELETE', path`/keys/${id}`, { query: { force }, signal }),

  /** Makes a tenant, or returns the existing one. @throws DeckhandError `conflict` when it has other values */
  createTenant: (body: NewTenant, signal?: AbortSignal) =>
    http.json<TenantDocument>('POST', '/tenants', { body, signal }),

  /** All tenants. */
  tenants: (signal?: AbortSignal) => http.items<TenantDocument>('/tenants', { signal }),

  /** Changes the given values. @throws DeckhandError `not_found` */
  changeTenant: (slug: string, body: TenantChange, signal?: AbortSignal) =>
    http.json<TenantDocument>('PATCH', path`/tenants/${slug}`, { body, signal }),

  /** Adds a webhook. Its secret is only in this answer. No events = all. */
  addWebhook: (body: z.input<typeof webhookInputSchema>, signal?: AbortSignal) =>
    http.json<NewWebhookDocument>('POST', '/webhooks', { body, signal }),

  /** Every webhook of the tenant. */
  webhooks: (signal?: AbortSignal) => http.items<WebhookDocument>('/webhooks', { signal }),

  /** Removes a webhook with its log. @throws DeckhandError `not_found` */
  async removeWebhook(id: string, signal?: AbortSignal): Promise<void> {
    await http.call('DELETE', path`/webhooks/${id}`, { signal });
  },

  /** Sends a test; its outcome is in the log. @throws DeckhandError `not_found` */
  testWebhook: (id: string, signal?: AbortSignal) =>
    http.json<DeliveryDocument>('POST', path`/webhooks/${id}/test`, { signal }),

  /** A page of the log of a webhook, newest first. @throws DeckhandError `not_found` */
  deliveries: (id: string, query: { readonly limit?: number; readonly cursor?: string } = {}, signal?: AbortSignal) =>
    http.json<DeliveryPage>('GET', path`/webhooks/${id}/deliveries`, { query, signal }),

  /** Tries a delivery again now. @throws DeckhandError `not_found`, `conflict` when it is delivered */
  retryDelivery: (id: string, deliveryId: string, signal?: AbortSignal) =>
    http.json<DeliveryDocument>('POST', path`/webhooks/${id}/deliveries/${deliveryId}/retry`, { signal }),

  /** Checks that the API, its database and Temporal answer. @throws DeckhandError `service_unavailable` when one does not */
  async health(signal?: AbortSignal): Promise<void> {
    await http.call('GET', '/health', { signal });
  },

  /** Which model answers which task. */
  models: (signal?: AbortSignal) => http.json<ModelList>('GET', '/models', { signal }),

  /** Removes the pinned digests of a profile; the gateway then pins those of its hosts. */
  async unpinModels(profile: ModelProfile, signal?: AbortSignal): Promise<void> {
    await http.call('DELETE', path`/models/${profile}/pins`, { signal });
  },
});
