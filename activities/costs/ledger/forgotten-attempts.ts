/** Call records of deleted decks: they keep tenant and task until their time is settled, and are then deleted. */
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { Transaction } from '../../../platform/db.ts';

/** How long a record without a rental is kept. */
const KEPT_AT_MOST_MS = 30 * 24 * 3_600_000;
/** Longest time that a call without an end may have lasted. */
const LONGEST_CALL = '1 hour';

/**
 * Takes the deck out of the records of an analysis: those that the ledger has settled are deleted, the others keep nothing but what the
 * ledger still needs. Repeating it changes nothing.
 */
export async function forgetAttempts(tx: Transaction, analysisId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE "CallAttempt" SET "analysisId" = '', "deckId" = '', "callId" = '', "slideNumber" = NULL, "questionId" = NULL
    WHERE "analysisId" = ${analysisId}`;
  await deleteSettled(tx);
}

/** Cleans up records of decks that were deleted while a call began, and records whose time is settled by now. */
export async function sweepAttempts(db: PrismaClient, now: Date): Promise<void> {
  const lately = new Date(now.getTime() - 24 * 3_600_000);
  const stray = await db.$queryRaw<{ readonly analysisId: string }[]>`
    SELECT DISTINCT a."analysisId" FROM "CallAttempt" a
    WHERE a."startedAt" > ${lately} AND a."analysisId" <> ''
      AND NOT EXISTS (SELECT 1 FROM "Analysis" n WHERE n."id" = a."analysisId")`;
  for (const { analysisId } of stray) await db.$transaction((tx) => forgetAttempts(tx, analysisId));
  await db.$transaction((tx) => deleteSettled(tx));
  const old = new Date(now.getTime() - KEPT_AT_MOST_MS);
  await db.callAttempt.deleteMany({ where: { analysisId: '', startedAt: { lt: old } } });
}

/** Deletes records whose time a rental of their machine has settled. */
async function deleteSettled(tx: Transaction): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM "CallAttempt" a
    WHERE a."analysisId" = ''
      AND EXISTS (
        SELECT 1 FROM "Rental" r
        WHERE r."instanceName" = a."instanceName" AND r."resource" = 'instance' AND r."billedFrom" <= a."startedAt"
          AND (r."closedAt" IS NULL OR r."billedUntil" >= a."startedAt"))
      AND NOT EXISTS (
        SELECT 1 FROM "Rental" r
        WHERE r."instanceName" = a."instanceName" AND r."closedAt" IS NULL
          AND (r."settledUntil" IS NULL OR r."settledUntil" < coalesce(a."endedAt", a."startedAt" + ${LONGEST_CALL}::interval))
          AND (r."billedFrom" IS NULL OR r."billedFrom" < coalesce(a."endedAt", a."startedAt" + ${LONGEST_CALL}::interval)))`;
}
