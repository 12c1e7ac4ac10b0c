/**
 * Profiles kept for open decks. A profile that open decks use changes safely: they keep what they began with, under the profile's name with a
 * number (`mine@2`).
 */
import type { Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { baseName, keptNames, type Tx } from './read.ts';

/** Analyses that are not over. */
export const OPEN = { status: { in: ['queued', 'running'] } } satisfies Prisma.AnalysisWhereInput;

/** Holds the catalogue for the rest of a transaction: changes are made one after the other. */
export const holdCatalog = (tx: Tx): Promise<unknown> =>
  tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('model catalogue'))`;

/** Open analyses of a profile go on with what it says now, under a name of its own. */
export async function keepForOpenRuns(tx: Tx, profile: string): Promise<void> {
  const where = { modelProfile: profile, ...OPEN };
  if ((await tx.analysis.count({ where })) === 0) return;
  const earlier = await tx.modelConfiguration.findMany({
    where: { profile: { startsWith: `${profile}@` } },
    select: { profile: true },
    distinct: ['profile'],
  });
  const number = 1 + Math.max(0, ...earlier.map((row) => Number(row.profile.slice(profile.length + 1)) || 0));
  const kept = `${profile}@${number}`;
  const rows = await tx.modelConfiguration.findMany({ where: { profile } });
  await tx.modelConfiguration.createMany({
    data: rows.map((row) => ({ ...row, id: `${row.tenantId}/${kept}/${row.task}`, profile: kept })),
  });
  await tx.analysis.updateMany({ where, data: { modelProfile: kept } });
}

/** Removes what was kept for decks that have ended since, and profiles that were removed meanwhile. */
export async function forgetEnded(db: PrismaClient): Promise<void> {
  await db.$transaction(async (tx) => {
    await holdCatalog(tx);
    await forgetKept(tx);
  });
}

export async function forgetKept(tx: Tx): Promise<void> {
  for (const profile of await keptNames(tx)) {
    if ((await tx.analysis.count({ where: { modelProfile: profile, ...OPEN } })) > 0) continue;
    await tx.modelConfiguration.deleteMany({ where: { profile } });
    // A replay takes what the profile says then.
    await tx.analysis.updateMany({ where: { modelProfile: profile }, data: { modelProfile: baseName(profile) } });
  }
}
