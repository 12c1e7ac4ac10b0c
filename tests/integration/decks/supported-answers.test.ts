/** Answers whose own check does not bear them out: kept as they are, marked, whatever is stored first and however often. */
import { expect } from 'vitest';
import { AnalysisContexts } from '../../../activities/models/analysis-context.ts';
import { applyResult, recordCallFailure } from '../../../activities/models/store-result.ts';
import { loadReport } from '../../../api/decks/report/load.ts';
import type { Answering } from '../../../domain/evidence/answering.ts';
import { ANSWERING_SETTINGS } from '../../../domain/evidence/answering-settings.ts';
import type { ModelCall, PrismaClient } from '../../../generated/prisma/client.ts';
import { itWithDatabase as it } from '../../../testing/database.ts';
import { aModelCall, aModelResult, anAnalysis, aSlide, TENANT } from '../../../testing/make.ts';

const QUOTE = 'Patients wait for months';

/** An analysis of a deck of one slide in which one question is answered and scored. */
async function anAnswered(db: PrismaClient, engineKind: 'rules' | 'ollama', text = QUOTE) {
  const { id: analysisId, deckId } = await anAnalysis(db);
  await aSlide(db, { deckId, text });
  const { id: questionId } = await db.question.findFirstOrThrow({ where: { tenantId: TENANT } });
  const context = await new AnalysisContexts(db).get(analysisId);
  const store = async (task: 'answer_question' | 'score_answer', output: object): Promise<ModelCall> => {
    const call = await aModelCall(db, { analysisId, task, gpuClass: 'gpu-text', questionId });
    const { contentKey } = call;
    const result = await aModelResult(db, { contentKey, task, engineKind, output: JSON.stringify(output) });
    await applyResult(db, context, call, result, { cached: false });
    return call;
  };
  const answer = (answering?: Answering): Promise<ModelCall> =>
    store('answer_question', {
      covered: 'yes',
      answer: 'They wait.',
      evidence: [{ slide: 1, quote: QUOTE, ...(answering === undefined ? {} : { answering }) }],
    });
  const score = (points: number, supported?: boolean): Promise<ModelCall> =>
    store('score_answer', { rationale: 'Because.', score: points, ...(supported === undefined ? {} : { supported }) });
  const row = () => db.answer.findFirstOrThrow({ where: { analysisId }, include: { evidence: true } });
  return { analysisId, answer, score, row, stateOf: async () => (await row()).state };
}

it("a model's answer that is scored 0 stays stored as not supported, until a score supports it", async ({ db }) => {
  const { answer, score, row, stateOf } = await anAnswered(db, 'ollama');
  await answer();
  expect(await stateOf()).toBe('found');
  await score(0);
  expect(await row()).toMatchObject({
    state: 'not_supported',
    covered: 'yes',
    answer: 'They wait.',
    score: 0,
    evidence: [{ quote: QUOTE }],
  });
  // The answer is stored once more, as in a replay: its score is not forgotten.
  await answer();
  expect(await stateOf()).toBe('not_supported');
  await score(3);
  expect(await stateOf()).toBe('found');
});

it('a model is not believed in what it says of its own answer and quotes', async ({ db }) => {
  const { answer, score, row } = await anAnswered(db, 'ollama');
  await answer('doubtful');
  await score(4, false);
  expect(await row()).toMatchObject({ state: 'found', evidence: [{ answering: null, answeringBy: null }] });
});

it("the reader's answer is not supported where each of its quotes is doubtful, whatever its score says", async ({
  db,
}) => {
  const { answer, score, row, stateOf } = await anAnswered(db, 'rules');
  await answer('doubtful');
  expect(await row()).toMatchObject({ state: 'not_supported', evidence: [{ answering: 'doubtful' }] });
  await score(4, true);
  expect(await stateOf()).toBe('not_supported');
  await answer('high');
  expect(await stateOf()).toBe('found');
  await score(2, false);
  expect(await stateOf()).toBe('found');
});

it('an answer of a model that quotes nothing but what is within a screenshot is not supported', async ({ db }) => {
  const { answer, row } = await anAnswered(db, 'ollama', `# Our app\n\n> ${QUOTE}`);
  await answer();
  expect(await row()).toMatchObject({
    state: 'not_supported',
    evidence: [{ verdict: 'verified', answering: 'doubtful', answeringBy: 'reader' }],
  });
});

it('a score that fails leaves an answer as its quotes have it', async ({ db }) => {
  const { answer, score, stateOf } = await anAnswered(db, 'ollama');
  await answer();
  const { id: callId } = await score(0);
  expect(await stateOf()).toBe('not_supported');
  await recordCallFailure(db, { callId, code: 'internal', message: 'The model crashed.' });
  expect(await stateOf()).toBe('found');
});

it('a report keeps an answer that is not supported and counts none of its quotes', async ({ db }) => {
  const { analysisId, answer, score, row } = await anAnswered(db, 'ollama');
  await answer();
  const { questionId } = await row();
  const { templateVersionId } = await db.chapter.findFirstOrThrow({
    where: { questions: { some: { id: questionId } } },
  });
  await db.analysis.update({ where: { id: analysisId }, data: { templateVersionId } });
  expect((await loadReport(db, TENANT, analysisId, ANSWERING_SETTINGS)).marks).toMatchObject({
    quotes: 1,
    onSlide: 1,
    notJudged: 1,
  });
  await score(0);
  const { marks, chapters, keyPoints } = await loadReport(db, TENANT, analysisId, ANSWERING_SETTINGS);
  expect(marks).toMatchObject({ quotes: 0, onSlide: 0, answering: 0, notJudged: 0 });
  expect(chapters.flatMap(({ questions }) => questions).find(({ answer: text }) => text !== null)).toMatchObject({
    state: 'not_supported',
    answer: 'They wait.',
    score: 0,
    evidence: [{ quote: QUOTE }],
  });
  expect(keyPoints).toEqual([]);
});
