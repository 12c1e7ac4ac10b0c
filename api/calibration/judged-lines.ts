/**
 * Lines of the machine that people judged: with a judgement, or by correcting or confirming a value. Each with what the machine said of it at
 * that time.
 */
import type { AnsweringSettings } from '../../domain/evidence/answering-settings.ts';
import { type JudgedKind, peopleLevels, type PeopleLevels } from '../../domain/evidence/judged-by-people.ts';
import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts';
import type { Transaction } from '../../platform/db.ts';
import { lockForTransaction } from '../../platform/locks.ts';
import type { CalibrationQuery } from './schemas.ts';

/** The newest word of people on each line of a tenant: `engine`, `model`, `digest`, `subject`, `level`, `isRight`. */
export function judgedLines(tenantId: string, { since, author }: CalibrationQuery = {}): Prisma.Sql {
  const wanted = [
    ...(since === undefined ? [] : [Prisma.sql`h."createdAt" >= ${since}`]),
    ...(author === undefined ? [] : [Prisma.sql`h."authorName" = ${author}`]),
  ];
  // Where a person said both, the judgement on the line holds, as in `judgementOn`.
  return Prisma.sql`(
    SELECT DISTINCT ON (h."deckId", h."subject")
      h."machineEngine" AS "engine", h."machineModel" AS "model", h."machineDigest" AS "digest", h."subject",
      h."machineAnswering" AS "level",
      h."text" = CASE WHEN h."kind" = 'judgement' THEN 'right' ELSE h."machineText" END AS "isRight"
    FROM (
      SELECT DISTINCT ON (v."deckId", v."kind", v."subject") v.* FROM "HumanVerdict" v
      JOIN "Deck" d ON d."id" = v."deckId" AND d."deletingAt" IS NULL
      WHERE v."tenantId" = ${tenantId} AND v."kind" IN ('judgement', 'value')
      ORDER BY v."deckId", v."kind", v."subject", v."sequence" DESC
    ) h
    WHERE ${Prisma.join([Prisma.sql`h."text" IS NOT NULL AND h."machineText" IS NOT NULL AND h."machineEngine" IS NOT NULL`, ...wanted], ' AND ')}
    ORDER BY h."deckId", h."subject", h."kind"
  )`;
}

/** The levels of a tenant. The built-in reader judges its lines itself. */
export async function readPeopleLevels(
  db: Pick<PrismaClient, '$queryRaw'>,
  tenantId: string,
  settings: AnsweringSettings,
): Promise<PeopleLevels> {
  const kinds = await db.$queryRaw<JudgedKind[]>`
    SELECT l."digest", l."subject", count(*)::int AS "judged", (count(*) FILTER (WHERE l."isRight"))::int AS "right"
    FROM ${judgedLines(tenantId)} l WHERE l."engine" <> 'rules' AND l."digest" IS NOT NULL
    GROUP BY l."digest", l."subject" HAVING count(*) >= ${settings.judgements}`;
  return peopleLevels(kinds, settings);
}

/**
 * Makes a change after which people's judgements may hold for other lines of the tenant's models. Where they do, the entries of its decks are
 * made anew. One change of a tenant after the other, because two at once would each see only their own.
 */
export async function noteChangedLevels<Result>(
  tx: Transaction,
  tenantId: string,
  settings: AnsweringSettings,
  change: () => Promise<Result>,
): Promise<Result> {
  await lockForTransaction(tx, `people-levels/${tenantId}`);
  const before = await readPeopleLevels(tx, tenantId, settings);
  const result = await change();
  const after = await readPeopleLevels(tx, tenantId, settings);
  const isSame = before.size === after.size && [...after].every(([kind, level]) => before.get(kind) === level);
  if (!isSame) {
    await tx.$executeRaw`
      INSERT INTO "DeckChange" ("deckId", "tenantId") SELECT "id", "tenantId" FROM "Deck" WHERE "tenantId" = ${tenantId}`;
  }
  return result;
}
