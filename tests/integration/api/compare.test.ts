/** Two analyses beside each other, made from rows as the pipeline writes them. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { comparisonSchema } from '../../../domain/decks/compare/comparison.ts';
import type { Analysis } from '../../../generated/prisma/client.ts';
import { problem, startTestApi } from './support.ts';
import { perFile } from '../../../testing/per-file.ts';
import { aModelResult, TENANT } from '../../../testing/make.ts';

let deckId: string;

const api = perFile(startTestApi);
beforeAll(async () => {
  deckId = (await api.deck()).id;
});

/** A run in which a model answered one question with this score and words. */
async function storeRun(
  model: string,
  score: number,
  answer: string,
  values: Partial<Analysis> = {},
): Promise<Analysis> {
  const { db } = api;
  const version = await db.templateVersion.findFirstOrThrow({
    where: { tenantId: TENANT, template: { slug: 'seven_chapter_review' } },
    include: { chapters: { orderBy: { position: 'asc' }, include: { questions: { orderBy: { position: 'asc' } } } } },
  });
  const question = version.chapters[0]?.questions[0];
  if (question === undefined) throw new Error('the template has no question');
  const row = await api.analysisRow({
    deckId,
    status: 'completed',
    templateVersionId: version.id,
    overallScore: score,
    scoredQuestions: 1,
    askedQuestions: 1,
    ...values,
  });
  const result = await aModelResult(db, {
    task: 'answer_question',
    modelName: model,
    modelDigest: `sha256:${model}`,
    promptVersion: 3,
    engineKind: 'language model',
  });
  await db.answer.create({
    data: {
      id: randomUUID(),
      tenantId: TENANT,
      analysisId: row.id,
      questionId: question.id,
      status: 'answered',
      state: 'found',
      covered: 'yes',
      answer,
      modelResultId: result.id,
      scoreStatus: 'scored',
      score,
    },
  });
  return row;
}

/** What a command prints against this API. */
async function deckhand(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await api.deckhand(args);
  expect(code, stderr).toBe(0);
  return stdout;
}

it('GET /analyses/{a}/compare/{b} shows what differs and why, as JSON and Markdown', async () => {
  const a = await storeRun('phi4', 3, 'The market is large and grows');
  const b = await storeRun('gemma3:12b', 5, 'The market is very large and grows');
  const path = `/analyses/${a.id}/compare/${b.id}`;
  const comparison = comparisonSchema.parse((await api.call('GET', path)).body);
  expect(comparison.parts.questions).toMatchObject([
    {
      presence: 'both',
      changes: [
        { field: 'score', a: 3, b: 5 },
        { field: 'answer', a: 'The market is large and grows', b: 'The market is very large and grows' },
      ],
    },
  ]);
  expect(comparison.reasons).toContainEqual({
    task: 'answer_question',
    field: 'model',
    a: 'phi4',
    b: 'gemma3:12b',
    results: 1,
  });
  expect(await api.client.compare(a.id, b.id)).toEqual(comparison);

  const markdown = await api.call('GET', path, { headers: { accept: 'text/markdown' } });
  expect(markdown.body).toContain('The market is **very** large and grows');
});

it('GET /analyses/{a}/compare/{b} leads a browser to the page of the workspace', async () => {
  const path = '/analyses/one/compare/two';
  for (const asked of [{ path: `${path}?format=html` }, { path, headers: { accept: 'text/html,*/*;q=0.8' } }]) {
    const { headers = {} } = asked;
    const led = await api.call('GET', asked.path, { headers, redirect: 'manual' });
    expect([led.status, led.headers.get('location')]).toEqual([303, '/compare?analyses=one%2Ctwo']);
  }
});

it('GET /analyses/{a}/compare/{b} tells what a replay computed anew from what read something else', async () => {
  const a = await storeRun('phi4', 3, 'The market is large and grows');
  const replay = { replayOfId: a.id, replayKind: 'full' };
  const edition = randomUUID();
  const anew = await storeRun('phi4', 4, 'x', { ...replay, id: edition, recomputeFrom: 'template', edition });
  // The edition of scores does not reach the answers.
  const scores = await storeRun('phi4', 4, 'x', { ...replay, recomputeFrom: 'scoring', edition: randomUUID() });
  const reason = async (b: Analysis): Promise<readonly string[]> =>
    (await api.client.compare(a.id, b.id)).reasons.map((r) => `${r.task} ${r.field}`);
  expect(await reason(anew)).toEqual(['answer_question anew']);
  expect(await reason(scores)).toEqual(['answer_question input']);
  // A replay of that goes on with its results.
  const next = await storeRun('phi4', 4, 'x', { replayOfId: anew.id, replayKind: 'gaps' });
  expect((await api.client.compare(anew.id, next.id)).reasons.map((r) => r.field)).toEqual(['input']);
});

it('GET /analyses/{a}/compare/{b} prints the same on the command line, in words or as one document', async () => {
  const a = await storeRun('phi4', 3, 'The market is large and grows');
  const b = await storeRun('phi4', 5, 'The market is very large and grows');
  const json = JSON.parse(await deckhand('compare', a.id, b.id, '--json')) as unknown;
  expect(json).toEqual(await api.client.compare(a.id, b.id));
  const words = await deckhand('compare', a.id, b.id);
  expect(words).toContain('The market is {+very+} large and grows');
  expect(words).toMatch(/Overall +3\.0 {4}5\.0 {2}▲ \+2\.0/u);
});

it('GET /analyses/{a}/compare/{b} says that an analysis compared with itself is the same, and which one is not finished', async () => {
  const running = await storeRun('phi4', 3, 'x', { status: 'running' });
  const { changed, equal, a } = await api.client.compare(running.id, running.id);
  expect(changed).toBe(0);
  expect(equal).toBeGreaterThan(0);
  expect(a.finished).toBe(false);
});

it('GET /analyses/{a}/compare/{b} refuses analyses of two decks unless they may differ', async () => {
  const a = await storeRun('phi4', 3, 'x');
  const other = await api.analysisRow({ status: 'completed' });
  const refused = await api.call('GET', `/analyses/${a.id}/compare/${other.id}`);
  expect(refused).toMatchObject(problem(409, 'conflict'));
  const allowed = await api.client.compare(a.id, other.id, { anyDeck: true });
  expect(allowed.sameDeck).toBe(false);
  expect(allowed.parts.questions.every((q) => q.presence === 'a')).toBe(true);
});
