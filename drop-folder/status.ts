/** `deckhand watch DIR --status`: what is in the drop folder, from the files alone, so that it also answers when nothing runs. */
import { counted } from '../domain/text/words.ts';
import { isLeaseOver } from '../domain/drop-folder/lease.ts';
import { claimOrder } from '../domain/drop-folder/order.ts';
import type { Patience } from '../domain/drop-folder/readiness.ts';
import { jobNameOf } from '../domain/drop-folder/names.ts';
import type { Roots } from './deck-file.ts';
import { withoutControls } from '../domain/text/plain-text.ts';
import { folderError, namesIn } from './files.ts';
import type { DropFolder, SeenWatcher } from './folder.ts';
import { JobMemory, readinessOf, readJob } from './job-files.ts';
import { Limit } from './limit.ts';
import { serverTimeMs } from './probe.ts';

interface QueuedJob {
  readonly job: string;
  readonly droppedAt: string;
  readonly priority: number;
  readonly state: 'ready' | 'waiting' | 'refused';
  readonly reason: string | null;
}

interface ClaimedJob {
  readonly job: string;
  readonly since: string;
  readonly analysisId: string | null;
  /** Whose analysis it is: a watcher with a key of this tenant finishes it. */
  readonly tenantId: string | null;
}

interface WatcherStatus {
  readonly watcher: string;
  readonly host: string | null;
  readonly pid: number | null;
  /** `released`: it ended in order; `expired`: it was not heard of for too long. Others take both over. `unreadable`: this user may not look. */
  readonly state: 'alive' | 'released' | 'expired' | 'unreadable';
  readonly lastSeen: string;
  readonly jobs: readonly ClaimedJob[];
}

interface BadJob {
  readonly job: string;
  readonly at: string | null;
  readonly code: string | null;
  readonly message: string | null;
}

/** The document. Times are the file server's. */
export interface DropStatus {
  readonly folder: string;
  readonly id: string | null;
  readonly at: string;
  /** In the order in which they would be taken. */
  readonly queue: readonly QueuedJob[];
  readonly watchers: readonly WatcherStatus[];
  readonly done: {
    readonly results: number;
    readonly archive: readonly { readonly day: string; readonly jobs: number }[];
  };
  readonly bad: readonly BadJob[];
}

/** Files looked at, at the same time: each holds one open. */
const LOOKS_AT_ONCE = 16;

/** Maps in order, some at a time, however many there are. */
async function mapSome<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const limit = new Limit(LOOKS_AT_ONCE);
  return Promise.all(items.map((item) => limit.run(() => work(item))));
}

const iso = (ms: number): string => new Date(ms).toISOString();
const jobsIn = async (path: string): Promise<string[]> =>
  (await namesIn(path)).map(jobNameOf).filter((name) => name !== null);

/** Reads the state of a folder. */
export async function dropStatus(folder: DropFolder, roots: Roots, patience: Patience): Promise<DropStatus> {
  const nowMs = await serverTimeMs(folder);
  const { names, unusable } = await folder.queued();
  const queued = await mapSome(names, (name) => queuedJob(folder, name, { roots, patience, nowMs }));
  const days = (await namesIn(folder.in('archive'))).toSorted();
  const bad = (await namesIn(folder.in('bad'))).filter((name) => name.endsWith('.json'));
  return {
    folder: folder.path,
    id: await folder.identity(),
    at: iso(nowMs),
    queue: [
      ...claimOrder(
        queued.filter((job) => job !== null),
        nowMs,
      ).map(({ name, droppedAtMs, priority, state, reason }) => ({
        job: name,
        droppedAt: iso(droppedAtMs),
        priority,
        state,
        reason,
      })),
      ...unusable.map((job) => ({
        job,
        droppedAt: iso(nowMs),
        priority: 3,
        state: 'refused' as const,
        reason: 'its name cannot be used',
      })),
    ],
    watchers: await Promise.all((await folder.others()).map((other) => watcherStatus(folder, other, nowMs))),
    done: {
      results: (await namesIn(folder.in('results'))).filter((name) => name.endsWith('_results.json')).length,
      archive: await Promise.all(
        days.map(async (day) => ({ day, jobs: (await jobsIn(folder.in('archive', day))).length })),
      ),
    },
    bad: await mapSome(bad.toSorted(), (file) => badJob(folder, file.slice(0, -'.json'.length))),
  };
}

type Surroundings = { readonly roots: Roots; readonly patience: Patience; readonly nowMs: number };

async function queuedJob(folder: DropFolder, name: string, { roots, patience, nowMs }: Surroundings) {
  const file = await folder.readQueued(name);
  if (file === null) return null;
  const memory = new JobMemory();
  const read = readJob(name, file, memory, { nowMs, claimed: false });
  const readiness = await readinessOf(read, roots, memory, patience, nowMs).catch((error: unknown) => ({
    kind: 'wait' as const,
    reason: folderError(error).userMessage,
  }));
  return {
    name,
    droppedAtMs: read.droppedAtMs,
    priority: read.job?.priority ?? 3,
    state: stateOf(readiness.kind),
    reason: readiness.kind === 'ready' ? null : readiness.reason,
  };
}

function stateOf(kind: 'ready' | 'wait' | 'refuse'): QueuedJob['state'] {
  if (kind === 'ready') return 'ready';
  return kind === 'wait' ? 'waiting' : 'refused';
}

async function watcherStatus(folder: DropFolder, seen: SeenWatcher, nowMs: number): Promise<WatcherStatus> {
  const { id, lease, writtenAtMs, denied } = seen;
  const names = denied ? [] : await folder.heldBy(id);
  const jobs = await mapSome(names, async (name) => {
    const file = await folder.readHeld(name, id);
    const started = await folder.readStarted(name, id);
    // The rename that claimed it is the last change of a claimed job.
    const since = iso(file?.ctimeMs ?? nowMs);
    return { job: name, since, analysisId: started?.analysis_id ?? null, tenantId: started?.tenant_id ?? null };
  });
  return {
    watcher: id,
    host: lease?.host ?? null,
    pid: lease?.pid ?? null,
    state: denied ? 'unreadable' : stateOfLease(lease, isLeaseOver(lease, writtenAtMs, nowMs)),
    lastSeen: iso(writtenAtMs),
    jobs,
  };
}

function stateOfLease(lease: SeenWatcher['lease'], over: boolean): WatcherStatus['state'] {
  if (lease?.released === true) return 'released';
  return over ? 'expired' : 'alive';
}

async function badJob(folder: DropFolder, name: string): Promise<BadJob> {
  const file = await folder.readError(name);
  return {
    job: name,
    at: file?.timestamp ?? null,
    code: file?.error.code ?? null,
    message: file?.error.message ?? null,
  };
}

/** Jobs of one kind that are named; the rest are counted. */
const SHOWN = 20;

function listed<T>(items: readonly T[], line: (item: T) => string): string[] {
  const rest = items.length - SHOWN;
  return [...items.slice(0, SHOWN).map((item) => `  ${line(item)}`), ...(rest > 0 ? [`  … and ${rest} more`] : [])];
}

/** The status for people. */
export function statusLines(status: DropStatus): string {
  const { queue, watchers, done, bad } = status;
  const archived = done.archive.reduce((sum, day) => sum + day.jobs, 0);
  const claimed = watchers.reduce((sum, watcher) => sum + watcher.jobs.length, 0);
  return [
    `Drop folder ${status.folder} at ${status.at}`,
    '',
    `Queue: ${queue.length}`,
    ...listed(
      queue,
      (job) => `${job.job}  priority ${job.priority}, dropped ${job.droppedAt}, ${job.reason ?? job.state}`,
    ),
    `Claimed: ${claimed}`,
    ...watchers.flatMap((watcher) => [
      `  ${watcher.watcher}  ${watcher.state}, last seen ${watcher.lastSeen}, ${counted(watcher.jobs.length, 'job')}`,
      ...listed(
        watcher.jobs,
        (job) =>
          `  ${job.job}  since ${job.since}${job.analysisId === null ? '' : `, analysis ${job.analysisId} of tenant ${job.tenantId}`}`,
      ),
    ]),
    `Done: ${counted(done.results, 'result')}, ${counted(archived, 'job')} in the archive`,
    `Bad: ${bad.length}`,
    ...listed(
      bad,
      (job) => `${job.job}  ${job.code ?? 'no error file'}${job.message === null ? '' : `: ${job.message}`}`,
    ),
  ]
    .map(withoutControls)
    .join('\n');
}
