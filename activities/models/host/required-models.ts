/**
 * Which models a machine must hold: those of the active profile whose tasks belong to the classes it serves.
 */
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { MODEL_TASKS, modelTaskOf } from '../../../domain/models/model-tasks.ts';

/** A model with the options that decide how it is loaded. */
export interface RequiredModel {
  readonly name: string;
  readonly numCtx: number;
  readonly loadTimeoutMs: number;
  readonly attemptTimeoutMs: number;
}

/** A model with what it takes of a GPU's memory; null = not configured. */
export interface ConfiguredModel extends RequiredModel {
  readonly weightsGib: number | null;
  readonly kvCacheGibPerSlot: number | null;
}

/** The models of a profile that a machine of these classes needs, each once, in the order of their names. */
export async function requiredModels(
  db: PrismaClient,
  profile: string,
  classes: readonly string[],
): Promise<RequiredModel[]> {
  const models = await configuredModels(db, profile, classes);
  return models.map(({ name, numCtx, loadTimeoutMs, attemptTimeoutMs }) => ({
    name,
    numCtx,
    loadTimeoutMs,
    attemptTimeoutMs,
  }));
}

/** The same, with their memory. */
export async function configuredModels(
  db: PrismaClient,
  profile: string,
  classes: readonly string[],
): Promise<ConfiguredModel[]> {
  const rows = await db.modelConfiguration.findMany({ where: { profile }, orderBy: { modelName: 'asc' } });
  const models = new Map<string, ConfiguredModel>();
  for (const row of rows) {
    if (!classes.includes(MODEL_TASKS[modelTaskOf(row.task)].gpuClass)) continue;
    const { modelName: name, numCtx, loadTimeoutMs, attemptTimeoutMs, weightsGib, kvCacheGibPerSlot } = row;
    if (!models.has(name))
      models.set(name, { name, numCtx, loadTimeoutMs, attemptTimeoutMs, weightsGib, kvCacheGibPerSlot });
  }
  return [...models.values()];
}
