/**
 * Links that sign a browser in without a key being typed: each works once, for twelve hours, and only on the machine that Deckhand runs on.
 * Only the SHA-256 of a link's token is stored.
 */
import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { DeckhandError } from '../../domain/errors.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { Config } from '../../platform/config.ts';
import { sha256Hex } from '../../platform/hash.ts';
import { isLoopbackHost } from '../../platform/loopback.ts';
import type { ApiEnv } from '../context.ts';
import type { Identity } from './identity.ts';

const TOKEN_BYTES = 32;
const LIFE_MS = 12 * 3600 * 1000;

/** Headers of a proxy: its own address is on this machine, and that of the person behind it need not be. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'] as const;

/**
 * Refuses a request that does not come from this machine, by a name of this machine.
 *
 * @throws DeckhandError `forbidden`
 */
export function refuseOtherMachines(c: Context<ApiEnv>, { publicUrl }: Pick<Config, 'publicUrl'>): void {
  const { remoteAddress = '' } = c.env.incoming.socket;
  // A server that listens on IPv6 sees IPv4 addresses in this form.
  const isFromHere = isLoopbackHost(remoteAddress.replace(/^::ffff:/iu, ''));
  const isProxied = PROXY_HEADERS.some((name) => c.req.header(name) !== undefined);
  // Behind https a browser keeps the cookie of a session only from there.
  const isSecure = publicUrl?.startsWith('https:') === true;
  if (isFromHere && !isProxied && !isSecure && isLoopbackHost(c.req.header('host') ?? '')) return;
  throw new DeckhandError('forbidden', `sign-in link used from ${remoteAddress}, host ${c.req.header('host') ?? ''}`, {
    userMessage: 'A link that signs in works only on the machine that Deckhand runs on.',
    hint: `Sign in with a key at ${publicUrl ?? ''}/api/v1/session.`,
  });
}

/** Makes a link for the key of an identity. Its token cannot be shown again. @param next page of ours that it leads to */
export async function makeSignInLink(
  db: PrismaClient,
  apiKeyId: string,
  next: string,
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const now = Date.now();
  const expiresAt = new Date(now + LIFE_MS);
  await db.signInLink.deleteMany({ where: { expiresAt: { lt: new Date(now) } } });
  await db.signInLink.create({ data: { tokenSha256: sha256Hex(token), apiKeyId, next, expiresAt } });
  return { token, expiresAt };
}

/** Whom a link signs in, and where it leads. */
interface SignIn {
  readonly identity: Identity & { readonly keyId: string };
  readonly next: string;
}

/** Uses a link up. Null when there is none: it was used, is over, or its key was revoked. Of two browsers at the same time one gets it. */
export async function useSignInLink(db: PrismaClient, token: string): Promise<SignIn | null> {
  const tokenSha256 = sha256Hex(token);
  const live = { tokenSha256, expiresAt: { gt: new Date() }, apiKey: { revokedAt: null } };
  const link = await db.signInLink.findUnique({ where: live, include: { apiKey: true } });
  if (link === null || (await db.signInLink.deleteMany({ where: { tokenSha256 } })).count === 0) return null;
  const { id: keyId, tenantId, role, name } = link.apiKey;
  return { identity: { tenantId, role, keyId, name, via: 'session', sessionId: null }, next: link.next };
}
