/**
 * Counters and histograms: the events that triggers wrote are taken away and added to the totals in one transaction, so each counts once,
 * whoever counts and whenever that one dies. The work of a round is bounded by what happened since the last one.
 */
import { Decimal } from 'decimal.js';
import { z } from 'zod';
import { isMetricName } from '../../domain/metrics/definitions.ts';
import {
  addUp,
  EVENT_KINDS,
  labelsText,
  type Increment,
  type MetricEvent,
  type TotalKey,
} from '../../domain/metrics/events.ts';
import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts';

/** One after the other: whoever counts next counts the rest. Any number that is not used elsewhere. */
const COUNT_LOCK = 7_264_533;
const EVENTS_PER_ROUND = 5000;
/** Beyond this the next scrape goes on. */
const MOST_ROUNDS = 10;

/** Part of a total, with what it stands at. */
export interface Total extends TotalKey {
  readonly value: number;
}

const labelsSchema = z.record(z.string(), z.string());

/** Adds what has happened to the totals. */
export async function countEvents(db: PrismaClient): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const counted = await db.$transaction(countSome);
    if (counted < EVENTS_PER_ROUND) return;
  }
}

async function countSome(tx: Prisma.TransactionClient): Promise<number> {
  await lockTotals(tx);
  const rows = await tx.$queryRaw<{ kind: string; labels: MetricEvent['labels']; value: string }[]>`
    DELETE FROM "MetricEvent" WHERE id IN (
      SELECT id FROM "MetricEvent" WHERE kind = ANY(${[...EVENT_KINDS]}) ORDER BY id LIMIT ${EVENTS_PER_ROUND})
    RETURNING kind, labels, value::text AS value`;
  await addToTotals(tx, addUp(rows.map((row) => ({ ...row, value: new Decimal(row.value) }))));
  return rows.length;
}

/** Others who add to the totals wait until the transaction ends. */
export async function lockTotals(tx: Prisma.TransactionClient): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${COUNT_LOCK}::bigint)`;
}

/** Has totals grow. */
export async function addToTotals(tx: Prisma.TransactionClient, increments: readonly Increment[]): Promise<void> {
  if (increments.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO "MetricTotal" AS total (metric, labels, bucket, value)
    SELECT * FROM unnest(${increments.map((i) => i.metric)}::text[], ${increments.map((i) => labelsText(i.labels))}::text[],
                         ${increments.map((i) => i.bucket)}::text[], ${increments.map((i) => i.by.toFixed())}::numeric[])
    ON CONFLICT (metric, labels, bucket) DO UPDATE SET value = total.value + excluded.value`;
}

/** Every total of a metric that this version knows. */
export async function readTotals(db: Pick<Prisma.TransactionClient, 'metricTotal'>): Promise<Total[]> {
  const rows = await db.metricTotal.findMany({ orderBy: [{ metric: 'asc' }, { labels: 'asc' }, { bucket: 'asc' }] });
  return rows.flatMap(({ metric, labels, bucket, value }) =>
    isMetricName(metric)
      ? [{ metric, labels: labelsSchema.parse(JSON.parse(labels)), bucket, value: value.toNumber() }]
      : [],
  );
}
