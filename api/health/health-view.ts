/**
 * The document of an instance's health: its level, changes, and samples, newest first.
 */
import type { InstanceHealth, PrismaClient } from '../../generated/prisma/client.ts';
import { phaseOf } from '../../domain/fleet/phases.ts';
import { HEALTH_LEVELS } from '../../domain/health/types.ts';
import { afterCursor, pageOf } from '../http/paging.ts';
import { memberOf } from '../../domain/text/member-of.ts';
import type { FleetInstanceDocument } from '../fleet/fleet-schemas.ts';
import { documentOf } from '../http/definition.ts';
import { type HealthHistoryDocument, instanceHealthSchema, sampleSchema } from './health-schemas.ts';
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
    samples: items.map((row) => documentOf(sampleSchema, { ...row, gpu: row.gpuIndex })),
    nextCursor,
  };
}

/** Where an instance stands. A level of a later version is one that is not known. */
export const healthDocument = (row: InstanceHealth): NonNullable<FleetInstanceDocument['health']> =>
  documentOf(instanceHealthSchema, { ...row, level: memberOf(HEALTH_LEVELS, row.level) ?? 'unknown' });

/** Cursors name a creation time; a sample's is when it was taken. */
function beforeCursor(cursor: string | undefined) {
  const { OR } = afterCursor(cursor);
  if (OR === undefined) return {};
  return { OR: OR.map(({ createdAt, ...rest }) => ({ at: createdAt, ...rest })) };
}
