/** The compatibility layer: what it refuses, by name, and how it answers what runs, failed or belongs to another tenant. */
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { taskAnswerSchema } from '../../../api/compat/schemas.ts';
import { makeDeckWorkflowId } from '../../../contracts/decks.ts';
import { perFile } from '../../../testing/per-file.ts';
import { MAX_UPLOAD_BYTES, OTHER_TENANT, pdfBytes, problem } from './support.ts';
import { startTestApiWithWorker } from './worker.ts';

const api = perFile(startTestApiWithWorker);

const ENDPOINTS = [
  ['visual-analysis', 'visual_analysis', {}],
  ['slide-feedback', 'slide_feedback', {}],
  ['extraction/company_offering', 'company_offering_extraction', {}],
  ['extraction/startup_name', 'startup_name_extraction', {}],
  ['extraction/healthcare_classification', 'healthcare_classification', {}],
  ['extraction/funding_amount_extraction', 'funding_amount_extraction', {}],
  ['extraction/deck_date', 'deck_date_extraction', {}],
  ['template-analysis', 'template_analysis', { template: 'seven_chapter_review' }],
  ['specialized-analysis', 'specialized_clinical', { type: 'clinical' }],
  ['specialized-analysis', 'specialized_regulatory', { type: 'regulatory' }],
  ['specialized-analysis', 'specialized_science', { type: 'science' }],
] as const;

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

async function ask(method: string, path: string, body?: unknown, headers = {}): Promise<Answered> {
  const response = await fetch(`${api.url}/api/${path}`, {
    method,
    headers: { ...api.authorization, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const detailOf = ({ body }: Answered): string => (body as { detail: string }).detail;

it('every endpoint starts its task as a run of its own, with the choices of the request', async () => {
  const deck = await api.deck();
  for (const [path, task, more] of ENDPOINTS) {
    const choices = { deckId: deck.id, language: 'de', priority: 1, ...more };
    const answer = await ask('POST', `${path}?waitSec=0`, choices);
    expect(answer, path).toMatchObject({ status: 202, body: { task, status: 'queued', result: null } });
    const { id, url } = taskAnswerSchema.parse(answer.body);
    expect(answer.headers.get('location')).toBe(url);
    expect(await api.db.analysis.findUniqueOrThrow({ where: { id } })).toMatchObject({
      taskType: task,
      language: 'de',
      priority: 1,
      deckId: deck.id,
      requestedTemplate: task === 'template_analysis' ? 'seven_chapter_review' : null,
    });
    const run = await api.temporal.workflow.getHandle(makeDeckWorkflowId(id)).describe();
    expect(run.status.name).toBe('RUNNING');
  }
});

it('the same Idempotency-Key starts one task', async () => {
  const deck = await api.deck();
  const key = { 'idempotency-key': randomUUID() };
  const ids = [];
  for (const _ of [1, 2]) {
    const { body } = await ask('POST', 'visual-analysis?waitSec=0', { deckId: deck.id }, key);
    ids.push(taskAnswerSchema.parse(body).id);
  }
  expect(ids[0]).toBe(ids[1]);
});

it('a request waits for the end of its task, and no longer than it says', async () => {
  const deck = await api.deck();
  const first = await ask('POST', 'visual-analysis?waitSec=0', { deckId: deck.id });
  const { id, url } = taskAnswerSchema.parse(first.body);
  const path = url.replace('/api/', '');
  expect(await ask('GET', `${path}?waitSec=1`)).toMatchObject({ status: 202, body: { id } });
  const waiting = ask('GET', `${path}?waitSec=300`);
  await api.db.analysis.update({ where: { id }, data: { status: 'completed', finishedAt: new Date() } });
  expect(await waiting).toMatchObject({ status: 200, body: { id, result: { slides: [] } } });
});

it('a failed task is a problem with the code of its failure, a cancelled one says so', async () => {
  const deck = await api.deck();
  const failure = { failureCode: 'pdf_encrypted', failureMessage: 'This PDF has a password.' };
  const failed = await api.analysisRow({ deckId: deck.id, taskType: 'visual_analysis', status: 'failed', ...failure });
  const answer = await ask('GET', `tasks/${failed.id}`);
  expect(answer).toMatchObject(problem(422, 'pdf_encrypted'));
  expect(detailOf(answer)).toBe('This PDF has a password.');
  const cancelled = await api.analysisRow({ deckId: deck.id, taskType: 'visual_analysis', status: 'cancelled' });
  expect(await ask('GET', `tasks/${cancelled.id}`)).toMatchObject(problem(409, 'cancelled'));
});

it('refuses bad input by name, and starts nothing', async () => {
  const deck = await api.deck();
  const before = await api.db.analysis.count();
  const notPicture = base64(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
  const [whole] = [
    await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  ];
  const cases: [string, unknown, number, string, string][] = [
    ['visual-analysis', {}, 400, 'invalid_request', 'exactly one of deckId, pdf and image'],
    ['visual-analysis', { deckId: deck.id, image: 'AA==' }, 400, 'invalid_request', 'exactly one of'],
    ['visual-analysis', { deckId: deck.id, slide: 1 }, 400, 'invalid_request', 'slide'],
    ['visual-analysis', { deckId: deck.id, language: 'fr' }, 400, 'invalid_request', 'language'],
    ['visual-analysis?waitSec=999', { deckId: deck.id }, 400, 'invalid_request', 'waitSec'],
    ['visual-analysis', { image: 'not base64!' }, 400, 'invalid_request', 'image: not base64'],
    ['visual-analysis', { image: notPicture }, 400, 'invalid_request', 'neither PNG, JPEG nor WebP'],
    ['visual-analysis', { image: base64(whole.subarray(0, 60)) }, 400, 'invalid_request', 'cannot be read'],
    ['slide-feedback', { pdf: base64(Buffer.from('plain text')) }, 415, 'not_a_pdf', 'not a PDF'],
    ['slide-feedback', { pdf: 'A'.repeat(MAX_UPLOAD_BYTES * 1.35) }, 413, 'pdf_too_large', '1 MiB'],
    ['slide-feedback', { pdf: 'A'.repeat(MAX_UPLOAD_BYTES * 2) }, 413, 'pdf_too_large', '1 MiB'],
    ['extraction/revenue', { deckId: deck.id }, 400, 'invalid_request', 'type'],
    ['extraction/deck_date', { deckId: randomUUID() }, 404, 'not_found', 'deck'],
    ['template-analysis', { deckId: deck.id, template: 'none' }, 422, 'template_missing', 'none'],
    ['specialized-analysis', { deckId: deck.id }, 400, 'invalid_request', 'type'],
    ['specialized-analysis', { deckId: deck.id, type: 'legal' }, 400, 'invalid_request', 'type'],
  ];
  for (const [path, body, status, code, words] of cases) {
    const answer = await ask('POST', path, body);
    expect(answer, `${path} ${words}`).toMatchObject(problem(status, code));
    expect(detailOf(answer), path).toContain(words);
  }
  expect(await api.db.analysis.count()).toBe(before);
});

it('what it stores belongs to the tenant of the key, and another tenant finds nothing of it', async () => {
  const stranger = await api.keyOf({ tenant: OTHER_TENANT });
  const pdf = base64(pdfBytes());
  const ours = await ask('POST', 'visual-analysis?waitSec=0', { pdf, fileName: '../etc/ours.pdf' });
  const { id, deckId } = taskAnswerSchema.parse(ours.body);
  expect(await api.db.deck.findUniqueOrThrow({ where: { id: deckId } })).toMatchObject({ fileName: 'ours.pdf' });
  expect(await ask('GET', `tasks/${id}`, undefined, stranger)).toMatchObject(problem(404, 'not_found'));
  const named = await ask('POST', 'visual-analysis?waitSec=0', { deckId }, stranger);
  expect(named).toMatchObject(problem(404, 'not_found'));
  const health = await ask('GET', 'health', undefined, stranger);
  expect(health).toMatchObject({ status: 200, body: { status: 'ok', models: [] } });
  expect(await ask('GET', 'health', undefined, { authorization: '' })).toMatchObject({ status: 401 });
});

it('a review is no task: its result is its report', async () => {
  const { id } = await api.analysisRow({ status: 'completed' });
  expect(await ask('GET', `tasks/${id}`)).toMatchObject(problem(404, 'not_found'));
});
