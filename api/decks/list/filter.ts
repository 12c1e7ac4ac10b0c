/** Filter of the deck list: the parameters of a request, and the conditions that they are in SQL. */
import { z } from '@hono/zod-openapi';
import { ATTENTION_REASONS, ENTRY_STATUSES } from '../../../domain/decks/list/entry.ts';
import { searchQuery } from '../../../domain/decks/list/search.ts';
import { DECISIONS } from '../../../domain/decks/verdicts/kinds.ts';
import { parseSince } from '../../../domain/text/words.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import { sinceSchema } from '../analyses/schemas.ts';

/** Values with commas between them. */
const listOf = <S extends z.ZodType<string, string>>(item: S, description: string) =>
  z
    .string()
    .max(8000)
    .transform((text) => text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])))
    .pipe(z.array(item))
    .optional()
    .openapi({ type: 'string', description: `${description} Several with commas between them: any of them fits.` });

const DAY = /^\s*\d{4}-\d{2}-\d{2}\s*$/u;
const DAY_MS = 86_400_000;

/** The end of a period: a date with its whole day, or a moment. */
const untilSchema = z
  .string()
  .max(40)
  .transform((text, context) => {
    const until = parseSince(text, Date.now());
    if (until !== null) return DAY.test(text) ? new Date(until.getTime() + DAY_MS) : until;
    context.issues.push({ code: 'custom', input: text, message: 'until: write a date such as 2026-11-20' });
    return z.NEVER;
  })
  .openapi({ type: 'string', description: 'Uploaded until then: a date with its whole day, or `2d`, `36h`, `90m`.' });

const score = z.coerce.number().min(0).max(7).optional();
const name = z.string().max(200);

/** Parameters that choose decks. All that are given have to fit. */
export const filterParameters = {
  q: name.optional().openapi({
    description:
      'Full text: each word, or its beginning, stands in the names, values, tags, notes or slides of a deck.',
  }),
  status: listOf(z.enum(ENTRY_STATUSES), 'Of the newest full review; `uploaded` before the first.'),
  sector: listOf(name, 'Slug of the sector.'),
  company: name.optional().openapi({ description: 'Id of a company.' }),
  decision: listOf(z.enum([...DECISIONS, 'none']), 'What people decided; `none`: nothing yet.'),
  assignee: listOf(name, 'Who works on it.'),
  owner: listOf(name, 'Name of the key that uploaded it.'),
  tag: listOf(name, 'What people tagged it with.'),
  attention: listOf(z.enum([...ATTENTION_REASONS, 'any']), 'Why somebody should look at it; `any`: for any reason.'),
  since: sinceSchema.optional().openapi({ description: 'Uploaded since then: `2d`, `36h`, `90m`, or a date.' }),
  until: untilSchema.optional(),
  minScore: score,
  maxScore: score,
  minCoverage: z.coerce.number().min(0).max(1).optional(),
  ids: listOf(z.string().max(100), 'Only these decks, by id.'),
};

/** The parameters alone. */
export const filterQuery = z.strictObject(filterParameters);
export type DeckFilter = z.output<typeof filterQuery>;

/** Conditions on a `DeckEntry` `e`, by the parameter that asks for them; none for a parameter that is not given. */
export type Conditions = Readonly<Partial<Record<keyof DeckFilter, Prisma.Sql>>>;

/** Undefined where nothing was asked for: then there is no condition. */
const given = <T>(value: T | undefined, condition: (value: T) => Prisma.Sql | null): Prisma.Sql | undefined =>
  (value === undefined ? null : condition(value)) ?? undefined;

const among = (column: Prisma.Sql) => (values: readonly string[]) => Prisma.sql`${column} = ANY(${values})`;

/** The conditions of a filter. */
export function conditionsOf(tenantId: string, filter: DeckFilter): Conditions {
  const found: Readonly<Record<keyof DeckFilter, Prisma.Sql | undefined>> = {
    q: given(filter.q, (typed) => {
      const query = searchQuery(typed);
      return query === null
        ? null
        : Prisma.sql`e."deckId" IN (SELECT deck_search(${tenantId}, to_tsquery('simple', ${query})))`;
    }),
    status: given(filter.status, among(Prisma.sql`e."status"`)),
    sector: given(filter.sector, among(Prisma.sql`e."sector"`)),
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
