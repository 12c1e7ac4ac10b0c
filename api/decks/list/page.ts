/**
 * One page of the deck list, by a cursor over the value that is sorted by and the deck's id. So decks that are added or change meanwhile
 * neither repeat nor hide others.
 */
import { z } from '@hono/zod-openapi';
import { type DeckEntryPage, ENTRY_SORTS, type EntrySort } from '../../../domain/decks/list/entry.ts';
import { ENTRY_STATUSES } from '../../../domain/decks/list/kinds.ts';
import type { AnsweringSettings } from '../../../domain/evidence/answering-settings.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import { tryJson } from '../../../domain/text/json.ts';
import { Prisma, type PrismaClient } from '../../../generated/prisma/client.ts';
import { readEntries } from './entries.ts';
import { answeringShare, type Conditions, conditionsOf, evidenceShare, fits } from './filter.ts';
import { refreshEntries } from './refresh.ts';
import { type ListQuery, SORTS } from './schemas.ts';

/** A type of values in Postgres: a cursor holds a value as text, which has to be one of the type. */
interface ValueType {
  readonly name: Prisma.Sql;
  readonly has: (text: string) => boolean;
}

const TEXT: ValueType = { name: Prisma.sql`text`, has: () => true };
const MOMENT: ValueType = {
  name: Prisma.sql`timestamp`,
  has: (text) => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?$/u.test(text) && !Number.isNaN(Date.parse(`${text}Z`)),
};
const isNumber = (text: string): boolean => /^-?\d[\d.e+-]*$/u.test(text) && Number.isFinite(Number(text));
const DOUBLE: ValueType = { name: Prisma.sql`double precision`, has: isNumber };
const DECIMAL: ValueType = { name: Prisma.sql`numeric`, has: isNumber };

interface SortedValue {
  readonly value: Prisma.Sql;
  readonly type: ValueType;
}

/** What each sort compares. */
const valuesBy = (settings: AnsweringSettings): Readonly<Record<EntrySort, SortedValue>> => ({
  created: { value: Prisma.sql`e."createdAt"`, type: MOMENT },
  company: { value: Prisma.sql`lower(e."company")`, type: TEXT },
  sector: { value: Prisma.sql`e."sector"`, type: TEXT },
  ask: { value: Prisma.sql`e."askAmount"`, type: DECIMAL },
  date: { value: Prisma.sql`e."deckDate"`, type: TEXT },
  score: { value: Prisma.sql`e."score"`, type: DOUBLE },
  rank: { value: Prisma.sql`e."rank"`, type: DOUBLE },
  evidence: { value: evidenceShare, type: DOUBLE },
  market: { value: Prisma.sql`e."marketAmount"`, type: DECIMAL },
  coverage: { value: Prisma.sql`e."coverage"`, type: DOUBLE },
  verified: { value: Prisma.sql`e."verifiedShare"`, type: DOUBLE },
  answering: { value: answeringShare(settings), type: DOUBLE },
  cost: { value: Prisma.sql`e."costUsd"`, type: DECIMAL },
  // In the order in which a review passes through them.
  status: { value: Prisma.sql`array_position(${[...ENTRY_STATUSES]}::text[], e."status")::numeric`, type: DECIMAL },
});

/** Where a page ends: the sort, the last deck's value as Postgres writes it, null without one, and the deck. */
const cursorSchema = z.tuple([z.enum(SORTS), z.string().nullable(), z.string()]);
type Cursor = z.infer<typeof cursorSchema>;

const cursorText = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url');

const refuse = (userMessage: string): DeckhandError => new DeckhandError('invalid_request', userMessage);

/** @throws DeckhandError `invalid_request` for what is no cursor, or one of another sort */
function parseCursor(text: string, sort: ListQuery['sort']): Cursor {
  const parsed = cursorSchema.safeParse(tryJson(Buffer.from(text, 'base64url').toString()));
  if (!parsed.success) throw refuse('cursor: not a cursor of this API');
  if (parsed.data[0] !== sort) throw refuse(`cursor: it is of the sort ${parsed.data[0]}, not ${sort}`);
  return parsed.data;
}

interface Found {
  readonly total: number;
  /** Highest version of an entry of the tenant. */
  readonly version: string;
  /** Decks of the page and one more, in order, with the value that they are sorted by. */
  readonly decks: readonly (readonly [deckId: string, value: string | null])[];
}

/**
 * One page of the decks that fit a filter.
 *
 * @param settings level from which on a quote answers, and how many quotes of a deck have to
 * @throws DeckhandError `invalid_request` for a cursor that is none, or of another sort
 */
export async function readPage(
  db: PrismaClient,
  tenantId: string,
  query: ListQuery,
  settings: AnsweringSettings,
): Promise<DeckEntryPage> {
  const { limit, sort } = query;
  const cursor = query.cursor === undefined ? null : parseCursor(query.cursor, sort);
  await refreshEntries(db, tenantId, settings);
  const { total, version, decks } = await findDecks(db, tenantId, conditionsOf(tenantId, query, settings), {
    ...sortBy(sort, settings),
    cursor,
    limit: limit + 1,
  });
  const shown = decks.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: await readEntries(
      db,
      tenantId,
      shown.map(([deckId]) => deckId),
      settings,
    ),
    nextCursor: decks.length > limit && last !== undefined ? cursorText([sort, last[1], last[0]]) : null,
    total,
    eventId: version,
  };
}

interface Order extends SortedValue {
  readonly isDownwards: boolean;
}

function sortBy(sort: ListQuery['sort'], settings: AnsweringSettings): Order {
  const by = ENTRY_SORTS.find((each) => sort === each || sort === `-${each}`) ?? 'created';
  return { ...valuesBy(settings)[by], isDownwards: sort.startsWith('-') };
}

/** Decks after a cursor, from one look at the table, so that the count and the event belong to the page. */
async function findDecks(
  db: PrismaClient,
  tenantId: string,
  conditions: Conditions,
  { value, type, isDownwards, cursor, limit }: Order & { readonly cursor: Cursor | null; readonly limit: number },
): Promise<Found> {
  const direction = isDownwards ? Prisma.sql`DESC` : Prisma.sql`ASC`;
  const after = cursor === null ? Prisma.sql`true` : afterCursor(cursor, type, isDownwards);
  const [found] = await db.$queryRaw<Found[]>`
    WITH fit AS MATERIALIZED (
      SELECT e."deckId", ${value} AS "value" FROM "DeckEntry" e WHERE ${fits(tenantId, conditions)}
    )
    SELECT
      (SELECT count(*)::int FROM fit) AS "total",
      (SELECT coalesce(max("version"), 0)::text FROM "DeckEntry" WHERE "tenantId" = ${tenantId}) AS "version",
      (SELECT coalesce(json_agg(json_build_array(page."deckId", page."value"::text)), '[]') FROM (
        SELECT "deckId", "value" FROM fit WHERE ${after}
        ORDER BY "value" IS NULL, "value" ${direction}, "deckId" ${direction} LIMIT ${limit}
      ) page) AS "decks"`;
  return found ?? { total: 0, version: '0', decks: [] };
}

/** @throws DeckhandError `invalid_request` for a value that is none of the sort's */
function afterCursor([, value, deckId]: Cursor, type: ValueType, isDownwards: boolean): Prisma.Sql {
  const isAfter = isDownwards ? Prisma.sql`<` : Prisma.sql`>`;
  if (value === null) return Prisma.sql`("value" IS NULL AND "deckId" ${isAfter} ${deckId})`;
  if (!type.has(value)) throw refuse('cursor: not a cursor of this API');
  return Prisma.sql`("value" IS NULL OR ("value", "deckId") ${isAfter} (${value}::text::${type.name}, ${deckId}))`;
}
