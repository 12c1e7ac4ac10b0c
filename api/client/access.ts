/** Who may use the API: sessions, keys and tenants. */
import type { ApiKeyDocument, CreatedApiKeyDocument, NewApiKey } from '../keys/schemas.ts';
import type { SessionDocument } from '../session/schemas.ts';
import type { NewTenant, TenantChange, TenantDocument } from '../tenants/schemas.ts';
import { asJson, queryString, type Transport } from './transport.ts';

/** The calls of sessions, keys and tenants. */
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
});
