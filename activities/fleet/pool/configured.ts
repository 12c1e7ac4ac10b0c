/** Pools and instances in the database that the configuration may no longer name. */
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { isFinal, phasesThat } from '../../../domain/fleet/phases.ts';

/** An instance whose life has not ended. */
export interface HeldInstance {
  readonly name: string;
  readonly provider: string;
  readonly phase: string;
  readonly offerKey: string | null;
}

/**
 * Instances at providers other than these, and those with a disk there that is still paid for. Static servers are not rented.
 */
export async function instancesHeldElsewhere(
  db: PrismaClient,
  providers: readonly string[],
): Promise<readonly HeldInstance[]> {
  const elsewhere = { notIn: [...providers, 'static'] };
  const living = { phase: { notIn: phasesThat(isFinal) } };
  const select = { name: true, provider: true, phase: true, offerKey: true } as const;
  const [instances, disks] = await Promise.all([
    db.fleetInstance.findMany({ where: { provider: elsewhere, ...living }, select, orderBy: { name: 'asc' } }),
    db.rental.findMany({
      where: { provider: elsewhere, closedAt: null, instanceName: { not: null } },
      select: { provider: true, instanceName: true },
    }),
  ]);
  const providerOfDisk = new Map(disks.map(({ instanceName, provider }) => [instanceName ?? '', provider]));
  const withDisk = await db.fleetInstance.findMany({
    where: { name: { in: [...providerOfDisk.keys()], notIn: instances.map((i) => i.name) }, ...living },
    select,
    orderBy: { name: 'asc' },
  });
  return [...instances, ...withDisk.map((i) => ({ ...i, provider: providerOfDisk.get(i.name) ?? i.provider }))];
}

/** Names of all pools there ever were. */
export async function poolNames(db: PrismaClient): Promise<string[]> {
  const rows = await db.fleetPool.findMany({ select: { name: true } });
  return rows.map((row) => row.name);
}
