/** What a review says beside the report of its analysis: people's verdicts and the cost. */
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import { currentVerdicts, withVerdicts } from '../../../domain/decks/verdicts/overlay.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { verdictsOf } from '../verdicts/store.ts';
import type { ReviewContext } from './document/writing.ts';

/** Reads what people say about the deck of a report, and what the analysis cost so far. */
export async function loadReviewContext(
  db: PrismaClient,
  tenantId: string,
  report: AnalysisReport,
): Promise<ReviewContext> {
  const [history, cost] = await Promise.all([
    verdictsOf(db, { tenantId, deckId: report.deck.id }),
    db.ledgerEntry.aggregate({ where: { tenantId, analysisId: report.analysisId }, _sum: { amountUsd: true } }),
  ]);
  return {
    judged: withVerdicts(report, currentVerdicts(history)),
    costUsd: cost._sum.amountUsd?.toNumber() ?? null,
  };
}
