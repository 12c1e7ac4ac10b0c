/** Reads what entries of the deck list are made of, for many decks at once. */
import type { ReportVerdict } from '../../../domain/decks/report.ts';
import {
  newestReview,
  type ReviewOfDeck,
  scoresByPeople,
  shownReview,
  type ListedReport,
  type ShownQuote,
  type ShownReview,
} from '../../../domain/decks/list/entry-of.ts';
import type { AnsweringSettings } from '../../../domain/evidence/answering-settings.ts';
import { levelOfLine, type PeopleLevels } from '../../../domain/evidence/judged-by-people.ts';
import { readPeopleLevels } from '../../calibration/judged-lines.ts';
import type { Answering } from '../../../domain/evidence/answering.ts';
import { type ShownFact, topicTexts } from '../../../domain/decks/list/listed-facts.ts';
import { subjectOf } from '../../../domain/decks/verdicts/subject.ts';
import { DOCUMENT_KINDS } from '../../../domain/profile/topics.ts';
import { memberOf } from '../../../domain/text/member-of.ts';
import type { HumanVerdict } from '../../../domain/decks/verdicts/human-verdict.ts';
import { isOnLines } from '../../../domain/decks/verdicts/judgement.ts';
import type { ScoredChapter } from '../../../domain/decks/verdicts/overlay.ts';
import type { Deck } from '../../../generated/prisma/client.ts';
import type { Transaction } from '../../../platform/db.ts';
import { verdictDocument } from '../verdicts/schemas.ts';

/** A deck with what its entry follows from. */
export interface ListedDeck {
  readonly deck: Deck;
  readonly newest: RunOfDeck | null;
  readonly shownId: string | null;
  readonly report: ListedReport;
  readonly verdicts: readonly HumanVerdict[];
  readonly costs: { readonly usd: string | null };
}

/** A full review of a deck, with what its entry shows of the newest. */
interface RunOfDeck extends ReviewOfDeck {
  readonly deckId: string;
  readonly stage: string | null;
  readonly priority: number;
  readonly pausedAt: Date | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
  readonly language: string;
  readonly engineKind: string | null;
  readonly scoredQuestions: number;
  readonly askedQuestions: number;
}

/** Decks of a tenant with all that their entries are made of. @param hasInvisibleText what is known of the pages of a deck */
export async function readListed(
  tx: Transaction,
  tenantId: string,
  deckIds: readonly string[],
  {
    hasInvisibleText,
    settings,
  }: { readonly hasInvisibleText: (deckId: string) => boolean; readonly settings: AnsweringSettings },
): Promise<ListedDeck[]> {
  const ids = [...deckIds];
  const decks = await tx.deck.findMany({
    where: { tenantId, id: { in: ids } },
    include: { company: { select: { name: true } } },
  });
  const runs = Map.groupBy(await readRuns(tx, ids), ({ deckId }) => deckId);
  const history = await tx.humanVerdict.findMany({ where: { tenantId, deckId: { in: ids } } });
  const verdicts = Map.groupBy(history, ({ deckId }) => deckId);
  const costs = await readCosts(tx, ids);
  const chosen = new Map(
    decks.flatMap(({ id }) => {
      const shown = shownReview(runs.get(id) ?? []);
      return shown === null ? [] : [[id, shown]];
    }),
  );
  const verdictsOf = (deckId: string): HumanVerdict[] => (verdicts.get(deckId) ?? []).map(verdictDocument);
  const chosenWhere = (is: (verdicts: readonly HumanVerdict[]) => boolean): string[] =>
    [...chosen].flatMap(([deckId, { id }]) => (is(verdictsOf(deckId)) ? [id] : []));
  const people = await readPeopleLevels(tx, tenantId, settings);
  const shown = await readShown(tx, tenantId, [...chosen.values()], {
    people,
    scored: chosenWhere((said) => scoresByPeople(said).size > 0),
    judged: chosenWhere((said) => said.some(isOnLines)),
  });
  const sectors = await tx.sector.findMany({ where: { tenantId }, select: { slug: true, name: true } });
  const sectorNames = new Map(sectors.map(({ slug, name }) => [slug, name]));
  return decks.map(({ company, ...deck }) => {
    const newest = newestReview(runs.get(deck.id) ?? []);
    const shownId = chosen.get(deck.id)?.id ?? null;
    return {
      deck,
      newest,
      shownId,
      report: {
        deck: {
          ...deck,
          hasInvisibleText: hasInvisibleText(deck.id),
          company: company === null ? null : { name: company.name, isByPerson: deck.companyBy === 'person' },
        },
        newestStatus: newest?.status ?? null,
        shown: shownId === null ? null : (shown.get(shownId) ?? null),
        sectorNames,
      },
      verdicts: verdictsOf(deck.id),
      costs: { usd: costs.get(deck.id) ?? null },
    };
  });
}

async function readRuns(tx: Transaction, deckIds: readonly string[]): Promise<RunOfDeck[]> {
  const rows = await tx.$queryRaw<(Omit<RunOfDeck, 'createdAtMs'> & { readonly createdAt: Date })[]>`
    SELECT a."id", a."deckId", a."createdAt", a."status", a."overallScore", a."stage", a."priority", a."pausedAt", a."startedAt",
      a."finishedAt", a."failureCode", a."failureMessage", a."language", a."engineKind", a."scoredQuestions", a."askedQuestions",
      EXISTS (SELECT 1 FROM "Extraction" x WHERE x."analysisId" = a."id" AND x."raw" IS NOT NULL AND x."status" <> 'not_supported')
        OR EXISTS (SELECT 1 FROM "Classification" c WHERE c."analysisId" = a."id" AND c."sectorSlug" IS NOT NULL) AS "hasFound"
    FROM "Analysis" a WHERE a."deckId" = ANY(${deckIds}) AND a."taskType" IS NULL`;
  return rows.map(({ createdAt, ...run }) => ({ ...run, createdAtMs: createdAt.getTime() }));
}

/** Costs of decks, in US dollars; a deck for which nothing was settled is left out. */
async function readCosts(tx: Transaction, deckIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.$queryRaw<{ deckId: string; usd: string }[]>`
    SELECT a."deckId", sum(l."amountUsd")::text AS "usd" FROM "Analysis" a JOIN "LedgerEntry" l ON l."analysisId" = a."id"
    WHERE a."deckId" = ANY(${deckIds}) GROUP BY a."deckId"`;
  return new Map(rows.map(({ deckId, usd }) => [deckId, usd]));
}

interface ShownRow {
  readonly id: string;
  readonly values: ShownReview['values'];
  readonly sector: string | null;
  readonly quotes: readonly (readonly [
    slide: number,
    quote: string,
    verdict: ReportVerdict,
    answering: Answering | null,
    claim: string,
    engineKind: string | null,
    modelDigest: string | null,
    reread: ShownQuote['reread'],
    answerId: string | null,
    state: ShownQuote['state'],
  ])[];
  /** Its facts in their order. */
  readonly profile: { readonly documentKind: string | null; readonly facts: readonly ShownFact[] } | null;
  /** By claim; null where nobody judged a claim. */
  readonly said: Readonly<Record<string, string>> | null;
  readonly gaps: readonly string[];
  readonly hasSteering: boolean;
  readonly hasContradictions: boolean;
}

/** Shown parts of reviews, by their ids. @param byPeople reviews for which people gave scores, and those with claims that they judged */
async function readShown(
  tx: Transaction,
  tenantId: string,
  runs: readonly RunOfDeck[],
  {
    people,
    scored,
    judged,
  }: { readonly people: PeopleLevels; readonly scored: readonly string[]; readonly judged: readonly string[] },
): Promise<ReadonlyMap<string, ShownReview>> {
  const ids = runs.map(({ id }) => id);
  const rows = await tx.$queryRaw<ShownRow[]>`
    SELECT a."id", class."sectorSlug" AS "sector",
      (SELECT coalesce(jsonb_agg(jsonb_build_object('field', x."field", 'status', x."status",
         'raw', CASE WHEN x."status" <> 'not_supported' THEN x."raw" END, 'amount', x."amount", 'currency', x."currency", 'isoDate', x."isoDate")), '[]') FROM "Extraction" x WHERE x."analysisId" = a."id") AS "values",
      (SELECT coalesce(jsonb_agg(jsonb_build_array(q."slideNumber", q."quote", q."verdict", q."answering", q."claim",
         r."engineKind", r."modelDigest", q."reread", q."answerId", q."state")), '[]') FROM (
         SELECT v.*, 'value/' || x."field" AS "claim", x."modelResultId", NULL::text AS "state" FROM "Extraction" x JOIN "Evidence" v ON v."extractionId" = x."id"
           WHERE x."analysisId" = a."id"
         UNION ALL SELECT v.*, 'question/' || s."slug", x."modelResultId", x."state"::text FROM "Answer" x JOIN "Question" s ON s."id" = x."questionId"
           JOIN "Evidence" v ON v."answerId" = x."id" WHERE x."analysisId" = a."id"
         UNION ALL SELECT v.*, 'reading/' || x."kind", x."modelResultId", NULL FROM "SpecialisedAnalysis" x JOIN "Evidence" v ON v."specialisedId" = x."id"
           WHERE x."analysisId" = a."id"
         UNION ALL SELECT v.*, 'profile/' || f."topic", x."modelResultId", NULL FROM "DeckProfile" x JOIN "ProfileFact" f ON f."profileId" = x."id"
           JOIN "Evidence" v ON v."profileFactId" = f."id" WHERE x."analysisId" = a."id" AND f."topic" <> 'document'
       ) q LEFT JOIN "ModelResult" r ON r."id" = q."modelResultId") AS "quotes",
      (SELECT jsonb_build_object('documentKind', p."documentKind", 'facts', (
         SELECT coalesce(jsonb_agg(jsonb_build_object('topic', f."topic", 'name', f."name", 'value', f."value", 'amount', f."amount",
           'currency', f."currency", 'isPlan', f."isPlan",
           'evidence', ARRAY(SELECT jsonb_build_object('quote', v."quote") FROM "Evidence" v WHERE v."profileFactId" = f."id" ORDER BY v."position")
         ) ORDER BY f."position"), '[]') FROM "ProfileFact" f WHERE f."profileId" = p."id" AND f."topic" <> 'document' AND NOT f."isAbsent"
       )) FROM "DeckProfile" p WHERE p."analysisId" = a."id" AND p."status" = 'analysed') AS "profile",
      CASE WHEN a."id" = ANY(${judged}) THEN (
         SELECT coalesce(jsonb_object_agg(c."claim", c."text"), '{}') FROM (
           SELECT 'value/' || x."field" AS "claim", x."raw" AS "text" FROM "Extraction" x WHERE x."analysisId" = a."id"
           UNION ALL SELECT 'question/' || s."slug", x."answer" FROM "Answer" x JOIN "Question" s ON s."id" = x."questionId"
             WHERE x."analysisId" = a."id"
           UNION ALL SELECT 'reading/' || x."kind", x."summary" FROM "SpecialisedAnalysis" x WHERE x."analysisId" = a."id"
         ) c WHERE c."text" IS NOT NULL
       ) END AS "said",
      ARRAY(SELECT g."code" FROM "Gap" g WHERE g."analysisId" = a."id") AS "gaps",
      EXISTS (SELECT 1 FROM "SlideFinding" f WHERE f."analysisId" = a."id" AND f."kind" = 'steering_attempt') AS "hasSteering",
      EXISTS (SELECT 1 FROM "Contradiction" c WHERE c."analysisId" = a."id") AS "hasContradictions"
    FROM "Analysis" a LEFT JOIN "Classification" class ON class."analysisId" = a."id" WHERE a."id" = ANY(${ids})`;
  const chapters = scored.length === 0 ? new Map<string, ScoredChapter[]>() : await readChapters(tx, tenantId, scored);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    runs.flatMap((run) => {
      const row = byId.get(run.id);
      return row === undefined ? [] : [[run.id, shownOf(run, row, chapters.get(run.id) ?? [], people)]];
    }),
  );
}

function shownOf(
  run: RunOfDeck,
  { quotes, gaps, said, profile, ...row }: ShownRow,
  chapters: readonly ScoredChapter[],
  people: PeopleLevels,
): ShownReview {
  const ofProfile = profile === null || said === null ? [] : [...topicTexts(profile)];
  return {
    ...row,
    engineKind: run.engineKind,
    profile: profile === null ? null : { ...profile, documentKind: memberOf(DOCUMENT_KINDS, profile.documentKind) },
    overallScore: run.overallScore,
    scoredQuestions: run.scoredQuestions,
    askedQuestions: run.askedQuestions,
    quotes: quotes.map(([slide, quote, verdict, ofRules, claim, engineKind, modelDigest, reread, answerId, state]) => {
      const made = engineKind === null || modelDigest === null ? null : { engineKind, modelDigest };
      const answering = levelOfLine(people, made, claim) ?? ofRules;
      return { slide, quote, verdict, answering, claim, reread, answerId, state };
    }),
    said: new Map([
      ...Object.entries(said ?? {}),
      // By the function that reports use, because judgements are on these very words.
      ...ofProfile.map(([topic, text]) => [subjectOf({ of: 'profile', topic }), text] as const),
    ]),
    gaps: gaps.map((code) => ({ code })),
    chapters,
  };
}

/** Chapters with the machine's scores, by review. */
async function readChapters(
  tx: Transaction,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ScoredChapter[]>> {
  const analyses = await tx.analysis.findMany({
    where: { tenantId, id: { in: [...ids] } },
    select: {
      id: true,
      answers: { select: { questionId: true, score: true } },
      chapterScores: { select: { chapterId: true, score: true, scored: true, asked: true } },
      templateVersion: { select: { chapters: { include: { questions: true } } } },
    },
  });
  return new Map(
    analyses.map(({ id: analysisId, answers, chapterScores, templateVersion }) => {
      const scoreOf = new Map(answers.map(({ questionId, score }) => [questionId, score]));
      const chapters = (templateVersion?.chapters ?? []).map((chapter): ScoredChapter => {
        const rolled = chapterScores.find(({ chapterId }) => chapterId === chapter.id);
        return {
          slug: chapter.slug,
          weight: chapter.weight,
          score: rolled?.score ?? null,
          scored: rolled?.scored ?? 0,
          asked: rolled?.asked ?? chapter.questions.length,
          questions: chapter.questions.map(({ id, slug, weight }) => ({
            slug,
            weight,
            score: scoreOf.get(id) ?? null,
          })),
        };
      });
      return [analysisId, chapters];
    }),
  );
}
