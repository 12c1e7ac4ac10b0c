/** Reviews by models of a real Ollama: which models answer, and all that a report says of them. */
import { openModelServer } from '../../activities/models/client/open.ts';
import type { AnalysisReport, Provenance, ReportEvidence } from '../../domain/decks/report.ts';
import { type GpuClass, MODEL_TASK_NAMES, MODEL_TASKS } from '../../domain/models/model-tasks.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { questionsOf } from '../../testing/rig.ts';

/** Profile of reviews that a real Ollama makes. */
export const PROFILE = 'ollama';

/** The model that answers the tasks of each class. */
export type ModelsOfClasses = Readonly<
  Record<GpuClass, { readonly modelName: string; readonly numCtx: number; readonly numPredict: number }>
>;

/**
 * Lets these models of a server answer. The seeded ones are not there, so until then the gateway only waits; it pins what it sees under the
 * new names.
 * @returns their digests by name
 */
export async function useModels(
  db: PrismaClient,
  host: string,
  models: ModelsOfClasses,
): Promise<Readonly<Record<string, string>>> {
  for (const task of MODEL_TASK_NAMES) {
    const data = { ...models[MODEL_TASKS[task].gpuClass], pinnedDigest: null };
    await db.modelConfiguration.updateMany({ where: { profile: PROFILE, task }, data });
  }
  const context = { signal: AbortSignal.timeout(30_000) };
  const names = Object.values(models).map(({ modelName }) => modelName);
  const infos = await Promise.all(
    names.map((name) => openModelServer({ kind: 'ollama', url: host }).inspect(name, context)),
  );
  return Object.fromEntries(infos.map((info) => [info.name.replace(/:latest$/u, ''), info.digest]));
}

/** Every quote of a report. */
export const allEvidence = (report: AnalysisReport): ReportEvidence[] => [
  ...report.extractions.flatMap((e) => e.evidence),
  ...questionsOf(report).flatMap((q) => q.evidence),
  ...report.specialised.flatMap((s) => s.evidence),
];

/** Where each value of a report comes from. */
export const allProvenance = (report: AnalysisReport): Provenance[] =>
  [
    ...report.slides.flatMap((s) => [s.descriptionProvenance, s.feedbackProvenance]),
    ...report.extractions.map((e) => e.provenance),
    report.sector.provenance,
    ...questionsOf(report).flatMap((q) => [q.answerProvenance, q.scoreProvenance]),
    ...report.specialised.map((s) => s.provenance),
  ].filter((p) => p !== null);
