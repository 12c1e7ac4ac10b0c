/** Values that the deck list can be filtered by, with how many decks have them. */
import type { z } from '@hono/zod-openapi';
import type { AnsweringSettings } from '../../../domain/evidence/answering-settings.ts';
import { Prisma, type PrismaClient } from '../../../generated/prisma/client.ts';
import { conditionsOf, fits } from './filter.ts';
import { refreshEntries } from './refresh.ts';
import type { DeckFilter, facetsSchema } from './schemas.ts';

type Facets = z.infer<typeof facetsSchema>;

/** A facet: the parameter that chooses its values, and the values of an entry `e`, as a set. */
interface Facet {
  readonly parameter: keyof DeckFilter;
  readonly values: Prisma.Sql;
}

const FACETS: Readonly<Record<keyof Facets, Facet>> = {
  statuses: { parameter: 'status', values: Prisma.sql`(VALUES (e."status"))` },
  attention: { parameter: 'attention', values: Prisma.sql`unnest(e."attention")` },
  sectors: { parameter: 'sector', values: Prisma.sql`(VALUES (e."sector"))` },
  kinds: { parameter: 'kind', values: Prisma.sql`(VALUES (e."documentKind"))` },
  rounds: { parameter: 'round', values: Prisma.sql`(VALUES (e."round"))` },
  decisions: { parameter: 'decision', values: Prisma.sql`(VALUES (coalesce(e."decision", 'none')))` },
  assignees: { parameter: 'assignee', values: Prisma.sql`(VALUES (e."assignee"))` },
  owners: { parameter: 'owner', values: Prisma.sql`(VALUES (e."owner"))` },
  tags: { parameter: 'tag', values: Prisma.sql`unnest(e."tags")` },
};
const NAMES = Object.keys(FACETS) as (keyof Facets)[];

/**
 * The facets of the decks that fit a filter. Values of a facet are counted among the decks that fit everything else: as many as there are when
 * that value is chosen.
 */
export async function readFacets(
  db: PrismaClient,
  tenantId: string,
  filter: DeckFilter,
  settings: AnsweringSettings,
): Promise<Facets> {
  await refreshEntries(db, tenantId, settings);
  const all = conditionsOf(tenantId, filter, settings);
  const isFacet = (name: string): boolean => NAMES.some((facet) => FACETS[facet].parameter === name);
  const others = Object.fromEntries(Object.entries(all).filter(([name]) => !isFacet(name)));
  // Whether an entry fits what is chosen of each facet, in a column of the facet's name.
  const flags = NAMES.map((name) => {
    const condition = all[FACETS[name].parameter] ?? Prisma.sql`true`;
    return Prisma.sql`coalesce(${condition}, false) AS ${column(name)}`;
  });
  const counts = NAMES.map((name) => {
    const rest = NAMES.filter((each) => each !== name).map((each) => Prisma.sql`e.${column(each)}`);
    return Prisma.sql`
      SELECT ${name} AS "facet", v."value", count(*)::int AS "count"
      FROM fit e CROSS JOIN LATERAL ${FACETS[name].values} AS v("value")
      WHERE v."value" IS NOT NULL AND ${Prisma.join(rest, ' AND ')} GROUP BY v."value"`;
  });
  const rows = await db.$queryRaw<{ facet: keyof Facets; value: string; count: number }[]>`
    WITH fit AS MATERIALIZED (
      SELECT e."status", e."attention", e."sector", e."documentKind", e."round", e."decision", e."assignee", e."owner", e."tags", ${Prisma.join(flags)}
      FROM "DeckEntry" e WHERE ${fits(tenantId, others)}
    )
    SELECT * FROM (${Prisma.join(counts, ' UNION ALL ')}) counted ORDER BY "count" DESC, "value"`;
  const valuesOf = (name: keyof Facets): Facets[keyof Facets] =>
    rows.filter(({ facet }) => facet === name).map(({ value, count }) => ({ value, count }));
  return Object.fromEntries(NAMES.map((name) => [name, valuesOf(name)])) as Facets;
}

/** The column that says whether an entry fits what is chosen of a facet. */
const column = (name: keyof Facets): Prisma.Sql => Prisma.raw(`"fits_${name}"`);
