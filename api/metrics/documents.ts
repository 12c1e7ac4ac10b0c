/**
 * What documents have cost, for the histogram: each analysis once, when it has ended and the ledger has settled its time.
 *
 * A mark says up to which end analyses have been counted. It moves on to the time up to which every rental is settled, so an analysis is never
 * counted with a part of its costs; those of before the mark was first set are not counted.
 */
import { furthestBehind } from '../../activities/costs/ledger/furthest-behind.ts';
import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import { observe } from '../../platform/process-metrics.ts';

const MARK = 'cost_per_document';
/** What was written just now may not be visible yet, and a rental may begin to be settled some minutes after it began. */
const LAG_MS = 15 * 60_000;
/** Analyses counted in one round. */
const MOST_ANALYSES = 2000;

/** Counts the analyses that ended since the mark and are settled. */
export async function countDocuments(db: PrismaClient, now: Date): Promise<void> {
  const behind = await furthestBehind(db, now);
  const untilMs = Math.min(now.getTime() - LAG_MS, behind?.since.getTime() ?? Infinity);
  const costsUsd = await db.$transaction(async (tx): Promise<number[]> => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`metrics/${MARK}`}, 0))`;
    const mark = await tx.metricMark.findUnique({ where: { name: MARK } });
    if (mark === null) {
      await tx.metricMark.create({ data: { name: MARK, at: now } });
      return [];
    }
    const ended = await tx.analysis.findMany({
      where: { finishedAt: { gt: mark.at, lte: new Date(untilMs) } },
      orderBy: { finishedAt: 'asc' },
      take: MOST_ANALYSES,
      select: { id: true, finishedAt: true },
    });
    const last = ended.at(-1)?.finishedAt;
    if (last === undefined || last === null) return [];
    // Several may have ended in the same millisecond: all of them or none.
    const at = ended.length < MOST_ANALYSES ? last : new Date(last.getTime() - 1);
    const counted = ended.filter(({ finishedAt }) => finishedAt !== null && finishedAt <= at).map(({ id }) => id);
    await tx.metricMark.update({ where: { name: MARK }, data: { at } });
    return costsOf(tx, counted);
  });
  for (const usd of costsUsd) observe('cost_per_document_usd', {}, usd);
}

/** Sums of the money that each was billed; one that ran on servers that cost nothing has none. */
async function costsOf(tx: Prisma.TransactionClient, analysisIds: readonly string[]): Promise<number[]> {
  const sums = await tx.ledgerEntry.groupBy({
    by: ['analysisId'],
    where: { analysisId: { in: [...analysisIds] }, amountUsd: { gt: 0 } },
    _sum: { amountUsd: true },
  });
  return sums.map(({ _sum }) => Number(_sum.amountUsd ?? 0));
}
