/**
 * Removes analyses of a deck that is being deleted, some at a time: their runs in Temporal first, then their rows and the model results that
 * nobody else uses.
 */
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { removeReportFiles } from '../../platform/report-files.ts';
import { NOTHING_REMOVED, type RemovedCounts } from '../../contracts/deletion.ts';
import { makeDeliveryWorkflowId } from '../../contracts/webhooks.ts';
import { forgetCosts } from './forget-costs.ts';
import type { Histories } from './histories.ts';

/** Analyses per call of the activity. */
const BATCH = 20;

/** @param home data directory, where the command line keeps reviews as files */
export async function removeAnalyses(
  { db, home }: { readonly db: PrismaClient; readonly home: string },
  histories: Histories,
  { deckId }: { readonly deckId: string },
): Promise<{ readonly removed: RemovedCounts; readonly more: boolean }> {
  const rows = await db.analysis.findMany({
    where: { deckId },
    orderBy: { createdAt: 'asc' },
    take: BATCH,
    select: { id: true, tenantId: true, workflowId: true, deliveries: { select: { id: true } } },
  });
  const workflowIdsOf = (row: (typeof rows)[number]): string[] => [
    ...row.deliveries.map((delivery) => makeDeliveryWorkflowId(delivery.id)),
    row.workflowId,
  ];
  // All of them end before the first is deleted: a server that has deletions in its queue notes an end behind them late.
  for (const workflowId of rows.flatMap(workflowIdsOf)) await histories.terminate(workflowId);
  let removed = NOTHING_REMOVED;
  for (const row of rows) {
    let runs = 0;
    for (const workflowId of workflowIdsOf(row)) runs += await histories.remove(workflowId);
    await removeReportFiles(home, row.id);
    const modelResults = await removeRows(db, row.tenantId, row.id);
    removed = {
      ...removed,
      analyses: removed.analyses + 1,
      histories: removed.histories + runs,
      modelResults: removed.modelResults + modelResults,
    };
  }
  return { removed, more: rows.length === BATCH };
}

/** Removes an analysis with all that hangs on it. @returns how many stored results of models went with it */
async function removeRows(db: PrismaClient, tenantId: string, analysisId: string): Promise<number> {
  return db.$transaction(async (tx) => {
    const calls = await tx.modelCall.findMany({ where: { analysisId }, select: { contentKey: true } });
    await forgetCosts(tx, analysisId);
    await tx.analysis.deleteMany({ where: { id: analysisId } });
    const keys = calls.map((call) => call.contentKey);
    // Whoever else deletes the last other call of a key, or is about to use its result, comes before the look below or after this
    // transaction: two decks that share a page and go at the same time would each take the other for somebody who needs it.
    await tx.$queryRaw`
      SELECT "id" FROM "ModelResult"
      WHERE "tenantId" = ${tenantId} AND "contentKey" = ANY(${keys}) ORDER BY "id" FOR UPDATE`;
    // The same page in another deck has the same key: a result that any call still names stays.
    return tx.$executeRaw`
      DELETE FROM "ModelResult" r
      WHERE r."tenantId" = ${tenantId} AND r."contentKey" = ANY(${keys})
        AND NOT EXISTS (
          SELECT 1 FROM "ModelCall" c WHERE c."tenantId" = r."tenantId" AND c."contentKey" = r."contentKey"
        )`;
  });
}
