/** Pools as they last decided. */
import { sample, sampleIf, timestamp, type MetricGroup } from './group.ts';

export const POOL_GROUP: MetricGroup = {
  name: 'pools',
  read: async ({ db }) => {
    // A pool that has ended looks no more.
    const pools = await db.fleetPool.findMany({ where: { nextLookAt: { not: null } }, orderBy: { name: 'asc' } });
    return pools.flatMap(({ name, target, wish, openSeconds, openCalls, oldestAgeMs, updatedAt }) => {
      const labels = { pool: name };
      return [
        sample('pool_target', labels, target),
        sample('pool_wish', labels, wish),
        sample('pool_backlog_work_seconds', labels, openSeconds),
        sample('pool_backlog_calls', labels, openCalls),
        ...sampleIf('pool_oldest_age_seconds', labels, oldestAgeMs === null ? null : Number(oldestAgeMs) / 1000),
        sample('pool_decided_timestamp_seconds', labels, timestamp(updatedAt)),
      ];
    });
  },
};
