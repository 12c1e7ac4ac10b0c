/**
 * A drop folder on disk: its sub-folders, its identity, and every move of a job between them. Many watchers use one at the same time, on
 * several machines; each move is one rename, so exactly one of them makes it.
 */
import { randomUUID } from 'node:crypto';
import { link, lstat, mkdir, rm, rmdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { DeckhandError } from '../domain/errors.ts';
import { MAX_JOB_BYTES } from '../domain/drop-folder/job.ts';
import { leaseSchema } from '../domain/drop-folder/lease.ts';
import type { Lease } from '../domain/drop-folder/lease.ts';
import {
  archiveDay,
  badErrorFileName,
  errorFileName,
  FOLDERS,
  IDENTITY_FILE,
  isUnusableJobFile,
  isWatcherFile,
  jobFileName,
  jobNameOf,
  LEASE_FILE,
  resultFileName,
  startedFileName,
  temporaryName,
} from '../domain/drop-folder/names.ts';
import type { Folder } from '../domain/drop-folder/names.ts';
import { earlierResultSchema, errorFileSchema, startedFileSchema } from '../domain/drop-folder/outcome.ts';
import type { EarlierResult, ErrorFile, ResultFile, StartedFile } from '../domain/drop-folder/outcome.ts';
import { tryJson } from '../domain/text/json.ts';
import { errnoOf } from '../platform/blobs/errors.ts';
import { isDenied, isGone, move, namesIn, readSmall, realPathOf, writeWhole } from './files.ts';
import type { SmallFile } from './files.ts';

/** Result files hold whole reports. */
const MAX_RESULT_BYTES = 256 * 1024 * 1024;
/** Errors of file systems that have no hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

const identitySchema = z.object({ id: z.uuid() });

/** Another watcher, as its folder shows it. */
export interface SeenWatcher {
  readonly id: string;
  /** Null where it wrote none. */
  readonly lease: Lease | null;
  /** When the lease was written, or the folder changed where there is none; by the file server. */
  readonly writtenAtMs: number;
  /** We may not look into its folder: what it holds cannot be taken over from here. */
  readonly denied: boolean;
}

/** Null also for a file of another program or version: it is treated as missing, and replaced where it matters. */
const checked = <T>(schema: z.ZodType<T>, file: SmallFile | null): T | null =>
  file === null ? null : (schema.safeParse(tryJson(file.bytes.toString('utf8'))).data ?? null);

/** One drop folder, as one watcher uses it. */
export class DropFolder {
  /** Absolute, links resolved. */
  readonly path: string;
  readonly #watcherId: string;
  #sequence = 0;

  private constructor(path: string, watcherId: string) {
    this.path = path;
    this.#watcherId = watcherId;
  }

  /**
   * Opens a folder. Makes nothing.
   *
   * @param watcherId needed to claim and to write
   * @throws DeckhandError `not_found` when there is no such directory
   */
  static async open(directory: string, watcherId = 'none'): Promise<DropFolder> {
    const path = await realPathOf(resolve(directory));
    if (path === null || !(await stat(path)).isDirectory()) {
      throw new DeckhandError('not_found', `${directory} is no directory`, {
        userMessage: `There is no directory ${directory}.`,
        hint: 'Make it, or mount the file system it is on, and start the watcher again.',
      });
    }
    return new DropFolder(path, watcherId);
  }

  /** Path of a sub-folder, or of something in it. */
  in(folder: Folder, ...names: readonly string[]): string {
    return join(this.path, FOLDERS[folder], ...names);
  }

  /** Path in this watcher's own folder. */
  own(...names: readonly string[]): string {
    return this.in('claimed', this.#watcherId, ...names);
  }

  /** Makes the sub-folders that are missing. @throws DeckhandError `usage` for one that is a link: it would lead our files elsewhere */
  async makeSubfolders(): Promise<void> {
    for (const folder of Object.keys(FOLDERS) as Folder[]) {
      const path = this.in(folder);
      await mkdir(path, { recursive: true });
      if ((await lstat(path)).isDirectory()) continue;
      throw new DeckhandError('usage', `${path} is a link`, {
        hint: 'The sub-folders of a drop folder have to be real folders: remove the link.',
      });
    }
  }

  /** The identity of the folder; null where it has none, as in the empty mount point of a file system that went away. */
  async identity(): Promise<string | null> {
    return checked(identitySchema, await readSmall(join(this.path, IDENTITY_FILE), MAX_JOB_BYTES))?.id ?? null;
  }

  /**
   * The identity, made where there is none; of several watchers that make one at the same time, one wins.
   *
   * @throws DeckhandError `usage` when the file is there and holds none: making another one would make every job a new one
   */
  async ensureIdentity(): Promise<string> {
    for (;;) {
      const present = await this.identity();
      if (present !== null) return present;
      const path = join(this.path, IDENTITY_FILE);
      const found = await readSmall(path, MAX_JOB_BYTES);
      if (found !== null && checked(identitySchema, found) === null) {
        throw new DeckhandError('usage', `${path} holds no identity (${found.kind}, ${found.sizeBytes} bytes)`, {
          userMessage: `${path} cannot be read, or does not hold the identity of this drop folder.`,
          hint: 'Make it readable, or bring it back from a copy. Without one remove it: a new one is made, and jobs that are dropped again are then new jobs.',
        });
      }
      await this.#makeIdentity();
    }
  }

  async #makeIdentity(): Promise<void> {
    const draft = this.#temporary();
    const path = join(this.path, draft);
    await writeWhole(this.path, draft, `${JSON.stringify({ id: randomUUID() })}\n`, `${draft}-draft`);
    try {
      await link(path, join(this.path, IDENTITY_FILE));
    } catch (error) {
      const errno = errnoOf(error) ?? '';
      // Without hard links the last one wins; the next look sees whose that is.
      if (NO_LINKS.has(errno)) await move(path, join(this.path, IDENTITY_FILE));
      else if (errno !== 'EEXIST') throw error;
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Names of the jobs in the queue, and file names there that look like jobs and cannot be used. */
  async queued(): Promise<{ names: string[]; unusable: string[] }> {
    const files = await namesIn(this.in('queue'));
    return {
      names: files.map(jobNameOf).filter((name) => name !== null),
      unusable: files.filter(isUnusableJobFile),
    };
  }

  /** Names of the jobs that a watcher holds. */
  async heldBy(watcherId: string): Promise<string[]> {
    const files = await namesIn(this.in('claimed', watcherId));
    return files.map(jobNameOf).filter((name) => name !== null);
  }

  /** Names of the jobs that this watcher holds. */
  held(): Promise<string[]> {
    return this.heldBy(this.#watcherId);
  }

  /** The watchers that have a folder, without this one. */
  async others(): Promise<SeenWatcher[]> {
    const ids = await namesIn(this.in('claimed'));
    const seen = await Promise.all(ids.filter((id) => id !== this.#watcherId).map((id) => this.#watcher(id)));
    return seen.filter((watcher) => watcher !== null);
  }

  async #watcher(id: string): Promise<SeenWatcher | null> {
    // A link would have jobs taken, and files removed, wherever it leads.
    const folder = await lstat(this.in('claimed', id)).catch(goneMeanwhile);
    if (folder?.isDirectory() !== true) return null;
    const none = { id, lease: null, writtenAtMs: folder.mtimeMs };
    try {
      const file = await readSmall(this.in('claimed', id, LEASE_FILE), MAX_JOB_BYTES);
      if (file === null) return { ...none, denied: false };
      return { id, lease: checked(leaseSchema, file), writtenAtMs: file.mtimeMs, denied: false };
    } catch (error) {
      // A watcher of another user, with a strict umask, must not hide the others.
      if (!isDenied(error)) throw error;
      return { ...none, denied: true };
    }
  }

  /** Takes a job out of the queue. @returns false when another watcher was faster */
  async claim(name: string): Promise<boolean> {
    return this.#take(this.in('queue', jobFileName(name)), name);
  }

  /** Takes a job over from a watcher whose lease is over, with its started file. */
  async takeOver(name: string, from: string): Promise<boolean> {
    if (!(await this.#take(this.in('claimed', from, jobFileName(name)), name))) return false;
    await move(this.in('claimed', from, startedFileName(name)), this.own(startedFileName(name)));
    return true;
  }

  async #take(from: string, name: string): Promise<boolean> {
    const to = this.own(jobFileName(name));
    // A second job of that name waits until the first one is done: a rename would replace it.
    if ((await readSmall(to, 0)) !== null) return false;
    // What a job of this name left behind that was taken over from here while a step of it was under way.
    await rm(this.own(startedFileName(name)), { force: true });
    // No other process writes here: a job that is here after a rename failed with "gone" was moved by that rename, whose answer was lost.
    return (await move(from, to)) || (await readSmall(to, 0)) !== null;
  }

  /** The job file of a job that a watcher, by default this one, holds; null when another one took it over. */
  readHeld(name: string, watcherId: string = this.#watcherId): Promise<SmallFile | null> {
    return readSmall(this.in('claimed', watcherId, jobFileName(name)), MAX_JOB_BYTES + 1);
  }

  /** The file of a job in the queue. */
  readQueued(name: string): Promise<SmallFile | null> {
    return readSmall(this.in('queue', jobFileName(name)), MAX_JOB_BYTES + 1);
  }

  /** Which analysis was started for a held job. */
  async readStarted(name: string, watcherId: string = this.#watcherId): Promise<StartedFile | null> {
    return checked(
      startedFileSchema,
      await readSmall(this.in('claimed', watcherId, startedFileName(name)), MAX_JOB_BYTES),
    );
  }

  async writeStarted(name: string, started: StartedFile): Promise<void> {
    await this.#write(this.own(), startedFileName(name), started);
  }

  async readResult(name: string): Promise<EarlierResult | null> {
    return checked(earlierResultSchema, await readSmall(this.in('results', resultFileName(name)), MAX_RESULT_BYTES));
  }

  /** The error that a job had earlier; the copy in `bad` where the client took the other one away. */
  async readError(name: string): Promise<ErrorFile | null> {
    const read = async (path: string): Promise<ErrorFile | null> =>
      checked(errorFileSchema, await readSmall(path, 2 * MAX_JOB_BYTES));
    return (
      (await read(this.in('results', errorFileName(name)))) ?? (await read(this.in('bad', badErrorFileName(name))))
    );
  }

  async hasResult(name: string): Promise<boolean> {
    return (await readSmall(this.in('results', resultFileName(name)), 0)) !== null;
  }

  /** Publishes a result. An error that the job had earlier goes before, so that no reader finds both. */
  async publishResult(name: string, result: ResultFile): Promise<void> {
    await this.dropError(name);
    await this.#write(this.in('results'), resultFileName(name), result);
    // A watcher that had lost the job may have written one in between.
    await this.dropError(name);
  }

  /** Removes the error files of a job that has a result. */
  async dropError(name: string): Promise<void> {
    await rm(this.in('results', errorFileName(name)), { force: true });
    await rm(this.in('bad', badErrorFileName(name)), { force: true });
  }

  /**
   * Publishes an error, in `results` for the client and in `bad` beside the job, unless a result of this name came first.
   *
   * @returns false when there is a result: then no error of this name exists
   */
  async publishError(name: string, error: ErrorFile): Promise<boolean> {
    if (await this.hasResult(name)) return false;
    await this.#write(this.in('results'), errorFileName(name), error);
    if (await this.hasResult(name)) {
      await this.dropError(name);
      return false;
    }
    await this.#write(this.in('bad'), badErrorFileName(name), error);
    return true;
  }

  /** Puts a held job that has its result away. */
  async archiveHeld(name: string, nowMs: number): Promise<void> {
    const day = this.in('archive', archiveDay(nowMs));
    await mkdir(day, { recursive: true });
    await move(this.own(jobFileName(name)), join(day, jobFileName(name)));
    // An earlier drop of the same job that was refused is no bad job any more.
    await move(this.in('bad', jobFileName(name)), join(day, jobFileName(`${name}@refused`)));
    await rm(this.own(startedFileName(name)), { force: true });
  }

  /** Puts a held job that has an error away, under the name that its error has. */
  async setAsideHeld(name: string, as: string): Promise<void> {
    await move(this.own(jobFileName(name)), this.in('bad', jobFileName(as)));
    await rm(this.own(startedFileName(name)), { force: true });
  }

  /** Puts a file of the queue away whose name no job can have. @returns false when another watcher was faster */
  setAsideUnusable(fileName: string, as: string): Promise<boolean> {
    return move(this.in('queue', fileName), this.in('bad', jobFileName(as)));
  }

  /** Removes the folder of a watcher that is gone, unless it still holds a job or something that no watcher wrote. */
  async removeWatcher(watcherId: string): Promise<void> {
    const path = this.in('claimed', watcherId);
    if ((await lstat(path).catch(goneMeanwhile))?.isDirectory() !== true) return;
    const names = await namesIn(path);
    if (!names.every(isWatcherFile)) return;
    for (const name of names) await rm(join(path, name), { force: true });
    // A job that came in between keeps the folder.
    await rmdir(path).catch((error: unknown) => {
      if (!isGone(error) && errnoOf(error) !== 'ENOTEMPTY' && errnoOf(error) !== 'EEXIST') throw error;
    });
  }

  #temporary(): string {
    this.#sequence += 1;
    return temporaryName(this.#watcherId, this.#sequence);
  }

  async #write(directory: string, name: string, document: unknown): Promise<void> {
    await writeWhole(directory, name, `${JSON.stringify(document, null, 1)}\n`, this.#temporary());
  }
}

function goneMeanwhile(error: unknown): null {
  if (isGone(error)) return null;
  throw error;
}
