/** Figures over the decks that fit a filter, for charts: by sector, score, evidence, coverage, ask, market, round, month and decision. */
import type { z } from '@hono/zod-openapi';
import { MAX_SCORE } from '../../../domain/decks/scoring.ts';
import type { AnsweringSettings } from '../../../domain/evidence/answering-settings.ts';
import { Prisma, type PrismaClient } from '../../../generated/prisma/client.ts';
import { answeringShare, conditionsOf, evidenceShare, fits } from './filter.ts';
import { refreshEntries } from './refresh.ts';
import type { bandSchema, DeckFilter, portfolioSchema } from './schemas.ts';

type Portfolio = z.infer<typeof portfolioSchema>;
type Band = z.infer<typeof bandSchema>;

/** Parts of the coverage that are counted apart. */
const COVERAGE_BANDS = 10;
/** Begins of the parts of a share. */
const TENTHS = Array.from({ length: COVERAGE_BANDS }, (_, band) => band / COVERAGE_BANDS);
/** Where bands of asks begin, in units of the currency. */
const ASK_BANDS = [0, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000, 25_000_000] as const;
/** Where bands of market sizes begin, in units of the currency. */
const MARKET_BANDS = [0, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000, 100_000_000_000] as const;

interface Counted {
  readonly band: number;
  readonly decks: number;
}

/** Decks by the bands of an amount, in its currency. */
interface CountedMoney extends Counted {
  readonly currency: string | null;
}

interface Row {
  readonly total: number;
  readonly byRules: boolean;
  readonly sectors: Portfolio['sectors'];
  readonly scores: readonly Counted[];
  readonly evidence: readonly Counted[];
  readonly coverage: readonly Counted[];
  readonly answering: readonly Counted[];
  readonly asks: readonly CountedMoney[];
  readonly markets: readonly CountedMoney[];
  readonly rounds: Portfolio['rounds'];
  readonly months: Portfolio['months'];
  readonly decisions: Portfolio['decisions'];
}

/** Rows of a query as one value. */
const listOf = (query: Prisma.Sql): Prisma.Sql => Prisma.sql`(SELECT coalesce(json_agg(r), '[]') FROM (${query}) r)`;

/** Decks in tenths of a share; those without one are left out. */
const tenthsOf = (share: Prisma.Sql): Prisma.Sql =>
  listOf(Prisma.sql`
    SELECT least(floor(${share} * ${COVERAGE_BANDS}::int), ${COVERAGE_BANDS - 1}::int)::int AS "band", count(*)::int AS "decks"
    FROM fit WHERE ${share} IS NOT NULL GROUP BY 1`);

/** Decks by the bands of an amount; those without one are left out. */
const moneyOf = (amount: Prisma.Sql, currency: Prisma.Sql, begins: readonly number[]): Prisma.Sql =>
  listOf(Prisma.sql`
    SELECT ${currency} AS "currency", width_bucket(${amount}, ${[...begins]}::numeric[]) - 1 AS "band", count(*)::int AS "decks"
    FROM fit WHERE ${amount} IS NOT NULL GROUP BY 1, 2`);

/** The figures of the decks that fit a filter. */
export async function readPortfolio(
  db: PrismaClient,
  tenantId: string,
  filter: DeckFilter,
  settings: AnsweringSettings,
): Promise<Portfolio> {
  await refreshEntries(db, tenantId, settings);
  const mean = Prisma.sql`count(*)::int AS "decks", avg("score") AS "meanScore", avg("evidence") AS "meanEvidence"`;
  const [row] = await db.$queryRaw<Row[]>`
    WITH fit AS MATERIALIZED (
      SELECT e."sector", e."score", e."coverage", ${answeringShare(settings)} AS "answeringShare", e."askAmount", e."askCurrency", e."createdAt", e."decision",
        ${evidenceShare} AS "evidence", e."marketAmount", e."marketCurrency", e."round", e."resultEngineKind"
      FROM "DeckEntry" e WHERE ${fits(tenantId, conditionsOf(tenantId, filter, settings))}
    )
    SELECT (SELECT count(*)::int FROM fit) AS "total",
      (SELECT coalesce(bool_and("resultEngineKind" = 'rules'), false) FROM fit) AS "byRules",
      ${listOf(Prisma.sql`SELECT "sector", ${mean} FROM fit GROUP BY 1 ORDER BY 2 DESC, 1`)} AS "sectors",
      ${listOf(Prisma.sql`
        SELECT least(floor("score"), ${MAX_SCORE - 1}::int)::int AS "band", count(*)::int AS "decks"
        FROM fit WHERE "score" IS NOT NULL GROUP BY 1`)} AS "scores",
      ${tenthsOf(Prisma.sql`"evidence"`)} AS "evidence",
      ${tenthsOf(Prisma.sql`"coverage"`)} AS "coverage",
      ${tenthsOf(Prisma.sql`"answeringShare"`)} AS "answering",
      ${moneyOf(Prisma.sql`"askAmount"`, Prisma.sql`"askCurrency"`, ASK_BANDS)} AS "asks",
      ${moneyOf(Prisma.sql`"marketAmount"`, Prisma.sql`"marketCurrency"`, MARKET_BANDS)} AS "markets",
      ${listOf(Prisma.sql`SELECT "round", count(*)::int AS "decks" FROM fit GROUP BY 1 ORDER BY 2 DESC, 1`)} AS "rounds",
      ${listOf(Prisma.sql`SELECT to_char("createdAt", 'YYYY-MM') AS "month", ${mean} FROM fit GROUP BY 1 ORDER BY 1`)} AS "months",
      ${listOf(Prisma.sql`SELECT "decision", count(*)::int AS "decks" FROM fit GROUP BY 1 ORDER BY 2 DESC, 1`)} AS "decisions"`;
  const { scores, evidence, coverage, answering, asks, markets, ...others } = row ?? NOTHING;
  return {
    ...others,
    scores: histogram(
      scores,
      Array.from({ length: MAX_SCORE }, (_, band) => band),
      MAX_SCORE,
    ),
    evidence: histogram(evidence, TENTHS, 1),
    coverage: histogram(coverage, TENTHS, 1),
    answering: histogram(answering, TENTHS, 1),
    asks: byCurrency(asks, ASK_BANDS),
    markets: byCurrency(markets, MARKET_BANDS),
  };
}

/** Bands of amounts by currency, the most frequent first. */
const byCurrency = (all: readonly CountedMoney[], begins: readonly number[]): Portfolio['asks'] =>
  [...Map.groupBy(all, ({ currency }) => currency)]
    .map(([currency, counted]) => ({
      currency,
      decks: counted.reduce((sum, { decks }) => sum + decks, 0),
      bands: histogram(counted, begins, null),
    }))
    .toSorted((a, b) => b.decks - a.decks || (a.currency ?? '').localeCompare(b.currency ?? ''));

const NOTHING: Row = {
  total: 0,
  byRules: false,
  sectors: [],
  scores: [],
  evidence: [],
  coverage: [],
  answering: [],
  asks: [],
  markets: [],
  rounds: [],
  months: [],
  decisions: [],
};

/** Every band with its count, also the empty ones. @param end of the last band; null = it has none */
const histogram = (counted: readonly Counted[], begins: readonly number[], end: number | null): Band[] =>
  begins.map((from, band) => ({
    from,
    to: begins[band + 1] ?? end,
    decks: counted.find((each) => each.band === band)?.decks ?? 0,
  }));
