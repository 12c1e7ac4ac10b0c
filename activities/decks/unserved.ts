/**
 * Ends runs that no server can finish: see domain/decks/unserved.ts. What nothing serves is marked with the time; a run that something serves
 * again, or for which a machine can be rented, loses the mark.
 */
import type { Client } from '@temporalio/client';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { UNSERVED_SIGNAL, type Unserved } from '../../contracts/decks.ts';
import { signalWorkflow } from './deck-runs.ts';

/** A report of a gateway that is older says nothing of now. */
const REPORT_VALID_SEC = 120;

/**
 * Marks, and signals the runs that have had the mark for too long. A run that has ended meanwhile is left alone.
 *
 * @param afterMs time after which a run ends
 */
export async function endUnserved(db: PrismaClient, temporal: Client, afterMs: number, now: Date): Promise<void> {
  const found = await readUnserved(db, now);
  const lost = found.filter(({ isUnserved, since }) => isUnserved && since === null).map(({ id }) => id);
  const back = found.filter(({ isUnserved, since }) => !isUnserved && since !== null).map(({ id }) => id);
  if (lost.length > 0) await db.analysis.updateMany({ where: { id: { in: lost } }, data: { unservedSince: now } });
  if (back.length > 0) await db.analysis.updateMany({ where: { id: { in: back } }, data: { unservedSince: null } });
  for (const { workflowId, isUnserved, since } of found)
    if (isUnserved && since !== null && now.getTime() - since.getTime() >= afterMs)
      await signalWorkflow<Unserved>(temporal, workflowId, UNSERVED_SIGNAL, { sinceMs: since.getTime() });
}

interface OpenRun {
  readonly id: string;
  readonly workflowId: string;
  readonly since: Date | null;
  readonly isUnserved: boolean;
}

/** Open runs with what they wait for. A paused run waits for a person. */
function readUnserved(db: PrismaClient, now: Date): Promise<OpenRun[]> {
  const reportedAfter = new Date(now.getTime() - REPORT_VALID_SEC * 1000);
  return db.$queryRaw<OpenRun[]>`
    WITH open AS (
      SELECT a.id, a."workflowId", a."poolName", a."unservedSince", a."tenantId", a."modelProfile"
      FROM "Analysis" a
      WHERE a.status IN ('queued', 'running') AND a."pausedAt" IS NULL
    ), wanted AS (
      SELECT DISTINCT o.id, c."gpuClass" AS class
      FROM open o JOIN "ModelCall" c ON c."analysisId" = o.id AND c.state = 'planned'
      UNION
      SELECT o.id, 'gpu-visual' FROM open o
      -- It waits for its place in line, or for a model that no host has shown.
      WHERE EXISTS (SELECT 1 FROM "AnalysisShare" s WHERE s."analysisId" = o.id AND s."openedAt" IS NULL)
         OR EXISTS (SELECT 1 FROM "ModelConfiguration" m
                    WHERE m."tenantId" = o."tenantId" AND m.profile = o."modelProfile" AND m."pinnedDigest" IS NULL)
    ), pools AS (
      SELECT p.name, p.classes, p."ownQueues",
             p.provider <> 'static' AND p.max > 0 AND p."nextLookAt" IS NOT NULL AS "isRentable",
             EXISTS (SELECT 1 FROM "FleetInstance" i JOIN "InstanceServing" s ON s."instanceName" = i.name
                     WHERE i.pool = p.name AND s.state = 'serving' AND s."seenAt" > ${reportedAfter}) AS "isServing"
      FROM "FleetPool" p
    )
    SELECT o.id, o."workflowId", o."unservedSince" AS since,
           EXISTS (SELECT 1 FROM wanted w WHERE w.id = o.id AND NOT EXISTS (
             SELECT 1 FROM pools p
             WHERE w.class = ANY(p.classes) AND (p."isRentable" OR p."isServing")
               AND CASE WHEN o."poolName" IS NULL THEN NOT p."ownQueues" ELSE p.name = o."poolName" END)) AS "isUnserved"
    FROM open o`;
}
