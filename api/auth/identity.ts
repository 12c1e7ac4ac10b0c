/**
 * Who a request is: by the key it shows, by the session of a browser that showed one, or, where the API is open, anybody on this machine.
 *
 * Keys and sessions are looked up by SHA-256 each time: nothing is cached, so a revoked key ends at once, and the time of a look-up tells
 * nothing about the 256 random bits that were hashed.
 */
import { DeckhandError } from '../../domain/errors.ts';
import type { ApiRole } from '../../generated/prisma/enums.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { sha256Hex } from '../../platform/hash.ts';
import { DEFAULT_TENANT } from '../../domain/tenant.ts';

/** Who asks. */
export interface Identity {
  readonly tenantId: string;
  readonly role: ApiRole;
  /** The key, also behind a session; null where the API is open. */
  readonly keyId: string | null;
  /** The key's name. */
  readonly name: string;
  readonly via: 'key' | 'session' | 'open';
  /** The browser's session; null where a key was shown, or none is needed. */
  readonly sessionId: string | null;
}

/** Anybody, where the API is open. */
export const OPEN_IDENTITY: Identity = {
  tenantId: DEFAULT_TENANT,
  role: 'operator',
  keyId: null,
  name: 'open',
  via: 'open',
  sessionId: null,
};

/** `lastUsedAt` is written this seldom. */
const USED_STEP_MS = 60_000;

/** Remembers that a key is in use. */
async function markUsed(
  db: PrismaClient,
  key: { readonly id: string; readonly lastUsedAt: Date | null },
): Promise<void> {
  const now = Date.now();
  if (key.lastUsedAt !== null && now - key.lastUsedAt.getTime() < USED_STEP_MS) return;
  await db.apiKey.updateMany({ where: { id: key.id }, data: { lastUsedAt: new Date(now) } });
}

/** Whose a shown key is. @throws DeckhandError `unauthenticated` when it is nobody's, or revoked */
export async function identityOfKey(db: PrismaClient, key: string): Promise<Identity> {
  const row = await db.apiKey.findUnique({ where: { keySha256: sha256Hex(key) } });
  if (row === null) {
    throw new DeckhandError('unauthenticated', 'unknown key', {
      userMessage: 'This API key is not known here.',
      hint: 'Check that it is whole and belongs to this installation; an operator makes one with `./deckhand keys create`.',
    });
  }
  if (row.revokedAt !== null) {
    throw new DeckhandError('unauthenticated', `key ${row.id} is revoked`, {
      userMessage: 'This API key was revoked.',
      hint: 'Ask an operator for a new one. A data directory gets a new one of its own when its file keys/operator.key is deleted and Deckhand is started again.',
    });
  }
  await markUsed(db, row);
  return { tenantId: row.tenantId, role: row.role, keyId: row.id, name: row.name, via: 'key', sessionId: null };
}

/** Whose the session of a browser is; null when there is none (any more): then the request showed nothing. */
export async function identityOfSession(db: PrismaClient, token: string): Promise<Identity | null> {
  const row = await db.apiSession.findUnique({
    where: { tokenSha256: sha256Hex(token), expiresAt: { gt: new Date() }, apiKey: { revokedAt: null } },
    include: { apiKey: true },
  });
  if (row === null) return null;
  const { apiKey } = row;
  await markUsed(db, apiKey);
  const { tenantId, role, name } = apiKey;
  return { tenantId, role, keyId: apiKey.id, name, via: 'session', sessionId: row.id };
}

/** Whether an identity still holds: its key is not revoked, its session not over. For what outlives its request's first look. */
export async function stillHolds(db: PrismaClient, identity: Identity): Promise<boolean> {
  const { keyId, sessionId } = identity;
  if (keyId === null) return true;
  const found =
    sessionId === null
      ? await db.apiKey.count({ where: { id: keyId, revokedAt: null } })
      : await db.apiSession.count({
          where: { id: sessionId, expiresAt: { gt: new Date() }, apiKey: { revokedAt: null } },
        });
  return found > 0;
}
