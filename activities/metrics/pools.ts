/** Pools: as they last decided, and how long work waits for them. */
import type { Sample } from '../../domain/metrics/catalogue.ts';
import { GPU_CLASSES } from '../../domain/models/model-tasks.ts';
import { counted, durationWords } from '../../domain/text/words.ts';
import { readDemand } from '../fleet/pool/demand.ts';
import { LIVING, sample, timestamp, type Look } from './source.ts';

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

/** The oldest open call of each class, and how long work has waited for a pool that has no machine and gets none. */
export async function readBacklog({ db, now }: Look): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const gpuClass of GPU_CLASSES) {
    const { oldestAgeMs, openCalls } = await readDemand(db, [gpuClass], now);
    const message =
      openCalls === 0
        ? `No call waits for ${gpuClass}.`
        : `The oldest of ${counted(openCalls, 'open call')} for ${gpuClass} has waited for ${durationWords(oldestAgeMs ?? 0)}.`;
    samples.push(sample('backlog_age_seconds', { gpu_class: gpuClass }, (oldestAgeMs ?? 0) / 1000, message));
  }
  const pools = await db.fleetPool.findMany({
    where: LOOKING,
    include: { instances: { where: LIVING, orderBy: { createdAt: 'asc' } } },
  });
  for (const { name, classes, instances, reasons } of pools) {
    // An instance that wakes has a machine once one was found.
    const isDry = instances.every(
      ({ phase, providerId }) => WITHOUT_MACHINE.includes(phase) || (phase === 'waking' && providerId === null),
    );
    const mine = GPU_CLASSES.filter((gpuClass) => classes.includes(gpuClass));
    const { oldestAgeMs, openCalls } = await readDemand(db, mine, now);
    const why = instances[0]?.reason ?? reasons[0] ?? 'no reason is known';
    const waited = `${counted(openCalls, 'call waits', 'calls wait')} for pool ${name}, the oldest for ${durationWords(oldestAgeMs ?? 0)}`;
    const message = isDry ? `${waited}, and it has no machine: ${why}.` : `Pool ${name} has machines.`;
    samples.push(sample('drought_seconds', { pool: name }, isDry ? (oldestAgeMs ?? 0) / 1000 : 0, message));
  }
  return samples;
}
