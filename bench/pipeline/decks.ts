/** Runs decks through the pipeline and measures the slide stage by the database's clock. */
import type { Rig } from '../../testing/rig.ts';

export interface StageTimes {
  /** From the first start to the last end. */
  readonly makespanSeconds: number;
  /** From the start of the first analysis to its first rendered page. */
  readonly firstRenderSeconds: number;
  readonly calls: number;
  /** Activities scheduled by all runs. */
  readonly activities: number;
}

/** Runs the visual analysis (one call per slide) of all decks at the same time. */
export async function runSlideStage(rig: Rig, deckIds: readonly string[], language: 'en' | 'de'): Promise<StageTimes> {
  const started = await Promise.all(
    deckIds.map((id) => rig.client.startAnalysis(id, { taskType: 'visual_analysis', language })),
  );
  const ids = started.map((s) => s.analysisId);
  await Promise.all(started.map(async (s) => rig.temporal.workflow.getHandle(s.workflowId).result()));
  const analyses = await rig.db.analysis.findMany({ where: { id: { in: ids } } });
  const broken = analyses.find((a) => a.status !== 'completed');
  if (broken !== undefined) throw new Error(`analysis ended ${broken.status}: ${broken.failureMessage ?? ''}`);
  const starts = analyses.map((a) => a.createdAt.getTime());
  const ends = analyses.map((a) => a.finishedAt?.getTime() ?? Number.NaN);
  const firstSlide = await rig.db.slide.findFirst({
    where: { deckId: { in: [...deckIds] } },
    orderBy: { createdAt: 'asc' },
  });
  const calls = await rig.db.modelCall.count({ where: { analysisId: { in: ids } } });
  return {
    makespanSeconds: (Math.max(...ends) - Math.min(...starts)) / 1000,
    firstRenderSeconds: Math.max(0, (firstSlide?.createdAt.getTime() ?? Number.NaN) - Math.min(...starts)) / 1000,
    calls,
    activities: await countActivities(
      rig,
      started.map((s) => s.workflowId),
    ),
  };
}

async function countActivities(rig: Rig, workflowIds: readonly string[]): Promise<number> {
  let count = 0;
  for (const id of workflowIds) {
    const { events } = await rig.temporal.workflow.getHandle(id).fetchHistory();
    count += events?.filter((e) => Boolean(e.activityTaskScheduledEventAttributes)).length ?? 0;
  }
  return count;
}

/** Seconds from the upload to the first stored finding of a deck. */
export async function uploadToFirstFinding(rig: Rig, pdf: Uint8Array, name: string): Promise<number> {
  const startedAtMs = performance.now();
  const deckId = await rig.upload(pdf, name);
  const { analysisId } = await rig.client.startAnalysis(deckId, { taskType: 'visual_analysis' });
  for (;;) {
    const finding = await rig.db.slideFinding.findFirst({
      where: { analysisId, kind: 'description' },
      select: { id: true },
    });
    if (finding !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const seconds = (performance.now() - startedAtMs) / 1000;
  await rig.client.POST('/analyses/{id}/cancel', { params: { path: { id: analysisId } } });
  return seconds;
}

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
