/**
 * Makes the data directory's own operator key known to the database when the API starts. A key that was revoked stays revoked.
 */
import { hostname } from 'node:os';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { apiKeyPrefix } from '../../platform/api-key.ts';
import { sha256Hex } from '../../platform/hash.ts';
import type { Logger } from '../../platform/log.ts';
import { ensureOwnKey, ownKeyPath } from '../../platform/own-api-key.ts';
import { DEFAULT_TENANT } from '../../domain/tenant.ts';
import { newKeyId } from './keys.ts';

/** Makes sure that the own key exists and is in the database. Returns it. */
export async function admitOwnKey(db: PrismaClient, home: string, log: Logger): Promise<string> {
  const key = ensureOwnKey(home);
  const keySha256 = sha256Hex(key);
  const values = { tenantId: DEFAULT_TENANT, role: 'operator' as const, prefix: apiKeyPrefix(key), keySha256 };
  // Of two APIs that start at the same time one writes the row, and both find it.
  await db.apiKey.createMany({
    data: [{ id: newKeyId(), name: `data directory ${home} on ${hostname()}`, ...values }],
    skipDuplicates: true,
  });
  const row = await db.apiKey.findUniqueOrThrow({ where: { keySha256 } });
  if (row.revokedAt !== null) {
    log.warn(
      { keyId: row.id },
      `the own key of this data directory was revoked; delete ${ownKeyPath(home)} and start again for a new one`,
    );
  }
  return key;
}
