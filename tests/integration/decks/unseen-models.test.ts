/** Planning while no host has shown some of the models: a stage waits for the models of its own tasks alone. */
import { expect, it } from 'vitest';
import { StagePlanner } from '../../../activities/decks/planning.ts';
import { beginAnalysis } from '../../../activities/decks/stages.ts';
import { AnalysisContexts } from '../../../activities/models/plan/analysis-context.ts';
import { EXTRACTION_FIELDS } from '../../../domain/model-tasks.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { analysisOf, databasePerTest, deckWith, NOW } from '../fleet/pool-rows.ts';

let db: PrismaClient;
databasePerTest((made) => {
  db = made;
});

const show = (modelName: string) =>
  db.modelConfiguration.updateMany({ where: { modelName }, data: { pinnedDigest: modelName, pinnedAt: NOW } });
const NOT_READY = { code: 'model_not_ready' };

it('slides are planned once the vision model was shown, values once the text model was', async () => {
  const { id: analysisId } = await analysisOf(db, await deckWith(db, 2, 2));
  const contexts = new AnalysisContexts(db);
  const planner = new StagePlanner(db, contexts);
  const slides = () => planner.slides({ analysisId, pages: [1, 2], describe: true, feedback: true });
  const values = () => planner.extractions({ analysisId, fields: EXTRACTION_FIELDS });

  await beginAnalysis(db, contexts, { analysisId });
  await expect(slides()).rejects.toMatchObject(NOT_READY);
  expect(await db.modelCall.count()).toBe(0);

  await show('reader-vision:1');
  expect((await slides()).calls).toHaveLength(4);
  // The deck fits its window: nothing is condensed, and no model is needed to know that.
  expect(await planner.condensation({ analysisId })).toMatchObject({ calls: [] });
  await expect(values()).rejects.toMatchObject(NOT_READY);
  expect(await db.modelCall.count({ where: { gpuClass: 'gpu-text' } })).toBe(0);

  await show('reader-text:1');
  expect((await values()).calls).toHaveLength(EXTRACTION_FIELDS.length);
});
