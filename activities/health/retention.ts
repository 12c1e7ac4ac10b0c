/** How long samples of health are kept. Changes of an instance's health, and where it stands, stay. */
import type { PrismaClient } from '../../generated/prisma/client.ts';

const DAY_MS = 24 * 3_600_000;

/** Removes samples that are older than so many days. */
export async function removeOldSamples(db: PrismaClient, retentionDays: number, now: Date = new Date()): Promise<void> {
  await db.healthSample.deleteMany({ where: { at: { lt: new Date(now.getTime() - retentionDays * DAY_MS) } } });
}
