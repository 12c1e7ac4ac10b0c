/**
 * Job files as clients write them.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_JOB_DEPTH, parseJob, PRIORITY_WORDS } from '../../../domain/drop-folder/job.ts';
import { forAll } from '../../../testing/property.ts';

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
  for (let end = 0; end < whole.length; end += 1)
    expect(parseJob('job_7', whole.slice(0, end)).kind, whole.slice(0, end)).toBe('unreadable');
  const bad = [{ file_path: '' }, { file_path: 'a.pdf', language: 'fr' }, { file_path: 'a.pdf', task_type: 'x' }];
  for (const document of [[], 7, null, {}, ...bad])
    expect(parse(document).kind, JSON.stringify(document)).toBe('invalid');
});

it('a job_id has to be that of its file, with or without job_', () => {
  const kind = (jobId: unknown): string => parse({ job_id: jobId, file_path: 'a.pdf' }).kind;
  expect([undefined, null, 'job_7', '7'].map(kind)).toEqual(Array(4).fill('job'));
  expect(['job_8', '8', '', 7].map(kind)).toEqual(Array(4).fill('invalid'));
});

it('never fails on any text', async () => {
  await forAll([fc.oneof(fc.string(), fc.json())], (text) =>
    expect(['job', 'invalid', 'unreadable']).toContain(parseJob('job_1', text).kind),
  );
  await forAll([fc.json()], (text) => expect(parseJob('job_1', text).kind).not.toBe('unreadable'));
});

it('a document nested too deep to be given back is no job, and is not given back', () => {
  /** Of this many levels, the job itself among them. */
  const nested = (levels: number, [open, close] = ['[', ']']): string =>
    `{"file_path": "a.pdf", "x": ${open.repeat(levels - 1)}${close.repeat(levels - 1)}}`;
  for (const document of [nested(100_000), nested(MAX_JOB_DEPTH + 1), nested(50_000, ['[{"x":[', ']}]'])])
    expect(parseJob('job_1', document)).toMatchObject({ kind: 'invalid', document: {} });
  expect(parseJob('job_1', nested(MAX_JOB_DEPTH)).kind).toBe('job');
});
