/**
 * Who runs Postgres. It refuses to run as root, so under root it runs as `nobody`, whom every Unix has.
 *
 * `nobody` can reach neither a checkout under /root nor a data directory of mode 0700. On Linux it therefore keeps two capabilities
 * of root, to pass through directories (dac_read_search, dac_override), through `setpriv`; the cluster's files belong to it.
 */
import { execFileSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { DeckhandError } from '../../domain/errors.ts';

const UNPRIVILEGED_USER = 'nobody';
const PASSING_CAPABILITIES = '+dac_override,+dac_read_search';

/** True when this process may not run Postgres itself. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

let cachedIds: { uid: number; gid: number } | undefined;

function unprivilegedIds(): { uid: number; gid: number } {
  if (cachedIds === undefined) {
    const ask = (flag: string): number =>
      Number.parseInt(execFileSync('id', [flag, UNPRIVILEGED_USER], { encoding: 'utf8' }), 10);
    try {
      cachedIds = { uid: ask('-u'), gid: ask('-g') };
    } catch (error) {
      throw new DeckhandError('dependency_missing', `no user ${UNPRIVILEGED_USER}: ${String(error)}`, {
        userMessage: `Postgres does not run as root, and this system has no user "${UNPRIVILEGED_USER}" to run it as.`,
        hint: 'Start Deckhand as an ordinary user, or set DATABASE_URL.',
        cause: error,
      });
    }
  }
  return cachedIds;
}

function hasSetpriv(): boolean {
  try {
    execFileSync('setpriv', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

let setprivFound: boolean | undefined;

/**
 * The command line that runs a Postgres program as the user it accepts.
 *
 * @throws DeckhandError `dependency_missing` under root without setpriv
 */
export function asPostgresUser(command: string, args: readonly string[]): { command: string; args: string[] } {
  if (!isRoot()) return { command, args: [...args] };
  setprivFound ??= hasSetpriv();
  if (!setprivFound) {
    throw new DeckhandError('dependency_missing', 'setpriv not found, running as root', {
      userMessage: 'Postgres does not run as root, and "setpriv" to start it as another user is missing.',
      hint: 'Start Deckhand as an ordinary user, install util-linux, or set DATABASE_URL.',
    });
  }
  const { uid, gid } = unprivilegedIds();
  return {
    command: 'setpriv',
    args: [
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      `--inh-caps=${PASSING_CAPABILITIES}`,
      `--ambient-caps=${PASSING_CAPABILITIES}`,
      command,
      ...args,
    ],
  };
}

/** Gives a directory of the cluster to the user that Postgres runs as. */
export function ownedByPostgresUser(directory: string): void {
  if (!isRoot()) return;
  const { uid, gid } = unprivilegedIds();
  chownSync(directory, uid, gid);
}
