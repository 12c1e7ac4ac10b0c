/**
 * Which models a machine must hold: those of the active profile whose tasks belong to the classes it serves.
 */
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { MODEL_TASKS } from '../../../domain/model-tasks.ts';
import { modelTaskOf } from '../store/gaps.ts';

/** A model with the options that decide how it is loaded. */
export interface RequiredModel {
  readonly name: string;
  readonly numCtx: number;
  readonly loadTimeoutMs: number;
  readonly attemptTimeoutMs: number;
}

/** The models of a profile that a machine of these classes needs, each once, in the order of their names. */
export async function requiredModels(
  db: PrismaClient,
  profile: string,
  classes: readonly string[],
): Promise<RequiredModel[]> {
  const rows = await db.modelConfiguration.findMany({ where: { profile }, orderBy: { modelName: 'asc' } });
  const models = new Map<string, RequiredModel>();
  for (const row of rows) {
    if (!classes.includes(MODEL_TASKS[modelTaskOf(row.task)].gpuClass)) continue;
    const { modelName: name, numCtx, loadTimeoutMs, attemptTimeoutMs } = row;
    if (!models.has(name)) models.set(name, { name, numCtx, loadTimeoutMs, attemptTimeoutMs });
  }
  return [...models.values()];
}
