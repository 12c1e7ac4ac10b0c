/**
 * The pure rules of the drop folder: names, job files, paths, leases, readiness, order, outcomes.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ERROR_KINDS, type ErrorCode } from '../../../domain/errors.ts';
import { parseJob, PRIORITY_WORDS, type DropJob } from '../../../domain/drop-folder/job.ts';
import { isLeaseOver, leaseRenewalMs } from '../../../domain/drop-folder/lease.ts';
import { mountOf } from '../../../domain/drop-folder/mount-info.ts';
import {
  archiveDay,
  conflictName,
  errorFileName,
  expiredArchiveDays,
  isTemporaryName,
  isUnusableJobFile,
  jobFileName,
  jobNameOf,
  makeWatcherId,
  refusedName,
  resultFileName,
  startedFileName,
  temporaryName,
} from '../../../domain/drop-folder/names.ts';
import { claimOrder } from '../../../domain/drop-folder/order.ts';
import {
  attemptOf,
  blameOf,
  endOf,
  idempotencyKeyOf,
  isSameJob,
  type EarlierResult,
  type ErrorFile,
} from '../../../domain/drop-folder/outcome.ts';
import { isInside, locateFile } from '../../../domain/drop-folder/paths.ts';
import { fileReadiness, jobReadiness, nextLookMs, unchangedForMs } from '../../../domain/drop-folder/readiness.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const hex = fc.string({ unit: fc.constantFrom(...Array.from('0123456789abcdef')), minLength: 8, maxLength: 64 });
const jobName = fc
  .string({ unit: fc.constantFrom(...Array.from('abcXYZ019._-~ é')), minLength: 1, maxLength: 60 })
  .map((rest) => `job_${rest}`);

describe('names', () => {
  it('a job’s name comes back from its file, and no two jobs share a file', () => {
    fc.assert(
      fc.property(jobName, jobName, hex, (a, b, hash) => {
        expect(jobNameOf(jobFileName(a))).toBe(a);
        const files = (name: string): string[] => [
          resultFileName(name),
          errorFileName(name),
          errorFileName(conflictName(name, hash)),
        ];
        const all = [...files(a), ...files(b), errorFileName(refusedName(hash))];
        expect(new Set(all).size).toBe(a === b ? 4 : 7);
      }),
    );
  });

  it('what is no job of ours is left alone, and what only looks like one is told of', () => {
    for (const file of [
      'job_1.json.part',
      '.job_1.json',
      'job_.json',
      'notes.json',
      '.tmp-w-1',
      'job_1.started',
      'JOB_1.json',
    ]) {
      expect(jobNameOf(file), file).toBeNull();
    }
    expect(isUnusableJobFile('job_1.json')).toBe(false);
    expect(isUnusableJobFile('job_1.json.part')).toBe(false);
    for (const file of ['job_a@b.json', `job_${'x'.repeat(200)}.json`, 'job_a\nb.json', 'job_.json']) {
      expect(isUnusableJobFile(file), file).toBe(true);
    }
  });

  it('every file of a job fits into what file systems allow', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'é', '漢', '🚀'), minLength: 1, maxLength: 90 }),
        hex,
        (text, hash) => {
          const name = jobNameOf(`job_${text}.json`);
          fc.pre(name !== null);
          for (const file of [resultFileName(conflictName(name, hash)), startedFileName(name), jobFileName(name)]) {
            expect(Buffer.byteLength(file)).toBeLessThanOrEqual(255);
          }
        },
      ),
    );
  });

  it('watchers’ ids are folder names, and unfinished writes are nobody’s job', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), (host, pid) => {
        const id = makeWatcherId(host, pid, 'a1b2c3');
        expect(id).toMatch(/^[a-z0-9-]+-\d+-a1b2c3$/u);
        const name = temporaryName(id, 7);
        expect(isTemporaryName(name)).toBe(true);
        expect(jobNameOf(name)).toBeNull();
      }),
    );
  });

  it('a day of the archive goes when every moment of it is older than the retention', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 4e12 }),
        fc.nat({ max: 400 }),
        fc.nat({ max: 800 * DAY_MS }),
        (doneMs, retainDays, laterMs) => {
          const gone = expiredArchiveDays([archiveDay(doneMs)], doneMs + laterMs, retainDays).length === 1;
          if (laterMs < retainDays * DAY_MS) expect(gone).toBe(false);
          if (laterMs >= (retainDays + 1) * DAY_MS) expect(gone).toBe(true);
        },
      ),
    );
    expect(expiredArchiveDays(['mine', '2026-13-45', '2026-01-01'], Date.parse('2026-11-21'), 30)).toEqual([
      '2026-01-01',
    ]);
  });
});

describe('job files', () => {
  const parse = (document: unknown, name = 'job_7'): ReturnType<typeof parseJob> =>
    parseJob(name, JSON.stringify(document));

  it('takes the source document’s job as it is, and keeps what it does not know', () => {
    const document = {
      job_id: 'job_7_1752562725',
      pitch_deck_id: 7,
      file_path: 'uploads/ra/deck.pdf',
      status: 'queued',
      created_at: 1752562725,
    };
    expect(parse(document, 'job_7_1752562725')).toEqual({
      kind: 'job',
      job: {
        name: 'job_7_1752562725',
        jobId: 'job_7_1752562725',
        filePath: 'uploads/ra/deck.pdf',
        priority: 3,
        template: null,
        language: 'en',
        taskType: null,
        document,
      },
    });
  });

  it('understands numbers and words as priorities, and nothing else', () => {
    const priorityOf = (priority: unknown): number | string => {
      const parsed = parse({ file_path: 'a.pdf', priority });
      return parsed.kind === 'job' ? parsed.job.priority : parsed.kind;
    };
    for (const [word, number] of Object.entries(PRIORITY_WORDS)) expect(priorityOf(word.toUpperCase())).toBe(number);
    expect([1, '2', ' high ', 5, null, undefined].map(priorityOf)).toEqual([1, 2, 2, 5, 3, 3]);
    expect([0, 6, 1.5, 'soon', '', true, []].map(priorityOf)).toEqual(Array(7).fill('invalid'));
  });

  it('tells a document that is no job from text that is no document yet', () => {
    const whole = JSON.stringify({ job_id: 'job_7', file_path: 'a.pdf', language: 'de', note: 'ü€' });
    expect(parseJob('job_7', whole).kind).toBe('job');
    expect(parseJob('job_7', `\uFEFF${whole}\n`).kind).toBe('job');
    for (let end = 0; end < whole.length; end += 1) {
      expect(parseJob('job_7', whole.slice(0, end)).kind, whole.slice(0, end)).toBe('unreadable');
    }
    for (const document of [
      [],
      7,
      null,
      {},
      { file_path: '' },
      { file_path: 'a.pdf', language: 'fr' },
      { file_path: 'a.pdf', task_type: 'x' },
    ]) {
      expect(parse(document).kind, JSON.stringify(document)).toBe('invalid');
    }
  });

  it('a job_id has to be that of its file, with or without job_', () => {
    const kind = (jobId: unknown): string => parse({ job_id: jobId, file_path: 'a.pdf' }).kind;
    expect([undefined, null, 'job_7', '7'].map(kind)).toEqual(Array(4).fill('job'));
    expect(['job_8', '8', '', 7].map(kind)).toEqual(Array(4).fill('invalid'));
  });

  it('never fails on any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(['job', 'invalid', 'unreadable']).toContain(parseJob('job_1', text).kind);
      }),
    );
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseJob('job_1', text).kind).not.toBe('unreadable');
      }),
    );
  });
});

describe('paths', () => {
  const part = fc.constantFrom('..', '.', '', 'a', 'b c', 'decks', '...', '..a');
  const anyPath = fc
    .tuple(fc.boolean(), fc.array(part, { maxLength: 8 }))
    .map(([absolute, parts]) => (absolute ? '/' : '') + parts.join('/'));

  it('what is located is below a root and holds no step upwards', () => {
    fc.assert(
      fc.property(anyPath, (filePath) => {
        const located = locateFile('/mnt/drop', ['/mnt/drop', '/srv/decks'], filePath);
        if (located.kind === 'refused') return;
        expect(located.path.split('/')).not.toContain('..');
        expect(located.path.startsWith('/mnt/drop/') || located.path.startsWith('/srv/decks/')).toBe(true);
      }),
    );
  });

  it('takes relative and absolute paths inside, refuses every way out', () => {
    const kind = (filePath: string): string => locateFile('/mnt/drop', ['/mnt/drop', '/srv/decks'], filePath).kind;
    for (const inside of ['a.pdf', './a.pdf', 'x/../a.pdf', '/mnt/drop/a.pdf', '/srv/decks/y.pdf']) {
      expect(kind(inside), inside).toBe('file');
    }
    for (const outside of [
      '../a.pdf',
      'x/../../a.pdf',
      '/etc/passwd',
      '/mnt/dropped/a.pdf',
      '/mnt/drop',
      '.',
      '/srv/decks/../x',
      'a\0.pdf',
    ]) {
      expect(kind(outside), outside).toBe('refused');
    }
    expect(isInside('/', '/anything')).toBe(true);
  });

  it('finds the mount that a path lies on', () => {
    const table = [
      '22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw',
      '40 22 0:50 / /mnt/my\\040share rw,relatime shared:9 - nfs4 server:/export rw,vers=4.2',
      '41 22 0:51 / /mnt/my rw - tmpfs tmpfs rw',
    ].join('\n');
    expect(mountOf(table, '/mnt/my share/drop')).toEqual({
      mountPoint: '/mnt/my share',
      fsType: 'nfs4',
      source: 'server:/export',
    });
    expect(mountOf(table, '/mnt/other')?.mountPoint).toBe('/');
    expect(mountOf('', '/mnt')).toBeUndefined();
  });
});

describe('leases', () => {
  it('last exactly as long as they say, whatever the clocks of the watchers show', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.5, max: 3600, noNaN: true }),
        fc.integer({ min: 0, max: 2e12 }),
        fc.integer({ min: -1e6, max: 1e7 }),
        (seconds, writtenMs, silentMs) => {
          const lease = { lease_seconds: seconds, released: false };
          expect(isLeaseOver(lease, writtenMs, writtenMs + silentMs)).toBe(silentMs > seconds * 1000);
          expect(isLeaseOver({ ...lease, released: true }, writtenMs, writtenMs + silentMs)).toBe(true);
          expect(leaseRenewalMs(seconds) * 3).toBeLessThan(seconds * 1000);
        },
      ),
    );
  });
});

describe('readiness', () => {
  const patience = { settleMs: 2000, unreadableMs: 10_000, fileMs: 300_000 };
  const duration = fc.integer({ min: 0, max: 1_000_000 });

  it('half a job file is waited for and then refused', () => {
    fc.assert(
      fc.property(duration, (unchangedMs) => {
        const { kind } = jobReadiness({ kind: 'unreadable', reason: 'half', unchangedMs }, patience);
        expect(kind).toBe(unchangedMs < patience.unreadableMs ? 'wait' : 'refuse');
      }),
    );
  });

  it('a PDF that changes is waited for without end; one that is whole is ready; half of one is given to the API in the end', () => {
    const look = fc.record({
      kind: fc.constant('there' as const),
      unchangedMs: duration,
      sizeBytes: fc.nat(),
      start: fc.constantFrom('pdf' as const, 'blank' as const, 'other' as const),
      hasEnd: fc.boolean(),
    });
    fc.assert(
      fc.property(look, (file) => {
        const { kind } = fileReadiness(file, patience);
        expect(kind).not.toBe('refuse');
        if (file.unchangedMs < patience.settleMs) expect(kind).toBe('wait');
        if (file.unchangedMs >= patience.fileMs) expect(kind).toBe('ready');
        if (file.unchangedMs >= patience.settleMs && file.start === 'pdf' && file.hasEnd && file.sizeBytes > 0)
          expect(kind).toBe('ready');
      }),
    );
    fc.assert(
      fc.property(duration, (missingMs) => {
        expect(fileReadiness({ kind: 'missing', missingMs }, patience).kind).toBe(
          missingMs < patience.fileMs ? 'wait' : 'refuse',
        );
      }),
    );
  });

  it('a file’s rest is never negative, and neither a kept nor a future modification time hides a change', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2e12 }),
        fc.integer({ min: -1e9, max: 1e9 }),
        duration,
        (ctimeMs, shiftMs, ageMs) => {
          const mtimeMs = ctimeMs + shiftMs;
          const nowMs = ctimeMs + ageMs;
          const restMs = unchangedForMs({ mtimeMs, ctimeMs }, nowMs, null);
          expect(restMs).toBeGreaterThanOrEqual(0);
          expect(restMs).toBeLessThanOrEqual(ageMs);
          expect(unchangedForMs({ mtimeMs, ctimeMs }, nowMs, 5000)).toBeGreaterThanOrEqual(5000);
        },
      ),
    );
  });

  it('looks again soon at first, and at least every 15 s', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), (waitedMs) => {
        expect(nextLookMs(waitedMs)).toBeGreaterThanOrEqual(500);
        expect(nextLookMs(waitedMs)).toBeLessThanOrEqual(15_000);
      }),
    );
  });
});

describe('order', () => {
  const waiting = fc.record({
    name: fc.string({ maxLength: 5 }),
    priority: fc.integer({ min: 1, max: 5 }),
    droppedAtMs: fc.integer({ min: 0, max: 1e8 }),
  });

  it('is the same for every watcher, and keeps every job', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(waiting, { selector: (w) => w.name }),
        fc.integer({ min: 1e8, max: 2e8 }),
        (jobs, nowMs) => {
          const order = claimOrder(jobs, nowMs);
          expect(claimOrder(jobs.toReversed(), nowMs)).toEqual(order);
          expect(order.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(
            jobs.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
          );
        },
      ),
    );
  });

  it('urgent first, then the older; what has waited long enough is not overtaken by new work of its rank', () => {
    const job = (name: string, priority: number, droppedAtMs: number) => ({ name, priority, droppedAtMs });
    const names = (nowMs: number, ...jobs: ReturnType<typeof job>[]): string[] =>
      claimOrder(jobs, nowMs).map((j) => j.name);
    expect(names(1000, job('b', 3, 10), job('a', 3, 20), job('c', 1, 30))).toEqual(['c', 'b', 'a']);
    expect(names(10 * 3_600_000, job('new', 2, 10 * 3_600_000), job('old', 5, 0))).toEqual(['old', 'new']);
    expect(names(10 * 3_600_000, job('critical', 1, 10 * 3_600_000), job('old', 5, 0))).toEqual(['critical', 'old']);
  });
});

describe('outcomes', () => {
  const job: DropJob = {
    name: 'job_1',
    jobId: 'job_1',
    filePath: 'a.pdf',
    priority: 3,
    template: null,
    language: 'en',
    taskType: null,
    document: { file_path: 'a.pdf' },
  };
  const result: EarlierResult = {
    job_id: 'job_1',
    analysis_id: 'an-1',
    choices: { template: null, language: 'en', task_type: null, priority: 3 },
    job: { file_path: 'a.pdf' },
    report: { deck: { sha256: 'aa' } },
  };

  it('the same PDF with the same choices is the same job, whatever it is called and however urgent it is', () => {
    expect(isSameJob(result, { ...job, filePath: 'b.pdf', document: { file_path: 'b.pdf' }, priority: 1 }, 'aa')).toBe(
      true,
    );
    expect(isSameJob(result, job, 'bb')).toBe(false);
    expect(isSameJob(result, { ...job, language: 'de' }, 'aa')).toBe(false);
    expect(isSameJob(result, { ...job, template: 't' }, 'aa')).toBe(false);
    expect(isSameJob(result, { ...job, taskType: 'visual_analysis' }, 'aa')).toBe(false);
  });

  it('where the PDF is gone its path decides', () => {
    expect(isSameJob(result, job, null)).toBe(true);
    expect(isSameJob(result, { ...job, document: { file_path: 'b.pdf' } }, null)).toBe(false);
  });

  it('an end is told once there is one, and never before', () => {
    expect(endOf('queued', null)).toBeNull();
    expect(endOf('running', null)).toBeNull();
    expect(endOf('completed', null)).toEqual({ kind: 'result' });
    expect(endOf('completed_with_gaps', null)).toEqual({ kind: 'result' });
    expect(endOf('failed', { code: 'pdf_damaged', message: 'broken' })).toMatchObject({
      kind: 'error',
      error: { code: 'pdf_damaged' },
    });
    expect(endOf('cancelled', null)).toMatchObject({ kind: 'error', error: { code: 'cancelled' } });
  });

  it('no job is blamed for what passes by itself or is the installation’s', () => {
    for (const code of Object.keys(ERROR_KINDS) as ErrorCode[]) {
      if (blameOf(code) === 'job') expect(ERROR_KINDS[code].permanent, code).toBe(true);
    }
    for (const code of [
      'unauthenticated',
      'forbidden',
      'invalid_request',
      'not_found',
      'service_unavailable',
    ] as const) {
      expect(blameOf(code)).toBe('installation');
    }
  });

  it('a job whose analysis failed is tried anew when it is dropped again, and not when its watcher died over it', () => {
    const failed = { analysis_id: 'an-1', attempt: 1 } as ErrorFile;
    const started = { analysis_id: 'an-1', deck_sha256: 'aa', attempt: 1, started_at: '' };
    expect(attemptOf(null, null)).toBe(1);
    expect(attemptOf(failed, null)).toBe(2);
    expect(attemptOf(failed, started)).toBe(1);
    expect(attemptOf({ ...failed, analysis_id: null }, null)).toBe(1);
  });

  it('keys differ by folder, job and attempt, and fit into a header', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), hex, hex, fc.integer({ min: 1, max: 99 }), (dropA, dropB, a, b, attempt) => {
        fc.pre(a.slice(0, 32) !== b.slice(0, 32) && dropA !== dropB);
        const keys = [
          idempotencyKeyOf(dropA, a, attempt),
          idempotencyKeyOf(dropA, b, attempt),
          idempotencyKeyOf(dropB, a, attempt),
          idempotencyKeyOf(dropA, a, attempt + 1),
        ];
        expect(new Set(keys).size).toBe(4);
        for (const key of keys) expect(key).toMatch(/^[\x21-\x7e]{1,200}$/u);
      }),
    );
  });
});
