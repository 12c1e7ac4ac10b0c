/**
 * An API proves that it holds a data directory before a command sends it a key: it answers a random nonce with an HMAC under a secret that
 * only the directory's owner can read.
 *
 * The port that was asked is part of the HMAC, so a program on another port cannot pass on the answer of the real API as its own.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeSecretFile } from './secret-file.ts';

const SECRET_BYTES = 32;
/** Pattern of a nonce: 256 random bits. */
export const NONCE = /^[\w-]{43}$/;

/** Makes a nonce. */
export function newNonce(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Path of the secret of a data directory. */
export function proofSecretPath(home: string): string {
  return join(home, 'keys', 'api-proof.secret');
}

/** The API's answer to a nonce that it received at `port`. Makes the secret if there is none. */
export function proveHome(home: string, nonce: string, port: number): string {
  const path = proofSecretPath(home);
  if (!existsSync(path)) makeSecretFile(path, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`);
  return proofOf(readFileSync(path, 'utf8'), nonce, port);
}

/** Whether an answer to `nonce`, which was sent to `port`, comes from an API of this data directory. */
export function isProofOfHome(home: string, nonce: string, port: number, proof: string): boolean {
  const path = proofSecretPath(home);
  if (!existsSync(path)) return false;
  const expected = Buffer.from(proofOf(readFileSync(path, 'utf8'), nonce, port));
  const given = Buffer.from(proof);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function proofOf(secret: string, nonce: string, port: number): string {
  return createHmac('sha256', secret.trim()).update(`deckhand-api-proof:${port}:${nonce}`).digest('base64url');
}
