/** What entries of the deck list are made of, as parts of SQL that several queries share. */
import { Prisma } from '../../../generated/prisma/client.ts';

/**
 * The review whose values are shown of a deck `d`, as a lateral join: the newest one that came to an overall result; before the first of these,
 * the newest one that has found anything. So a replay replaces what is shown when it is done, not when it begins.
 */
export const shownReview = Prisma.sql`LATERAL (
  SELECT a.* FROM (
    SELECT r.*, r."overallScore" IS NOT NULL OR r."status" IN ('completed', 'completed_with_gaps') AS "isWhole"
    FROM "Analysis" r WHERE r."deckId" = d."id" AND r."taskType" IS NULL
  ) a
  WHERE a."isWhole"
    OR EXISTS (SELECT 1 FROM "Extraction" x WHERE x."analysisId" = a."id" AND x."raw" IS NOT NULL)
    OR EXISTS (SELECT 1 FROM "Classification" c WHERE c."analysisId" = a."id" AND c."sectorSlug" IS NOT NULL)
  ORDER BY a."isWhole" DESC, a."createdAt" DESC, a."id" DESC LIMIT 1
)`;

/** What people said of a deck `d` and holds: the newest of each kind, subject and item, without what was withdrawn. */
export const heldVerdicts = Prisma.sql`(
  SELECT v.* FROM (
    SELECT DISTINCT ON (h."kind", h."subject", h."item") h.*
    FROM "HumanVerdict" h WHERE h."deckId" = d."id"
    ORDER BY h."kind", h."subject", h."item", h."sequence" DESC
  ) v WHERE v."text" IS NOT NULL OR v."score" IS NOT NULL
)`;
