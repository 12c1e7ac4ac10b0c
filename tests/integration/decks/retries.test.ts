/**
 * A page that could not be drawn, tried again while its run goes on: planning may break off anywhere, and what was built without the page
 * says so.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { planRetry } from '../../../activities/decks/retries.ts';
import { AnalysisContexts } from '../../../activities/models/plan/analysis-context.ts';
import { gapItem, recordGap } from '../../../activities/models/store/gaps.ts';
import { RENDER_KEY } from '../../../domain/render-key.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { closeDatabase, createDatabase } from '../../../platform/db.ts';
import { startTestPostgres, type TestPostgres } from '../../support/database.ts';

const tenantId = 'default';
const deckId = 'deck';
const analysisId = 'analysis';
const PAGE = 2;

let postgres: TestPostgres;
let db: PrismaClient;
beforeAll(async () => {
  postgres = await startTestPostgres();
  db = createDatabase(await postgres.migratedDatabase(), { poolSize: 4 });
  await db.modelConfiguration.updateMany({ data: { pinnedDigest: 'd'.repeat(64), pinnedAt: new Date() } });
});
afterAll(async () => {
  await closeDatabase(db);
  await postgres.stop();
});

/** A running review whose second page could not be drawn, and that has read the offering without it. */
async function reviewWithoutPage(): Promise<void> {
  const hazards: string[] = [];
  await db.deck.create({
    data: { id: deckId, tenantId, sha256: deckId, fileName: 'deck.pdf', sizeBytes: 1, pageCount: PAGE, hazards },
  });
  const slide = { tenantId, deckId, renderKey: RENDER_KEY };
  await db.slide.createMany({
    data: [
      { ...slide, id: randomUUID(), number: 1, text: 'Cardiva', modelBlobKey: 'blob-1', modelSha256: 'sha-1' },
      { ...slide, id: randomUUID(), number: PAGE, text: '', failureCode: 'page_render_failed', failureMessage: 'ink' },
    ],
  });
  await db.analysis.create({
    data: {
      id: analysisId,
      tenantId,
      deckId,
      language: 'en',
      modelProfile: 'reader',
      workflowId: analysisId,
      status: 'running',
    },
  });
  const item = gapItem.page(PAGE);
  const code = 'page_render_failed';
  await recordGap(db, { tenantId, analysisId, item, stage: 'slides', slideNumber: PAGE, code, message: 'ink' });
  await db.modelCall.create({
    data: {
      id: 'offering',
      tenantId,
      analysisId,
      contentKey: 'offering',
      task: 'extract_offering',
      gpuClass: 'gpu-text',
      priority: 3,
      expectedSeconds: 1,
      state: 'stored',
      computedWithout: [],
    },
  });
}

it('is drawn first, then planned; asked once more the same calls are there, and the values name the page they lack', async () => {
  await reviewWithoutPage();
  const plan = () =>
    planRetry(db, new AnalysisContexts(db), {
      analysisId,
      slide: PAGE,
      questionId: null,
      describe: true,
      feedback: true,
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
