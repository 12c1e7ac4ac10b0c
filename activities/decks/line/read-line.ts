/** Runs that have calls to make, and the slots that take them, as the shares of calls are decided by them. */
import { phasesThat } from '../../../domain/fleet/phases.ts';
import { GPU_CLASSES, type GpuClass } from '../../../domain/models/model-tasks.ts';
import type { LineRun, Places, ServingPool } from '../../../domain/decks/admission/shares.ts';
import { slotsOf } from '../../../domain/decks/admission/shares.ts';
import { scopeOfRun, tasksInScope } from '../../../domain/decks/run-scope.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { Transaction } from '../../../platform/db.ts';

type Reader = PrismaClient | Transaction;

/** Pages that are still to be drawn count as calls for so long after the last one was planned. */
const DRAWING_BELIEVED_MS = 60_000;
/** A run of which nothing has moved for so long, while a machine was ready, no longer holds those behind it. */
const STUCK_AFTER_MS = 600_000;
/** A call that was begun earlier does not count as running: what has run it may be gone. */
const LONGEST_CALL_MS = 3_600_000;
/** Newest answered calls whose duration is measured. */
const MEASURED_CALLS = 50;
/** Time of a call where none was measured. */
const USUAL_CALL_MS = 10_000;

/** The lines of one tenant, one priority and one set of queues are one line. */
export interface LineKey {
  readonly tenantId: string;
  readonly priority: number;
  /** Null = the queues of all pools. */
  readonly poolName: string | null;
}

/** A run that has asked for its place, with the share that it has. */
export interface PlacedRun extends LineKey {
  readonly id: string;
  readonly workflowId: string;
  readonly visual: number;
  readonly text: number;
  readonly version: number;
  readonly toldVersion: number;
  readonly openedAt: Date | null;
  readonly taskType: string | null;
  readonly isReadingSlides: boolean;
  readonly announcedPages: number;
  /** Of an open run that reads slides: pages whose calls were planned; 0 of others. */
  readonly plannedPages: number;
  readonly visualCalls: number;
  readonly textCalls: number;
  /** When a call of it was planned last; null = none that still counts. */
  readonly plannedAt: Date | null;
  /** Begin and end of its newest call at a model; null = there was none, or it has not ended. */
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

/** Runs that are under way and not paused, in the order in which they were started. */
export function readPlacedRuns(db: Reader): Promise<PlacedRun[]> {
  return db.$queryRaw<PlacedRun[]>`
    WITH planned AS (
      SELECT "analysisId", max("createdAt") AS "plannedAt",
             count(*) FILTER (WHERE "gpuClass" = 'gpu-visual')::int AS visual,
             count(*) FILTER (WHERE "gpuClass" = 'gpu-text')::int AS text
      FROM "ModelCall" WHERE state = 'planned' GROUP BY "analysisId"
    )
    SELECT a.id, a."tenantId", a.priority, a."poolName", a."workflowId", a."taskType", a."announcedPages",
           coalesce(a.stage, 'probe') IN ('probe', 'slides') AS "isReadingSlides",
           s.visual, s.text, s.version, s."toldVersion", s."openedAt",
           coalesce(planned.visual, 0) AS "visualCalls", coalesce(planned.text, 0) AS "textCalls",
           coalesce(pages.count, 0) AS "plannedPages", greatest(planned."plannedAt", pages."plannedAt") AS "plannedAt",
           newest."startedAt", newest."endedAt"
    FROM "Analysis" a
    JOIN "AnalysisShare" s ON s."analysisId" = a.id
    LEFT JOIN planned ON planned."analysisId" = a.id
    LEFT JOIN LATERAL (
      SELECT count(DISTINCT c."slideNumber") FILTER (WHERE NOT c.cached)::int AS count, max(c."createdAt") AS "plannedAt"
      FROM "ModelCall" c WHERE c."analysisId" = a.id AND c."gpuClass" = 'gpu-visual'
    ) pages ON s."openedAt" IS NOT NULL AND coalesce(a.stage, 'probe') IN ('probe', 'slides')
    LEFT JOIN LATERAL (
      SELECT t."startedAt", t."endedAt" FROM "CallAttempt" t WHERE t."analysisId" = a.id
      ORDER BY t."startedAt" DESC LIMIT 1
    ) newest ON s."openedAt" IS NOT NULL
    WHERE a.status IN ('queued', 'running') AND a."pausedAt" IS NULL
    ORDER BY a."createdAt", a.id`;
}

/** The lines of these runs, each with its runs in order. */
export const linesOf = (runs: readonly PlacedRun[]): readonly (readonly [LineKey, readonly PlacedRun[]])[] =>
  [
    ...Map.groupBy(runs, ({ tenantId, priority, poolName }) => JSON.stringify([tenantId, priority, poolName])).values(),
  ].flatMap((line) => (line[0] === undefined ? [] : [[line[0], line] as const]));

/** A run as its line counts it. @param readySinceMs since when a machine that takes its calls is ready; null = none is */
export function lineRunOf(run: PlacedRun, now: Date, readySinceMs: number | null): LineRun {
  const nowMs = now.getTime();
  const drawnAtMs = Math.max(run.openedAt?.getTime() ?? nowMs, run.plannedAt?.getTime() ?? 0);
  const isDrawing = run.isReadingSlides && nowMs - drawnAtMs < DRAWING_BELIEVED_MS;
  const pagesAhead = isDrawing ? Math.max(0, run.announcedPages - run.plannedPages) : 0;
  const callsPerPage = tasksInScope(scopeOfRun(run.taskType), 'slides').length;
  const startedAtMs = run.startedAt?.getTime() ?? 0;
  const isAnswering = run.startedAt !== null && run.endedAt === null && nowMs - startedAtMs < LONGEST_CALL_MS;
  const movedAtMs = Math.max(drawnAtMs, startedAtMs, run.endedAt?.getTime() ?? 0, readySinceMs ?? nowMs);
  return {
    id: run.id,
    usable: { 'gpu-visual': run.visualCalls + pagesAhead * callsPerPage, 'gpu-text': run.textCalls },
    isStuck: !isAnswering && nowMs - movedAtMs > STUCK_AFTER_MS,
  };
}

/** Slots that take the calls of a line. */
export interface LineSlots {
  /** Null = no pool is known that does. */
  readonly slots: Places | null;
  /** Since when a machine is ready; null = none is. */
  readonly readySinceMs: number | null;
}

/** Reads the pools; returns what of them takes the calls of a line. */
export async function readSlots(db: Reader): Promise<(line: Pick<LineKey, 'poolName'>) => LineSlots> {
  const pools = await db.fleetPool.findMany({
    // A pool without a next look has ended, or has only just been configured.
    where: { OR: [{ nextLookAt: { not: null } }, { reasons: { isEmpty: true } }] },
    include: {
      instances: {
        where: { phase: { in: phasesThat((phase) => phase === 'ready') } },
        select: { readyAt: true, serving: { select: { slots: true } } },
      },
    },
    orderBy: { name: 'asc' },
  });
  return ({ poolName }) => {
    const own = pools.filter((pool) => (poolName === null ? !pool.ownQueues : pool.name === poolName));
    const serving = own.map(({ classes, slots, instances }): ServingPool => ({
      classes: GPU_CLASSES.filter((gpuClass) => classes.includes(gpuClass)),
      readySlots: instances.reduce((sum, { serving: row }) => sum + (row?.slots ?? slots), 0),
      slotsPerInstance: slots,
    }));
    const readyAtMs = own.flatMap(({ instances }) => instances.flatMap(({ readyAt }) => readyAt?.getTime() ?? []));
    return { slots: slotsOf(serving), readySinceMs: readyAtMs.length === 0 ? null : Math.min(...readyAtMs) };
  };
}

/** Mean time of the newest answered calls, ms. */
export async function readCallMs(db: Reader): Promise<number> {
  const [row] = await db.$queryRaw<{ readonly ms: number | null }[]>`
    SELECT avg(extract(epoch FROM "endedAt" - "startedAt") * 1000)::float8 AS ms
    FROM (SELECT "startedAt", "endedAt" FROM "CallAttempt" WHERE outcome = 'stored'
          ORDER BY "startedAt" DESC LIMIT ${MEASURED_CALLS}) newest`;
  return row?.ms ?? USUAL_CALL_MS;
}

/** A share as its two columns. */
export const columnsOf = (share: Readonly<Record<GpuClass, number>>): { visual: number; text: number } => ({
  visual: share['gpu-visual'],
  text: share['gpu-text'],
});
