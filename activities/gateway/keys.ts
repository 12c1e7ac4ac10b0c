/**
 * The SSH key of this installation: one key, made at first use, whose private part is a file of the data directory and never leaves it.
 */
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import ssh2 from 'ssh2';
import { DeckhandError } from '../../domain/errors.ts';

/** A key pair as SSH wants it. */
export interface InstallationKey {
  /** OpenSSH private key. */
  readonly privateKey: string;
  /** One line of an authorized_keys file. */
  readonly publicKey: string;
}

const COMMENT = 'deckhand';

/** The key of the installation with this data directory; made where there is none. Of two processes at once, one makes it. */
export async function installationKey(home: string): Promise<InstallationKey> {
  const directory = path.join(home, 'keys');
  const file = path.join(directory, 'ssh_ed25519');
  const known = await readKey(file);
  if (known !== null) return known;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const half = `${file}.${process.pid}`;
  await writeFile(half, ssh2.utils.generateKeyPairSync('ed25519', { comment: COMMENT }).private, { mode: 0o600 });
  try {
    await link(half, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(half, { force: true });
  }
  const made = await readKey(file);
  if (made === null) throw new DeckhandError('internal', `${file} vanished while it was made`);
  return made;
}

async function readKey(file: string): Promise<InstallationKey | null> {
  let privateKey: string;
  try {
    privateKey = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const parsed = ssh2.utils.parseKey(privateKey);
  if (parsed instanceof Error) {
    throw new DeckhandError('usage', `${file} is not a private key: ${parsed.message}`, {
      hint: `Restore ${file} from a backup, or remove it: machines that are kept then cannot be woken.`,
    });
  }
  const publicKey = `${parsed.type} ${parsed.getPublicSSH().toString('base64')} ${COMMENT}`;
  return { privateKey, publicKey };
}
