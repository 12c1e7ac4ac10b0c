/** API keys and tenants as a person reads them in a terminal. */
import type { ApiKeyDocument, TenantDocument } from '../../api/client.ts';
import { clean } from '../terminal-text.ts';

const minute = (at: string): string => `${at.slice(0, 16).replace('T', ' ')}Z`;

/** Rows in columns as wide as their widest cell. */
function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>((all, row) => row.map((cell, i) => Math.max(all[i] ?? 0, cell.length)), []);
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A line per key, without a trailing newline. */
export function renderKeys(keys: readonly ApiKeyDocument[]): string {
  const rows = keys.map((key) => [
    key.id,
    `${key.prefix}…`,
    key.role,
    key.tenantId,
    key.revokedAt === null ? stateOf(key) : `revoked ${minute(key.revokedAt)}`,
    clean(key.name),
  ]);
  return columns([['ID', 'KEY', 'ROLE', 'TENANT', 'STATE', 'NAME'], ...rows]);
}

const stateOf = (key: ApiKeyDocument): string =>
  key.lastUsedAt === null ? 'never used' : `used ${minute(key.lastUsedAt)}`;

/** A line per tenant, without a trailing newline. */
export function renderTenants(tenants: readonly TenantDocument[]): string {
  const rows = tenants.map(({ slug, weight, name }) => [slug, String(weight), clean(name)]);
  return columns([['SLUG', 'WEIGHT', 'NAME'], ...rows]);
}
