/** Writes entries of the deck list from everything they are made of, in one statement for any number of decks. */
import { Prisma } from '../../../generated/prisma/client.ts';
import { type AttentionReason, FEW_QUOTES_SHARE, LITTLE_FOUND_SHARE } from '../../../domain/decks/list/entry.ts';
import { RENDER_KEY } from '../../../domain/decks/render-key.ts';
import { ILLEGIBLE_CODE, LANGUAGE_CODE, NO_TEXT_CODE } from '../../../domain/decks/unread.ts';
import type { Transaction } from '../../../platform/db.ts';
import type { JudgedScore } from './judged-scores.ts';
import { heldVerdicts, shownReview } from './sources.ts';

/** What is written, and what of it was found out before. */
interface EntriesToWrite {
  readonly tenantId: string;
  readonly deckIds: readonly string[];
  /** Those whose pages are to be read; of the others, what their entry says of the pages stays. */
  readonly withNewPages: readonly string[];
  /** Those of them on whose pages something stands that nobody can see. */
  readonly withInvisibleText: readonly string[];
  /** Of decks that people scored. */
  readonly scores: readonly JudgedScore[];
}

/**
 * Characters of slides and of everything else that a deck is found by. Together they keep a tsvector below the megabyte that Postgres allows,
 * whatever the characters are.
 */
const MOST_SLIDE_TEXT = 180_000;
const MOST_OTHER_TEXT = 40_000;

/** Columns of an entry in the order of the statement's values; `deckId` and `tenantId` never change. */
const COLUMNS = [
  'version',
  'fileName',
  'createdAt',
  'deletingAt',
  'pageCount',
  'companyId',
  'company',
  'offering',
  'sector',
  'askAmount',
  'askCurrency',
  'askText',
  'deckDate',
  'analysisId',
  'status',
  'stage',
  'priority',
  'pausedAt',
  'startedAt',
  'finishedAt',
  'failureCode',
  'failureMessage',
  'language',
  'engineKind',
  'resultAnalysisId',
  'score',
  'machineScore',
  'coverage',
  'quotes',
  'verifiedQuotes',
  'verifiedShare',
  'gaps',
  'costUsd',
  'owner',
  'assignee',
  'decision',
  'tags',
  'notes',
  'attention',
  'search',
  'updatedAt',
] as const;

const names = Prisma.raw(COLUMNS.map((column) => `"${column}"`).join(', '));
const replaced = Prisma.raw(COLUMNS.map((column) => `"${column}" = EXCLUDED."${column}"`).join(', '));

/** A reason to look at a deck, where a condition holds. */
const when = (reason: AttentionReason, condition: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`CASE WHEN ${condition} THEN ${reason}::text END`;

/** Makes the entries of decks anew, each with a new version. */
export async function writeEntries(tx: Transaction, entries: EntriesToWrite): Promise<void> {
  const { tenantId, deckIds, withNewPages, withInvisibleText, scores } = entries;
  const hasNewPages = Prisma.sql`d."id" = ANY(${withNewPages})`;
  // In the order of ATTENTION_REASONS.
  const attention = Prisma.join([
    when('failed', Prisma.sql`newest."status" = 'failed'`),
    when('unreadable', Prisma.sql`unread."isUnreadable"`),
    when('language', Prisma.sql`unread."isForeign"`),
    when('gaps', Prisma.sql`unread."gaps" > 0`),
    when(
      'steering',
      Prisma.sql`EXISTS (SELECT 1 FROM "SlideFinding" f WHERE f."analysisId" = shown."id" AND f."kind" = 'steering_attempt')
        OR EXISTS (SELECT 1 FROM unnest(d."hazards") hazard WHERE starts_with(hazard, 'steering_in_'))`,
    ),
    when(
      'invisible_text',
      Prisma.sql`CASE WHEN ${hasNewPages} THEN d."id" = ANY(${withInvisibleText}) ELSE 'invisible_text' = ANY(e."attention") END`,
    ),
    when('contradictions', Prisma.sql`EXISTS (SELECT 1 FROM "Contradiction" c WHERE c."analysisId" = shown."id")`),
    when('few_quotes', Prisma.sql`quotes."verified" < ${FEW_QUOTES_SHARE}::double precision * quotes."total"`),
    // Where no page could be read that is the reason.
    when(
      'little_found',
      Prisma.sql`NOT unread."isUnreadable" AND NOT unread."isForeign"
        AND quotes."total" < ${LITTLE_FOUND_SHARE}::double precision * shown."askedQuestions"`,
    ),
  ]);
  await tx.$executeRaw`
    INSERT INTO "DeckEntry" ("deckId", "tenantId", ${names})
    SELECT d."id", d."tenantId", nextval('deck_entry_version'), d."fileName", d."createdAt", d."deletingAt", d."pageCount",
      d."companyId", texts."company", texts."offering", texts."sector",
      CASE WHEN said."ask" IS NULL THEN funding."amount" ELSE said."askAmount" END,
      CASE WHEN said."ask" IS NULL THEN funding."currency" ELSE said."askCurrency" END,
      coalesce(said."ask", funding."raw"),
      CASE WHEN said."date" IS NULL THEN found."deckDate" ELSE said."isoDate" END,
      newest."id", coalesce(newest."status"::text, 'uploaded'), newest."stage", newest."priority", newest."pausedAt",
      newest."startedAt", newest."finishedAt", newest."failureCode", newest."failureMessage", newest."language",
      newest."engineKind", shown."id",
      CASE WHEN judged."deckId" IS NULL THEN shown."overallScore" ELSE judged."score" END, shown."overallScore",
      coalesce(judged."scored", shown."scoredQuestions")::double precision
        / nullif(coalesce(judged."asked", shown."askedQuestions"), 0),
      quotes."total", quotes."verified", quotes."verified"::double precision / nullif(quotes."total", 0),
      coalesce(unread."gaps", 0), cost."usd", d."uploadedBy", said."assignee", said."decision", said."tags", said."notes",
      array_remove(ARRAY[${attention}], NULL),
      setweight(deck_words(left(concat_ws(' ', d."fileName", array_to_string(d."otherNames", ' '), d."title", texts."company",
          company."name", found."company", texts."offering", texts."sector", sector."name",
          array_to_string(said."tags", ' '), said."noteText"), ${MOST_OTHER_TEXT})), 'A')
        || coalesce(CASE WHEN ${hasNewPages} THEN deck_words(left((
          SELECT string_agg(s."text", ' ' ORDER BY s."number") FROM "Slide" s
          WHERE s."deckId" = d."id" AND s."renderKey" = ${RENDER_KEY}), ${MOST_SLIDE_TEXT}))
          ELSE ts_filter(e."search", '{d}') END, ''),
      timezone('UTC', clock_timestamp())
    FROM "Deck" d
    LEFT JOIN "DeckEntry" e ON e."deckId" = d."id"
    LEFT JOIN "Company" company ON company."id" = d."companyId"
    LEFT JOIN jsonb_to_recordset(${JSON.stringify(scores)}::jsonb)
      AS judged("deckId" text, "score" double precision, "scored" int, "asked" int) ON judged."deckId" = d."id"
    LEFT JOIN LATERAL (
      SELECT a.* FROM "Analysis" a WHERE a."deckId" = d."id" AND a."taskType" IS NULL
      ORDER BY a."createdAt" DESC, a."id" DESC LIMIT 1
    ) newest ON true
    LEFT JOIN ${shownReview} shown ON true
    CROSS JOIN LATERAL (
      SELECT
        max(v."text") FILTER (WHERE v."kind" = 'value' AND v."subject" = 'value/company_name') AS "company",
        max(v."text") FILTER (WHERE v."kind" = 'value' AND v."subject" = 'value/offering') AS "offering",
        max(v."text") FILTER (WHERE v."kind" = 'value' AND v."subject" = 'value/sector') AS "sector",
        max(v."text") FILTER (WHERE v."kind" = 'value' AND v."subject" = 'value/funding') AS "ask",
        max(v."amount") FILTER (WHERE v."kind" = 'value' AND v."subject" = 'value/funding') AS "askAmount",
        max(v."currency") FILTER (WHERE v."kind" = 'value' AND v."subject" = 'value/funding') AS "askCurrency",
        max(v."text") FILTER (WHERE v."kind" = 'value' AND v."subject" = 'value/deck_date') AS "date",
        max(v."isoDate") FILTER (WHERE v."kind" = 'value' AND v."subject" = 'value/deck_date') AS "isoDate",
        max(v."text") FILTER (WHERE v."kind" = 'assignee') AS "assignee",
        max(v."text") FILTER (WHERE v."kind" = 'decision') AS "decision",
        coalesce(array_agg(v."text" ORDER BY v."text") FILTER (WHERE v."kind" = 'tag'), '{}') AS "tags",
        count(*) FILTER (WHERE v."kind" = 'note') AS "notes",
        string_agg(v."text", ' ' ORDER BY v."sequence") FILTER (WHERE v."kind" = 'note') AS "noteText"
      FROM ${heldVerdicts} v
    ) said
    CROSS JOIN LATERAL (
      SELECT
        max(x."raw") FILTER (WHERE x."field" = 'company_name') AS "company",
        max(x."raw") FILTER (WHERE x."field" = 'offering') AS "offering",
        max(x."isoDate") FILTER (WHERE x."field" = 'deck_date') AS "deckDate"
      FROM "Extraction" x WHERE x."analysisId" = shown."id"
    ) found
    LEFT JOIN "Extraction" funding ON funding."analysisId" = shown."id" AND funding."field" = 'funding'
    LEFT JOIN "Classification" class ON class."analysisId" = shown."id"
    CROSS JOIN LATERAL (
      SELECT
        -- Where a person put the deck into a company, that is the newer word.
        CASE WHEN d."companyBy" = 'person' THEN coalesce(company."name", said."company", found."company")
          ELSE coalesce(said."company", company."name", found."company") END AS "company",
        coalesce(said."offering", found."offering") AS "offering",
        coalesce(said."sector", class."sectorSlug") AS "sector"
    ) texts
    LEFT JOIN "Sector" sector ON sector."tenantId" = d."tenantId" AND sector."slug" = texts."sector"
    -- The same words on the same slide count once, as in a report (quoteCounts).
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS "total", (count(*) FILTER (WHERE once."isProof"))::int AS "verified" FROM (
        SELECT bool_or(q."verdict" = 'verified') AS "isProof" FROM (
          SELECT v."slideNumber", v."quote", v."verdict" FROM "Extraction" x JOIN "Evidence" v ON v."extractionId" = x."id"
          WHERE x."analysisId" = shown."id"
          UNION ALL
          SELECT v."slideNumber", v."quote", v."verdict" FROM "Answer" x JOIN "Evidence" v ON v."answerId" = x."id"
          WHERE x."analysisId" = shown."id"
          UNION ALL
          SELECT v."slideNumber", v."quote", v."verdict" FROM "SpecialisedAnalysis" x JOIN "Evidence" v ON v."specialisedId" = x."id"
          WHERE x."analysisId" = shown."id"
        ) q GROUP BY q."slideNumber", btrim(regexp_replace(normalize(q."quote"), '\\s+', ' ', 'g'))
      ) once
    ) quotes
    CROSS JOIN LATERAL (
      SELECT
        count(*)::int AS "all",
        (count(*) FILTER (WHERE g."code" = ${LANGUAGE_CODE}))::int AS "foreign",
        (count(*) FILTER (WHERE g."code" = ${NO_TEXT_CODE}))::int AS "noText",
        (count(*) FILTER (WHERE g."code" = ${ILLEGIBLE_CODE}))::int AS "illegible"
      FROM "Gap" g WHERE g."analysisId" = shown."id"
    ) missing
    -- As a report has it: a notice about the whole deck stands for the gaps that follow from it.
    CROSS JOIN LATERAL (
      SELECT n.*, missing."all" - CASE
        WHEN n."isForeign" THEN missing."foreign"
        WHEN n."isUnreadable" THEN missing."noText" + missing."illegible"
        ELSE 0 END AS "gaps"
      FROM (SELECT missing."foreign" > 0 AS "isForeign", missing."foreign" = 0 AND missing."noText" > 0 AND NOT EXISTS (
        SELECT 1 FROM "Extraction" x WHERE x."analysisId" = shown."id" AND x."status" = 'found') AS "isUnreadable") n
    ) unread
    CROSS JOIN LATERAL (
      SELECT sum(l."amountUsd") AS "usd" FROM "Analysis" a JOIN "LedgerEntry" l ON l."analysisId" = a."id"
      WHERE a."deckId" = d."id"
    ) cost
    WHERE d."id" = ANY(${deckIds}) AND d."tenantId" = ${tenantId}
    ON CONFLICT ("deckId") DO UPDATE SET ${replaced}`;
}
