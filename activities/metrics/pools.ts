/** Pools: as they last decided, and how long work waits for them. */
import type { Sample } from '../../domain/metrics/catalogue.ts';
import { GPU_CLASSES } from '../../domain/models/model-tasks.ts';
import { counted, durationWords } from '../../domain/text/words.ts';
import { LIVING, sample, secondsSince, timestamp, type Look } from './source.ts';

/** Pools that have not ended. */
const LOOKING = { nextLookAt: { not: null } };

/** What each pool last decided, and whether a budget keeps it from buying. */
export async function readPools({ db }: Look): Promise<Sample[]> {
  const pools = await db.fleetPool.findMany({ where: LOOKING, orderBy: { name: 'asc' } });
  return pools.flatMap(({ name, target, wish, openSeconds, openCalls, updatedAt, budgetMessage }) => {
    const labels = { pool: name };
    const refusal =
      budgetMessage === null ? `No budget holds pool ${name}.` : `Pool ${name} buys nothing: ${budgetMessage}`;
    return [
      sample('pool_target', labels, target),
      sample('pool_wish', labels, wish),
      sample('pool_backlog_work_seconds', labels, openSeconds),
      sample('pool_backlog_calls', labels, openCalls),
      sample('pool_decided_timestamp_seconds', labels, timestamp(updatedAt)),
      sample('budget_refusal', labels, budgetMessage === null ? 0 : 1, refusal),
    ];
  });
}

/** Phases in which an instance has no machine and none is ordered. */
const WITHOUT_MACHINE: readonly string[] = ['planned', 'suspended'];

interface OpenCalls {
  readonly gpuClass: string;
  readonly calls: number;
  readonly oldest: Date;
}

/** The oldest open call of each class, and how long work has waited for a pool that has no machine and gets none. */
export async function readBacklog({ db, now }: Look): Promise<Sample[]> {
  const open = await db.$queryRaw<OpenCalls[]>`
    SELECT c."gpuClass", count(*)::int AS calls, min(c."createdAt") AS oldest
    FROM "ModelCall" c JOIN "Analysis" a ON a.id = c."analysisId"
    WHERE c.state = 'planned' AND a.status IN ('queued', 'running') AND a."pausedAt" IS NULL
    GROUP BY 1`;
  const waiting = (classes: readonly string[]) => {
    const rows = open.filter(({ gpuClass }) => classes.includes(gpuClass));
    const calls = rows.reduce((sum, row) => sum + row.calls, 0);
    return { calls, seconds: Math.max(0, ...rows.map(({ oldest }) => secondsSince(oldest, now))) };
  };
  const pools = await db.fleetPool.findMany({
    where: LOOKING,
    include: { instances: { where: LIVING, orderBy: { createdAt: 'asc' } } },
  });
  return [
    ...GPU_CLASSES.map((gpuClass) => {
      const { calls, seconds } = waiting([gpuClass]);
      const message =
        calls === 0
          ? `No call waits for ${gpuClass}.`
          : `The oldest of ${counted(calls, 'open call')} for ${gpuClass} has waited for ${durationWords(seconds * 1000)}.`;
      return sample('backlog_age_seconds', { gpu_class: gpuClass }, seconds, message);
    }),
    ...pools.map(({ name, classes, instances, reasons }) => {
      // An instance that wakes has a machine once one was found.
      const isDry = instances.every(
        ({ phase, providerId }) => WITHOUT_MACHINE.includes(phase) || (phase === 'waking' && providerId === null),
      );
      const { calls, seconds } = waiting(classes);
      const why = instances[0]?.reason ?? reasons[0] ?? 'no reason is known';
      const waited = `${counted(calls, 'call waits', 'calls wait')} for pool ${name}, the oldest for ${durationWords(seconds * 1000)}`;
      const message = isDry ? `${waited}, and it has no machine: ${why}.` : `Pool ${name} has machines.`;
      return sample('drought_seconds', { pool: name }, isDry ? seconds : 0, message);
    }),
  ];
}
