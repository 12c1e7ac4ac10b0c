/** What calls did in a period, read from their attempts by the index on their start. */
import { DateTime } from 'luxon';
import { addDays, localDayOf, startOfDayMs } from '../../domain/costs/report/local-day.ts';
import { MODEL_TASK_NAMES, MODEL_TASKS } from '../../domain/models/model-tasks.ts';
import type { PerformanceBucket, PerformanceBy, PerformanceCell } from '../../domain/metrics/performance.ts';
import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts';
import type { Span } from './targets.ts';

/** A question of performance. */
export interface PerformanceQuestion extends Span {
  readonly by: PerformanceBy;
  readonly bucket: PerformanceBucket;
  /** IANA; days begin at its midnight. */
  readonly timezone: string;
}

interface Row {
  readonly name: string;
  readonly at: Date;
  readonly stored: number;
  readonly failed: number;
  readonly cut: number;
  readonly total: number;
  readonly median: number | null;
  readonly p95: number | null;
}

const STAGES_BY_TASK = Prisma.join(MODEL_TASK_NAMES.map((task) => Prisma.sql`(${task}, ${MODEL_TASKS[task].stage})`));

/** Ended attempts of the period by group and step. */
export async function readPerformance(
  db: PrismaClient,
  { from, until, by, bucket, timezone }: PerformanceQuestion,
): Promise<PerformanceCell[]> {
  const group = {
    model: Prisma.sql`c."modelName"`,
    task: Prisma.sql`c.task`,
    stage: Prisma.sql`coalesce(s.stage, 'none')`,
  };
  const unit = bucket === 'hour' ? Prisma.sql`'hour'` : Prisma.sql`'day'`;
  const zone = bucket === 'hour' ? 'UTC' : timezone;
  const rows = await db.$queryRaw<Row[]>`
    SELECT ${group[by]} AS name,
           (date_trunc(${unit}, c."startedAt" AT TIME ZONE 'UTC', ${zone}) AT TIME ZONE 'UTC') AS at,
           (count(*) FILTER (WHERE c.outcome = 'stored'))::int AS stored,
           (count(*) FILTER (WHERE c.outcome = 'failed'))::int AS failed,
           (count(*) FILTER (WHERE c.outcome IS NULL OR c.outcome NOT IN ('stored', 'failed')))::int AS cut,
           coalesce(sum(took.seconds) FILTER (WHERE c.outcome = 'stored'), 0)::float8 AS total,
           (percentile_cont(0.5) WITHIN GROUP (ORDER BY took.seconds) FILTER (WHERE c.outcome = 'stored'))::float8 AS median,
           (percentile_cont(0.95) WITHIN GROUP (ORDER BY took.seconds) FILTER (WHERE c.outcome = 'stored'))::float8 AS p95
    FROM "CallAttempt" c
    CROSS JOIN LATERAL (SELECT greatest(0, extract(epoch FROM c."endedAt" - c."startedAt"))::float8 AS seconds) took
    LEFT JOIN (VALUES ${STAGES_BY_TASK}) AS s (task, stage) ON s.task = c.task
    WHERE c."startedAt" >= ${from} AND c."startedAt" < ${until} AND c."endedAt" IS NOT NULL
    GROUP BY 1, 2 ORDER BY 1, 2`;
  return rows.map(({ name, at, stored, failed, cut, total, median, p95 }) => ({
    group: name,
    atMs: at.getTime(),
    stored,
    failed,
    cut,
    totalSeconds: total,
    medianSeconds: median,
    p95Seconds: p95,
  }));
}

/** Starts of all steps that a period touches. Days are those of the zone, 23 to 25 hours long; hours are those of UTC. */
export function stepsOf({ from, until, bucket, timezone }: Omit<PerformanceQuestion, 'by'>): number[] {
  const steps: number[] = [];
  if (bucket === 'hour') {
    let at = DateTime.fromJSDate(from, { zone: 'utc' }).startOf('hour');
    for (; at.toMillis() < until.getTime(); at = at.plus({ hours: 1 })) steps.push(at.toMillis());
    return steps;
  }
  let day = localDayOf(from.getTime(), timezone);
  for (; startOfDayMs(day, timezone) < until.getTime(); day = addDays(day, 1)) steps.push(startOfDayMs(day, timezone));
  return steps;
}
