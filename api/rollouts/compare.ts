/** Compares the full reviews of both sides of a rollout, in the database. */
import { ROLLOUT_SIDES, type RolloutSide } from '../../domain/rollouts/assignment.ts';
import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts';
import { documentOf } from '../http/definition.ts';
import { type RolloutComparison, type RolloutSideDocument, sideSchema } from './schemas.ts';

/** Columns of a side as the database has them; the rest follows from its sums. */
type Counts = Omit<
  RolloutSideDocument,
  'secondsPerSlide' | 'modelSecondsPerSlide' | 'costUsdPerSlide' | 'verifiedShare' | 'verdicts'
>;
interface SideRow extends Counts, Verdicts {
  readonly side: RolloutSide;
  readonly seconds: number | null;
  readonly modelSeconds: number | null;
  readonly costUsd: number | null;
  readonly verified: number;
}
type Verdicts = RolloutSideDocument['verdicts'];

const NOTHING: Omit<SideRow, 'side'> = {
  analyses: 0,
  open: 0,
  completed: 0,
  completedWithGaps: 0,
  failed: 0,
  cancelled: 0,
  slides: 0,
  seconds: null,
  modelSeconds: null,
  costUsd: null,
  score: null,
  quotes: 0,
  verified: 0,
  compared: 0,
  equal: 0,
  meanAbsoluteDifference: null,
};

const COMPLETED = Prisma.sql`a."status" IN ('completed', 'completed_with_gaps')`;

/** Both sides, and the scores of decks that have reviews of both. */
export async function compareSides(
  db: PrismaClient,
  rolloutId: string,
): Promise<Pick<RolloutComparison, 'sides' | 'sameDecks'>> {
  const [rows, [same]] = await Promise.all([readSides(db, rolloutId), readSameDecks(db, rolloutId)]);
  const [candidate, baseline] = ROLLOUT_SIDES.map((side) => sideDocument(rows.find((row) => row.side === side)));
  return {
    sides: { candidate: candidate ?? sideDocument(), baseline: baseline ?? sideDocument() },
    sameDecks: same ?? { decks: 0, scoreDifference: null },
  };
}

function sideDocument(row: Omit<SideRow, 'side'> = NOTHING): RolloutSideDocument {
  const { slides, quotes, verified, compared, equal, meanAbsoluteDifference } = row;
  const perSlide = (amount: number | null): number | null => (slides === 0 || amount === null ? null : amount / slides);
  return documentOf(sideSchema, {
    ...row,
    secondsPerSlide: perSlide(row.seconds),
    modelSecondsPerSlide: perSlide(row.modelSeconds),
    costUsdPerSlide: perSlide(row.costUsd),
    verifiedShare: quotes === 0 ? null : verified / quotes,
    verdicts: { compared, equal, meanAbsoluteDifference },
  });
}

/** Each sum on its own: joined to each other they would count one another's rows. */
function readSides(db: PrismaClient, rolloutId: string): Promise<SideRow[]> {
  return db.$queryRaw<SideRow[]>`
    WITH side AS MATERIALIZED (
      SELECT a.*, ${COMPLETED} AS "isCompleted" FROM "Analysis" a
      WHERE a."rolloutId" = ${rolloutId} AND a."taskType" IS NULL
    )
    SELECT a."rolloutSide" AS "side", count(*)::int AS "analyses",
      (count(*) FILTER (WHERE a."status" IN ('queued', 'running')))::int AS "open",
      (count(*) FILTER (WHERE a."status" = 'completed'))::int AS "completed",
      (count(*) FILTER (WHERE a."status" = 'completed_with_gaps'))::int AS "completedWithGaps",
      (count(*) FILTER (WHERE a."status" = 'failed'))::int AS "failed",
      (count(*) FILTER (WHERE a."status" = 'cancelled'))::int AS "cancelled",
      coalesce(sum(a."slidesTotal") FILTER (WHERE a."isCompleted"), 0)::int AS "slides",
      (sum(extract(epoch FROM a."finishedAt" - a."startedAt")) FILTER (WHERE a."isCompleted"))::float8 AS "seconds",
      (sum(calls."seconds") FILTER (WHERE a."isCompleted"))::float8 AS "modelSeconds",
      (sum(cost."usd") FILTER (WHERE a."isCompleted"))::float8 AS "costUsd",
      (avg(a."overallScore") FILTER (WHERE a."isCompleted"))::float8 AS "score",
      coalesce(sum(quotes."total") FILTER (WHERE a."isCompleted"), 0)::int AS "quotes",
      coalesce(sum(quotes."verified") FILTER (WHERE a."isCompleted"), 0)::int AS "verified",
      coalesce(sum(said."compared"), 0)::int AS "compared",
      coalesce(sum(said."equal"), 0)::int AS "equal",
      (sum(said."difference") / nullif(sum(said."compared"), 0))::float8 AS "meanAbsoluteDifference"
    FROM side a
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(r."durationMs"), 0) / 1000.0 AS "seconds"
      FROM "ModelCall" c JOIN "ModelResult" r ON r."tenantId" = c."tenantId" AND r."contentKey" = c."contentKey"
      WHERE c."analysisId" = a."id" AND c."state" = 'stored' AND NOT c."cached"
    ) calls
    CROSS JOIN LATERAL (
      SELECT sum(l."amountUsd") AS "usd" FROM "LedgerEntry" l WHERE l."analysisId" = a."id"
    ) cost
    CROSS JOIN LATERAL (
      SELECT count(*) AS "total", count(*) FILTER (WHERE q."verdict" = 'verified') AS "verified" FROM (
        SELECT v."verdict" FROM "Extraction" x JOIN "Evidence" v ON v."extractionId" = x."id" WHERE x."analysisId" = a."id"
        UNION ALL
        SELECT v."verdict" FROM "Answer" x JOIN "Evidence" v ON v."answerId" = x."id" WHERE x."analysisId" = a."id"
        UNION ALL
        SELECT v."verdict" FROM "SpecialisedAnalysis" x JOIN "Evidence" v ON v."specialisedId" = x."id"
        WHERE x."analysisId" = a."id"
        UNION ALL
        SELECT v."verdict" FROM "DeckProfile" x JOIN "ProfileFact" f ON f."profileId" = x."id" JOIN "Evidence" v ON v."profileFactId" = f."id"
        WHERE x."analysisId" = a."id"
      ) q
    ) quotes
    CROSS JOIN LATERAL (
      SELECT count(*) AS "compared", count(*) FILTER (WHERE h."score" = h."machineScore") AS "equal",
        sum(abs(h."score" - h."machineScore")) AS "difference"
      FROM (
        -- The newest of each subject holds; one that was withdrawn has no score.
        SELECT DISTINCT ON (v."subject") v."score", v."machineScore", v."analysisId" FROM "HumanVerdict" v
        WHERE v."deckId" = a."deckId" AND v."tenantId" = a."tenantId" AND v."kind" = 'score'
        ORDER BY v."subject", v."sequence" DESC
      ) h
      WHERE h."analysisId" = a."id" AND h."score" IS NOT NULL AND h."machineScore" IS NOT NULL
    ) said
    GROUP BY a."rolloutSide"`;
}

function readSameDecks(db: PrismaClient, rolloutId: string): Promise<RolloutComparison['sameDecks'][]> {
  return db.$queryRaw<RolloutComparison['sameDecks'][]>`
    WITH candidate AS (
      SELECT DISTINCT ON (a."deckId") a."deckId", a."language", a."overallScore" AS "score" FROM "Analysis" a
      WHERE a."rolloutId" = ${rolloutId} AND a."rolloutSide" = 'candidate' AND a."taskType" IS NULL
        AND ${COMPLETED} AND a."overallScore" IS NOT NULL
      ORDER BY a."deckId", a."createdAt" DESC
    )
    SELECT count(*)::int AS "decks", avg(c."score" - other."score")::float8 AS "scoreDifference"
    FROM candidate c
    CROSS JOIN LATERAL (
      SELECT a."overallScore" AS "score" FROM "Analysis" a
      WHERE a."deckId" = c."deckId" AND a."taskType" IS NULL AND a."replayOfId" IS NULL AND a."language" = c."language"
        AND a."rolloutSide" IS DISTINCT FROM 'candidate' AND ${COMPLETED} AND a."overallScore" IS NOT NULL
      ORDER BY a."createdAt" DESC LIMIT 1
    ) other`;
}
