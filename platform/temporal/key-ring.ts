/**
 * Payload keys and the two formats of a key ring: a file of the data directory, and a variable for several machines.
 *
 * A ring is newest first: its first key encrypts, all of them decrypt. Secrets are held as key objects, which show nothing when printed.
 */
import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { DeckhandError } from '../../domain/errors.ts';
import { tryJson } from '../../domain/text/json.ts';

/** Bytes of a key of AES-256. */
const SECRET_BYTES = 32;

/** One key. */
export interface PayloadKey {
  /** Stored unencrypted beside each payload; never reused for another key. */
  readonly id: string;
  readonly secret: KeyObject;
  /** ISO time; null if it was not recorded. */
  readonly createdAt: string | null;
}

/** Keys, newest first. */
export type KeyRing = readonly [PayloadKey, ...PayloadKey[]];

const idSchema = z
  .string()
  .regex(/^[\w.-]{1,64}$/u, 'the id is not 1 to 64 letters, digits, dots, dashes or underscores');
const secretSchema = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}=?$/u, `the key is not ${SECRET_BYTES} bytes in base64`)
  .transform((text) => createSecretKey(Buffer.from(text, 'base64')));
const distinct = (keys: readonly { readonly id: string }[]): boolean =>
  new Set(keys.map((k) => k.id)).size === keys.length;

const fileSchema = z.object({
  version: z.literal(1),
  keys: z
    .array(z.object({ id: idSchema, key: secretSchema, createdAt: z.iso.datetime().nullable() }))
    .min(1)
    .refine(distinct, 'two keys have the same id'),
});
const entrySchema = z.object({ id: idSchema, secret: secretSchema });

/** Makes a new random key. */
export function makePayloadKey(now: Date = new Date()): PayloadKey {
  return {
    id: randomBytes(6).toString('hex'),
    secret: createSecretKey(randomBytes(SECRET_BYTES)),
    createdAt: now.toISOString(),
  };
}

const base64Of = (key: PayloadKey): string => key.secret.export().toString('base64');

/** A key as an entry of DECKHAND_PAYLOAD_KEYS: `id:base64`. */
export const keyEntry = (key: PayloadKey): string => `${key.id}:${base64Of(key)}`;

/** The content of a key file. */
export function formatKeyFile(ring: KeyRing): string {
  const keys = ring.map((key) => ({ id: key.id, key: base64Of(key), createdAt: key.createdAt }));
  return `${JSON.stringify({ version: 1, keys }, null, 2)}\n`;
}

/**
 * The ring in a key file.
 *
 * @param path is named in errors; the content is not
 * @throws DeckhandError `usage`
 */
export function parseKeyFile(text: string, path: string): KeyRing {
  const parsed = fileSchema.safeParse(tryJson(text));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const where = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
    throw new DeckhandError('usage', `${path}: ${where}${issue?.message ?? 'is not valid'}`, {
      hint: 'Restore the file from a backup. Without its keys, workflow histories cannot be read.',
    });
  }
  return nonEmpty(parsed.data.keys.map(({ id, key, createdAt }) => ({ id, secret: key, createdAt })));
}

/**
 * The ring of `id:base64,id:base64`, newest first.
 *
 * @throws DeckhandError `usage` that says which entry is wrong, without its text
 */
export function parseKeyEntries(text: string): KeyRing {
  const keys = text.split(',').map((entry, index) => {
    const [id, secret, ...rest] = entry.trim().split(':');
    const parsed = entrySchema.safeParse({ id, secret });
    if (parsed.success && rest.length === 0) return { ...parsed.data, createdAt: null };
    throw wrongEntries(`entry ${index + 1}: ${parsed.error?.issues[0]?.message ?? 'is not id:base64'}`);
  });
  if (!distinct(keys)) throw wrongEntries('two keys have the same id');
  return nonEmpty(keys);
}

const wrongEntries = (what: string): DeckhandError =>
  new DeckhandError('usage', `DECKHAND_PAYLOAD_KEYS: ${what}`, {
    hint: 'It is a list like id:base64,id:base64, newest first; `deckhand encryption key` makes an entry.',
  });

function nonEmpty(keys: readonly PayloadKey[]): KeyRing {
  const [newest, ...older] = keys;
  if (newest === undefined) throw new DeckhandError('internal', 'a ring of no keys');
  return [newest, ...older];
}
