/** API keys and tenants as a person reads them in a terminal. */
import type { ApiKeyDocument, TenantDocument } from '../../api/client.ts';
import { clean, minute } from '../terminal/style.ts';
import { table } from '../terminal/table.ts';

/** A line per key, without a trailing newline. */
export function renderKeys(keys: readonly ApiKeyDocument[]): string {
  const rows = keys.map((key) => [
    key.id,
    `${key.prefix}…`,
    key.role,
    key.tenantId,
    key.revokedAt === null ? stateOf(key) : `revoked ${minute(key.revokedAt)}Z`,
    clean(key.name),
  ]);
  return table(rows, { head: ['ID', 'KEY', 'ROLE', 'TENANT', 'STATE', 'NAME'] });
}

const stateOf = (key: ApiKeyDocument): string =>
  key.lastUsedAt === null ? 'never used' : `used ${minute(key.lastUsedAt)}Z`;

/** A line per tenant, without a trailing newline. */
export function renderTenants(tenants: readonly TenantDocument[]): string {
  const rows = tenants.map(({ slug, weight, name }) => [slug, String(weight), clean(name)]);
  return table(rows, { head: ['SLUG', 'WEIGHT', 'NAME'] });
}
