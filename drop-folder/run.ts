/** Starts a watcher in this process, for the command and for tests. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { DeckhandClient } from '../api/client.ts';
import { LEASE_FILE, makeWatcherId } from '../domain/drop-folder/names.ts';
import { requireMounted } from './check.ts';
import { makeRoots } from './deck-file.ts';
import type { Tell } from './events.ts';
import { DropFolder } from './folder.ts';
import { OwnLease } from './lease.ts';
import type { WatchSettings } from './settings.ts';
import { Watcher } from './watcher.ts';

export interface RunWatcherInput {
  readonly directory: string;
  readonly settings: WatchSettings;
  readonly requireMount?: boolean;
  /** Finds the API; called again after it was away. */
  readonly connect: () => DeckhandClient;
  readonly tell: Tell;
}

/**
 * Watches until the signal fires.
 *
 * @throws DeckhandError `not_found` for a directory or root that is not there, `dependency_missing` where nothing is mounted
 */
export async function runWatcher(input: RunWatcherInput, signal: AbortSignal): Promise<void> {
  const { directory, settings, connect, tell } = input;
  const watcherId = makeWatcherId(hostname(), process.pid, randomBytes(3).toString('hex'));
  const folder = await DropFolder.open(directory, watcherId);
  if (input.requireMount === true) await requireMounted(folder);
  const roots = await makeRoots(directory, folder.path, settings.roots);
  await folder.makeSubfolders();
  const dropId = await folder.ensureIdentity();
  const lease = new OwnLease(folder.own(LEASE_FILE), {
    watcher: watcherId,
    host: hostname(),
    pid: process.pid,
    started_at: new Date().toISOString(),
    lease_seconds: settings.leaseSeconds,
  });
  await new Watcher({ folder, lease, watcherId, dropId, roots, settings, connect, tell }, signal).run();
}
