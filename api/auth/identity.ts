/**
 * Whose a request is: by its key, by the session of a browser that showed one, or, where the API is open, any request on this machine.
 *
 * Keys and sessions are looked up by SHA-256 each time: nothing is cached, so a revoked key ends at once, and the time of a look-up tells
 * nothing about the 256 random bits that were hashed.
 */
import { DeckhandError } from '../../domain/errors.ts';
import type { ApiRole } from '../../generated/prisma/enums.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { sha256Hex } from '../../platform/hash.ts';
import { DEFAULT_TENANT } from '../../domain/tenant.ts';

/** The tenant and role of a request. */
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

/** Any request, where the API is open. */
export const OPEN_IDENTITY: Identity = {
  tenantId: DEFAULT_TENANT,
  role: 'operator',
  keyId: null,
  name: 'open',
  via: 'open',
  sessionId: null,
};

/** Under which name a request says something: the key's; where the API is open nobody has one. */
export const authorOf = ({ via, name }: Identity): string => (via === 'open' ? 'local user' : name);

/** Least time between two writes of `lastUsedAt`. */
const USED_STEP_MS = 60_000;

/** Stores that a key was used. */
async function markUsed(
  db: PrismaClient,
  key: { readonly id: string; readonly lastUsedAt: Date | null },
): Promise<void> {
  const now = Date.now();
  if (key.lastUsedAt !== null && now - key.lastUsedAt.getTime() < USED_STEP_MS) return;
  await db.apiKey.updateMany({ where: { id: key.id }, data: { lastUsedAt: new Date(now) } });
}

/** The identity of a key. @throws DeckhandError `unauthenticated` when it is unknown or revoked */
export async function identityOfKey(db: PrismaClient, key: string): Promise<Identity> {
  const row = await db.apiKey.findUnique({ where: { keySha256: sha256Hex(key) } });
  if (row === null) {
    throw new DeckhandError('unauthenticated', 'unknown key', {
      userMessage: 'This API key is not known here.',
      hint: 'Check that it is complete and belongs to this installation; an operator makes one with `./deckhand keys create`.',
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

/** The identity of a browser's session; null when the session does not exist or is over. */
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

/** Whether an identity is still valid: its key is not revoked, its session not over. For streams, which outlive the first check. */
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
