/** The SSH host key of an instance: pinned at the first connection and from then on the only one accepted, also after a wake. */
import type { PrismaClient } from '../../generated/prisma/client.ts';

/** Storage for the pinned key of one machine. */
export interface HostKeyPin {
  /** Base64 SHA-256 without padding, as `ssh-keygen -l` prints it; null before the first connection. */
  known(): Promise<string | null>;
  /** Pins this key if none is pinned yet. Returns the pinned key. */
  pin(sha256: string): Promise<string>;
}

/** The pinned key of an instance, in the database. */
export function instanceHostKeyPin(db: PrismaClient, name: string): HostKeyPin {
  const known = async (): Promise<string | null> => {
    const row = await db.fleetInstance.findUniqueOrThrow({ where: { name }, select: { hostKeySha256: true } });
    return row.hostKeySha256;
  };
  return {
    known,
    pin: async (sha256) => {
      // Two gateways may connect first at the same time; the database decides.
      await db.fleetInstance.updateMany({ where: { name, hostKeySha256: null }, data: { hostKeySha256: sha256 } });
      return (await known()) ?? sha256;
    },
  };
}
