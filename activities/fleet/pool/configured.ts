/**
 * Pools and instances in the database that the configuration may no longer name.
 */
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { isFinal, phasesThat } from '../../../domain/fleet/phases.ts';

/** An instance whose life has not ended. */
export interface HeldInstance {
  readonly name: string;
  readonly provider: string;
  readonly phase: string;
  readonly offerKey: string | null;
}

/** Instances at providers other than these. Static servers are not rented. */
export function instancesHeldElsewhere(db: PrismaClient, providers: readonly string[]): Promise<HeldInstance[]> {
  return db.fleetInstance.findMany({
    where: { provider: { notIn: [...providers, 'static'] }, phase: { notIn: phasesThat(isFinal) } },
    select: { name: true, provider: true, phase: true, offerKey: true },
    orderBy: { name: 'asc' },
  });
}

/** Names of all pools there ever were. */
export async function poolNames(db: PrismaClient): Promise<string[]> {
  const rows = await db.fleetPool.findMany({ select: { name: true } });
  return rows.map((row) => row.name);
}
