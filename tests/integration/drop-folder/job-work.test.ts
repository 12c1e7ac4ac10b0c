/**
 * Steps of a held job on a real file system, between the crash points: what each leaves when the next one does not come.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { makeRoots } from '../../../drop-folder/deck-file.ts';
import type { WatchEvent } from '../../../drop-folder/events.ts';
import { DropFolder } from '../../../drop-folder/folder.ts';
import { JobMemory } from '../../../drop-folder/job-files.ts';
import { JobWork } from '../../../drop-folder/job-work.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { Drop } from '../../../testing/watchers.ts';
import { folderPerTest } from '../../../testing/per-file.ts';

const PDF = Buffer.from('%PDF-1.7\n1 0 obj\nendobj\ntrailer\n%%EOF\n');

let scratch: string;
let drop: Drop;
let folder: DropFolder;
let work: JobWork;
let events: WatchEvent[];
beforeEach(async () => {
  scratch = folderPerTest();
  drop = new Drop(path.join(scratch, 'drop'));
  folder = await DropFolder.open(drop.dir, 'w');
  mkdirSync(folder.own());
  events = [];
  work = new JobWork({
    folder,
    dropId: '0b7d2a8e-0000-4000-8000-000000000000',
    roots: await makeRoots(drop.dir, folder.path, []),
    patience: { settleMs: 0, unreadableMs: 0, fileMs: 0 },
    maxUploadBytes: 1e9,
    client: () => {
      throw new Error('no job here needs the API');
    },
    tenantId: () => 'default',
    now: Date.now,
    tell: (event) => events.push(event),
    signal: new AbortController().signal,
  });
});

/** A held job that has a result of a PDF already. */
async function heldWithResult(file: string, sha256: string): Promise<void> {
  writeFileSync(
    drop.at('results', 'job_1_results.json'),
    JSON.stringify({
      job_id: 'job_1',
      analysis_id: 'an-1',
      choices: { template: null, language: 'en', task_type: null, priority: 3 },
      job: { file_path: file },
      report: { deck: { sha256 } },
    }),
  );
  drop.job('job_1', { file_path: file });
  expect(await folder.claim('job_1')).toBe(true);
}

it('the error of an earlier try goes before the job is put away, so that nothing leaves it beside the result', async () => {
  await heldWithResult(drop.deck('a.pdf', PDF), sha256Hex(PDF));
  for (const file of [drop.at('results', 'job_1_error.json'), drop.at('bad', 'job_1.error')]) writeFileSync(file, '{}');
  // Putting the job away fails, as a kill would have it.
  rmSync(drop.at('archive'), { recursive: true });
  writeFileSync(drop.at('archive'), '');
  await expect(work.start('job_1', new JobMemory())).rejects.toThrow();
  expect(drop.names('results')).toEqual(['job_1_results.json']);
  expect(drop.names('bad')).toEqual([]);
  expect(await folder.held()).toEqual(['job_1']);

  rmSync(drop.at('archive'));
  expect(await work.start('job_1', new JobMemory())).toEqual({ kind: 'over' });
  expect(await folder.held()).toEqual([]);
});

it('a PDF that changes while it is compared with that of the result is waited for', async () => {
  const file = drop.deck('a.pdf', Buffer.concat([PDF, Buffer.alloc(48 * 1024 * 1024, 'x')]));
  await heldWithResult(file, 'another');
  let copying = true;
  const changing = (async () => {
    while (copying) {
      appendFileSync(drop.at(file), 'x');
      await turn();
    }
  })();
  const outcome = await work.start('job_1', new JobMemory()).finally(() => {
    copying = false;
  });
  await changing;
  expect(outcome).toEqual({ kind: 'wait', reason: 'the PDF is still being written' });
  expect(await folder.held()).toEqual(['job_1']);

  expect(await work.start('job_1', new JobMemory())).toEqual({ kind: 'over' });
  expect(events.map(({ event }) => event)).toEqual(['refused']);
  expect(existsSync(drop.at('results', 'job_1_error.json'))).toBe(false);
});

it('a job file nested too deep to be written again is refused by name, without what it holds', async () => {
  drop.deck('a.pdf', PDF);
  writeFileSync(
    drop.at('queue', 'job_1.json'),
    `{"file_path": "a.pdf", "x": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  );
  expect(await folder.claim('job_1')).toBe(true);
  expect(await work.start('job_1', new JobMemory())).toEqual({ kind: 'over' });
  const written: unknown = JSON.parse(readFileSync(drop.at('results', 'job_1_error.json'), 'utf8'));
  expect(written).toMatchObject({ error: { code: 'job_invalid' }, job: {} });
  expect(await folder.held()).toEqual([]);
});
