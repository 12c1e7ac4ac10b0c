/** Filter of the deck list: the conditions that its parameters are in SQL. */
import { searchQuery } from '../../../domain/decks/list/search.ts';
import type { AnsweringSettings } from '../../../domain/evidence/answering-settings.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import type { DeckFilter } from './schemas.ts';

/** Conditions on a `DeckEntry` `e`, by the parameter that asks for them; none for a parameter that is not given. */
export type Conditions = Readonly<Partial<Record<keyof DeckFilter, Prisma.Sql>>>;

/** Undefined where nothing was asked for: then there is no condition. */
const given = <T>(value: T | undefined, condition: (value: T) => Prisma.Sql | null): Prisma.Sql | undefined =>
  (value === undefined ? null : condition(value)) ?? undefined;

const among = (column: Prisma.Sql) => (values: readonly string[]) => Prisma.sql`${column} = ANY(${values})`;

/** Number of quotes of a `DeckEntry` `e` that answer, by the configured level. */
const answeringQuotes = ({ level }: Pick<AnsweringSettings, 'level'>): Prisma.Sql =>
  level === 'high' ? Prisma.sql`e."highQuotes"` : Prisma.sql`(e."highQuotes" + e."someQuotes")`;

/** Share of quotes of a `DeckEntry` `e` that answer, by the configured level; NULL where none was judged. */
export const answeringShare = (settings: Pick<AnsweringSettings, 'level'>): Prisma.Sql =>
  settings.level === 'high'
    ? Prisma.sql`e."answeringShare"`
    : Prisma.sql`CASE WHEN e."judgedQuotes" > 0 THEN ${answeringQuotes(settings)}::double precision / e."quotes" END`;

/** Share of the asked questions of a `DeckEntry` `e` that have evidence; NULL where none was asked. */
export const evidenceShare: Prisma.Sql = Prisma.sql`e."evidenceFound"::double precision / nullif(e."evidenceAsked", 0)`;

/** The conditions of a filter. @param settings how many quotes of a deck are enough */
export function conditionsOf(tenantId: string, filter: DeckFilter, settings: AnsweringSettings): Conditions {
  const found: Readonly<Record<keyof DeckFilter, Prisma.Sql | undefined>> = {
    q: given(filter.q, (typed) => {
      const query = searchQuery(typed);
      return query === null
        ? null
        : Prisma.sql`e."deckId" IN (SELECT deck_search(${tenantId}, to_tsquery('simple', ${query})))`;
    }),
    status: given(filter.status, among(Prisma.sql`e."status"`)),
    sector: given(filter.sector, among(Prisma.sql`e."sector"`)),
    kind: given(filter.kind, among(Prisma.sql`e."documentKind"`)),
    round: given(filter.round, among(Prisma.sql`e."round"`)),
    company: given(filter.company, (id) => Prisma.sql`e."companyId" = ${id}`),
    decision: given(filter.decision, among(Prisma.sql`coalesce(e."decision", 'none')`)),
    assignee: given(filter.assignee, among(Prisma.sql`e."assignee"`)),
    owner: given(filter.owner, among(Prisma.sql`e."owner"`)),
    tag: given(filter.tag, (tags) => Prisma.sql`e."tags" && ${tags}`),
    attention: given(filter.attention, (reasons) =>
      reasons.includes('any') ? Prisma.sql`cardinality(e."attention") > 0` : Prisma.sql`e."attention" && ${reasons}`,
    ),
    since: given(filter.since, (since) => Prisma.sql`e."createdAt" >= ${since}`),
    until: given(filter.until, (until) => Prisma.sql`e."createdAt" < ${until}`),
    minScore: given(filter.minScore, (least) => Prisma.sql`e."score" >= ${least}::double precision`),
    maxScore: given(filter.maxScore, (most) => Prisma.sql`e."score" <= ${most}::double precision`),
    minCoverage: given(filter.minCoverage, (least) => Prisma.sql`e."coverage" >= ${least}::double precision`),
    answering: given(filter.answering, (wanted) => {
      const enough = Prisma.sql`${answeringQuotes(settings)}::double precision >= ${settings.deckShare}::double precision * e."quotes"`;
      return among(
        Prisma.sql`CASE WHEN e."judgedQuotes" = 0 THEN 'not_judged' WHEN ${enough} THEN 'enough' ELSE 'few' END`,
      )(wanted);
    }),
    ids: given(filter.ids, among(Prisma.sql`e."deckId"`)),
  };
  return Object.fromEntries(Object.entries(found).filter(([, condition]) => condition !== undefined));
}

/** Every deck of a tenant that is not being deleted and fits all of these conditions. */
export const fits = (tenantId: string, conditions: Conditions): Prisma.Sql =>
  Prisma.join(
    [Prisma.sql`e."tenantId" = ${tenantId}`, Prisma.sql`e."deletingAt" IS NULL`, ...Object.values(conditions)],
    ' AND ',
  );
