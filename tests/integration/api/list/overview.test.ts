/** Facets and figures of the deck list, against the same in plain code. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { readFacets } from '../../../../api/decks/list/facets.ts';
import { filterQuery } from '../../../../api/decks/list/schemas.ts';
import { readPortfolio } from '../../../../api/decks/list/portfolio.ts';
import { itWithDatabase as it } from '../../../../testing/database.ts';
import { forAll } from '../../../../testing/property.ts';
import { columns, type Columns, decksWith, EVIDENCE_ASKED, filters } from './made-lists.ts';
import { ANSWERING_SETTINGS } from '../../../../domain/evidence/answering-settings.ts';

type Filter = (typeof filters)[number];

const lists = fc.array(columns, { maxLength: 30 });
/** Filters of different names. */
const chosen = fc
  .subarray([...filters], { maxLength: 3 })
  .map((all) => [...new Map(all.map((f) => [f[0], f])).values()]);
const queryOf = (asked: readonly Filter[]) => filterQuery.parse(Object.fromEntries(asked));
const fitting = (all: readonly Columns[], asked: readonly Filter[]): Columns[] =>
  all.filter((deck) => asked.every(([, , fits]) => fits(deck)));

/** How often each value is there; the most frequent first. */
function counted(values: readonly (string | null)[]): { value: string; count: number }[] {
  const present = values.filter((value) => value !== null);
  return [...Map.groupBy(present, (value) => value)]
    .map(([value, same]) => ({ value, count: same.length }))
    .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

it('facets count each value among the decks that fit everything but what is chosen of the facet itself', async ({
  db,
}) => {
  await forAll([lists, chosen], { runs: 100 }, async (all, asked) => {
    const tenantId = await decksWith(db, all);
    const without = (name: string): Columns[] =>
      fitting(
        all,
        asked.filter((filter) => filter[0] !== name),
      );
    expect(await readFacets(db, tenantId, queryOf(asked), ANSWERING_SETTINGS)).toEqual({
      statuses: counted(without('status').map(({ status }) => status)),
      attention: counted(without('attention').flatMap(({ attention }) => attention)),
      sectors: counted(without('sector').map(({ sector }) => sector)),
      kinds: counted(without('kind').map(({ documentKind }) => documentKind)),
      rounds: counted(without('round').map(({ round }) => round)),
      decisions: counted(without('decision').map(({ decision }) => decision ?? 'none')),
      assignees: counted(without('assignee').map(({ assignee }) => assignee)),
      owners: counted(without('owner').map(({ owner }) => owner)),
      tags: counted(without('tag').flatMap(({ tags }) => tags)),
    });
  });
});

/** The mean of the values that are there. */
function meanOf(values: readonly (number | null)[]): unknown {
  const present = values.filter((value) => value !== null);
  return present.length === 0
    ? null
    : expect.closeTo(present.reduce((sum, value) => sum + value, 0) / present.length, 6);
}

const evidenceOf = ({ evidenceFound }: Columns): number | null =>
  evidenceFound === null ? null : evidenceFound / EVIDENCE_ASKED;

/** Decks with their mean score and evidence by a key. */
function groups(decks: readonly Columns[], keyOf: (deck: Columns) => string | null) {
  return [...Map.groupBy(decks, keyOf)].map(([key, same]) => ({
    key,
    decks: same.length,
    meanScore: meanOf(same.map(({ score }) => score)),
    meanEvidence: meanOf(same.map(evidenceOf)),
  }));
}

it('the portfolio has figures of the decks that fit', async ({ db }) => {
  await forAll([lists, chosen], { runs: 100 }, async (all, asked) => {
    const tenantId = await decksWith(db, all);
    const decks = fitting(all, asked);
    const portfolio = await readPortfolio(db, tenantId, queryOf(asked), ANSWERING_SETTINGS);
    expect(portfolio.total).toBe(decks.length);
    const byKey = <T extends { readonly key: unknown }>(rows: readonly T[]): Map<unknown, T> =>
      new Map(rows.map((row) => [row.key, row]));
    const named = <T>(rows: readonly T[], key: keyof T) =>
      byKey(rows.map(({ [key]: name, ...rest }) => ({ key: name, ...rest })));
    expect(named(portfolio.sectors, 'sector')).toEqual(byKey(groups(decks, ({ sector }) => sector)));
    const months = groups(decks, ({ createdAt }) => createdAt.toISOString().slice(0, 7));
    expect(named(portfolio.months, 'month')).toEqual(byKey(months));
    const decisions = groups(decks, ({ decision }) => decision).map(({ key, decks: count }) => ({ key, decks: count }));
    expect(named(portfolio.decisions, 'decision')).toEqual(byKey(decisions));
    const rounds = groups(decks, ({ round }) => round).map(({ key, decks: count }) => ({ key, decks: count }));
    expect(named(portfolio.rounds, 'round')).toEqual(byKey(rounds));
    const engines = new Set(decks.map(({ resultEngineKind }) => resultEngineKind));
    expect(portfolio.byRules).toBe(engines.has('rules') && !engines.has('language model'));

    const inBand = (value: number | null, from: number, to: number | null, isLast: boolean): boolean =>
      value !== null && value >= from && (to === null || value < to || (isLast && value === to));
    for (const [index, { from, to, decks: count }] of portfolio.scores.entries()) {
      expect([from, to]).toEqual([index, index + 1]);
      expect(count).toBe(decks.filter(({ score }) => inBand(score, from, to, index === 6)).length);
    }
    for (const [index, { from, to, decks: count }] of portfolio.coverage.entries()) {
      expect(count).toBe(decks.filter(({ coverage }) => inBand(coverage, from, to, index === 9)).length);
    }
    for (const [index, { from, to, decks: count }] of portfolio.evidence.entries()) {
      expect(count).toBe(decks.filter((deck) => inBand(evidenceOf(deck), from, to, index === 9)).length);
    }
    expect([portfolio.scores.length, portfolio.coverage.length]).toEqual([7, 10]);
    const sized = decks.filter(({ marketAmount }) => marketAmount !== null);
    for (const { from, to, decks: count } of portfolio.markets[0]?.bands ?? []) {
      expect(count).toBe(sized.filter(({ marketAmount }) => inBand(Number(marketAmount), from, to, false)).length);
    }
    expect(portfolio.markets.map(({ decks: count }) => count)).toEqual(sized.length === 0 ? [] : [sized.length]);
    const asking = decks.filter(({ askAmount }) => askAmount !== null);
    expect(portfolio.asks.map(({ currency, decks: count }) => [currency, count])).toEqual(
      asking.length === 0 ? [] : [[null, asking.length]],
    );
    for (const { from, to, decks: count } of portfolio.asks[0]?.bands ?? []) {
      expect(count).toBe(asking.filter(({ askAmount }) => inBand(Number(askAmount), from, to, false)).length);
    }
  });
});

it('asks are counted by currency', async ({ db }) => {
  const [one] = fc.sample(columns, { numRuns: 1, seed: 1 });
  if (one === undefined) throw new Error('nothing was drawn');
  const tenantId = await decksWith(
    db,
    (['2000000.5', '2000000.5', '20000000'] as const).map((askAmount) => ({ ...one, askAmount })),
  );
  await db.deckEntry.updateMany({ where: { tenantId }, data: { askCurrency: 'EUR' } });
  await db.deckEntry.updateMany({ where: { tenantId, askAmount: 20_000_000 }, data: { askCurrency: 'CHF' } });
  const { asks } = await readPortfolio(db, tenantId, {}, ANSWERING_SETTINGS);
  expect(
    asks.map(({ currency, decks, bands }) => ({ currency, decks, bands: bands.filter((band) => band.decks > 0) })),
  ).toEqual([
    { currency: 'EUR', decks: 2, bands: [{ from: 2_000_000, to: 5_000_000, decks: 2 }] },
    { currency: 'CHF', decks: 1, bands: [{ from: 10_000_000, to: 25_000_000, decks: 1 }] },
  ]);
});
