/**
 * Which models a pool's machines must hold: those of every task of its classes under the running profile.
 */
import { MODEL_TASK_NAMES, MODEL_TASKS, type GpuClass, type ModelProfile } from '../../../domain/models/model-tasks.ts';
import type { ModelNeed } from '../../../domain/fleet/selection/ladder.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';

/** The models, each once, in order of name. Machines serve all tenants, so all tenants' models count. */
export async function readModelNeeds(
  db: PrismaClient,
  profile: ModelProfile,
  classes: readonly GpuClass[],
): Promise<ModelNeed[]> {
  const tasks = MODEL_TASK_NAMES.filter((task) => classes.includes(MODEL_TASKS[task].gpuClass));
  return db.modelConfiguration.findMany({
    where: { profile, task: { in: tasks } },
    distinct: ['modelName'],
    // Of different figures for one model the largest counts.
    orderBy: [{ modelName: 'asc' }, { weightsGib: 'desc' }, { kvCacheGibPerSlot: 'desc' }],
    select: { modelName: true, weightsGib: true, kvCacheGibPerSlot: true },
  });
}
