/** How far the running reviews of a tenant are, counted in the database, with their places in line: the same few queries for any number of reviews. */
import { recentOutlooks } from '../../activities/decks/line/outlook.ts';
import { roundedSeconds } from '../../domain/decks/expected-time.ts';
import type { StageProgress } from '../../domain/decks/list/entry.ts';
import { PLAN_STEPS, type Stage, STAGE_GRAPH, STAGES } from '../../domain/decks/stage-graph.ts';
import { tasksOfStep, tasksWhere } from '../../domain/models/model-tasks.ts';
import { memberOf } from '../../domain/text/member-of.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';

interface Counts {
  readonly analysisId: string;
  readonly done: number;
  readonly failed: number;
  readonly total: number;
}

interface TaskCounts extends Counts {
  readonly task: string;
}

/** Progress of the stage that each running review is in, by deck. Decks are taken from their entries. */
export async function readProgress(db: PrismaClient, tenantId: string): Promise<Record<string, StageProgress>> {
  const entries = await db.deckEntry.findMany({
    where: { tenantId, status: 'running', deletingAt: null },
    select: { deckId: true, analysisId: true, stage: true, pageCount: true },
    orderBy: { deckId: 'asc' },
  });
  if (entries.length === 0) return {};
  const running = entries.flatMap(({ analysisId, stage, ...entry }) =>
    analysisId === null ? [] : [{ ...entry, analysisId, stage: memberOf(STAGES, stage) ?? STAGES[0] }],
  );
  const idsOf = (isSlides: boolean): string[] =>
    running.filter(({ stage }) => (stage === 'slides') === isSlides).map(({ analysisId }) => analysisId);
  const [slides, calls, outlooks] = await Promise.all([
    countSlides(db, idsOf(true)),
    countCalls(db, idsOf(false)),
    recentOutlooks(db, tenantId),
  ]);
  const progressOf = ({ analysisId, stage, pageCount }: (typeof running)[number]): StageProgress => {
    const counts = stage === 'slides' ? [slides.get(analysisId)] : callsOfStage(calls.get(analysisId) ?? [], stage);
    const sum = (of: (counts: Counts) => number): number =>
      counts.reduce((total, each) => total + (each === undefined ? 0 : of(each)), 0);
    const total = stage === 'slides' ? (pageCount ?? 0) : sum((each) => each.total);
    const outlook = outlooks.get(analysisId);
    return {
      stage,
      done: sum(({ done }) => done),
      total,
      failed: sum(({ failed }) => failed),
      place: outlook?.place ?? null,
      expectedSeconds: outlook === undefined ? null : roundedSeconds(outlook.seconds),
    };
  };
  return Object.fromEntries(running.map((review) => [review.deckId, progressOf(review)]));
}

/** Calls that are counted under the names of the stage's steps. */
function callsOfStage(calls: readonly TaskCounts[], stage: Stage): TaskCounts[] {
  const names = STAGE_GRAPH[stage].steps.map((step) => PLAN_STEPS[step].countedAs);
  const tasks: readonly string[] = tasksWhere(({ step }) => names.includes(PLAN_STEPS[step].countedAs));
  return calls.filter(({ task }) => tasks.includes(task));
}

/** As progress.ts of an analysis counts slides: done when all calls of one are stored, failed when one of them failed and none is open. */
async function countSlides(db: PrismaClient, analysisIds: readonly string[]): Promise<Map<string, Counts>> {
  if (analysisIds.length === 0) return new Map();
  const rows = await db.$queryRaw<Counts[]>`
    SELECT "analysisId", (count(*) FILTER (WHERE "isDone"))::int AS "done",
      (count(*) FILTER (WHERE "hasFailed"))::int AS "failed", count(*)::int AS "total"
    FROM (
      SELECT "analysisId", bool_and("state" = 'stored') AS "isDone",
        bool_or("state" = 'failed') AND NOT bool_or("state" = 'planned') AS "hasFailed"
      FROM "ModelCall"
      WHERE "analysisId" = ANY(${analysisIds}) AND "slideNumber" IS NOT NULL AND "task" = ANY(${[...tasksOfStep('slides')]})
      GROUP BY "analysisId", "slideNumber"
    ) slides GROUP BY "analysisId"`;
  return new Map(rows.map((row) => [row.analysisId, row]));
}

async function countCalls(db: PrismaClient, analysisIds: readonly string[]): Promise<Map<string, TaskCounts[]>> {
  if (analysisIds.length === 0) return new Map();
  const rows = await db.$queryRaw<TaskCounts[]>`
    SELECT "analysisId", "task", (count(*) FILTER (WHERE "state" = 'stored'))::int AS "done",
      (count(*) FILTER (WHERE "state" = 'failed'))::int AS "failed", count(*)::int AS "total"
    FROM "ModelCall" WHERE "analysisId" = ANY(${analysisIds}) GROUP BY "analysisId", "task"`;
  return Map.groupBy(rows, ({ analysisId }) => analysisId);
}
