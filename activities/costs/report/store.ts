/**
 * Reports as rows: one for each kind, period and scope. A report that is made again replaces the earlier one and keeps its id, so
 * that links stay valid and webhooks are notified once. An older report never replaces a newer one.
 */
import { sha256Hex } from '../../../platform/hash.ts';
import type { CostReport } from '../../../domain/costs/report/document.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { enqueueReportDeliveries } from '../../webhooks/outbox.ts';
import { withoutGoneDecks } from './forget-deck.ts';
import { lockForTransaction } from '../../../platform/locks.ts';

/** The id of a report; always the same for its kind, period and scope. */
export function costReportId({ kind, period, scope }: Pick<CostReport, 'kind' | 'period' | 'scope'>): string {
  const digest = sha256Hex(JSON.stringify([kind, period, scope]));
  return `cr_${digest.slice(0, 24)}`;
}

/** Writes a report. @param tell true = writes webhook deliveries in the same transaction */
export async function storeReport(
  db: PrismaClient,
  report: CostReport,
  { tell }: { readonly tell: boolean },
): Promise<string> {
  const { kind, period, scope, from, until, timezone, currency, totalUsd, madeAt } = report;
  const id = costReportId(report);
  return db.$transaction(async (tx) => {
    const values = {
      fromAt: new Date(from),
      untilAt: new Date(until),
      timezone,
      currency,
      totalUsd,
      document: await withoutGoneDecks(tx, report),
      updatedAt: new Date(madeAt),
    };
    const where = { id };
    // Two runs may report on the same period at once. The one that read the ledger later stays, whichever is stored first.
    await lockForTransaction(tx, id);
    const there = await tx.costReport.findUnique({ where, select: { id: true, scope: true, updatedAt: true } });
    // A report from the future comes from a wrong clock and would never be replaced.
    const isLater = there !== null && there.updatedAt > values.updatedAt && there.updatedAt <= new Date();
    const row = isLater
      ? there
      : await tx.costReport.upsert({
          where,
          create: { id, kind, period, scope, createdAt: new Date(madeAt), ...values },
          update: values,
        });
    if (tell) await enqueueReportDeliveries(tx, row);
    return row.id;
  });
}
