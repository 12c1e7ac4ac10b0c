/**
 * The shared filesystem of a pool: where it is mounted from, and the permission of each machine to mount it.
 *
 * It is a cache of models. Nothing here fails a boot: what cannot be had is logged, and the machine pulls its models.
 */
import type { Accounts } from '../../../clouds/accounts.ts';
import type { Fleet } from '../../../clouds/fleet.ts';
import { partOf } from '../../../clouds/parts.ts';
import { errorText } from '../../../domain/errors.ts';
import type { Sighting } from '../../../domain/fleet/instance-life/types.ts';
import { ownerOf } from '../../../domain/fleet/provider/names.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { Logger } from '../../../platform/log.ts';
import { Memo } from '../../../platform/memo.ts';

interface SharedFilesystemDeps {
  readonly db: PrismaClient;
  readonly accounts: Accounts;
  readonly fleet: Pick<Fleet, 'installationId' | 'pools'>;
  readonly log: Logger;
}

/** The provider is asked once per process and hour for what hardly ever changes. */
const REMEMBERED_FOR_MS = 3_600_000;
/** Looks at one machine at which attaching is tried. */
const MOST_TRIES = 20;

/** Answers what `mount -t nfs` takes for a shared volume; null, and a line in the log, where the provider does not say. */
export function nfsSources({ accounts, log }: Pick<SharedFilesystemDeps, 'accounts' | 'log'>) {
  const remembered = new Memo<string>({ keptMs: REMEMBERED_FOR_MS });
  return async (volumeId: string): Promise<string | null> => {
    try {
      return await remembered.get(volumeId, async () => {
        const source = (await accounts.ofId(volumeId).getVolume(volumeId))?.shared?.source ?? null;
        if (source === null) throw new Error('the provider knows no shared filesystem of this id');
        return source;
      });
    } catch (error) {
      log.warn({ volumeId, error: errorText(error) }, 'a shared filesystem cannot be used as a cache of models');
      return null;
    }
  };
}

/** Lets a machine that was just seen running mount the shared filesystem of its pool, once. Never throws. */
export function sharing({ db, accounts, fleet, log }: SharedFilesystemDeps) {
  const tries = new Map<string, number>();
  const volumes = new Map(
    fleet.pools.flatMap((pool) =>
      pool.sharedFilesystem === null ? [] : [[pool.name, pool.sharedFilesystem.volumeId]],
    ),
  );
  return async ({ providerId, hostname, status, volumeIds }: Sighting): Promise<void> => {
    const tried = tries.get(providerId) ?? 0;
    if (volumes.size === 0 || status !== 'running' || tried >= MOST_TRIES) return;
    try {
      const name = ownerOf(hostname, fleet.installationId)?.instance;
      const row = name === undefined ? null : await db.fleetInstance.findUnique({ where: { name } });
      const volumeId = row === null ? undefined : volumes.get(row.pool);
      tries.set(providerId, volumeId === undefined || volumeIds.includes(volumeId) ? MOST_TRIES : tried + 1);
      if (volumeId === undefined || volumeIds.includes(volumeId)) return;
      await partOf(accounts.ofId(providerId), 'dataVolumes').attach(volumeId, providerId);
      tries.set(providerId, MOST_TRIES);
    } catch (error) {
      log.warn({ providerId, hostname, error: errorText(error) }, 'a machine cannot mount the shared filesystem yet');
    }
  };
}
