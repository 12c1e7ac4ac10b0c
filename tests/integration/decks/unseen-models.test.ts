/** Planning while no host has shown some of the models: a stage waits for the models of its own tasks alone. */
import { expect } from 'vitest';
import { StagePlanner } from '../../../activities/decks/planning.ts';
import { beginAnalysis } from '../../../activities/decks/stages.ts';
import { AnalysisContexts } from '../../../activities/models/analysis-context.ts';
import { EXTRACTION_FIELDS } from '../../../domain/models/model-tasks.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { itWithFreshDatabase as it } from '../../../testing/database.ts';
import { anAnalysis, NOW } from '../../../testing/make.ts';

const show = (db: PrismaClient, modelName: string) =>
  db.modelConfiguration.updateMany({ where: { modelName }, data: { pinnedDigest: modelName, pinnedAt: NOW } });
const NOT_READY = { code: 'model_not_ready' };

it('slides are planned once the vision model was shown, values once the text model was', async ({ db }) => {
  const { id: analysisId } = await anAnalysis(db, { deck: { pageCount: 2, drawn: 2 } });
  const contexts = new AnalysisContexts(db);
  const planner = new StagePlanner(db, contexts);
  const slides = () => planner.slides({ analysisId, pages: [1, 2], tasks: ['describe_slide', 'slide_feedback'] });
  const values = () => planner.extractions({ analysisId, fields: EXTRACTION_FIELDS, withProfile: true });

  await beginAnalysis(db, contexts, { analysisId });
  await expect(slides()).rejects.toMatchObject(NOT_READY);
  expect(await db.modelCall.count()).toBe(0);

  await show(db, 'reader-vision:1');
  expect((await slides()).calls).toHaveLength(4);
  // The deck fits its window: nothing is condensed, and no model is needed to know that.
  expect(await planner.condensation({ analysisId })).toMatchObject({ calls: [] });
  await expect(values()).rejects.toMatchObject(NOT_READY);
  expect(await db.modelCall.count({ where: { gpuClass: 'gpu-text' } })).toBe(0);

  await show(db, 'reader-text:1');
  expect((await values()).calls).toHaveLength(EXTRACTION_FIELDS.length + 1);
});
