/** The configuration of each task, which calls use: it is made from the presets and the entries of the catalogue. */
import { isDeepStrictEqual } from 'node:util';
import { checkedProfile } from '../../../domain/models/catalog/catalog.ts';
import { findProfile, tasksOfProfile } from '../../../domain/models/catalog/lookup.ts';
import { PRESETS } from '../../../domain/models/catalog/presets.ts';
import { keepForOpenRuns } from './kept.ts';
import { readCatalog, type Tx } from './read.ts';

/**
 * Brings the configuration of every task of every tenant to the catalogue.
 *
 * @param changed models that were written or removed
 */
export async function configureAll(tx: Tx, changed: ReadonlySet<string>): Promise<void> {
  const { catalog, rows } = await readCatalog(tx);
  const everyone = (await tx.tenant.findMany({ select: { id: true } })).map(({ id }) => id);
  for (const { name, tenantId, removedAt } of rows.profiles) {
    if (removedAt !== null) continue;
    const wanted = checkedProfile(findProfile(catalog, name), catalog.models);
    await writeTasks(tx, name, wanted, tenantId === null ? everyone : [tenantId]);
  }
  // Settings of a model count in the presets as well. Their digests are those of a library: unless somebody said one, machines pin what they hold.
  const isSaid = (model: string): boolean => rows.models.some((row) => row.name === model);
  for (const { name, models } of PRESETS.profiles) {
    if (!Object.values(models).some((model) => model !== undefined && changed.has(model))) continue;
    const wanted = tasksOfProfile(catalog, name);
    const pinned = wanted.map((task) => (isSaid(task.modelName) ? task : { ...task, pinnedDigest: null }));
    await writeTasks(tx, name, pinned, everyone);
  }
}

/** Writes the configuration of all profiles of the installation for a new tenant. */
export async function configureTenant(tx: Tx, tenantId: string): Promise<void> {
  const { catalog, rows } = await readCatalog(tx);
  for (const { name, tenantId: owner, removedAt } of rows.profiles)
    if (owner === null && removedAt === null) await writeTasks(tx, name, tasksOfProfile(catalog, name), [tenantId]);
}

/** Writes the tasks of a profile for these tenants. What open decks began with is kept for them. */
async function writeTasks(
  tx: Tx,
  profile: string,
  wanted: ReturnType<typeof tasksOfProfile>,
  tenants: readonly string[],
): Promise<void> {
  const stored = await tx.modelConfiguration.findMany({ where: { profile } });
  const differs = stored.some((row) => {
    const now = wanted.find(({ task }) => task === row.task);
    return (
      now === undefined ||
      row.modelName !== now.modelName ||
      row.numCtx !== now.numCtx ||
      row.numPredict !== now.numPredict ||
      row.temperature !== now.temperature ||
      row.topP !== now.topP ||
      (now.pinnedDigest !== null && row.pinnedDigest !== now.pinnedDigest)
    );
  });
  if (differs) await keepForOpenRuns(tx, profile);
  for (const tenantId of tenants)
    for (const { task, profile: _, pinnedDigest, ...columns } of wanted) {
      const before = stored.find((row) => row.tenantId === tenantId && row.task === task);
      const isSame = before?.modelName === columns.modelName;
      const digest = pinnedDigest ?? (isSame ? before.pinnedDigest : null);
      const pinnedAt = digest === null ? null : digest === before?.pinnedDigest ? before.pinnedAt : new Date();
      const data = { ...columns, pinnedDigest: digest, pinnedAt };
      if (before !== undefined && isDeepStrictEqual({ ...before, ...data }, before)) continue;
      await tx.modelConfiguration.upsert({
        where: { tenantId_profile_task: { tenantId, profile, task } },
        create: { id: `${tenantId}/${profile}/${task}`, tenantId, profile, task, ...data },
        update: data,
      });
    }
}
