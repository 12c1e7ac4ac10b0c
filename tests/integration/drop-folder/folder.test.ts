/**
 * A drop folder on a real file system: claims by several watchers, leases by its own clock, whole files, a full disk, housekeeping, PDFs that
 * are none of ours.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  FileMemory,
  lookAtFile,
  makeRoots,
  removeOldSnapshots,
  snapshot,
  type Roots,
  type Snapshot,
} from '../../../drop-folder/deck-file.ts';
import { writeWhole } from '../../../drop-folder/files.ts';
import { DropFolder } from '../../../drop-folder/folder.ts';
import { OwnLease } from '../../../drop-folder/lease.ts';
import { tidy } from '../../../drop-folder/tidy.ts';
import { isLeaseOver } from '../../../domain/drop-folder/lease.ts';
import { IDENTITY_FILE, LEASE_FILE } from '../../../domain/drop-folder/names.ts';
import type { ErrorFile, ResultFile } from '../../../domain/drop-folder/outcome.ts';
import { Drop } from '../../../testing/watchers.ts';
import { folderPerTest } from '../../../testing/per-file.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const HOUSEKEEPING = path.resolve(import.meta.dirname, 'programs/housekeeping.ts');
const PUBLISH = path.resolve(import.meta.dirname, 'programs/publish.ts');

let scratch: string;
let drop: Drop;
beforeEach(() => {
  scratch = folderPerTest();
  drop = new Drop(path.join(scratch, 'drop'));
});

async function watcher(id: string): Promise<DropFolder> {
  const folder = await DropFolder.open(drop.dir, id);
  mkdirSync(folder.own(), { recursive: true });
  return folder;
}

/** A copy of a PDF that is there and at rest. */
async function copyOf(roots: Roots, file: string, maxBytes = 1e6): Promise<Snapshot> {
  const taken = await snapshot(roots, file, maxBytes);
  if (typeof taken === 'string') throw new Error(`${file} is ${taken}`);
  return taken;
}

function errorOf(jobId: string): ErrorFile {
  const at = new Date().toISOString();
  return {
    job_id: jobId,
    error: { code: 'not_found', message: 'x', hint: null },
    timestamp: at,
    dropped_at: at,
    analysis_id: null,
    attempt: 1,
    job: {},
  };
}

const leaseOf = (folder: DropFolder, id: string, leaseSeconds: number): OwnLease =>
  new OwnLease(folder.own(LEASE_FILE), {
    watcher: id,
    host: 'h',
    pid: 1,
    started_at: '2026-01-01T00:00:00.000Z',
    lease_seconds: leaseSeconds,
  });

describe('claims', () => {
  it('of many watchers that reach for the same jobs, each job is one’s', async () => {
    const names = Array.from({ length: 100 }, (_, i) => `job_${i}`);
    for (const name of names) drop.job(name, { file_path: 'a.pdf' });
    const watchers = await Promise.all(Array.from({ length: 6 }, (_, i) => watcher(`w${i}`)));
    const claimed = await Promise.all(
      watchers.map(async (folder) => {
        const mine: string[] = [];
        for (const name of names) if (await folder.claim(name)) mine.push(name);
        expect((await folder.held()).toSorted()).toEqual(mine.toSorted());
        return mine;
      }),
    );
    expect(claimed.flat().toSorted()).toEqual(names.toSorted());
    expect(drop.names('queue')).toEqual([]);
  });

  it('a second job of a name waits in the queue while the first is held', async () => {
    const folder = await watcher('w');
    drop.job('job_1', { file_path: 'first.pdf' });
    expect(await folder.claim('job_1')).toBe(true);
    drop.job('job_1', { file_path: 'second.pdf' });
    expect(await folder.claim('job_1')).toBe(false);
    expect(readFileSync(folder.own('job_1.json'), 'utf8')).toContain('first.pdf');
    expect(drop.names('queue')).toEqual(['job_1.json']);
  });

  it('claims are taken over with what was known, once the lease is over by the clock of the file system, and not before', async () => {
    const [first, second, third] = await Promise.all([watcher('first'), watcher('second'), watcher('third')]);
    const lease = leaseOf(first, 'first', 30);
    await lease.start();
    drop.job('job_1', { file_path: 'a.pdf' });
    await first.claim('job_1');
    const started = {
      analysis_id: 'an-1',
      tenant_id: 'default',
      deck_sha256: 'aa',
      attempt: 1,
      started_at: '2026-01-01T00:00:00.000Z',
    };
    await first.writeStarted('job_1', started);

    const seen = async (): Promise<boolean> => {
      const other = (await second.others()).find(({ id }) => id === 'first');
      return other !== undefined && isLeaseOver(other.lease, other.writtenAtMs, lease.now());
    };
    expect(await seen()).toBe(false);
    // Its machine was cut off half a minute ago.
    const silent = new Date(lease.now() - 31_000);
    utimesSync(first.own(LEASE_FILE), silent, silent);
    expect(await seen()).toBe(true);

    const claimed = await Promise.all([second.takeOver('job_1', 'first'), third.takeOver('job_1', 'first')]);
    expect(claimed.filter(Boolean)).toHaveLength(1);
    const owner = claimed[0] ? second : third;
    expect(await owner.readStarted('job_1')).toEqual(started);
    expect(await first.held()).toEqual([]);
    expect(await first.readHeld('job_1')).toBeNull();
    await lease.release();
    expect(await seen()).toBe(true);
  });

  it('a new job knows nothing of an earlier one of its name', async () => {
    const folder = await watcher('w');
    const started = {
      analysis_id: 'an-1',
      tenant_id: 'default',
      deck_sha256: 'aa',
      attempt: 1,
      started_at: '2026-01-01T00:00:00.000Z',
    };
    await folder.writeStarted('job_1', started);
    drop.job('job_1', { file_path: 'other.pdf' });
    expect(await folder.claim('job_1')).toBe(true);
    expect(await folder.readStarted('job_1')).toBeNull();
  });

  it('a lease that others tidied away comes back with the next write', async () => {
    const folder = await watcher('w');
    const lease = leaseOf(folder, 'w', 1);
    await lease.start();
    await (await watcher('other')).removeWatcher('w');
    expect(existsSync(folder.own())).toBe(false);
    await lease.renew();
    expect(existsSync(folder.own(LEASE_FILE))).toBe(true);
    await lease.release();
  });
});

it('of many watchers that open a new folder, all see one identity', async () => {
  const folders = await Promise.all(Array.from({ length: 8 }, (_, i) => watcher(`w${i}`)));
  const identities = await Promise.all(folders.map((folder) => folder.ensureIdentity()));
  expect(new Set(identities).size).toBe(1);
  expect(await folders[0]?.identity()).toBe(identities[0]);
  expect(readdirSync(drop.dir).filter((name) => name.startsWith('.tmp'))).toEqual([]);
});

it('an identity file that holds none is named, and not made anew', async () => {
  const folder = await watcher('w');
  writeFileSync(drop.at(IDENTITY_FILE), '{"id": ');
  await expect(folder.ensureIdentity()).rejects.toMatchObject({ code: 'usage' });
  expect(readFileSync(drop.at(IDENTITY_FILE), 'utf8')).toBe('{"id": ');
});

describe('files', () => {
  it('a reader that looks all the time finds whole files only', async () => {
    const directory = drop.at('results');
    const target = path.join(directory, 'job_1_results.json');
    const documents = [1, 2].map((n) => JSON.stringify({ n, text: String(n).repeat(200_000) }));
    let writing = true;
    const reading = (async () => {
      let reads = 0;
      while (writing) {
        if (existsSync(target)) {
          expect(documents).toContain(readFileSync(target, 'utf8'));
          reads += 1;
        }
        await turn();
      }
      return reads;
    })();
    try {
      for (let i = 0; i < 60; i += 1) {
        await writeWhole(directory, 'job_1_results.json', documents[i % 2] ?? '', `.tmp-w-${i}`);
      }
    } finally {
      writing = false;
    }
    expect(await reading).toBeGreaterThan(0);
    expect(drop.names('results')).toEqual(['job_1_results.json']);
  });

  it('links that lie where files are written are not followed', async () => {
    const victim = path.join(scratch, 'victim');
    writeFileSync(victim, 'mine');
    symlinkSync(victim, drop.at('results', '.tmp-w-1'));
    await expect(writeWhole(drop.at('results'), 'job_1_results.json', 'x', '.tmp-w-1')).rejects.toMatchObject({
      code: 'EEXIST',
    });
    const folder = await watcher('w');
    symlinkSync(victim, folder.own(LEASE_FILE));
    await expect(leaseOf(folder, 'w', 1).renew()).rejects.toMatchObject({ code: 'ELOOP' });
    rmSync(drop.at('archive'), { recursive: true });
    symlinkSync(scratch, drop.at('archive'));
    await expect(folder.makeSubfolders()).rejects.toMatchObject({ code: 'usage' });
    expect(readFileSync(victim, 'utf8')).toBe('mine');
  });

  it('a link among the watchers counts as none, and its target stays', async () => {
    const elsewhere = path.join(scratch, 'elsewhere');
    mkdirSync(path.join(elsewhere, 'folder'), { recursive: true });
    writeFileSync(path.join(elsewhere, 'job_1.json'), '{}');
    writeFileSync(path.join(elsewhere, 'job_1.started'), 'mine');
    symlinkSync(elsewhere, drop.at('claimed', 'link'));
    const folder = await watcher('w');
    expect(await folder.others()).toEqual([]);
    await folder.removeWatcher('link');
    expect(readdirSync(elsewhere).toSorted()).toEqual(['folder', 'job_1.json', 'job_1.started']);
    // In a real folder, too, only what watchers write is removed.
    const other = await watcher('other');
    writeFileSync(other.own('notes.txt'), 'mine');
    await folder.removeWatcher('other');
    expect(existsSync(other.own('notes.txt'))).toBe(true);
  });

  it('an error never stands beside a result, in whichever order they are written', async () => {
    const folder = await watcher('w');
    const error = errorOf('job_1');
    expect(await folder.publishError('job_1', error)).toBe(true);
    expect(await folder.readError('job_1')).toEqual(error);
    writeFileSync(drop.at('results', 'job_1_results.json'), '{}');
    await folder.dropError('job_1');
    expect(await folder.publishError('job_1', error)).toBe(false);
    expect(drop.names('results')).toEqual(['job_1_results.json']);
    expect(drop.names('bad')).toEqual([]);
  });

  it('the error of an earlier try is gone when the result comes, not after it', async () => {
    const folder = await watcher('w');
    await folder.publishError('job_1', errorOf('job_1'));
    // Something in the way of the result shows what stands there just before it.
    mkdirSync(drop.at('results', 'job_1_results.json', 'in-the-way'), { recursive: true });
    await expect(folder.publishResult('job_1', {} as ResultFile)).rejects.toThrow();
    expect(drop.names('results')).toEqual(['job_1_results.json']);
    expect(drop.names('bad')).toEqual([]);
  });

  it('a bad job that is called like the error of another one stays', async () => {
    const folder = await watcher('w');
    drop.job('job_1_error', { file_path: '../a.pdf' });
    await folder.claim('job_1_error');
    await folder.setAsideHeld('job_1_error', 'job_1_error');
    const text = readFileSync(drop.at('bad', 'job_1_error.json'), 'utf8');
    await folder.publishError('job_1', errorOf('job_1'));
    expect(drop.names('bad').toSorted()).toEqual(['job_1.error', 'job_1_error.json']);
    await folder.dropError('job_1');
    expect(drop.names('bad')).toEqual(['job_1_error.json']);
    expect(readFileSync(drop.at('bad', 'job_1_error.json'), 'utf8')).toBe(text);
  });

  const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;
  it.runIf(canMount)('a full disk is an error to be tried again, and leaves no half file', () => {
    const run = (size: number): unknown =>
      JSON.parse(
        execFileSync(
          'unshare',
          [
            '-rm',
            'sh',
            '-c',
            'mount -t tmpfs -o size=64k none "$1/results" && exec "$2" "$3" "$1" job_1 "$4"',
            'sh',
            drop.dir,
            process.execPath,
            PUBLISH,
            String(size),
          ],
          { encoding: 'utf8' },
        ),
      );
    expect(run(200_000)).toEqual({ code: 'storage_full', results: [] });
    expect(run(1000)).toEqual({ published: true, results: ['job_1_error.json'] });
  });
});

it('housekeeping removes what is old, and nothing else', async () => {
  const folder = await watcher('w');
  const nowMs = Date.parse('2026-11-21T12:00:00Z');
  for (const day of ['2026-10-01', '2026-10-22', '2026-11-20', 'mine']) {
    mkdirSync(drop.at('archive', day));
    writeFileSync(drop.at('archive', day, 'job_1.json'), '{}');
  }
  for (const [name, atMs] of [
    ['.tmp-old-1', nowMs - DAY_MS],
    ['.tmp-new-1', nowMs - 1000],
  ] as const) {
    writeFileSync(drop.at('results', name), '');
    utimesSync(drop.at('results', name), atMs / 1000, atMs / 1000);
  }
  await watcher('gone');
  const busy = await watcher('gone-with-a-job');
  drop.job('job_2', { file_path: 'a.pdf' });
  await busy.claim('job_2');

  await tidy(folder, { nowMs, retainDays: 30, gone: ['gone', 'gone-with-a-job', 'never-there'] });
  expect(drop.names('archive').toSorted()).toEqual(['2026-10-22', '2026-11-20', 'mine']);
  expect(existsSync(drop.at('results', '.tmp-old-1'))).toBe(false);
  expect(existsSync(drop.at('results', '.tmp-new-1'))).toBe(true);
  expect(drop.names('claimed').toSorted()).toEqual(['gone-with-a-job', 'w']);
  expect(await busy.held()).toEqual(['job_2']);
});

it('files of another user are named, and do not hinder the rest', async () => {
  const [closed, kept] = [await watcher('closed'), await watcher('kept')];
  await watcher('gone');
  for (const each of [closed, kept]) writeFileSync(each.own(LEASE_FILE), '{}');
  for (const each of [scratch, drop.dir, drop.at('claimed')]) chmodSync(each, 0o777);
  chmodSync(closed.own(), 0o000);
  chmodSync(kept.own(), 0o555);
  try {
    const out = execFileSync(process.execPath, [HOUSEKEEPING, drop.dir, 'kept', 'gone'], { encoding: 'utf8' });
    expect(JSON.parse(out)).toEqual({ closed: ['closed'], denied: [expect.stringContaining('kept')] });
    expect(drop.names('claimed').toSorted()).toEqual(['closed', 'kept']);
  } finally {
    for (const each of [closed, kept]) chmodSync(each.own(), 0o755);
  }
});

describe('PDFs', () => {
  const PDF = '%PDF-1.7\n1 0 obj\nendobj\ntrailer\n%%EOF\n';
  const look = async (roots: Roots, file: string, memory = new FileMemory(), laterMs = 0) =>
    lookAtFile(roots, file, memory, Date.now() + laterMs);
  const rootsOf = (...further: string[]): Promise<Roots> => makeRoots(drop.dir, drop.dir, further);

  it('PDFs are read inside the folder and further roots, and nowhere else, links or not', async () => {
    const outside = path.join(scratch, 'secret.pdf');
    writeFileSync(outside, PDF);
    drop.deck('a.pdf', Buffer.from(PDF));
    symlinkSync(outside, drop.at('decks', 'link.pdf'));
    symlinkSync(scratch, drop.at('decks', 'folder-link'));
    symlinkSync('a.pdf', drop.at('decks', 'inner-link.pdf'));
    execFileSync('mkfifo', [drop.at('decks', 'pipe.pdf')]);
    const roots = await rootsOf();
    for (const file of ['decks/a.pdf', drop.at('decks/a.pdf'), 'decks/../decks/a.pdf', 'decks/inner-link.pdf']) {
      expect((await look(roots, file)).kind, file).toBe('there');
    }
    for (const file of [
      'decks/link.pdf',
      'decks/folder-link/secret.pdf',
      outside,
      '../secret.pdf',
      'decks',
      'decks/pipe.pdf',
    ]) {
      expect((await look(roots, file)).kind, file).toBe('refused');
      await expect(snapshot(roots, file, 1e6)).rejects.toMatchObject({ code: 'job_invalid' });
    }
    expect((await look(await rootsOf(scratch), outside)).kind).toBe('there');
    expect((await look(roots, 'decks/none.pdf')).kind).toBe('missing');
    // What no file system can hold never comes: it is not waited for.
    expect((await look(roots, `decks/${'x'.repeat(300)}.pdf`)).kind).toBe('refused');
    expect((await look(roots, 'decks/a.pdf/none.pdf')).kind).toBe('missing');
  });

  it('PDFs that are being copied have no end, or change', async () => {
    const roots = await rootsOf();
    const memory = new FileMemory();
    expect(await look(roots, 'decks/a.pdf', memory)).toEqual({ kind: 'missing', missingMs: 0 });
    drop.deck('a.pdf', Buffer.from(PDF.slice(0, 20)));
    expect(await look(roots, 'decks/a.pdf', memory, 5000)).toMatchObject({ start: 'pdf', hasEnd: false });
    drop.deck('a.pdf', Buffer.from(PDF));
    expect(await look(roots, 'decks/a.pdf', memory, 10_000)).toMatchObject({ start: 'pdf', hasEnd: true });
    const rested = await look(roots, 'decks/a.pdf', memory, 60_000);
    expect(rested.kind === 'there' ? rested.unchangedMs : 0).toBeGreaterThan(40_000);
    drop.deck('b.pdf', Buffer.alloc(4096));
    expect(await look(roots, 'decks/b.pdf')).toMatchObject({ start: 'blank', sizeBytes: 4096 });
    drop.deck('c.pdf', Buffer.from('just text'));
    expect(await look(roots, 'decks/c.pdf')).toMatchObject({ start: 'other' });
  });

  it('PDFs are copied and hashed whole, and refused above the limit', async () => {
    const roots = await rootsOf();
    drop.deck('a.pdf', Buffer.from(PDF));
    const taken = await copyOf(roots, 'decks/a.pdf');
    expect(path.basename(taken.path)).toBe('a.pdf');
    // What happens to the original afterwards is of no matter.
    drop.deck('b.pdf', Buffer.from('other'));
    renameSync(drop.at('decks', 'b.pdf'), drop.at('decks', 'a.pdf'));
    expect(readFileSync(taken.path, 'utf8')).toBe(PDF);
    await taken.remove();
    expect(existsSync(taken.path)).toBe(false);
    expect(await snapshot(roots, 'decks/none.pdf', 1e6)).toBe('missing');
    await expect(snapshot(roots, 'decks/a.pdf', 3)).rejects.toMatchObject({ code: 'pdf_too_large' });
  });

  it('PDFs whose copies a killed watcher left are removed after some hours, and no others', async () => {
    const roots = await rootsOf();
    drop.deck('a.pdf', Buffer.from(PDF));
    const [left, fresh] = [await copyOf(roots, 'decks/a.pdf'), await copyOf(roots, 'decks/a.pdf')];
    const old = new Date(Date.now() - DAY_MS);
    utimesSync(path.dirname(left.path), old, old);
    await removeOldSnapshots(Date.now());
    expect(existsSync(left.path)).toBe(false);
    expect(existsSync(fresh.path)).toBe(true);
    await fresh.remove();
  });
});
