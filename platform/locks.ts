/** Postgres advisory locks: one holder at a time, over all processes. All numbers are defined here, so that no two locks have the same one. */
import type { Prisma } from '../generated/prisma/client.ts';

/** Locks with a fixed number. Do not change a number: processes of an older version may run at the same time. */
export const LOCKS = {
  /** Held by the migrator. */
  migration: 4_836_120_271,
  /** Held by the transaction of a migration, which continues in the server for a while when its migrator is killed. */
  migrationScript: 4_836_120_272,
  keyRevocation: 4_836_120_281,
  /** Held while the SSH key and the startup script are looked up or added at the provider. */
  bootMaterial: 7_264_511,
} as const;

/**
 * Takes a lock until the transaction ends; other transactions wait for it.
 *
 * @param lock one of {@link LOCKS}, or a name, such as `alerts/<id of a rule>`
 */
export async function lockForTransaction(tx: Prisma.TransactionClient, lock: number | string): Promise<void> {
  if (typeof lock === 'number') await tx.$executeRaw`SELECT pg_advisory_xact_lock(${lock}::bigint)`;
  else await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 0))`;
}
