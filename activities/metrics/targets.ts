/** What targets are judged by over a period, read from rows that the period's indexes find, and the targets of the last 30 days. */
import { Decimal } from 'decimal.js';
import { ERROR_KINDS, type ErrorCode } from '../../domain/errors.ts';
import { tasksWhere } from '../../domain/models/model-tasks.ts';
import type { Sample } from '../../domain/metrics/catalogue.ts';
import { judgeTargets, type TargetFacts } from '../../domain/metrics/targets.ts';
import { readLooks, readResponses, readSaving, readStarts, type Span } from './target-machines.ts';
import { sample, sampleIf, type Look } from './source.ts';
import type { Transaction } from '../../platform/db.ts';

export type { Span } from './target-machines.ts';

const TEN_MINUTES_SEC = 600;
/** Errors of bad input, exit code 2 of the CLI: the sender of the deck has to act, not an operator. */
export const BAD_INPUT_CODES = (Object.keys(ERROR_KINDS) as ErrorCode[]).filter(
  (code) => ERROR_KINDS[code].exitCode === 2,
);
/** Calls with a picture of a slide. */
const VISION_TASKS = tasksWhere((task) => task.stage === 'slides');

/** Reads all of it. */
export async function readTargetFacts(db: Transaction, span: Span, slaMs: number, now: Date): Promise<TargetFacts> {
  // One after the other: it may be one connection.
  const waits = await readWaits(db, span, now);
  const { analyses, done } = await readEnds(db, span, slaMs);
  const calls = await readCalls(db, span);
  const machines = await readMachines(db, span);
  const starts = await readStarts(db, span);
  const responses = await readResponses(db, span);
  const looks = await readLooks(db, span);
  const costs = await readCosts(db, span);
  return {
    waits,
    done,
    analyses,
    calls,
    machines,
    ...starts,
    responses,
    looks,
    costs,
    saving: await readSaving(db, span),
  };
}

/** Analyses of the period by the start of their first call; those that still wait count until now. */
async function readWaits(db: Transaction, { from, until }: Span, now: Date): Promise<TargetFacts['waits']> {
  const [row] = await db.$queryRaw<{ count: number; mean: number | null; within: number }[]>`
    SELECT count(*)::int AS count, avg(seconds)::float8 AS mean,
           (count(*) FILTER (WHERE seconds <= ${TEN_MINUTES_SEC}))::int AS within
    FROM (
      SELECT greatest(0, extract(epoch FROM coalesce(first."startedAt", ${now}) - a."createdAt")) AS seconds
      FROM "Analysis" a
      LEFT JOIN LATERAL (
        SELECT c."startedAt" FROM "CallAttempt" c WHERE c."analysisId" = a.id ORDER BY c."startedAt" LIMIT 1) first ON true
      WHERE a."createdAt" >= ${from} AND a."createdAt" < ${until}
        AND (first."startedAt" IS NOT NULL OR (a.status IN ('queued', 'running') AND a."pausedAt" IS NULL
             AND NOT EXISTS (SELECT 1 FROM "ModelCall" m WHERE m."analysisId" = a.id AND m.state = 'stored')))
    ) waits`;
  return { count: row?.count ?? 0, meanSeconds: row?.mean ?? 0, within10Min: row?.within ?? 0 };
}

/** Analyses that ended in the period. */
async function readEnds(
  db: Transaction,
  { from, until }: Span,
  slaMs: number,
): Promise<Pick<TargetFacts, 'analyses' | 'done'>> {
  const [row] = await db.$queryRaw<{ ended: number; reviewed: number; within: number }[]>`
    SELECT count(*)::int AS ended, (count(*) FILTER (WHERE status <> 'failed'))::int AS reviewed,
           (count(*) FILTER (WHERE status <> 'failed' AND extract(epoch FROM "finishedAt" - "createdAt") * 1000 <= ${slaMs}))::int AS within
    FROM "Analysis"
    WHERE "finishedAt" >= ${from} AND "finishedAt" < ${until} AND status IN ('completed', 'completed_with_gaps', 'failed')
      AND ("failureCode" IS NULL OR "failureCode" <> ALL(${BAD_INPUT_CODES}))`;
  const { ended, reviewed, within } = row ?? { ended: 0, reviewed: 0, within: 0 };
  return { analyses: { ended, reviewed }, done: { count: ended, withinSla: within } };
}

async function readCalls(db: Transaction, { from, until }: Span): Promise<TargetFacts['calls']> {
  const [row] = await db.$queryRaw<{ ended: number; stored: number }[]>`
    SELECT count(*)::int AS ended, (count(*) FILTER (WHERE state = 'stored'))::int AS stored
    FROM "ModelCall"
    WHERE "finishedAt" >= ${from} AND "finishedAt" < ${until} AND state IN ('stored', 'failed') AND NOT cached`;
  return row ?? { ended: 0, stored: 0 };
}

/**
 * Rented machines of the period, by the provider's id: whatever moved in it, and what was there all the time. One has failed when its boot
 * was given up for another offer, when it had to pass its readiness check again after it had served, or when its health asked for a reboot
 * or another machine.
 */
async function readMachines(db: Transaction, { from, until }: Span): Promise<TargetFacts['machines']> {
  const [row] = await db.$queryRaw<{ rented: number; failed: number }[]>`
    -- Static servers are not rented and do not boot. Each is looked up by its name: the table holds every instance there ever was.
    WITH moves AS (
      SELECT t."instanceName", t.at, t."fromPhase", t."toPhase", coalesce(before."providerId", t."providerId") AS machine
      FROM "InstanceTransition" t
      LEFT JOIN "InstanceTransition" before
        ON before."instanceName" = t."instanceName" AND before.position = t.position - 1
      WHERE t.at >= ${from} AND t.at < ${until} AND (SELECT s.provider FROM "FleetInstance" s WHERE s.name = t."instanceName") IS DISTINCT FROM 'static'
    ), machines AS (
      SELECT machine FROM moves WHERE machine IS NOT NULL
      UNION
      SELECT t."providerId" FROM "InstanceTransition" t
        WHERE t.at >= ${from} AND t.at < ${until} AND t."providerId" IS NOT NULL AND (SELECT s.provider FROM "FleetInstance" s WHERE s.name = t."instanceName") IS DISTINCT FROM 'static'
      UNION
      SELECT i."providerId" FROM "FleetInstance" i
        WHERE i.provider <> 'static' AND i."endedAt" IS NULL AND i."providerId" IS NOT NULL AND i."billedSince" < ${until}
      UNION
      -- There all the time, and ended since.
      SELECT r."resourceId" FROM "Rental" r
        WHERE r.resource = 'instance' AND r.provider <> 'static' AND r."instanceName" IS NOT NULL
          AND r."billedFrom" < ${until} AND r."billedUntil" > ${from}
    ), failed AS (
      SELECT machine FROM moves
        WHERE machine IS NOT NULL
          AND (("fromPhase" = 'booting' AND "toPhase" IN ('creating', 'waking', 'planned'))
            OR ("fromPhase" IN ('ready', 'cordoned') AND "toPhase" = 'booting'))
      UNION
      SELECT last."providerId" FROM "HealthTransition" h
        JOIN LATERAL (
          SELECT t."providerId" FROM "InstanceTransition" t
          WHERE t."instanceName" = h."instanceName" AND t.at <= h.at ORDER BY t.position DESC LIMIT 1) last ON true
        WHERE h.at >= ${from} AND h.at < ${until} AND h.action IN ('reboot', 'replace') AND last."providerId" IS NOT NULL
          AND (SELECT s.provider FROM "FleetInstance" s WHERE s.name = h."instanceName") IS DISTINCT FROM 'static'
    )
    SELECT (SELECT count(*) FROM machines)::int AS rented, (SELECT count(*) FROM failed)::int AS failed`;
  return row ?? { rented: 0, failed: 0 };
}

/**
 * Entries of the ledger that begin in the period. Documents are decks; what a deleted one cost is in the bill and no document of it is
 * known.
 */
async function readCosts(db: Transaction, { from, until }: Span): Promise<TargetFacts['costs']> {
  const [row] = await db.$queryRaw<
    { total: string; vision: string; visionDocuments: number; documents: number; entries: number }[]
  >`
    SELECT coalesce(sum(usd), 0)::text AS total,
           coalesce(sum("visionUsd") FILTER (WHERE "deckId" IS NOT NULL), 0)::text AS vision,
           (count(DISTINCT "deckId") FILTER (WHERE "hasVision"))::int AS "visionDocuments",
           count(DISTINCT "deckId")::int AS documents, (count(DISTINCT "rentalId") FILTER (WHERE "isRented"))::int AS entries
    FROM (
      -- Sums first: to tell a million entries apart would sort all of them.
      SELECT "rentalId", "deckId", sum("amountUsd") AS usd, bool_or(provider <> 'static') AS "isRented",
             sum("amountUsd") FILTER (WHERE task = ANY(${VISION_TASKS})) AS "visionUsd",
             bool_or(task = ANY(${VISION_TASKS})) AS "hasVision"
      FROM "LedgerEntry" WHERE "fromAt" >= ${from} AND "fromAt" < ${until} GROUP BY 1, 2) parts`;
  return {
    totalUsd: new Decimal(row?.total ?? 0),
    visionUsd: new Decimal(row?.vision ?? 0),
    visionDocuments: row?.visionDocuments ?? 0,
    documents: row?.documents ?? 0,
    entries: row?.entries ?? 0,
  };
}

const PERIOD_MS = 30 * 86_400_000;

/** All targets over the last 30 days. */
export async function readTargets({ db, fleet, slaMs, now }: Look): Promise<readonly Sample[]> {
  const span = { fromMs: now.getTime() - PERIOD_MS, untilMs: now.getTime() };
  const facts = await readTargetFacts(db, { from: new Date(span.fromMs), until: now }, slaMs, now);
  const verdicts = judgeTargets(facts, { ...fleet().targets, slaMs }, span);
  return verdicts.flatMap(({ target, unit, value, limit, state }) => [
    ...sampleIf('deckhand_target_value', { target, unit }, value),
    ...sampleIf('deckhand_target_limit', { target, unit }, limit?.value ?? null),
    ...(state === 'met' || state === 'not_met'
      ? [sample('deckhand_target_met', { target }, state === 'met' ? 1 : 0)]
      : []),
  ]);
}
