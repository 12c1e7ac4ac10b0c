/** API keys: `dh_`, the initial of the role, 256 random bits. Only the SHA-256 of a key is stored. */
import { randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
const API_KEY = /^dh_[ao]_[\w-]{43}$/;
/** Long enough to tell keys apart, and no help in guessing one. */
const PREFIX_LENGTH = 11;

/** Makes a key. */
export function newApiKey(role: 'analyst' | 'operator'): string {
  return `dh_${role.charAt(0)}_${randomBytes(KEY_BYTES).toString('base64url')}`;
}

/** Whether a text has the form of a key. */
export function isApiKey(text: string): boolean {
  return API_KEY.test(text);
}

/** The characters by which people recognise a key in a list. */
export function apiKeyPrefix(key: string): string {
  return key.slice(0, PREFIX_LENGTH);
}
