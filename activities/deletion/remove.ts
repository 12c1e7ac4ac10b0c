/**
 * Removes a deck that is being deleted: its analyses, some at a time (their runs in Temporal first, then their rows and the model results that
 * no other analysis uses), then its files and its row.
 */
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { forgetEvaluatedDeck } from '../../platform/evaluation-files.ts';
import { removeReportFiles } from '../../platform/report-files.ts';
import { makeDeliveryWorkflowId } from '../../contracts/webhooks.ts';
import { lockCompanies, removeIfEmpty } from '../companies/company-rows.ts';
import type { Histories } from './histories.ts';
import { forgetAttempts } from '../costs/ledger/forgotten-attempts.ts';
import { deckImagesPrefix, deckPdfKey, type BlobStore } from '../../platform/blobs.ts';
import { forgetDeckInReports } from '../costs/report/forget-deck.ts';
import { NOTHING_REMOVED, type RemovedCounts } from '../../contracts/deletion.ts';
import type { Transaction } from '../../platform/db.ts';

/** Analyses per call of the activity. */
const BATCH = 20;

/** @param home data directory, where the command line keeps reviews and evaluations as files */
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
    await forgetEvaluatedDeck(home, row.id);
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
    // Transactions that delete the last other call of a key, or are about to use its result, run before the check below or after this
    // transaction: otherwise two decks that share a page and are deleted together would each keep the result for the other.
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

/**
 * Takes a deck out of the books: what it cost stays, with its tenant and what kind of work it was, and nothing says any more which deck, slide
 * or call that was.
 */

/**
 * Removes from the ledger which deck, slide or call an analysis' costs were for; the costs stay, with their tenant and kind of work. The deck
 * must be marked for deletion before: what the ledger settles from then on carries no ids of the deck.
 */
export async function forgetCosts(tx: Transaction, analysisId: string): Promise<void> {
  const nothing = { deckId: null, analysisId: null, callId: null, slideNumber: null };
  await tx.ledgerEntry.updateMany({ where: { analysisId }, data: nothing });
  await forgetAttempts(tx, analysisId);
}

/**
 * Removes the deck itself: its images and its PDF, the row with what people said about it, and its company when it was the last deck of it.
 *
 * @returns what was removed; nothing when the row is gone already
 */
export async function removeDeckFiles(
  { db, blobs }: { readonly db: PrismaClient; readonly blobs: BlobStore },
  { tenantId, deckId }: { readonly tenantId: string; readonly deckId: string },
): Promise<RemovedCounts> {
  const slides = await db.slide.count({ where: { deckId } });
  await blobs.deletePrefix(deckImagesPrefix(tenantId, deckId));
  const wasThere = await db.$transaction(async (tx) => {
    await lockCompanies(tx, tenantId);
    const deck = await tx.deck.findUnique({ where: { id: deckId }, select: { sha256: true, companyId: true } });
    if (deck === null) return false;
    // The same PDF may be uploaded again at any moment, under the same key. From here on its row waits for the end of this transaction, and
    // the upload checks for the bytes after that: so the bytes are deleted now, and never once the row is gone.
    await forgetDeckInReports(tx, deckId);
    // Before the deck, in the order of those who make entries of the list anew. Nothing of the deck changes any more.
    await tx.deckChange.deleteMany({ where: { tenantId, deckId } });
    // Another attempt of this step may have been faster.
    const { count } = await tx.deck.deleteMany({ where: { id: deckId } });
    if (count === 0) return false;
    if (deck.companyId !== null) await removeIfEmpty(tx, tenantId, deck.companyId);
    await blobs.delete(deckPdfKey(tenantId, deck.sha256));
    return true;
  });
  // What a page drawn at the last moment left: no row of it can come any more.
  await blobs.deletePrefix(deckImagesPrefix(tenantId, deckId));
  return wasThere ? { ...NOTHING_REMOVED, slides } : NOTHING_REMOVED;
}
