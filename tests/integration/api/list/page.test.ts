/** Pages of the deck list: every sort and filter against the same in plain code, and cursors while decks change. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { readPage } from '../../../../api/decks/list/page.ts';
import { readPortfolio } from '../../../../api/decks/list/portfolio.ts';
import { listQuery, type ListQuery } from '../../../../api/decks/list/schemas.ts';
import { type DeckEntry, ENTRY_SORTS, type EntrySort } from '../../../../domain/decks/list/entry.ts';
import { ENTRY_STATUSES } from '../../../../domain/decks/list/kinds.ts';
import { ANSWERING_SETTINGS } from '../../../../domain/evidence/answering-settings.ts';
import type { PrismaClient } from '../../../../generated/prisma/client.ts';
import { itWithPostgres } from '../../../../testing/database.ts';
import { closeDatabase, createDatabase } from '../../../../platform/db.ts';
import { forAll } from '../../../../testing/property.ts';
import { TENANT } from '../../../../testing/make.ts';
import { columns, type Columns, decksWith, EVIDENCE_ASKED, filters } from './made-lists.ts';

const it = itWithPostgres.extend('db', { scope: 'file' }, async ({ postgres }, { onCleanup }) => {
  const db = createDatabase(await postgres.migratedDatabase());
  onCleanup(() => closeDatabase(db));
  return db;
});

const query = (values: Partial<Record<keyof ListQuery, string>>): ListQuery => listQuery.parse(values);

/** Every page of a list; between two pages something happens. */
async function allPages(
  db: PrismaClient,
  tenantId: string,
  values: Parameters<typeof query>[0],
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<DeckEntry[]> {
  const found: DeckEntry[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await readPage(
      db,
      tenantId,
      query({ ...values, ...(cursor === '' ? {} : { cursor }) }),
      ANSWERING_SETTINGS,
    );
    found.push(...page.items);
    cursor = page.nextCursor;
    if (cursor !== null) await between();
  }
  return found;
}

/** What a sort compares, in plain code. */
const sortValue = (sort: EntrySort, columnsOf: Columns): string | number | null => {
  switch (sort) {
    case 'created':
      return columnsOf.createdAt.getTime();
    case 'company':
      return columnsOf.company?.toLowerCase() ?? null;
    case 'sector':
      return columnsOf.sector;
    case 'ask':
      return columnsOf.askAmount === null ? null : Number(columnsOf.askAmount);
    case 'date':
      return columnsOf.deckDate;
    case 'score':
      return columnsOf.score;
    case 'rank':
      return columnsOf.rank;
    case 'evidence':
      return columnsOf.evidenceFound === null ? null : columnsOf.evidenceFound / EVIDENCE_ASKED;
    case 'market':
      return columnsOf.marketAmount === null ? null : Number(columnsOf.marketAmount);
    case 'coverage':
      return columnsOf.coverage;
    case 'verified':
      return columnsOf.verifiedShare;
    case 'answering':
      return columnsOf.answeringShare;
    case 'cost':
      return columnsOf.costUsd === null ? null : Number(columnsOf.costUsd);
    case 'status':
      return ENTRY_STATUSES.indexOf(columnsOf.status);
  }
};

const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

/** In order, with decks without a value last. */
function inOrder(all: readonly Columns[], tenantId: string, by: EntrySort, isDownwards: boolean): string[] {
  const sign = isDownwards ? -1 : 1;
  return all
    .map((each, index) => ({ id: `${tenantId}-${index}`, value: sortValue(by, each) }))
    .toSorted((a, b) => {
      if (a.value === null || b.value === null) {
        if (a.value !== b.value) return a.value === null ? 1 : -1;
        return sign * compare(a.id, b.id);
      }
      return sign * (compare(a.value, b.value) || compare(a.id, b.id));
    })
    .map(({ id }) => id);
}

it('pages of every sort hold each deck once, in order, and those without a value last', async ({ db }) => {
  const lists = fc.array(columns, { maxLength: 20 });
  await forAll([lists, fc.integer({ min: 1, max: 7 })], { runs: 50 }, async (all, limit) => {
    const tenantId = await decksWith(db, all);
    for (const by of ENTRY_SORTS) {
      for (const sort of [by, `-${by}`]) {
        const found = await allPages(db, tenantId, { sort, limit: String(limit) });
        expect(found.map(({ id }) => id)).toEqual(inOrder(all, tenantId, by, sort.startsWith('-')));
      }
    }
  });
});

it('decks that stay as they are, are found once while others change, come and go between the pages', async ({ db }) => {
  const changes = fc.array(fc.record({ deck: fc.nat(19), values: columns, isGone: fc.boolean() }), { maxLength: 6 });
  const sorts = fc.constantFrom(...ENTRY_SORTS.flatMap((sort) => [sort, `-${sort}`]));
  await forAll(
    [fc.array(columns, { minLength: 20, maxLength: 20 }), changes, sorts],
    { runs: 100 },
    async (all, happens, sort) => {
      const tenantId = await decksWith(db, all);
      const changed = new Set(happens.map(({ deck }) => `${tenantId}-${deck}`));
      const rest = [...happens];
      const found = await allPages(db, tenantId, { sort, limit: '3' }, async () => {
        const next = rest.shift();
        if (next === undefined) return;
        const deckId = `${tenantId}-${next.deck}`;
        if (next.isGone) await db.deck.deleteMany({ where: { id: deckId } });
        else await db.deckEntry.updateMany({ where: { deckId }, data: next.values });
      });
      const ids = found.map(({ id }) => id).filter((id) => !changed.has(id));
      const by = ENTRY_SORTS.find((each) => sort === each || sort === `-${each}`) ?? 'created';
      const expected = inOrder(all, tenantId, by, sort.startsWith('-')).filter((id) => !changed.has(id));
      expect(ids).toEqual(expected);
    },
  );
});

it('a list holds the decks that fit every filter, and counts them', async ({ db }) => {
  const chosen = fc.subarray([...filters], { maxLength: 3 });
  await forAll([fc.array(columns, { maxLength: 30 }), chosen], { runs: 100 }, async (all, asked) => {
    const tenantId = await decksWith(db, all);
    // The last one of a name counts.
    const byName = new Map(asked.map((filter) => [filter[0], filter]));
    const values = Object.fromEntries([...byName.values()].map(([name, value]) => [name, value]));
    const expected = all.flatMap((deck, index) =>
      [...byName.values()].every(([, , fits]) => fits(deck)) ? [`${tenantId}-${index}`] : [],
    );
    const page = await readPage(db, tenantId, query({ ...values, limit: '200' }), ANSWERING_SETTINGS);
    expect(page.items.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
    expect(page.total).toBe(expected.length);
    const ids = query({ ids: expected.slice(0, 2).join(',') });
    expect((await readPage(db, tenantId, ids, ANSWERING_SETTINGS)).total).toBe(Math.min(2, expected.length));
  });
});

it('the share of answering quotes is that of the configured level in entries, sorts, filters and the portfolio', async ({
  db,
}) => {
  const [made] = fc.sample(columns, { numRuns: 1, seed: 1 });
  if (made === undefined) return expect.fail('nothing was made');
  const deck: Columns = { ...made, highQuotes: 1, judgedQuotes: 3, answeringShare: 1 / 3 };
  const none: Columns = { ...deck, highQuotes: 0, judgedQuotes: 0, answeringShare: null };
  const tenantId = await decksWith(db, [deck, { ...deck, highQuotes: 2, answeringShare: 2 / 3 }, none]);
  await db.deckEntry.updateMany({ where: { deckId: `${tenantId}-0` }, data: { someQuotes: 2 } });
  const sharesOf = async (level: 'high' | 'some', values: Parameters<typeof query>[0]) => {
    const settings = { ...ANSWERING_SETTINGS, level, deckShare: 1 };
    const { items } = await readPage(db, tenantId, query(values), settings);
    const counted = (await readPortfolio(db, tenantId, {}, settings)).answering.filter(({ decks }) => decks > 0);
    const best = Math.max(...counted.map(({ from }) => from));
    return { shares: items.map((each) => [each.quotes.answering, each.quotes.bearing, each.answeringShare]), best };
  };
  const sort = '-answering';
  const nothing = [0, 0, null];
  expect(await sharesOf('high', { sort })).toEqual({ shares: [[2, 0, 2 / 3], [1, 2, 1 / 3], nothing], best: 0.6 });
  expect(await sharesOf('some', { sort })).toEqual({ shares: [[3, 0, 1], [2, 0, 2 / 3], nothing], best: 0.9 });
  expect((await sharesOf('high', { answering: 'enough' })).shares).toEqual([]);
  expect((await sharesOf('some', { answering: 'enough' })).shares).toEqual([[3, 0, 1]]);
});

it('a cursor of another sort, one that was made up, and a sort that does not exist are refused by name', async ({
  db,
}) => {
  const made = (cursor: unknown): string => Buffer.from(JSON.stringify(cursor)).toString('base64url');
  const refused = (values: Parameters<typeof query>[0]) =>
    expect(readPage(db, TENANT, query(values), ANSWERING_SETTINGS)).rejects;
  const cursor = made(['-score', '4.5', 'x']);
  await refused({ cursor, sort: 'created' }).toMatchObject({
    code: 'invalid_request',
    userMessage: 'cursor: it is of the sort -score, not created',
  });
  const nonsense = ['nonsense', made({}), made(['-score', 'x', 'y']), made(['-score', '1e999', 'y'])];
  for (const each of nonsense) {
    await refused({ cursor: each, sort: '-score' }).toMatchObject({ userMessage: 'cursor: not a cursor of this API' });
  }
  for (const moment of ['2026-13-45 00:00:00', 'now', '2026-01-01']) {
    await refused({ cursor: made(['created', moment, 'y']), sort: 'created' }).toMatchObject({
      code: 'invalid_request',
    });
  }
  expect((await readPage(db, TENANT, query({ cursor, sort: '-score' }), ANSWERING_SETTINGS)).items).toEqual([]);
  expect(listQuery.safeParse({ sort: 'size' }).success).toBe(false);
  expect(listQuery.safeParse({ colour: 'red' }).success).toBe(false);
});
