/** Warming ahead, from Postgres: the outlook of a pool, what a report says of warmed instances, and the forecast of costs. */
import { expect } from 'vitest';
import { foreseeArrivals } from '../../../../activities/fleet/pool/arrivals.ts';
import { readCostForecast } from '../../../../activities/costs/report/forecast.ts';
import { makeCostReport } from '../../../../activities/costs/report/make.ts';
import { INSTALLATION_SCOPE } from '../../../../domain/costs/report/document.ts';
import { parsePeriod } from '../../../../domain/costs/report/period.ts';
import { poolConfigSchema } from '../../../../domain/fleet/pool/pool-config.ts';
import { renderReportCsv } from '../../../../api/costs/report-csv.ts';
import { costDocument } from '../../../../api/costs/report-document.ts';
import { renderHtml } from '../../../../api/document/html.ts';
import { renderMarkdown } from '../../../../api/document/markdown.ts';
import type { PrismaClient } from '../../../../generated/prisma/client.ts';
import { itWithFreshDatabase as it } from '../../../../testing/database.ts';
import { DAY, HOUR, MINUTE, MONDAY, WEEK, weeklyRhythm } from '../../../../testing/fleet/made-up-arrivals.ts';
import { aDeck, aHistory, anInstance, aRental, TENANT } from '../../../../testing/make.ts';
import { visualPool } from '../../fleet/visual-pool.ts';

/** A Tuesday, an hour before decks usually come. */
const NOW = MONDAY + 8 * WEEK + DAY + 8 * HOUR;
const at = (ms: number): Date => new Date(ms);
const setup = {
  ...visualPool,
  config: poolConfigSchema.parse({ ...visualPool.config, prewarm: 'learned', sleepPolicy: 'break_even' }),
};

/** Analyses that needed machines, one for each arrival, and two that needed none. */
async function writeArrivals(db: PrismaClient, times: readonly number[]): Promise<void> {
  const { id: deckId } = await aDeck(db, {});
  const row = (atMs: number, announcedPages: number, index: number) => ({
    id: `analysis-${index}`,
    tenantId: TENANT,
    deckId,
    language: 'en',
    modelProfile: 'reader',
    workflowId: `deck/analysis-${index}`,
    status: 'completed' as const,
    createdAt: at(atMs),
    announcedPages,
  });
  const needed = times.map((atMs, index) => row(atMs, 20, index));
  const cached = [1, 2].map((i) => row(MONDAY + i * HOUR, 0, 100_000 + i));
  await db.analysis.createMany({ data: [...needed, ...cached] });
}

/** A machine of the pool that was rented at the beginning, for $0.60 an hour. */
async function writeRental(db: PrismaClient): Promise<void> {
  await anInstance(db, { name: 'visual-1', phase: 'suspended' });
  await aRental(db, {
    resourceId: 'first',
    pool: 'visual',
    instanceName: 'visual-1',
    priceUsdPerHour: '0.6',
    billedFrom: at(MONDAY),
    billedUntil: at(MONDAY + HOUR),
  });
}

it('the outlook of a pool is learned from stored decks and prices, and held back by stored misses', async ({ db }) => {
  await writeArrivals(
    db,
    weeklyRhythm(8, 1).map(({ atMs }) => atMs + 30_000),
  );
  const none = await foreseeArrivals(db, setup, 'UTC', at(NOW));
  expect(none.outlook).toMatchObject({ verdict: 'no_price', windows: [] });
  await writeRental(db);
  const capabilities = { ...setup.capabilities, expectedBootMs: 3 * MINUTE };
  const { outlook, replay } = await foreseeArrivals(db, { ...setup, capabilities }, 'UTC', at(NOW));
  expect(outlook.verdict).toBe('pays');
  expect(outlook.windows.map(({ readyAtMs }) => readyAtMs)).toContain(NOW + HOUR);
  expect(replay?.hits).toBeGreaterThan(replay?.misses ?? 0);

  // Decks that a rollout sends to a pool with queues of its own count for that pool, and for no other.
  const own = { ...setup, capabilities, config: { ...setup.config, ownQueues: true } };
  expect((await foreseeArrivals(db, own, 'UTC', at(NOW))).outlook.windows).toEqual([]);
  await db.analysis.updateMany({ data: { poolName: 'visual' } });
  expect((await foreseeArrivals(db, own, 'UTC', at(NOW))).outlook.verdict).toBe('pays');
  expect((await foreseeArrivals(db, { ...setup, capabilities }, 'UTC', at(NOW))).outlook.windows).toEqual([]);
  await db.analysis.updateMany({ data: { poolName: null } });

  const steps = [1, 2, 3].flatMap((hours) => [
    { toPhase: 'waking', fromPhase: 'suspended', at: at(NOW - hours * HOUR), reason: 'pre-warm: a deck is expected' },
    { toPhase: 'ready', fromPhase: 'booting', at: at(NOW - hours * HOUR + 3 * MINUTE) },
    { toPhase: 'suspended', fromPhase: 'suspending', at: at(NOW - hours * HOUR + 9 * MINUTE) },
  ]);
  await aHistory(
    db,
    'visual-1',
    steps.toSorted((a, b) => a.at.getTime() - b.at.getTime()),
  );
  const held = (await foreseeArrivals(db, { ...setup, capabilities }, 'UTC', at(NOW))).outlook;
  expect(held).toMatchObject({ verdict: 'pays', windows: [] });
  expect(held.words).toContain('Held back until');
});

it('a report names what was warmed for nothing, what was saved, and what a clairvoyant would have gained', async ({
  db,
}) => {
  const day = Date.UTC(2026, 9, 6);
  const nine = day + 9 * HOUR;
  // The first deck finds a warm instance, after five minutes; the second waits for a boot.
  await writeArrivals(db, [nine + 5 * MINUTE, nine + 5 * HOUR]);
  await anInstance(db, { name: 'visual-1', phase: 'suspended' });
  const boot = (atMs: number, reason: string, upMs: number) => [
    { toPhase: 'waking', fromPhase: 'suspended', at: at(atMs), reason },
    { toPhase: 'booting', fromPhase: 'waking', at: at(atMs + MINUTE) },
    { toPhase: 'ready', fromPhase: 'booting', at: at(atMs + 3 * MINUTE) },
    { toPhase: 'suspending', fromPhase: 'cordoned', at: at(atMs + upMs - MINUTE) },
    { toPhase: 'suspended', fromPhase: 'suspending', at: at(atMs + upMs) },
  ];
  const usages = [
    boot(nine - 3 * MINUTE, 'pre-warm: a deck is expected', 60 * MINUTE),
    boot(nine + 3 * HOUR, 'pre-warm: a deck is expected', 10 * MINUTE),
    boot(nine + 5 * HOUR, 'there is work', 60 * MINUTE),
  ];
  await aHistory(db, 'visual-1', usages.flat());
  for (const [index, usage] of usages.entries())
    await aRental(db, {
      resourceId: `machine-${index}`,
      pool: 'visual',
      instanceName: 'visual-1',
      priceUsdPerHour: '0.6',
      billedFrom: usage[0]?.at ?? null,
      billedUntil: usage.at(-1)?.at ?? null,
    });
  const later = Date.UTC(2026, 10, 1);
  const pools = [{ name: 'visual', waitingUsdPerMinute: 0.2 }];
  const report = await makeCostReport(db, parsePeriod('2026-10-06', 'UTC', later), INSTALLATION_SCOPE, later, pools);
  expect(report.prewarm).toEqual([
    {
      pool: 'visual',
      warmed: 2,
      hits: 1,
      misses: 1,
      // Ten minutes, and five from when it was ready until the deck.
      missUsd: '0.1',
      idleUsd: '0.05',
      savedSec: 180,
      savedUsd: '0.6',
      waitedSec: 180,
      // It would have saved six minutes for nothing: $1.20, less what was gained.
      regretUsd: '0.75',
    },
  ]);
  const names = new Map<string, string>();
  for (const text of [renderMarkdown(costDocument(report, names)), String(renderHtml(costDocument(report, names)))])
    expect(text).toContain('2 times, 1 hit, 1 miss; it saved 3 min of waiting');
  expect(renderReportCsv(report, names)).toContain(',pre-warm,visual,regret,0.75,');
  // Whose arrivals to count is not known of a pool that was removed.
  const removed = await makeCostReport(db, parsePeriod('2026-10-06', 'UTC', later), INSTALLATION_SCOPE, later, []);
  expect(removed.prewarm).toEqual([]);
  const other = await makeCostReport(db, parsePeriod('2026-10-07', 'UTC', later), INSTALLATION_SCOPE, later, pools);
  expect(other.prewarm).toEqual([]);
});

it('a forecast counts decks, machine time and costs by local day, beside the budget of the month', async ({ db }) => {
  await writeArrivals(
    db,
    weeklyRhythm(8, 1).map(({ atMs }) => atMs),
  );
  await writeRental(db);
  const rentalId = 'datacrunch/instance/first';
  const entry = (position: number, kind: string, instanceType: string | null) => ({
    id: `${rentalId}/${position}`,
    rentalId,
    position,
    kind,
    fromAt: at(NOW - WEEK + position * 1000),
    untilAt: at(NOW - WEEK + HOUR),
    shareSeconds: '3600',
    amountUsd: '0.6',
    provider: 'datacrunch',
    pool: 'visual',
    instanceType,
  });
  await db.ledgerEntry.createMany({ data: [entry(0, 'busy', '1A6000.10V'), entry(1, 'suspended', null)] });
  await db.budget.create({ data: { id: 'month', scope: 'installation', period: 'month', softUsd: 1, hardUsd: 2 } });
  const read = (nowMs: number) => readCostForecast(db, 7, { timezone: 'Europe/Berlin', setups: [setup], nowMs });
  const { forecast, historyDays, month, softUsd, hardUsd, pools } = await read(NOW);
  // The day of the first deck began before it.
  expect(historyDays).toBe(56);
  expect(forecast?.days).toHaveLength(7);
  const [today] = forecast?.days ?? [];
  expect(today?.day).toBe('2026-09-29');
  // A Tuesday cost $1.20 once in eight weeks, with one hour of a machine that ran.
  expect(today?.usd.mean).toBeCloseTo((1.2 + 1.2 / 56) / 9);
  expect(today?.gpuHours.mean).toBeCloseTo((1 + 1 / 56) / 9);
  expect(today?.decks.mean).toBeGreaterThan(1);
  expect(Number(month.spentUsd)).toBeCloseTo(1.2);
  expect([softUsd?.toNumber(), hardUsd?.toNumber()]).toEqual([1, 2]);
  expect(pools).toMatchObject([{ pool: 'visual', mode: 'learned' }]);
  expect((await read(MONDAY + 9 * DAY)).forecast).toBeNull();
});
