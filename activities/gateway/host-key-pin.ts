/**
 * The host key by which an instance is known: pinned at first sight, and from then on the only one accepted, also after a wake.
 */
import type { PrismaClient } from '../../generated/prisma/client.ts';

/** Where the pin of one machine is kept. */
export interface HostKeyPin {
  /** Base64 SHA-256 without padding, as `ssh-keygen -l` prints it; null before the first sight. */
  known(): Promise<string | null>;
  /** Pins this key if none is pinned yet. Returns the one that is pinned now. */
  pin(sha256: string): Promise<string>;
}

/** The pin of an instance. */
export function instanceHostKeyPin(db: PrismaClient, name: string): HostKeyPin {
  const known = async (): Promise<string | null> => {
    const row = await db.fleetInstance.findUniqueOrThrow({ where: { name }, select: { hostKeySha256: true } });
    return row.hostKeySha256;
  };
  return {
    known,
    pin: async (sha256) => {
      // Two gateways may see it first: the database decides.
      await db.fleetInstance.updateMany({ where: { name, hostKeySha256: null }, data: { hostKeySha256: sha256 } });
      return (await known()) ?? sha256;
    },
  };
}
