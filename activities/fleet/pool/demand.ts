/**
 * Demand of a pool: open model calls in Postgres, and what announced pages will add to them.
 *
 * Only analyses that are under way count, so a run that was cancelled, lost or paused wakes nothing. Text calls of a deck are foreseen once a model
 * has read its first slide: earlier they would pay for a machine that waits for the slides.
 */
import { URGENT_PRIORITY } from '../../../domain/budget/levels.ts';
import { Prisma, type PrismaClient } from '../../../generated/prisma/client.ts';
import { NO_LIMITS, type DemandLimits } from '../../accounting/budget/limits.ts';
import {
  FULL_SCOPE,
  GPU_CLASSES,
  MODEL_TASKS,
  scopeOfTask,
  TASK_TYPES,
  taskOfField,
  taskOfSpecialised,
  type GpuClass,
  type RunScope,
} from '../../../domain/model-tasks.ts';
import type { Demand } from '../../../domain/fleet/pool.ts';

const CRITICAL_PRIORITY = 1;
/** Analyses with announced pages that are looked at; more of them change no decision. */
const ANNOUNCED_READ = 500;

interface OpenCalls {
  readonly gpuClass: string;
  readonly calls: number;
  readonly seconds: number;
  readonly critical: number;
  readonly oldest: Date;
}

interface AnnouncedDeck {
  readonly taskType: string | null;
  readonly announcedPages: number;
  readonly plannedPages: number;
  readonly readByModel: boolean;
}

/** Demand for these classes now. What budgets take out of it may run on machines that are there, and has none bought. */
export async function readDemand(
  db: PrismaClient,
  classes: readonly GpuClass[],
  now: Date,
  limits: DemandLimits = NO_LIMITS,
): Promise<Demand> {
  const [open, announced] = await Promise.all([openCallsOf(db, classes, limits), announcedDecks(db, limits)]);
  const sum = (of: (row: OpenCalls) => number): number => open.reduce((total, row) => total + of(row), 0);
  const oldestMs = Math.min(...open.map((row) => row.oldest.getTime()));
  return {
    openCalls: sum((row) => row.calls),
    openSeconds: sum((row) => row.seconds),
    comingSeconds: announced.reduce((total, deck) => total + comingSeconds(deck, classes), 0),
    byClass: GPU_CLASSES.flatMap((gpuClass) => {
      const row = open.find((o) => o.gpuClass === gpuClass);
      return row === undefined ? [] : [{ gpuClass, openCalls: row.calls, openSeconds: row.seconds }];
    }),
    oldestAgeMs: open.length === 0 ? null : Math.max(0, now.getTime() - oldestMs),
    criticalCalls: sum((row) => row.critical),
  };
}

/** True while an instance that serves these classes has something to go on for. */
export async function hasWorkFor(
  db: PrismaClient,
  classes: readonly GpuClass[],
  now: Date,
  limits: DemandLimits = NO_LIMITS,
): Promise<boolean> {
  const { openCalls, comingSeconds: coming } = await readDemand(db, classes, now, limits);
  return openCalls > 0 || coming > 0;
}

/** Analyses and priorities that have machines bought. @param priority of the analysis, or of the call */
const counts = (limits: DemandLimits, priority: Prisma.Sql): Prisma.Sql => Prisma.sql`
  NOT (a."tenantId" = ANY(${[...limits.closedTenants]}) OR a."deckId" = ANY(${[...limits.closedDecks]}))
  AND (${priority} <= ${URGENT_PRIORITY} OR NOT (${limits.urgentOnly}::boolean
       OR a."tenantId" = ANY(${[...limits.urgentTenants]}) OR a."deckId" = ANY(${[...limits.urgentDecks]})))`;

/** Which of these analyses are under way and have machines bought. */
export async function wantingAnalyses(
  db: PrismaClient,
  ids: readonly string[],
  limits: DemandLimits,
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const rows = await db.$queryRaw<{ readonly id: string }[]>`
    SELECT a.id FROM "Analysis" a
    WHERE a.id = ANY(${[...ids]}) AND a.status IN ('queued', 'running') AND a."pausedAt" IS NULL
      AND ${counts(limits, Prisma.sql`a.priority`)}`;
  return rows.map((row) => row.id);
}

function openCallsOf(db: PrismaClient, classes: readonly GpuClass[], limits: DemandLimits): Promise<OpenCalls[]> {
  return db.$queryRaw<OpenCalls[]>`
    SELECT c."gpuClass",
           count(*)::int AS calls,
           sum(c."expectedSeconds")::float8 AS seconds,
           count(*) FILTER (WHERE c.priority = ${CRITICAL_PRIORITY})::int AS critical,
           min(c."createdAt") AS oldest
    FROM "ModelCall" c JOIN "Analysis" a ON a.id = c."analysisId"
    WHERE c.state = 'planned' AND c."gpuClass" = ANY(${[...classes]}) AND a.status IN ('queued', 'running')
      AND a."pausedAt" IS NULL AND ${counts(limits, Prisma.sql`c.priority`)}
    GROUP BY c."gpuClass"`;
}

function announcedDecks(db: PrismaClient, limits: DemandLimits): Promise<AnnouncedDeck[]> {
  return db.$queryRaw<AnnouncedDeck[]>`
    SELECT a."taskType",
           a."announcedPages",
           (SELECT count(DISTINCT c."slideNumber")::int FROM "ModelCall" c
            WHERE c."analysisId" = a.id AND c."gpuClass" = 'gpu-visual' AND NOT c.cached) AS "plannedPages",
           EXISTS (SELECT 1 FROM "ModelCall" c
                   WHERE c."analysisId" = a.id AND c.state = 'stored' AND NOT c.cached) AS "readByModel"
    FROM "Analysis" a
    WHERE a.status IN ('queued', 'running') AND a."pausedAt" IS NULL AND a."announcedPages" > 0
      AND (a.stage IS NULL OR a.stage IN ('probe', 'slides')) AND ${counts(limits, Prisma.sql`a.priority`)}
    ORDER BY a."createdAt"
    LIMIT ${ANNOUNCED_READ}`;
}

/** Seconds that an announced deck will add to the open calls of these classes. */
export function comingSeconds(deck: AnnouncedDeck, classes: readonly GpuClass[]): number {
  const taskType = TASK_TYPES.find((type) => type === deck.taskType);
  const scope = taskType === undefined ? FULL_SCOPE : scopeOfTask(taskType);
  const pages = Math.max(0, deck.announcedPages - deck.plannedPages);
  const visual = classes.includes('gpu-visual') ? pages * secondsPerPage(scope) : 0;
  const text = classes.includes('gpu-text') && deck.readByModel ? firstTextSeconds(scope) : 0;
  return visual + text;
}

const secondsPerPage = (scope: RunScope): number =>
  (scope.describe ? MODEL_TASKS.describe_slide.expectedSeconds : 0) +
  (scope.feedback ? MODEL_TASKS.slide_feedback.expectedSeconds : 0);

/** The text calls that come first once the slides are read: enough to have a machine boot; the rest follows as open calls. */
function firstTextSeconds(scope: RunScope): number {
  const tasks = [
    ...scope.fields.map(taskOfField),
    ...(scope.fields.length > 0 ? [] : scope.specialised.map(taskOfSpecialised)),
  ];
  return tasks.reduce((total, task) => total + MODEL_TASKS[task].expectedSeconds, 0);
}
