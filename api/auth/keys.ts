/** API keys as rows: made, listed, revoked. What a key is worth is looked up in `identity.ts`. */
import { randomBytes } from 'node:crypto';
import { DeckhandError } from '../../domain/errors.ts';
import type { ApiKey, PrismaClient } from '../../generated/prisma/client.ts';
import type { ApiRole } from '../../generated/prisma/enums.ts';
import { apiKeyPrefix, newApiKey } from '../../platform/api-key.ts';
import { sha256Hex } from '../../platform/hash.ts';
import { lockForTransaction, LOCKS } from '../../platform/locks.ts';

const ID_BYTES = 5;

/** Short, because people type it to revoke a key; says nothing about the key. */
export function newKeyId(): string {
  return randomBytes(ID_BYTES).toString('hex');
}

/** Makes a key. What it is, nobody can find out afterwards. @throws DeckhandError `not_found` when there is no such tenant */
export async function createKey(
  db: PrismaClient,
  { tenantId, name, role }: { readonly tenantId: string; readonly name: string; readonly role: ApiRole },
): Promise<{ readonly key: string; readonly row: ApiKey }> {
  if ((await db.tenant.count({ where: { id: tenantId } })) === 0) throw unknownTenant(tenantId);
  const key = newApiKey(role);
  const row = await db.apiKey.create({
    data: { id: newKeyId(), tenantId, name, role, prefix: apiKeyPrefix(key), keySha256: sha256Hex(key) },
  });
  return { key, row };
}

/**
 * Revokes a key, and ends the sessions that were begun with it. Doing it again changes nothing.
 *
 * @param force also the last key of an operator, after which nobody can make another one through the API
 * @throws DeckhandError `not_found`, `conflict` when it is the last key of an operator
 */
export async function revokeKey(db: PrismaClient, id: string, force: boolean): Promise<ApiKey> {
  return db.$transaction(async (tx) => {
    // One at a time: two that revoke each other's key must not both find that one is left.
    await lockForTransaction(tx, LOCKS.keyRevocation);
    const row = await tx.apiKey.findUnique({ where: { id } });
    if (row === null) {
      throw new DeckhandError('not_found', `no key ${id}`, {
        userMessage: `There is no key ${id}.`,
        hint: '`./deckhand keys list` shows the ids.',
      });
    }
    if (row.revokedAt !== null) return row;
    const others = { role: 'operator' as const, revokedAt: null, id: { not: id } };
    if (!force && row.role === 'operator' && (await tx.apiKey.count({ where: others })) === 0) {
      throw new DeckhandError('conflict', `key ${id} is the last one of an operator`, {
        userMessage: 'This is the last key of an operator: without it nobody could make or revoke keys.',
        hint: 'Make another one first (`./deckhand keys create --role operator`), or say --force.',
      });
    }
    await tx.apiSession.deleteMany({ where: { apiKeyId: id } });
    return tx.apiKey.update({ where: { id }, data: { revokedAt: new Date() } });
  });
}

/** Says that a tenant does not exist. */
export function unknownTenant(slug: string): DeckhandError {
  return new DeckhandError('not_found', `no tenant ${slug}`, {
    userMessage: `There is no tenant ${slug}.`,
    hint: '`./deckhand tenants list` shows them; `./deckhand tenants create` makes one.',
  });
}
