/** Starts and configures the pools again when servers, models or profiles have changed, so that no restart is needed. */
import { catalogVersion } from '../../activities/models/catalog/read.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { pause } from '../../platform/pause.ts';

const LOOK_INTERVAL_MS = 2000;

/** See the file's header. Calls `changed` at once, then after each change, until it is stopped. */
export async function followCatalog({
  db,
  stopping,
  changed,
}: {
  readonly db: PrismaClient;
  readonly stopping: AbortSignal;
  readonly changed: () => Promise<void>;
}): Promise<void> {
  let known: string | null = null;
  while (!stopping.aborted) {
    // While the database is away the pools stay as they are.
    const version = await catalogVersion(db).catch(() => known ?? '');
    if (version !== known) {
      known = version;
      await changed();
    }
    await pause(LOOK_INTERVAL_MS, stopping);
  }
}
