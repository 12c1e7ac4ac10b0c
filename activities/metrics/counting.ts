/** Counts that need more than the stored row. The process that stored the row calls them afterwards. */
import { provisioningEnded, wakeEnded, type LifeStep } from '../../domain/metrics/life.ts';
import { gpuLabel, offerLabels, stageLabel } from '../../domain/metrics/labels.ts';
import type { Analysis, ModelCall, PrismaClient } from '../../generated/prisma/client.ts';
import { count, observe } from '../../platform/process-metrics.ts';

/** A shorter load time is overhead of the model server, not a load. */
const LEAST_LOAD_MS = 500;

/** An attempt of a model call that has ended. */
export interface EndedAttempt {
  readonly instance: string;
  readonly task: string;
  readonly modelName: string;
  readonly isOnSlide: boolean;
  readonly outcome: 'stored' | 'failed' | 'cut';
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** 0 = the model was in memory. */
  readonly loadMs: number;
}

/** Counts an attempt of a model call, and the load that it waited for. */
export async function countAttempt(db: PrismaClient, attempt: EndedAttempt): Promise<void> {
  const { instance, task, modelName: model, outcome, startedAt, endedAt, loadMs } = attempt;
  const machine = await db.fleetInstance.findUnique({
    where: { name: instance },
    select: { provider: true, offerKey: true },
  });
  const gpu = gpuLabel(machine);
  const seconds = (endedAt.getTime() - startedAt.getTime()) / 1000;
  observe('deckhand_model_call_seconds', { stage: stageLabel(task), task, model, gpu, outcome }, seconds);
  if (attempt.isOnSlide && outcome === 'stored') observe('slide_seconds', { task, model, gpu }, seconds);
  if (loadMs < LEAST_LOAD_MS) return;
  observe('model_load_seconds', { model, gpu }, loadMs / 1000);
  const before = await db.callAttempt.findFirst({
    where: { instanceName: instance, startedAt: { lt: startedAt } },
    orderBy: { startedAt: 'desc' },
    select: { modelName: true },
  });
  if (before !== null && before.modelName !== model) count('model_swaps_total', { model, gpu });
}

/** Counts model calls that ended in this way now; those that had already are left out. */
export function countCallEnds(
  calls: readonly Pick<ModelCall, 'task' | 'state'>[],
  outcome: 'stored' | 'failed',
  cached: boolean,
): void {
  for (const { task } of calls.filter(({ state }) => state !== outcome)) {
    count('deckhand_model_calls_total', { stage: stageLabel(task), task, outcome, cached: String(cached) });
  }
}

/** Counts an analysis that has ended, with its wait for the first call, if it made one. @param analysis as it was before */
export async function countAnalysisEnd(
  db: PrismaClient,
  { id, taskType, createdAt }: Pick<Analysis, 'id' | 'taskType' | 'createdAt'>,
  outcome: string,
  endedAt: Date,
): Promise<void> {
  const labels = { task_type: taskType ?? 'full_review' };
  observe('deckhand_analysis_seconds', { ...labels, outcome }, (endedAt.getTime() - createdAt.getTime()) / 1000);
  const { _min } = await db.callAttempt.aggregate({ where: { analysisId: id }, _min: { startedAt: true } });
  if (_min.startedAt === null) return;
  observe('deckhand_analysis_wait_seconds', labels, (_min.startedAt.getTime() - createdAt.getTime()) / 1000);
}

/** Counts the boots and wakes that ended with steps of an instance's life. @param from position of the first new step */
export async function countSteps(db: PrismaClient, name: string, from: number): Promise<void> {
  const rows = await db.instanceTransition.findMany({ where: { instanceName: name }, orderBy: { position: 'asc' } });
  const steps = rows.map((row): LifeStep & { readonly position: number } => ({
    from: row.fromPhase,
    to: row.toPhase,
    atMs: row.at.getTime(),
    offerKey: row.offerKey,
    position: row.position,
  }));
  for (const [index, step] of steps.entries()) {
    if (step.position < from) continue;
    const before = steps.slice(0, index);
    const boot = provisioningEnded(before, step);
    if (boot !== null) {
      observe('gpu_provision_seconds', { ...offerLabels(boot.offerKey), outcome: boot.outcome }, boot.seconds);
    }
    if (step.from !== 'waking') continue;
    const way = wakeEnded(before, step, await lastOrder(db, name));
    if (way !== null) count('wake_path_total', { step: way });
  }
}

async function lastOrder(db: PrismaClient, name: string) {
  const instance = await db.fleetInstance.findUnique({ where: { name }, select: { attempts: true } });
  const order = await db.createIntent.findUnique({
    where: { id: `${name}/${instance?.attempts ?? 0}` },
    select: { createdAt: true, fromVolumeId: true },
  });
  return order === null ? null : { createdAtMs: order.createdAt.getTime(), fromVolumeId: order.fromVolumeId };
}
