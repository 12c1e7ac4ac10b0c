/**
 * The user of Postgres. It refuses to run as root, so under root it runs as the user `nobody`, which every Unix has, without any capability.
 *
 * `nobody` can pass neither through a checkout under /root nor through a data directory of mode 0700. So a directory of the cluster, which
 * belongs to it, is opened by root and left to it as a file descriptor: through /proc a process gets there without passing through what is
 * above. The programs are copied to where everybody can pass.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DeckhandError } from '../domain/errors.ts';

const UNPRIVILEGED_USER = 'nobody';
/** Where programs are copied to, below which everybody may read. */
const SHARED_DIRECTORY = '/var/cache/deckhand';
/** Opens the directory for the command. The number is one that neither shell nor guard uses. */
const OPEN_DIRECTORY = 'exec 9<"$0" && exec "$@"';
const OPENED_DIRECTORY = '/proc/self/fd/9';

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
 * @param directory what it works in; belongs to that user
 * @param argsIn its arguments, given the path under which it sees the directory
 * @throws DeckhandError `dependency_missing` under root without setpriv
 */
export function asPostgresUser(
  directory: string,
  command: string,
  argsIn: (seen: string) => readonly string[],
): { command: string; args: string[] } {
  if (!isRoot()) return { command, args: [...argsIn(directory)] };
  setprivFound ??= hasSetpriv();
  if (!setprivFound) {
    throw new DeckhandError('dependency_missing', 'setpriv not found, running as root', {
      userMessage: 'Postgres does not run as root, and "setpriv" to start it as another user is missing.',
      hint: 'Start Deckhand as an ordinary user, install util-linux, or set DATABASE_URL.',
    });
  }
  const { uid, gid } = unprivilegedIds();
  const drop = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--inh-caps=-all', '--no-new-privs'];
  return {
    command: '/bin/sh',
    args: ['-c', OPEN_DIRECTORY, directory, 'setpriv', ...drop, command, ...argsIn(OPENED_DIRECTORY)],
  };
}

/** Gives a file or directory to the user that Postgres runs as. */
export function ownedByPostgresUser(path: string): void {
  if (!isRoot()) return;
  const { uid, gid } = unprivilegedIds();
  chownSync(path, uid, gid);
}

/**
 * Where the user that Postgres runs as can run the programs of a directory: there, or in a copy, made once.
 *
 * @param name of the copy; another version needs another
 */
export function programsForPostgresUser(directory: string, name: string, shared = SHARED_DIRECTORY): string {
  if (!isRoot() || everybodyPasses(directory)) return directory;
  const copy = join(shared, name);
  if (existsSync(copy)) return copy;
  const unfinished = `${copy}.${process.pid}`;
  try {
    for (const parent of [shared, unfinished]) {
      mkdirSync(parent, { recursive: true });
      chmodSync(parent, 0o755);
    }
    cpSync(directory, unfinished, { recursive: true, verbatimSymlinks: true });
    for (const entry of readdirSync(unfinished, { recursive: true, withFileTypes: true })) {
      if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o755);
    }
    renameSync(unfinished, copy);
  } catch (error) {
    // Another start may have made the copy meanwhile.
    if (existsSync(copy)) return copy;
    throw new DeckhandError('dependency_missing', `${directory} cannot be copied to ${copy}: ${String(error)}`, {
      userMessage: `Postgres does not run as root, and its programs in ${directory} cannot be copied to where others reach them.`,
      hint: `Start Deckhand as an ordinary user, give root ${shared}, or set DATABASE_URL.`,
      cause: error,
    });
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return copy;
}

/** Whether everybody may pass into a directory. */
function everybodyPasses(directory: string): boolean {
  if ((statSync(directory).mode & 0o001) === 0) return false;
  const parent = dirname(directory);
  return parent === directory || everybodyPasses(parent);
}
