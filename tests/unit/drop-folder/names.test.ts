/**
 * Names in a drop folder: those of jobs, of their files, of watchers and of days.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  archiveDay,
  badErrorFileName,
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
import { forAll } from '../../../testing/property.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const hex = fc.string({ unit: fc.constantFrom(...Array.from('0123456789abcdef')), minLength: 8, maxLength: 64 });
const jobName = fc
  .string({ unit: fc.constantFrom(...Array.from('abcXYZ019._-~ é')), minLength: 1, maxLength: 60 })
  .map((rest) => `job_${rest}`);

it('a job’s name comes back from its file, and no two jobs share a file', () =>
  forAll([jobName, jobName, hex], (a, b, hash) => {
    expect(jobNameOf(jobFileName(a))).toBe(a);
    const files = (name: string): string[] => [
      resultFileName(name),
      errorFileName(name),
      errorFileName(conflictName(name, hash)),
    ];
    const all = [...files(a), ...files(b), errorFileName(refusedName(hash))];
    expect(new Set(all).size).toBe(a === b ? 4 : 7);
    // Beside the bad jobs the copies of their errors, also where one is called like the error of another.
    const bad = [jobFileName(a), jobFileName(b), badErrorFileName(a), badErrorFileName(b), jobFileName(`${a}_error`)];
    expect(new Set(bad).size).toBe(a === b ? 3 : b === `${a}_error` ? 4 : 5);
    expect(jobNameOf(badErrorFileName(a))).toBeNull();
    expect(isUnusableJobFile(badErrorFileName(a))).toBe(false);
  }));

it('what is no job of ours is left alone, and what only looks like one is told of', () => {
  const hidden = ['.job_1.json', '.tmp-w-1'];
  const others = ['job_1.json.part', 'job_.json', 'notes.json', 'job_1.started', 'JOB_1.json', ...hidden];
  for (const file of others) expect(jobNameOf(file), file).toBeNull();
  expect(isUnusableJobFile('job_1.json')).toBe(false);
  expect(isUnusableJobFile('job_1.json.part')).toBe(false);
  for (const file of ['job_a@b.json', `job_${'x'.repeat(200)}.json`, 'job_a\nb.json', 'job_.json'])
    expect(isUnusableJobFile(file), file).toBe(true);
});

it('every file of a job fits into what file systems allow', () =>
  forAll(
    [fc.string({ unit: fc.constantFrom('a', 'é', '漢', '🚀'), minLength: 1, maxLength: 90 }), hex],
    (text, hash) => {
      const name = jobNameOf(`job_${text}.json`);
      fc.pre(name !== null);
      for (const file of [resultFileName(conflictName(name, hash)), startedFileName(name), jobFileName(name)])
        expect(Buffer.byteLength(file)).toBeLessThanOrEqual(255);
    },
  ));

it('watchers’ ids are folder names, and unfinished writes are no jobs', () =>
  forAll([fc.string(), fc.nat()], (host, pid) => {
    const id = makeWatcherId(host, pid, 'a1b2c3');
    expect(id).toMatch(/^[a-z0-9-]+-\d+-a1b2c3$/u);
    const name = temporaryName(id, 7);
    expect(isTemporaryName(name)).toBe(true);
    expect(jobNameOf(name)).toBeNull();
  }));

it('a day of the archive goes when every moment of it is older than the retention', async () => {
  await forAll(
    [fc.nat({ max: 4e12 }), fc.nat({ max: 400 }), fc.nat({ max: 800 * DAY_MS })],
    (doneMs, retainDays, laterMs) => {
      const gone = expiredArchiveDays([archiveDay(doneMs)], doneMs + laterMs, retainDays).length === 1;
      if (laterMs < retainDays * DAY_MS) expect(gone).toBe(false);
      if (laterMs >= (retainDays + 1) * DAY_MS) expect(gone).toBe(true);
    },
  );
  const days = ['mine', '2026-13-45', '2026-01-01'];
  expect(expiredArchiveDays(days, Date.parse('2026-11-21'), 30)).toEqual(['2026-01-01']);
});
