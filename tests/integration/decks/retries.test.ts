/**
 * A page that could not be drawn, tried again while its run goes on: planning may break off anywhere, and what was built without the page
 * says so.
 */
import { expect } from 'vitest';
import { planRetry } from '../../../activities/decks/retries.ts';
import { AnalysisContexts } from '../../../activities/models/analysis-context.ts';
import { recordGap } from '../../../activities/models/gaps.ts';
import { pageGapItem } from '../../../domain/models/model-tasks.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { itWithDatabase as it } from '../../../testing/database.ts';
import { aDeck, aModelCall, anAnalysis, aSlide } from '../../../testing/make.ts';

const tenantId = 'default';
const deckId = 'deck';
const analysisId = 'analysis';
const PAGE = 2;

it.beforeAll(async ({ db }) => {
  await db.modelConfiguration.updateMany({ data: { pinnedDigest: 'd'.repeat(64), pinnedAt: new Date() } });
});

/** A running review whose second page could not be drawn, and that has read the offering without it. */
async function reviewWithoutPage(db: PrismaClient): Promise<void> {
  await aDeck(db, { id: deckId, pageCount: PAGE });
  await aSlide(db, { deckId, number: 1, text: 'Cardiva' });
  const failure = { failureCode: 'page_render_failed', failureMessage: 'ink' };
  await aSlide(db, { deckId, number: PAGE, text: '', modelBlobKey: null, modelSha256: null, ...failure });
  await anAnalysis(db, { id: analysisId, deckId, workflowId: analysisId, stage: null });
  const item = pageGapItem(PAGE);
  const code = 'page_render_failed';
  await recordGap(db, { tenantId, analysisId, item, stage: 'slides', slideNumber: PAGE, code, message: 'ink' });
  const call = { id: 'offering', contentKey: 'offering', task: 'extract_offering', gpuClass: 'gpu-text' };
  await aModelCall(db, { ...call, analysisId, state: 'stored' });
}

it('a page that is tried again is drawn, then planned; the plan repeats, values name the missing page', async ({
  db,
}) => {
  await reviewWithoutPage(db);
  const plan = () =>
    planRetry(db, new AnalysisContexts(db), {
      analysisId,
      slide: PAGE,
      questionId: null,
      tasks: ['describe_slide', 'slide_feedback'],
    });
  expect(await plan()).toEqual({ mustDraw: true, calls: [] });
  await db.slide.updateMany({
    where: { deckId, number: PAGE },
    data: { modelBlobKey: 'blob-2', modelSha256: 'sha-2', text: 'Patients: 840', failureCode: null },
  });

  const first = await plan();
  expect(first).toMatchObject({
    mustDraw: false,
    calls: [
      { task: 'describe_slide', hadFailed: false },
      { task: 'slide_feedback', hadFailed: false },
    ],
  });
  expect(await db.gap.count({ where: { analysisId } })).toBe(0);
  expect(await db.modelCall.findUnique({ where: { id: 'offering' } })).toMatchObject({ computedWithout: [PAGE] });

  // The answer got lost with its worker: the run asks again, and must not come away empty.
  const idsOf = ({ calls }: typeof first) => calls.map(({ call }) => call?.callId);
  const again = await plan();
  expect(idsOf(again)).toEqual(idsOf(first));
  expect(again.calls.map((call) => call.hadFailed)).toEqual([false, false]);
});
