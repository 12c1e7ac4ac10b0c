/** A call that failed for good becomes a gap of its own item, under the name by which a later success closes it. */
import { expect } from 'vitest';
import { recordCallFailure } from '../../../activities/models/store-result.ts';
import { closeGap } from '../../../activities/models/gaps.ts';
import { gapItemOf, MODEL_TASK_NAMES, type ModelTask } from '../../../domain/models/model-tasks.ts';
import { itWithDatabase as it } from '../../../testing/database.ts';
import { aModelCall, anAnalysis, TENANT } from '../../../testing/make.ts';

const SLIDE = 3;
const QUESTION = 'QUESTION';
const CODE = 'model_output_unparseable';

/** The item of each kind of call, with the question's id as {@link QUESTION}. */
const ITEMS: Readonly<Record<ModelTask, string>> = {
  describe_slide: `slide/${SLIDE}/description`,
  slide_feedback: `slide/${SLIDE}/feedback`,
  condense_slide: `slide/${SLIDE}/condensation`,
  extract_offering: 'extraction/offering',
  extract_company_name: 'extraction/company_name',
  extract_funding: 'extraction/funding',
  extract_deck_date: 'extraction/deck_date',
  extract_profile: 'profile',
  classify_sector: 'classification',
  answer_question: `answer/${QUESTION}`,
  score_answer: `score/${QUESTION}`,
  specialised_clinical: 'specialised/clinical',
  specialised_regulatory: 'specialised/regulatory',
  specialised_science: 'specialised/science',
};

it.for(MODEL_TASK_NAMES)('a call of %s that failed for good is a gap until its item is there', async (task, { db }) => {
  const { id: analysisId } = await anAnalysis(db);
  const question = await db.question.findFirstOrThrow();
  const item = ITEMS[task].replace(QUESTION, question.id);
  const slideNumber = item.startsWith('slide/') ? SLIDE : null;
  const questionId = item.endsWith(question.id) ? question.id : null;
  if (task === 'score_answer') {
    const answer = { id: `${analysisId}-answer`, tenantId: TENANT, analysisId, questionId: question.id };
    await db.answer.create({ data: { ...answer, status: 'answered' } });
  }
  const call = await aModelCall(db, { analysisId, task, slideNumber, questionId });
  await recordCallFailure(db, { callId: call.id, code: CODE, message: 'no JSON' });

  const questionSlug = questionId === null ? null : question.slug;
  expect(await db.gap.findMany({ where: { analysisId } })).toMatchObject([
    { item, code: CODE, slideNumber, questionSlug },
  ]);
  expect(await db.modelCall.findUnique({ where: { id: call.id } })).toMatchObject({
    state: 'failed',
    failureCode: CODE,
  });
  await closeGap(db, analysisId, gapItemOf(call));
  expect(await db.gap.count({ where: { analysisId } })).toBe(0);
});

it('the gap of a call that was lost besides says how often', async ({ db }) => {
  const { id: analysisId } = await anAnalysis(db);
  const call = await aModelCall(db, { analysisId, task: 'describe_slide', slideNumber: SLIDE, lostSends: 2 });
  await recordCallFailure(db, { callId: call.id, code: CODE, message: 'No JSON.' });
  const [gap] = await db.gap.findMany({ where: { analysisId } });
  expect(gap?.message).toContain('No JSON. It was also lost 2 times with its machine, gateway or network.');
});
