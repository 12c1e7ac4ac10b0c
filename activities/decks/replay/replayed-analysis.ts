/**
 * What the calls of an analysis that is replayed were made with. Read from its rows alone: a model that it used may have left the profile since,
 * and that must not keep anybody from replaying it with another one.
 */
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { ModelTask } from '../../../domain/models/model-tasks.ts';
import { editionOf } from '../../../domain/decks/replay/edition.ts';
import { loadMarks } from '../../models/plan/analysis-context.ts';

/** The analysis that is replayed, as far as a plan goes. */
export interface ReplayedAnalysis {
  readonly analysisId: string;
  readonly editionOf: (task: ModelTask) => string | null;
  /** Null when the profile has no model for the task. */
  readonly modelNameOf: (task: ModelTask) => string | null;
}

/** Reads it. */
export async function loadReplayedAnalysis(db: PrismaClient, analysisId: string): Promise<ReplayedAnalysis> {
  const analysis = await db.analysis.findUniqueOrThrow({
    where: { id: analysisId },
    include: { modelOverrides: true },
  });
  const { tenantId, modelProfile: profile } = analysis;
  const configured = await db.modelConfiguration.findMany({
    where: { tenantId, profile },
    select: { task: true, modelName: true },
  });
  const marks = await loadMarks(db, analysis);
  const models = [...analysis.modelOverrides, ...configured];
  return {
    analysisId,
    editionOf: (task) => editionOf(task, marks),
    modelNameOf: (task) => models.find((m) => m.task === task)?.modelName ?? null,
  };
}
