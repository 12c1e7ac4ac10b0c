/** How long alerts that are over are kept. */
import type { PrismaClient } from '../../generated/prisma/client.ts';

const RETENTION_MS = 180 * 24 * 3_600_000;

/** Removes alerts that have been over for 180 days, with the log of what told of them. Open ones stay, however old they are. */
export async function removeOldAlerts(db: PrismaClient, now: Date = new Date()): Promise<void> {
  await db.alert.deleteMany({ where: { clearedAt: { lt: new Date(now.getTime() - RETENTION_MS) } } });
}
