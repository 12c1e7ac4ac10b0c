/** API keys as rows: made, listed, revoked. */
import { randomBytes } from 'node:crypto';

const ID_BYTES = 5;

/** Short, because people type it to revoke a key; says nothing about the key. */
export function newKeyId(): string {
  return randomBytes(ID_BYTES).toString('hex');
}
