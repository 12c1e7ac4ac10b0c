/** Sessions of browsers: a cookie in place of a key. Only the SHA-256 of its token is stored. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { Config } from '../../platform/config.ts';
import { sha256Hex } from '../../platform/hash.ts';
import type { ApiEnv } from '../context.ts';
import type { Identity } from './identity.ts';

const COOKIE = 'deckhand_session';
const TOKEN_BYTES = 32;
const LIFE_MS = 12 * 3600 * 1000;

type CookieConfig = Pick<Config, 'publicUrl'>;

/** Behind https the cookie is never sent unencrypted, and its prefix makes the browser refuse one that another host of the domain set. */
const isSecure = ({ publicUrl }: CookieConfig): boolean => publicUrl?.startsWith('https:') === true;

/** The token that a request carries; undefined when it has none. */
export function sessionToken(c: Context<ApiEnv>, config: CookieConfig): string | undefined {
  return isSecure(config) ? getCookie(c, COOKIE, 'host') : getCookie(c, COOKIE);
}

/** Begins a session for the key of an identity and gives the browser its cookie. Returns when it ends. */
export async function beginSession(
  c: Context<ApiEnv>,
  { db, config }: { readonly db: PrismaClient; readonly config: CookieConfig },
  identity: Identity & { readonly keyId: string },
): Promise<Date> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const now = Date.now();
  const expiresAt = new Date(now + LIFE_MS);
  // The earlier session of this browser, and all that are over.
  const before = sessionToken(c, config);
  const isReplaced = before === undefined ? [] : [{ tokenSha256: sha256Hex(before) }];
  await db.apiSession.deleteMany({ where: { OR: [{ expiresAt: { lt: new Date(now) } }, ...isReplaced] } });
  await db.apiSession.create({
    data: {
      id: randomUUID(),
      tenantId: identity.tenantId,
      apiKeyId: identity.keyId,
      tokenSha256: sha256Hex(token),
      expiresAt,
    },
  });
  setCookie(c, COOKIE, token, {
    httpOnly: true,
    sameSite: 'Lax',
    path: '/',
    maxAge: LIFE_MS / 1000,
    ...(isSecure(config) ? { secure: true, prefix: 'host' as const } : {}),
  });
  return expiresAt;
}

/** Ends the session that a request carries, if it does. */
export async function endSession(
  c: Context<ApiEnv>,
  { db, config }: { readonly db: PrismaClient; readonly config: CookieConfig },
): Promise<void> {
  const token = sessionToken(c, config);
  if (token !== undefined) await db.apiSession.deleteMany({ where: { tokenSha256: sha256Hex(token) } });
  deleteCookie(c, COOKIE, { path: '/', ...(isSecure(config) ? { secure: true, prefix: 'host' as const } : {}) });
}
