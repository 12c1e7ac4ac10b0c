/**
 * Names in a drop folder: its sub-folders, and how the files of one job are called in each of them.
 *
 * A job goes by the name of its file without `.json`, such as `job_7_1752562725`. Everything else is made from that name alone, so that
 * two files of different jobs never have the same name: a job's name holds no `@`, which marks the files that are no job's own.
 */

/** Sub-folders, all on one file system, because a job moves between them by rename. */
export const FOLDERS = {
  /** Jobs that no watcher has claimed. */
  queue: 'queue',
  /** One folder per watcher, with its lease and the jobs it works on. */
  claimed: 'claimed',
  /** What clients read: one result or error file per job. */
  results: 'results',
  /** Jobs with a result, one folder per day (UTC), kept for a time. */
  archive: 'archive',
  /** Jobs with an error, each with a copy of its error document, kept until they are removed. */
  bad: 'bad',
} as const;
export type Folder = keyof typeof FOLDERS;

/** File that gives a drop folder its identity, so that equal job names in two folders are two jobs. */
export const IDENTITY_FILE = '.deckhand-drop.json';
/** File in a watcher's folder that shows that it lives. */
export const LEASE_FILE = '.lease.json';
/** Unfinished writes begin like this: no job, no result. */
const TEMPORARY_PREFIX = '.tmp-';

const STARTED_SUFFIX = '.started';

const JOB_FILE = /^(job_[^@/\\\p{Cc}]+)\.json$/u;
/** Room for the longest suffix within the 255 bytes that file systems give a name. */
const MAX_NAME_BYTES = 180;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Name of the job that a file in the queue holds; null for a file that is none, such as one that is still being copied. */
export function jobNameOf(fileName: string): string | null {
  const name = JOB_FILE.exec(fileName)?.[1];
  return name === undefined || bytesOf(name) > MAX_NAME_BYTES ? null : name;
}

/** True for a file that people may take for a job although it is none, so that a note is written about it. */
export const isUnusableJobFile = (fileName: string): boolean =>
  fileName.startsWith('job_') && fileName.endsWith('.json') && jobNameOf(fileName) === null;

export const jobFileName = (name: string): string => `${name}.json`;
/** Beside a claimed job: which analysis was started for it. */
export const startedFileName = (name: string): string => `${name}${STARTED_SUFFIX}`;
export const resultFileName = (name: string): string => `${name}_results.json`;
export const errorFileName = (name: string): string => `${name}_error.json`;
/**
 * Copy of an error document beside the bad job. Never the name of a job file: `job_1_error` may be a job of its own, and a user who moves all
 * `*.json` back into the queue means the jobs.
 */
export const badErrorFileName = (name: string): string => `${name}.error`;

/**
 * Name under which a job is refused whose name belongs to another job already; made from its content, so that the same refused job
 * always has the same one and the first job's files stay as they are.
 *
 * @param contentHash hexadecimal digits of a hash over the job file
 */
export const conflictName = (name: string, contentHash: string): string =>
  `${name}@conflict-${contentHash.slice(0, 8)}`;

/** Name under which a file is refused that looks like a job but whose own name cannot be used. */
export const refusedName = (fileNameHash: string): string => `job_@refused-${fileNameHash.slice(0, 8)}`;

/** Name of an unfinished write. */
export const temporaryName = (watcherId: string, sequence: number): string =>
  `${TEMPORARY_PREFIX}${watcherId}-${sequence}`;
export const isTemporaryName = (fileName: string): boolean => fileName.startsWith(TEMPORARY_PREFIX);
/** True for a file that a watcher leaves in its folder beside its jobs. */
export const isWatcherFile = (fileName: string): boolean =>
  fileName === LEASE_FILE || fileName.endsWith(STARTED_SUFFIX) || isTemporaryName(fileName);

/**
 * Id of a watcher: who it is to people, and different from every other that ever was, also on the same machine.
 *
 * @param random letters and digits that no other watcher has
 */
export function makeWatcherId(host: string, pid: number, random: string): string {
  const safeHost = host
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .slice(0, 40);
  return `${safeHost || 'host'}-${pid}-${random}`;
}

/** Folder of a day in the archive, such as `2026-11-21`. */
export const archiveDay = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

/**
 * Days of the archive whose time is over. A folder that is not named like a day is left alone.
 *
 * @param days names of the folders in the archive
 * @param nowMs time of the file server
 */
export function expiredArchiveDays(days: readonly string[], nowMs: number, retainDays: number): string[] {
  const dayMs = 24 * 60 * 60 * 1000;
  return days.filter((day) => {
    const startMs = /^\d{4}-\d\d-\d\d$/u.test(day) ? Date.parse(`${day}T00:00:00.000Z`) : Number.NaN;
    // The whole day has to be that old, not only its beginning.
    return !Number.isNaN(startMs) && startMs + dayMs + retainDays * dayMs <= nowMs;
  });
}
