/** `deckhand watch DIR --check`: whether a watcher could work here. Makes the sub-folders and the folder's identity, changes nothing else. */
import { readFile, stat, statfs } from 'node:fs/promises';
import { parse } from 'node:path';
import type { DeckhandClient } from '../api/client.ts';
import { DeckhandError, ERROR_KINDS } from '../domain/errors.ts';
import type { ErrorCode } from '../domain/errors.ts';
import { FOLDERS } from '../domain/drop-folder/names.ts';
import type { Folder } from '../domain/drop-folder/names.ts';
import { mountOf } from '../domain/drop-folder/paths.ts';
import { folderError, isGone } from './files.ts';
import { DropFolder } from './folder.ts';
import { probeRenames, probeWrite } from './probe.ts';

/** One finding. */
export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly hint: string | null;
  /** Kind of the error; null when it passed. */
  readonly code: ErrorCode | null;
}

export interface CheckInput {
  readonly directory: string;
  readonly requireMount: boolean;
  readonly connect: () => DeckhandClient;
  readonly apiUrl: () => string;
  readonly signal: AbortSignal;
}

const MOUNT_TABLE = '/proc/self/mountinfo';
/** Least free space. */
const LEAST_FREE_BYTES = 64 * 1024 * 1024;
/** Clocks that differ by less are called equal. */
const SMALL_SKEW_MS = 1000;

async function attempt(name: string, work: () => Promise<string>): Promise<CheckResult> {
  try {
    return { name, ok: true, detail: await work(), hint: null, code: null };
  } catch (thrown) {
    const error = folderError(thrown);
    return { name, ok: false, detail: error.userMessage, hint: error.hint ?? null, code: error.code };
  }
}

/** What the folder is on: from the system's table of mounts where there is one, else by comparing devices. */
async function mountDetail(path: string, required: boolean): Promise<string> {
  const table = await readFile(MOUNT_TABLE, 'utf8').catch((error: unknown) => {
    // Not every system has one.
    if (isGone(error)) return null;
    throw error;
  });
  const mount = table === null ? undefined : mountOf(table, path);
  const { root } = parse(path);
  const mounted = mount === undefined ? (await stat(path)).dev !== (await stat(root)).dev : mount.mountPoint !== root;
  const where = mount === undefined ? '' : `: ${mount.source} (${mount.fsType}) on ${mount.mountPoint}`;
  if (mounted) return `on a mounted file system${where}`;
  if (!required) return `on this machine's own file system${where}`;
  throw new DeckhandError('dependency_missing', `${path} is on the root file system`, {
    userMessage: `${path} is on this machine's own file system: nothing is mounted there${where}.`,
    hint: 'Mount the share (for example: mount -t nfs SERVER:/EXPORT DIR), or leave out --require-mount.',
  });
}

async function spaceDetail(path: string): Promise<string> {
  const { bavail, bsize } = await statfs(path);
  const free = bavail * bsize;
  const text = `${(free / 1024 ** 3).toFixed(1)} GiB free`;
  if (free >= LEAST_FREE_BYTES) return text;
  throw new DeckhandError('storage_full', text, { hint: 'Free some space before jobs come.' });
}

function clockDetail(serverMs: number, localMs: number): string {
  const skewMs = serverMs - localMs;
  if (Math.abs(skewMs) < SMALL_SKEW_MS) return 'the file server has the time of this machine';
  const seconds = Math.abs(skewMs / 1000).toFixed(1);
  return `the file server is ${seconds} s ${skewMs > 0 ? 'ahead' : 'behind'}; watchers use only its time`;
}

/** Refuses a folder that is not on a mount. @throws DeckhandError `dependency_missing` */
export async function requireMounted(folder: DropFolder): Promise<void> {
  await mountDetail(folder.path, true);
}

/** Every check, in the order in which they make sense; those that need a directory that is not there are left out. */
export async function checkDropFolder(input: CheckInput): Promise<CheckResult[]> {
  const { directory, requireMount, connect, apiUrl, signal } = input;
  const results: CheckResult[] = [];
  let folder: DropFolder | undefined;
  results.push(
    await attempt('directory', async () => {
      folder = await DropFolder.open(directory);
      return folder.path;
    }),
  );
  if (folder !== undefined) results.push(...(await checkOpened(folder, requireMount)));
  const api = await attempt('api', async () => {
    await connect().GET('/health', { signal });
    return `${apiUrl()} answers, with its database and Temporal`;
  });
  results.push(api);
  if (api.ok) {
    results.push(
      await attempt('key', async () => {
        await connect().analysesById(['none'], signal);
        const { tenantId } = await connect().GET('/session', { signal });
        return `the API accepts this key, of tenant ${tenantId}`;
      }),
    );
  }
  return results;
}

async function checkOpened(folder: DropFolder, requireMount: boolean): Promise<CheckResult[]> {
  const results = [await attempt('mount', () => mountDetail(folder.path, requireMount))];
  const made = await attempt('folders', async () => {
    await folder.makeSubfolders();
    return Object.values(FOLDERS).join(', ');
  });
  results.push(made);
  if (!made.ok) return results;
  let serverMs = 0;
  let localMs = 0;
  results.push(
    await attempt('writable', async () => {
      for (const each of Object.keys(FOLDERS) as Folder[]) {
        localMs = Date.now();
        serverMs = await probeWrite(folder.in(each));
      }
      return 'written, flushed and read back in every folder';
    }),
    await attempt('rename', async () => {
      await probeRenames(folder);
      return 'whole files replace others, in and between all folders';
    }),
  );
  if (serverMs > 0) results.push(await attempt('clock', async () => clockDetail(serverMs, localMs)));
  results.push(await attempt('space', () => spaceDetail(folder.path)));
  results.push(await attempt('identity', async () => `drop folder ${await folder.ensureIdentity()}`));
  return results;
}

/** Exit code of the checks: the gravest. */
export const checkExitCode = (results: readonly CheckResult[]): number =>
  Math.max(0, ...results.map(({ code }) => (code === null ? 0 : ERROR_KINDS[code].exitCode)));

/** The checks for people. */
export function checkLines(results: readonly CheckResult[]): string {
  const lines = results.flatMap(({ name, ok, detail, hint }) => [
    `${ok ? 'pass' : 'FAIL'}  ${name.padEnd(10)} ${detail}`,
    ...(hint === null ? [] : [`${' '.repeat(17)}→ ${hint}`]),
  ]);
  const failed = results.filter((result) => !result.ok).length;
  return [
    ...lines,
    '',
    failed === 0 ? 'A watcher can work here.' : `${failed} of ${results.length} checks failed.`,
  ].join('\n');
}
