/** Which models a machine must hold: those of the active profile whose tasks belong to the classes it serves. */
import type { ModelConfiguration, PrismaClient } from '../../../generated/prisma/client.ts';
import { attemptLimits } from '../../../domain/models/call-limits.ts';
import { MODEL_TASKS, modelTaskOf } from '../../../domain/models/model-tasks.ts';

/** A model with the options that decide how it is loaded, and what it takes of a GPU's memory. */
export type RequiredModel = Pick<
  ModelConfiguration,
  'numCtx' | 'loadTimeoutMs' | 'weightsGib' | 'kvCacheGibPerSlot'
> & {
  readonly name: string;
  /** Limit of a trial of a few words, without loading. */
  readonly attemptTimeoutMs: number;
};

/** A machine has not been measured when it is first tried. */
const { totalMs: TRIAL_LIMIT_MS } = attemptLimits({ readTokens: 100, writeTokens: 128 }, null, 1);

/** A profile, or where it was removed while decks were open, the name under which the last of them keep it. */
export async function heldProfile(db: PrismaClient, profile: string): Promise<string> {
  if ((await db.modelConfiguration.count({ where: { profile } })) > 0) return profile;
  const kept = await db.modelConfiguration.findMany({
    where: { profile: { startsWith: `${profile}@` } },
    select: { profile: true },
    distinct: ['profile'],
  });
  const numberOf = (name: string): number => Number(name.slice(profile.length + 1));
  return kept.map((row) => row.profile).toSorted((a, b) => numberOf(b) - numberOf(a))[0] ?? profile;
}

/** The models of a profile that a machine of these classes needs, each once, in the order of their names. Machines serve all tenants. */
export async function requiredModels(
  db: PrismaClient,
  profile: string,
  classes: readonly string[],
): Promise<RequiredModel[]> {
  const rows = await db.modelConfiguration.findMany({
    where: { profile: await heldProfile(db, profile) },
    // Of different figures for one model the largest count.
    orderBy: [{ modelName: 'asc' }, { weightsGib: 'desc' }, { kvCacheGibPerSlot: 'desc' }],
  });
  const models = new Map<string, RequiredModel>();
  for (const row of rows) {
    if (!classes.includes(MODEL_TASKS[modelTaskOf(row.task)].gpuClass)) continue;
    const { modelName: name, numCtx, loadTimeoutMs, weightsGib, kvCacheGibPerSlot } = row;
    const attemptTimeoutMs = TRIAL_LIMIT_MS;
    if (!models.has(name))
      models.set(name, { name, numCtx, loadTimeoutMs, attemptTimeoutMs, weightsGib, kvCacheGibPerSlot });
  }
  return [...models.values()];
}
