/** API keys as rows: made and revoked. `identity.ts` looks up the key of a request. */
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

/** Makes a key. Only its hash is stored, so it cannot be shown again. @throws DeckhandError `not_found` when there is no such tenant */
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
 * Revokes a key, and ends the sessions and sign-in links that were made with it. Doing it again changes nothing.
 *
 * @param force also the last key of an operator, after which the API can make no other one
 * @throws DeckhandError `not_found`, `conflict` when it is the last key of an operator
 */
export async function revokeKey(db: PrismaClient, id: string, force: boolean): Promise<ApiKey> {
  return db.$transaction(async (tx) => {
    // One at a time: two requests that revoke each other's key must not both find that one is left.
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
        userMessage: 'This is the last key of an operator. Without it, no keys could be made or revoked.',
        hint: 'Make another one first (`./deckhand keys create --role operator`), or say --force.',
      });
    }
    await tx.apiSession.deleteMany({ where: { apiKeyId: id } });
    await tx.signInLink.deleteMany({ where: { apiKeyId: id } });
    return tx.apiKey.update({ where: { id }, data: { revokedAt: new Date() } });
  });
}

/** The refusal of a tenant that does not exist. */
export function unknownTenant(slug: string): DeckhandError {
  return new DeckhandError('not_found', `no tenant ${slug}`, {
    userMessage: `There is no tenant ${slug}.`,
    hint: '`./deckhand tenants list` shows them; `./deckhand tenants create` makes one.',
  });
}
