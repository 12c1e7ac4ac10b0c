/** Compares what people say with what the machine said at that time, in the database. */
import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts';
import { shareInterval } from '../../domain/evaluation/statistics.ts';
import { ANSWERING } from '../../domain/evidence/answering.ts';
import { judgedLines } from './judged-lines.ts';
import type { CalibrationDocument, CalibrationQuery } from './schemas.ts';

/** Differences that are listed of a question. */
const LISTED = 10;

type QuestionDocument = CalibrationDocument['questions'][number];
type ValueDocument = CalibrationDocument['values'][number];

/** What holds of every deck of a tenant, as far as the filter wants it: the newest row of each kind and subject. */
function held(tenantId: string, kind: 'score' | 'value', { since, author }: CalibrationQuery): Prisma.Sql {
  const wanted = [
    ...(since === undefined ? [] : [Prisma.sql`h."createdAt" >= ${since}`]),
    ...(author === undefined ? [] : [Prisma.sql`h."authorName" = ${author}`]),
  ];
  return Prisma.sql`(
    SELECT h.*, split_part(h."subject", '/', 2) AS "name" FROM (
      SELECT DISTINCT ON (v."deckId", v."subject") v.* FROM "HumanVerdict" v
      JOIN "Deck" d ON d."id" = v."deckId" AND d."deletingAt" IS NULL
      WHERE v."tenantId" = ${tenantId} AND v."kind" = ${kind}
      ORDER BY v."deckId", v."subject", v."sequence" DESC
    ) h
    WHERE ${Prisma.join([Prisma.sql`(h."text" IS NOT NULL OR h."score" IS NOT NULL)`, ...wanted], ' AND ')}
  )`;
}

/** The calibration of a tenant. */
export async function readCalibration(
  db: PrismaClient,
  tenantId: string,
  query: CalibrationQuery,
): Promise<CalibrationDocument> {
  return {
    answering: await readAnswering(db, tenantId, query),
    questions: await readQuestions(db, tenantId, query),
    values: await readValues(db, tenantId, query),
  };
}

/** How many of the lines of each level are right. */
async function readAnswering(
  db: PrismaClient,
  tenantId: string,
  query: CalibrationQuery,
): Promise<CalibrationDocument['answering']> {
  const rows = await db.$queryRaw<
    Pick<CalibrationDocument['answering'][number], 'engine' | 'model' | 'level' | 'judged' | 'right'>[]
  >`
    SELECT l."engine", l."model", l."level", count(*)::int AS "judged", (count(*) FILTER (WHERE l."isRight"))::int AS "right"
    FROM ${judgedLines(tenantId, query)} l GROUP BY 1, 2, 3 ORDER BY 1, 2, array_position(${[...ANSWERING]}::text[], l."level"::text)`;
  return rows.map((row) => ({ ...row, share: row.right / row.judged, ...shareInterval(row.right, row.judged) }));
}

async function readQuestions(db: PrismaClient, tenantId: string, query: CalibrationQuery): Promise<QuestionDocument[]> {
  return db.$queryRaw<QuestionDocument[]>`
    WITH said AS MATERIALIZED (
      SELECT s.*, s."score" - s."machineScore" AS "difference",
        row_number() OVER (
          PARTITION BY s."name", s."score" IS DISTINCT FROM s."machineScore" AND s."machineScore" IS NOT NULL
          ORDER BY s."sequence" DESC
        ) AS "position"
      FROM ${held(tenantId, 'score', query)} s
    ), judged AS (
      SELECT "name", count(*)::int AS "scored", count("difference")::int AS "compared",
        avg("difference")::double precision AS "meanDifference",
        avg(abs("difference"))::double precision AS "meanAbsoluteDifference",
        (count(*) FILTER (WHERE "difference" = 0))::int AS "equal"
      FROM said GROUP BY "name"
    )
    SELECT j."name" AS "slug", asked."text",
      CASE WHEN asked."chapterSlug" IS NOT NULL THEN jsonb_build_object('slug', asked."chapterSlug", 'name', asked."chapterName") END
        AS "chapter",
      j."scored", j."compared", j."meanDifference", j."meanAbsoluteDifference", j."equal",
      coalesce((
        SELECT jsonb_agg(jsonb_build_object(
          'deck', jsonb_build_object('id', d."id", 'fileName', d."fileName"),
          'company', CASE WHEN c."id" IS NOT NULL THEN jsonb_build_object('id', c."id", 'name', c."name") END,
          'analysisId', s."analysisId", 'human', s."score", 'machine', s."machineScore", 'reason', s."reason",
          'author', s."authorName",
          'createdAt', to_char(s."createdAt", 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        ) ORDER BY s."sequence" DESC)
        FROM said s JOIN "Deck" d ON d."id" = s."deckId" LEFT JOIN "Company" c ON c."id" = d."companyId"
        WHERE s."name" = j."name" AND s."difference" <> 0 AND s."position" <= ${LISTED}
      ), '[]'::jsonb) AS "differences"
    FROM judged j
    LEFT JOIN LATERAL (
      SELECT q."text", ch."slug" AS "chapterSlug", ch."name" AS "chapterName"
      FROM "Question" q JOIN "Chapter" ch ON ch."id" = q."chapterId" JOIN "TemplateVersion" t ON t."id" = ch."templateVersionId"
      WHERE q."tenantId" = ${tenantId} AND q."slug" = j."name"
      ORDER BY t."createdAt" DESC, t."version" DESC, q."id" LIMIT 1
    ) asked ON true
    ORDER BY j."meanAbsoluteDifference" DESC NULLS LAST, j."compared" DESC, j."name"`;
}

async function readValues(db: PrismaClient, tenantId: string, query: CalibrationQuery): Promise<ValueDocument[]> {
  return db.$queryRaw<ValueDocument[]>`
    SELECT s."name" AS "field",
      (count(*) FILTER (WHERE s."text" IS DISTINCT FROM s."machineText"))::int AS "corrected",
      (count(*) FILTER (WHERE s."machineText" IS NULL))::int AS "added",
      (count(*) FILTER (WHERE s."text" = s."machineText"))::int AS "confirmed"
    FROM ${held(tenantId, 'value', query)} s
    GROUP BY s."name" ORDER BY "corrected" DESC, "field"`;
}
