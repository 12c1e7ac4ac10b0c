/**
 * Which disks may be deleted with a machine: those that Deckhand made. An operator may have attached a data volume to it, and the provider lists
 * that one among the machine's disks as well.
 */
import type { CloudProvider } from '../../../clouds/provider.ts';
import { volumeOwnerOf } from '../../../domain/fleet/provider/names.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';

/** What this needs. */
export interface OwnDisksDeps {
  readonly db: PrismaClient;
  readonly installationId: string;
}

/**
 * Those of the volumes that are ours to delete. A volume that is no system disk of an instance in the database is looked at: it is ours by its
 * name. One that the provider does not know any more is left in: deleting it changes nothing.
 *
 * @throws DeckhandError `provider_*` when a volume cannot be looked at: nothing is deleted then
 */
export async function ownDisks(
  { db, installationId }: OwnDisksDeps,
  provider: CloudProvider,
  volumeIds: readonly string[],
): Promise<readonly string[]> {
  if (volumeIds.length === 0) return [];
  const rows = await db.fleetInstance.findMany({
    where: { osVolumeId: { in: [...volumeIds] } },
    select: { osVolumeId: true },
  });
  const system = new Set(rows.map(({ osVolumeId }) => osVolumeId));
  const own: string[] = [];
  for (const id of volumeIds) {
    const volume = system.has(id) ? null : await provider.getVolume(id);
    if (volume === null || volumeOwnerOf(volume.name, installationId) !== null) own.push(id);
  }
  return own;
}
