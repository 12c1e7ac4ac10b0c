/**
 * The document of an instance's health: its level, changes, and samples, newest first.
 */
import type { HealthSample, InstanceHealth, PrismaClient } from '../../generated/prisma/client.ts';
import { phaseOf } from '../../domain/fleet/phases.ts';
import { HEALTH_LEVELS } from '../../domain/health/types.ts';
import { afterCursor, pageOf } from '../http/paging.ts';
import { memberOf } from '../../domain/text/member-of.ts';
import type { FleetInstanceDocument } from '../fleet/fleet-schemas.ts';
import type { HealthHistoryDocument } from './health-schemas.ts';
import { noInstance } from '../fleet/no-instance.ts';

const CHANGES_SHOWN = 100;

/** One page of samples, with all else. @throws DeckhandError `not_found`, `invalid_request` for a cursor that is not ours */
export async function loadHealth(
  db: PrismaClient,
  name: string,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<HealthHistoryDocument> {
  const instance = await db.fleetInstance.findUnique({ where: { name }, include: { health: true } });
  if (instance === null) throw noInstance(name);
  const [rows, changes] = await Promise.all([
    db.healthSample.findMany({
      where: { instanceName: name, ...beforeCursor(cursor) },
      orderBy: [{ at: 'desc' }, { id: 'desc' }],
      take: limit + 1,
    }),
    db.healthTransition.findMany({
      where: { instanceName: name },
      orderBy: [{ at: 'desc' }, { id: 'desc' }],
      take: CHANGES_SHOWN,
    }),
  ]);
  const { items, nextCursor } = pageOf(
    rows.map((row) => ({ ...row, createdAt: row.at })),
    limit,
  );
  return {
    name,
    pool: instance.pool,
    phase: phaseOf(instance.phase),
    health: instance.health === null ? null : healthDocument(instance.health),
    changes: changes.map(({ at, fromLevel, toLevel, failure, reason, action }) => ({
      at: at.toISOString(),
      from: fromLevel,
      to: toLevel,
      failure,
      reason,
      action,
    })),
    samples: items.map(sampleDocument),
    nextCursor,
  };
}

/** Where an instance stands. A level of a later version is one that is not known. */
export function healthDocument(row: InstanceHealth): NonNullable<FleetInstanceDocument['health']> {
  return {
    level: memberOf(HEALTH_LEVELS, row.level) ?? 'unknown',
    since: row.since.toISOString(),
    reason: row.reason,
    failure: row.failure,
    lastSampleAt: row.lastSampleAt?.toISOString() ?? null,
    lastProbeAt: row.lastProbeAt?.toISOString() ?? null,
    probeMs: row.probeMs,
    baselineProbeMs: row.baselineProbeMs,
    quarantinedAt: row.quarantinedAt?.toISOString() ?? null,
  };
}

/** Cursors name a creation time; a sample's is when it was taken. */
function beforeCursor(cursor: string | undefined) {
  const { OR } = afterCursor(cursor);
  if (OR === undefined) return {};
  return { OR: OR.map(({ createdAt, ...rest }) => ({ at: createdAt, ...rest })) };
}

const numberOrNull = (value: bigint | null): number | null => (value === null ? null : Number(value));

const sampleDocument = (row: HealthSample): HealthHistoryDocument['samples'][number] => ({
  at: row.at.toISOString(),
  gpu: row.gpuIndex,
  level: row.level,
  missing: row.missing,
  message: row.message,
  utilRatio: row.utilRatio,
  memoryUsedBytes: numberOrNull(row.memoryUsedBytes),
  memoryTotalBytes: numberOrNull(row.memoryTotalBytes),
  temperatureC: row.temperatureC,
  slowdownMarginC: row.slowdownMarginC,
  throttleReasons: row.throttleReasons,
  xids: row.xids,
  eccUncorrected: numberOrNull(row.eccUncorrected),
  rowRemapPending: row.rowRemapPending,
  rowRemapFailed: row.rowRemapFailed,
  modelBytes: numberOrNull(row.modelBytes),
  modelVramBytes: numberOrNull(row.modelVramBytes),
  diskFreeBytes: numberOrNull(row.diskFreeBytes),
  diskTotalBytes: numberOrNull(row.diskTotalBytes),
  probeMs: row.probeMs,
});
