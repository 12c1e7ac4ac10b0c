/** Reports over real rows: any period of any zone against a recomputation, and the provider's balance against the ledger. */
import { Decimal } from 'decimal.js';
import { expect } from 'vitest';
import { makeCostReport } from '../../../../activities/costs/report/make.ts';
import { storeReport } from '../../../../activities/costs/report/store.ts';
import { removeDeckFiles } from '../../../../activities/deletion/remove.ts';
import { costReportSchema, INSTALLATION_SCOPE, type CostReport } from '../../../../domain/costs/report/document.ts';
import { parsePeriod } from '../../../../domain/costs/report/period.ts';
import type { PrismaClient } from '../../../../generated/prisma/client.ts';
import type { BlobStore } from '../../../../platform/blobs.ts';
import { chargeAt } from '../../../../simulators/clouds/core/billing.ts';
import { itWithFreshDatabase as it } from '../../../../testing/database.ts';
import { writeMadeUpLedger } from '../../../../testing/costs/ledger-rows.ts';
import { rawLedger, recomputed } from '../../../../testing/costs/recomputed.ts';
import { sumsOfReport } from '../../../../testing/costs/report-sums.ts';
import { aDeck, aRental } from '../../../../testing/make.ts';

const HOUR_MS = 3_600_000;
const QUARTER_MS = HOUR_MS / 4;
const NOW = Date.UTC(2026, 10, 22);

const reportOf = (
  db: PrismaClient,
  text: string,
  { timezone = 'UTC', scope = INSTALLATION_SCOPE, nowMs = NOW } = {},
): Promise<CostReport> => makeCostReport(db, parsePeriod(text, timezone, nowMs), scope, nowMs);

it('a report says what its rows say, in every zone and scope, and of the period before too', async ({ db }) => {
  const fromMs = Date.UTC(2026, 8, 1);
  await writeMadeUpLedger(db, { seed: 3, fromMs, untilMs: NOW, entries: 6000 });
  const raw = await rawLedger(db);
  const periods = ['2026-10-25', '2026-W43', '2026-10', '2026-10-03/2026-11-07', '2026-10-05T07:30Z/2026-10-19T18:45Z'];
  for (const timezone of ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns', 'Australia/Lord_Howe']) {
    for (const text of periods) {
      for (const scope of [INSTALLATION_SCOPE, 'other']) {
        const report = await reportOf(db, text, { timezone, scope });
        const rowsOf = (from: number, until: number) =>
          raw.filter((r) => r.atMs >= from && r.atMs < until && (scope === '*' || r.tenantId === scope));
        const own = rowsOf(Date.parse(report.from), Date.parse(report.until));
        expect(sumsOfReport(report), `${text} ${timezone} ${scope}`).toEqual(recomputed(own, timezone));
        expect(own.length).toBeGreaterThan(10);
        expect(costReportSchema.parse(report)).toEqual(report);
        const before = parsePeriod(report.previous.period, timezone, NOW);
        expect(report.previous.totalUsd).toBe(recomputed(rowsOf(before.fromMs, before.untilMs), timezone)['totalUsd']);
        expect(report.complete).toBe(true);
      }
    }
  }
});

it('a report of a ledger without rows, and of a day without any, is a report of nothing', async ({ db }) => {
  const report = await reportOf(db, '2026-10');
  expect(report).toMatchObject({ totalUsd: '0', complete: true, kinds: [], tenants: [], reconciliation: [] });
  expect(report.days).toHaveLength(31);
  expect(report.forecast).toMatchObject({ month: '2026-10', basis: 'complete', spentUsd: '0' });
});

/** A machine as it is rented, billed by the simulated provider's rule, with its entries and looks at the balance. */
async function rent(
  db: PrismaClient,
  machine: {
    readonly fromMs: number;
    readonly untilMs: number | null;
    readonly settledMs: number;
    readonly quantumSec: number;
  },
): Promise<(atMs: number) => Decimal> {
  const { fromMs, untilMs, settledMs, quantumSec } = machine;
  const usdPerHour = 2.4;
  const id = `simulated/instance/${fromMs}`;
  await aRental(db, {
    id,
    provider: 'simulated',
    pool: 'gpu',
    instanceType: '1H100.80S.30V',
    market: 'on-demand',
    priceUsdPerHour: usdPerHour,
    quantumSec,
    billedFrom: new Date(fromMs),
    billedUntil: untilMs === null ? null : new Date(untilMs),
    settledUntil: new Date(settledMs),
    closedAt: untilMs === null ? null : new Date(settledMs),
  });
  const cuts = [fromMs];
  const endMs = Math.min(settledMs, untilMs ?? settledMs);
  for (let atMs = fromMs; atMs < endMs;) {
    atMs = Math.min(endMs, (Math.floor(atMs / QUARTER_MS) + 1) * QUARTER_MS);
    cuts.push(atMs);
  }
  await db.ledgerEntry.createMany({
    data: cuts.slice(1).map((cut, position) => {
      const beginMs = cuts[position] ?? cut;
      return {
        id: `${id}/${position}`,
        rentalId: id,
        position,
        kind: 'idle',
        fromAt: new Date(beginMs),
        untilAt: new Date(cut),
        shareSeconds: (cut - beginMs) / 1000,
        amountUsd: new Decimal(usdPerHour)
          .times(cut - beginMs)
          .dividedBy(HOUR_MS)
          .toFixed(9),
        provider: 'simulated',
        pool: 'gpu',
      };
    }),
  });
  const meter = { fromMs, untilMs, usdPerHour } as Parameters<typeof chargeAt>[0];
  return (atMs) => new Decimal(atMs < fromMs ? 0 : chargeAt(meter, atMs, { quantumSec, refundsUnused: true }));
}

it('a deleted deck leaves its costs in the reports, and nothing that says which deck it was', async ({ db }) => {
  await writeMadeUpLedger(db, {
    seed: 9,
    fromMs: Date.UTC(2026, 9, 5),
    untilMs: Date.UTC(2026, 9, 6),
    entries: 300,
  });
  const ids = [...new Set((await rawLedger(db)).flatMap(({ deckId }) => deckId ?? []))];
  await db.tenant.create({ data: { id: 'other', name: 'Other' } });
  for (const id of ids) await aDeck(db, { id, tenantId: id.split('-')[1] ?? '' });
  const report = await reportOf(db, '2026-10-05');
  const gone = report.documents.dearest[0]?.deckId ?? '';
  const nextGone = report.documents.dearest[1]?.deckId ?? '';
  const id = await storeReport(db, report, { tell: false });
  const storedDecks = async () => {
    const row = await db.costReport.findUniqueOrThrow({ where: { id } });
    return costReportSchema.parse(row.document).documents.dearest;
  };
  expect(await storedDecks()).toEqual(report.documents.dearest);

  const blobs = { deletePrefix: () => Promise.resolve(), delete: () => Promise.resolve() } as unknown as BlobStore;
  await removeDeckFiles({ db, blobs }, { tenantId: gone.split('-')[1] ?? '', deckId: gone });
  const after = await storedDecks();
  expect(after[0]).toEqual({ ...report.documents.dearest[0], deckId: null });
  expect(after.slice(1)).toEqual(report.documents.dearest.slice(1));
  // One that is going while a report is made is not in it either.
  await db.deck.update({ where: { id: nextGone }, data: { deletingAt: new Date() } });
  await storeReport(db, report, { tell: false });
  expect((await storedDecks()).slice(0, 2).map(({ deckId }) => deckId)).toEqual([null, null]);
});

const DAY = Date.UTC(2026, 9, 5);
const LOOK_MS = 7 * 60_000;

/** Looks every seven minutes, from an hour before the day to an hour after, or to an instant. */
async function look(
  db: PrismaClient,
  balanceAt: (atMs: number) => Decimal,
  untilMs = DAY + 25 * HOUR_MS,
): Promise<void> {
  const count = Math.floor((untilMs - DAY + HOUR_MS) / LOOK_MS);
  await db.balanceSample.createMany({
    data: Array.from({ length: count }, (_, i) => DAY - HOUR_MS + i * LOOK_MS).map((atMs) => ({
      id: String(atMs),
      provider: 'simulated',
      amount: balanceAt(atMs).toFixed(6),
      currency: 'USD',
      sampledAt: new Date(atMs),
    })),
  });
}

it('the provider’s balance agrees with the ledger over prepaid blocks, refunds and payments', async ({ db }) => {
  const settledMs = DAY + 26 * HOUR_MS;
  const charged = [
    // Over the beginning of the day, within it, and over its end.
    await rent(db, { fromMs: DAY - 90 * 60_000, untilMs: DAY + 100_000, settledMs, quantumSec: 600 }),
    await rent(db, { fromMs: DAY + 5 * HOUR_MS + 1234, untilMs: DAY + 9 * HOUR_MS, settledMs, quantumSec: 600 }),
    await rent(db, { fromMs: DAY + 23 * HOUR_MS + 77_000, untilMs: null, settledMs, quantumSec: 3600 }),
  ];
  await look(db, (atMs) => {
    const paidIn = atMs >= DAY + 12 * HOUR_MS ? 250 : 0;
    return charged.reduce((left, of) => left.minus(of(atMs)), new Decimal(500 + paidIn));
  });
  const [result] = (await reportOf(db, '2026-10-05')).reconciliation;
  expect(result).toMatchObject({ provider: 'simulated', state: 'agrees', topUpsUsd: '250' });
  expect(Math.abs(Number(result?.differenceUsd))).toBeLessThan(0.0001);
  expect(Date.parse(result?.from ?? '')).toBeGreaterThan(DAY - LOOK_MS);
  expect(Date.parse(result?.until ?? '')).toBeGreaterThanOrEqual(DAY + 24 * HOUR_MS);
});

it('the provider’s balance differs by what is rented behind Deckhand’s back', async ({ db }) => {
  const own = await rent(db, {
    fromMs: DAY,
    untilMs: DAY + 3 * HOUR_MS,
    settledMs: DAY + 26 * HOUR_MS,
    quantumSec: 600,
  });
  await look(db, (atMs) => new Decimal(500).minus(own(atMs)).minus(Math.max(0, atMs - DAY - HOUR_MS) / HOUR_MS));
  const [result] = (await reportOf(db, '2026-10-05')).reconciliation;
  expect(result).toMatchObject({ state: 'differs', note: expect.stringContaining('took more') as string });
  const hours = (Date.parse(result?.until ?? '') - DAY - HOUR_MS) / HOUR_MS;
  expect(Number(result?.differenceUsd)).toBeCloseTo(hours, 3);
});

it('the balance is compared as far as the ledger is settled; the report of today is incomplete', async ({ db }) => {
  const nowMs = DAY + 8 * HOUR_MS;
  const settledMs = nowMs - 20 * 60_000;
  const own = await rent(db, { fromMs: DAY + HOUR_MS, untilMs: null, settledMs, quantumSec: 600 });
  await look(db, (atMs) => new Decimal(500).minus(own(atMs)), nowMs);
  const report = await reportOf(db, '2026-10-05', { nowMs });
  expect(report).toMatchObject({ complete: false, unsettledRentals: 1, reconciliation: [{ state: 'agrees' }] });
  const until = Date.parse(report.reconciliation[0]?.until ?? '');
  expect([until <= settledMs, until > settledMs - LOOK_MS]).toEqual([true, true]);
  // The first machine ever has run alone all the time since it came, an hour into the day: always-on counts from there.
  expect(report.alwaysOn?.pools).toMatchObject([{ pool: 'gpu', machines: 1, usdPerHour: '2.4' }]);
  expect(Number(report.alwaysOn?.usd)).toBeCloseTo(7 * 2.4, 6);
});

it('a provider’s balance that was not looked at is named', async ({ db }) => {
  await rent(db, { fromMs: DAY, untilMs: DAY + HOUR_MS, settledMs: NOW, quantumSec: 600 });
  const [result] = (await reportOf(db, '2026-10-05')).reconciliation;
  expect(result).toMatchObject({ state: 'unknown', note: expect.stringContaining('never looked at') as string });
});
