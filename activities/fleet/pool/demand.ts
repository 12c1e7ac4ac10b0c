/**
 * Demand of a pool: open model calls in Postgres, and what is foreseen of decks under way (domain/fleet/pool/foreseen.ts).
 *
 * Only analyses that are under way count, so a run that was cancelled, lost or paused wakes nothing.
 */
import { URGENT_PRIORITY } from '../../../domain/costs/budget/types.ts';
import { DEADLINE_IS_NEAR_MS } from '../../../domain/decks/deadline.ts';
import { Prisma, type PrismaClient } from '../../../generated/prisma/client.ts';
import { NO_LIMITS, type DemandLimits } from '../../costs/budget/work-limits.ts';
import { comingSeconds, USUAL_SECONDS, type DeckAhead } from '../../../domain/fleet/pool/foreseen.ts';
import { meanCallSeconds, measuredTasks, type MeasuredCalls } from '../../../domain/fleet/pool/demand.ts';
import { GPU_CLASSES, MODEL_TASK_NAMES, MODEL_TASKS, type GpuClass } from '../../../domain/models/model-tasks.ts';
import type { Demand } from '../../../domain/fleet/pool/pool.ts';

const CRITICAL_PRIORITY = 1;
/** Decks ahead that are looked at; more of them change no decision. */
const AHEAD_READ = 500;
/** Newest calls that are measured: those of some decks. */
const MEASURED_READ = 1000;
const TEXT_TASKS: readonly string[] = MODEL_TASK_NAMES.filter((task) => MODEL_TASKS[task].gpuClass === 'gpu-text');

/** Open calls of one task. */
interface OpenCalls {
  readonly gpuClass: GpuClass;
  readonly task: string;
  readonly calls: number;
  /** As planned. */
  readonly seconds: number;
  readonly critical: number;
  readonly oldest: Date;
}

/**
 * Demand for these classes now. What budgets take out of it may run on machines that are there, and has none bought.
 *
 * @param queuesOf the pool whose own queues are meant; null = the queues of all pools
 */
export async function readDemand(
  db: PrismaClient,
  classes: readonly GpuClass[],
  now: Date,
  limits: DemandLimits = NO_LIMITS,
  queuesOf: string | null = null,
): Promise<Demand> {
  const [planned, ahead, measured] = await Promise.all([
    openCallsOf(db, classes, { now, limits, queuesOf }),
    decksAhead(db, limits, queuesOf),
    callsMadeLately(db),
  ]);
  const tasks = measuredTasks(measured);
  const meanSeconds = meanCallSeconds(tasks, classes);
  const secondsOf = { ...USUAL_SECONDS, ...Object.fromEntries([...tasks].map(([task, of]) => [task, of.meanSeconds])) };
  const open = planned.map((row) => {
    const mean = tasks.get(row.task)?.meanSeconds;
    return mean === undefined ? row : { ...row, seconds: row.calls * mean };
  });
  const sum = (rows: readonly OpenCalls[], of: (row: OpenCalls) => number): number =>
    rows.reduce((total, row) => total + of(row), 0);
  const oldestMs = Math.min(...open.map((row) => row.oldest.getTime()));
  return {
    openCalls: sum(open, (row) => row.calls),
    openSeconds: sum(open, (row) => row.seconds),
    comingSeconds: ahead.reduce((total, deck) => total + comingSeconds(deck, classes, secondsOf), 0),
    byClass: GPU_CLASSES.flatMap((gpuClass) => {
      const rows = open.filter((row) => row.gpuClass === gpuClass);
      if (rows.length === 0) return [];
      return [{ gpuClass, openCalls: sum(rows, (row) => row.calls), openSeconds: sum(rows, (row) => row.seconds) }];
    }),
    oldestAgeMs: open.length === 0 ? null : Math.max(0, now.getTime() - oldestMs),
    criticalCalls: sum(open, (row) => row.critical),
    ...(meanSeconds === null ? {} : { measuredCallSeconds: meanSeconds }),
  };
}

/** True while an instance that serves these classes has something to go on for. */
export async function hasWorkFor(
  db: PrismaClient,
  classes: readonly GpuClass[],
  now: Date,
  limits: DemandLimits = NO_LIMITS,
  queuesOf: string | null = null,
): Promise<boolean> {
  const { openCalls, comingSeconds: coming } = await readDemand(db, classes, now, limits, queuesOf);
  return openCalls > 0 || coming > 0;
}

/** Analyses and priorities that have machines bought. @param priority of the analysis, or of the call */
const counts = (limits: DemandLimits, priority: Prisma.Sql): Prisma.Sql => Prisma.sql`
  NOT (a."tenantId" = ANY(${[...limits.closedTenants]}) OR a."deckId" = ANY(${[...limits.closedDecks]}))
  AND (${priority} <= ${URGENT_PRIORITY} OR NOT (${limits.urgentOnly}::boolean
       OR a."tenantId" = ANY(${[...limits.urgentTenants]}) OR a."deckId" = ANY(${[...limits.urgentDecks]})))`;

/** Analyses (`a`) whose calls wait in the queues of this pool; null = of all pools. */
export const waitsIn = (queuesOf: string | null): Prisma.Sql =>
  Prisma.sql`a."poolName" IS NOT DISTINCT FROM ${queuesOf}::text`;

/** Which of these analyses are under way and have machines bought. */
export async function wantingAnalyses(
  db: PrismaClient,
  ids: readonly string[],
  limits: DemandLimits,
  queuesOf: string | null = null,
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const rows = await db.$queryRaw<{ readonly id: string }[]>`
    SELECT a.id FROM "Analysis" a
    WHERE a.id = ANY(${[...ids]}) AND a.status IN ('queued', 'running') AND a."pausedAt" IS NULL
      AND ${waitsIn(queuesOf)} AND ${counts(limits, Prisma.sql`a.priority`)}`;
  return rows.map((row) => row.id);
}

/** Calls of an analysis whose deadline is near count as critical: machines are added for them without the usual delay. */
function openCallsOf(
  db: PrismaClient,
  classes: readonly GpuClass[],
  { now, limits, queuesOf }: { readonly now: Date; readonly limits: DemandLimits; readonly queuesOf: string | null },
): Promise<OpenCalls[]> {
  const near = new Date(now.getTime() + DEADLINE_IS_NEAR_MS);
  return db.$queryRaw<OpenCalls[]>`
    SELECT c."gpuClass", c.task,
           count(*)::int AS calls,
           sum(c."expectedSeconds")::float8 AS seconds,
           count(*) FILTER (WHERE c.priority = ${CRITICAL_PRIORITY} OR a."deadlineAt" <= ${near})::int AS critical,
           min(c."createdAt") AS oldest
    FROM "ModelCall" c JOIN "Analysis" a ON a.id = c."analysisId"
    WHERE c.state = 'planned' AND c."gpuClass" = ANY(${[...classes]}) AND a.status IN ('queued', 'running')
      AND a."pausedAt" IS NULL AND ${waitsIn(queuesOf)} AND ${counts(limits, Prisma.sql`c.priority`)}
    GROUP BY c."gpuClass", c.task`;
}

/** What the newest calls took, read by the index of their start. */
export async function callsMadeLately(db: PrismaClient): Promise<MeasuredCalls[]> {
  const rows = await db.$queryRaw<(Omit<MeasuredCalls, 'lastAtMs'> & { readonly lastAt: Date })[]>`
    SELECT task, "modelName", count(*)::int AS calls, max("startedAt") AS "lastAt",
           avg(greatest(0, extract(epoch FROM "endedAt" - "startedAt") - "loadMs" / 1000.0))::float8 AS "meanSeconds"
    FROM (SELECT * FROM "CallAttempt" ORDER BY "startedAt" DESC LIMIT ${MEASURED_READ}) latest
    WHERE outcome = 'stored'
    GROUP BY task, "modelName"`;
  return rows.map(({ lastAt, ...row }) => ({ ...row, lastAtMs: lastAt.getTime() }));
}

/** Decks of which more calls may come than are planned: pages that are announced, and stages that wait for a model to be shown. */
function decksAhead(db: PrismaClient, limits: DemandLimits, queuesOf: string | null): Promise<DeckAhead[]> {
  return db.$queryRaw<DeckAhead[]>`
    SELECT a."taskType", a."announcedPages", at."isReadingSlides", at."hasUnseenTextModel",
           coalesce(a."replayKind" = 'gaps', false) AS "fillsGaps",
           calls."plannedPages", calls."openPages", calls."isTextPlanned"
    FROM "Analysis" a
    CROSS JOIN LATERAL (
      SELECT coalesce(a.stage, 'probe') IN ('probe', 'slides') AS "isReadingSlides",
             EXISTS (SELECT 1 FROM "ModelConfiguration" m
                     WHERE m."tenantId" = a."tenantId" AND m.profile = a."modelProfile"
                       AND m.task = ANY(${[...TEXT_TASKS]}) AND m."pinnedDigest" IS NULL) AS "hasUnseenTextModel"
    ) at
    CROSS JOIN LATERAL (
      SELECT count(DISTINCT c."slideNumber")
               FILTER (WHERE c."gpuClass" = 'gpu-visual' AND NOT c.cached)::int AS "plannedPages",
             count(DISTINCT c."slideNumber")
               FILTER (WHERE c."gpuClass" = 'gpu-visual' AND c.state = 'planned')::int AS "openPages",
             coalesce(bool_or(c."gpuClass" = 'gpu-text' AND c.task <> 'condense_slide'), false) AS "isTextPlanned"
      FROM "ModelCall" c WHERE c."analysisId" = a.id
    ) calls
    WHERE a.status IN ('queued', 'running') AND a."pausedAt" IS NULL AND ${waitsIn(queuesOf)}
      AND ${counts(limits, Prisma.sql`a.priority`)}
      AND CASE WHEN at."isReadingSlides" THEN a."announcedPages" > 0
               ELSE at."hasUnseenTextModel" OR (a."announcedPages" > 0 AND NOT calls."isTextPlanned") END
    ORDER BY a."createdAt"
    LIMIT ${AHEAD_READ}`;
}
