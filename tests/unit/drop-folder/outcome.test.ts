/**
 * What becomes of a job: its result, its error, the key of its analysis.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ERROR_KINDS, type ErrorCode } from '../../../domain/errors.ts';
import type { DropJob } from '../../../domain/drop-folder/job.ts';
import {
  attemptOf,
  blameOf,
  endOf,
  idempotencyKeyOf,
  isSameJob,
  type EarlierResult,
  type ErrorFile,
} from '../../../domain/drop-folder/outcome.ts';
import { forAll } from '../../../testing/property.ts';

const hex = fc.string({ unit: fc.constantFrom(...Array.from('0123456789abcdef')), minLength: 8, maxLength: 64 });

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
  const elsewhere = { ...job, filePath: 'b.pdf', document: { file_path: 'b.pdf' }, priority: 1 };
  expect(isSameJob(result, elsewhere, 'aa')).toBe(true);
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
  const expected = { kind: 'error', error: { code: 'pdf_damaged' } };
  expect(endOf('failed', { code: 'pdf_damaged', message: 'broken' })).toMatchObject(expected);
  expect(endOf('cancelled', null)).toMatchObject({ kind: 'error', error: { code: 'cancelled' } });
});

it('a job is blamed for its own PDF and its own choices', () => {
  const codes = (Object.keys(ERROR_KINDS) as ErrorCode[]).filter((code) => blameOf(code) === 'job');
  const ofPdf = ['pdf_damaged', 'pdf_empty', 'pdf_encrypted', 'pdf_no_pages', 'pdf_too_large', 'pdf_too_many_pages'];
  const covers = ['pdf_portfolio', 'pdf_xfa_form'];
  expect(codes.toSorted()).toEqual(['job_invalid', 'not_a_pdf', ...ofPdf, ...covers, 'template_missing'].toSorted());
});

it('no job is blamed for what passes by itself or is the installation’s', () => {
  for (const code of Object.keys(ERROR_KINDS) as ErrorCode[]) {
    if (blameOf(code) === 'job') expect(ERROR_KINDS[code].permanent, code).toBe(true);
  }
  for (const code of ['unauthenticated', 'forbidden', 'invalid_request', 'not_found', 'service_unavailable'] as const)
    expect(blameOf(code)).toBe('installation');
});

it('a job whose analysis failed is tried anew when it is dropped again, and not when its watcher died over it', () => {
  const failed = { analysis_id: 'an-1', attempt: 1 } as ErrorFile;
  const started = { analysis_id: 'an-1', tenant_id: 'default', deck_sha256: 'aa', attempt: 1, started_at: '' };
  expect(attemptOf(null, null)).toBe(1);
  expect(attemptOf(failed, null)).toBe(2);
  expect(attemptOf(failed, started)).toBe(1);
  expect(attemptOf({ ...failed, analysis_id: null }, null)).toBe(1);
});

it('keys differ by folder, job and attempt, and fit into a header', () =>
  forAll([fc.uuid(), fc.uuid(), hex, hex, fc.integer({ min: 1, max: 99 })], (dropA, dropB, a, b, attempt) => {
    fc.pre(a.slice(0, 32) !== b.slice(0, 32) && dropA !== dropB);
    const keys = [
      idempotencyKeyOf(dropA, a, attempt),
      idempotencyKeyOf(dropA, b, attempt),
      idempotencyKeyOf(dropB, a, attempt),
      idempotencyKeyOf(dropA, a, attempt + 1),
    ];
    expect(new Set(keys).size).toBe(4);
    for (const key of keys) expect(key).toMatch(/^[\x21-\x7e]{1,200}$/u);
  }));
