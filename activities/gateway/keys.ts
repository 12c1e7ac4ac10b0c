/** The SSH key of an installation: one pair, made once, kept in `<home>/keys`. The private half never leaves that directory. */
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { DeckhandError } from '../../domain/errors.ts';
import { makeSecretFile } from '../../platform/secret-file.ts';

/** Both halves of the key, in OpenSSH's formats. */
export interface InstallationKey {
  /** Path of the private half, mode 0600. */
  readonly path: string;
  readonly privateKey: string;
  /** One line for `authorized_keys` and for the provider. */
  readonly publicKey: string;
}

/** Where the private half is kept. */
export const installationKeyPath = (home: string, installationId: string): string =>
  join(home, 'keys', `${installationId}_ed25519`);

/**
 * The key of this installation, made if there is none. Several processes may ask for the first time at once: all get the same.
 *
 * @throws DeckhandError `usage` when the file is there and is no private key
 */
export function installationKey(home: string, installationId: string): InstallationKey {
  const path = installationKeyPath(home, installationId);
  const privateKey = readIfThere(path) ?? create(path, `deckhand-${installationId}`);
  chmodSync(path, 0o600);
  const parsed = parse(privateKey);
  if (parsed === null) {
    throw new DeckhandError('usage', `${path} is no private key in OpenSSH's format`, {
      hint: 'Restore it from a backup. Suspended machines accept only this key; a new key cannot reach them.',
    });
  }
  const publicKey = `${parsed.type} ${parsed.getPublicSSH().toString('base64')} deckhand-${installationId}`;
  return { path, privateKey, publicKey };
}

/** Makes the file; if another process was first, returns its key. */
function create(path: string, comment: string): string {
  makeSecretFile(path, generate(comment));
  return readFileSync(path, 'utf8');
}

/** ssh2 writes about one key in 400 wrongly (a leading zero byte is lost), so a new key is verified by a signature. */
function generate(comment: string): string {
  for (;;) {
    const made = ssh2.utils.generateKeyPairSync('ed25519', { comment }).private;
    const key = parse(made);
    if (key === null) continue;
    const text = Buffer.from(comment);
    const signature = key.sign(text);
    if (Buffer.isBuffer(signature) && key.verify(text, signature) === true) return made;
  }
}

function parse(text: string): ssh2.ParsedKey | null {
  const parsed = ssh2.utils.parseKey(text);
  return parsed instanceof Error || !parsed.isPrivateKey() ? null : parsed;
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
