/** Places in line of runs that wait for their turn. */
import type { Place } from '../../../domain/decks/admission/places.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';

/** The place of a run; null when it does not wait for one. */
export async function placeOf(db: PrismaClient, analysisId: string): Promise<Place | null> {
  const run = await db.analysis.findUnique({ where: { id: analysisId }, select: { tenantId: true } });
  return run === null ? null : ((await placesOf(db, run.tenantId)).get(analysisId) ?? null);
}

/** The places of the runs of a tenant that wait for one, by their ids. */
export async function placesOf(db: PrismaClient, tenantId: string): Promise<ReadonlyMap<string, Place>> {
  const rows = await db.$queryRaw<{ readonly id: string; readonly place: number }[]>`
    SELECT a.id, row_number() OVER (PARTITION BY a.priority, a."poolName" ORDER BY a."createdAt", a.id)::int AS place
    FROM "Analysis" a JOIN "AnalysisShare" s ON s."analysisId" = a.id
    WHERE a."tenantId" = ${tenantId} AND a.status IN ('queued', 'running') AND a."pausedAt" IS NULL
      AND s."openedAt" IS NULL`;
  return new Map(rows.map(({ id, place }) => [id, { place }]));
}
