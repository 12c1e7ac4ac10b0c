/** Removes deleted decks from stored reports. Their cost stays, without the deck's id. */
import { costReportSchema, type CostReport } from '../../../domain/costs/report/document.ts';
import type { Transaction } from '../../../platform/db.ts';

/** A report without the ids of these decks. */
function withoutDecks(report: CostReport, isGone: (deckId: string) => boolean): CostReport {
  const dearest = report.documents.dearest.map((line) =>
    line.deckId !== null && isGone(line.deckId) ? { ...line, deckId: null } : line,
  );
  return { ...report, documents: { ...report.documents, dearest } };
}

/** Takes a deck out of all stored reports. @param tx the transaction that deletes it */
export async function forgetDeckInReports(tx: Transaction, deckId: string): Promise<void> {
  const named = JSON.stringify({ documents: { dearest: [{ deckId }] } });
  const rows = await tx.$queryRaw<{ readonly id: string; readonly document: unknown }[]>`
    SELECT id, document FROM "CostReport" WHERE document @> ${named}::jsonb ORDER BY id FOR UPDATE`;
  for (const { id, document } of rows) {
    const report = withoutDecks(costReportSchema.parse(document), (one) => one === deckId);
    await tx.costReport.update({ where: { id }, data: { document: report } });
  }
}

/**
 * A report without the decks that were deleted, or are being deleted, since it was made. The others are locked until the transaction ends,
 * so that a deletion comes after the report and finds it.
 */
export async function withoutGoneDecks(tx: Transaction, report: CostReport): Promise<CostReport> {
  const ids = report.documents.dearest.flatMap(({ deckId }) => (deckId === null ? [] : [deckId]));
  const rows = await tx.$queryRaw<{ readonly id: string }[]>`
    SELECT id FROM "Deck" WHERE id = ANY(${ids}) AND "deletingAt" IS NULL ORDER BY id FOR SHARE`;
  const there = new Set(rows.map(({ id }) => id));
  return withoutDecks(report, (deckId) => !there.has(deckId));
}
