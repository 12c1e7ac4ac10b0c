/**
 * What warming instances ahead is learned and judged from, read from Postgres: when decks arrived, what machines cost, what became of instances
 * that were warmed.
 */
import { Prisma, type PrismaClient } from '../../../generated/prisma/client.ts';
import type { Transaction } from '../../../platform/db.ts';
import type { Arrival } from '../../../domain/fleet/prewarm/forecast.ts';
import { warmHistory, type HistoryRow, type WarmHistory } from '../../../domain/fleet/prewarm/history.ts';
import { HISTORY_MS, machineSeconds, type PriceSince } from '../../../domain/fleet/prewarm/replay.ts';
import { outlookOf, type JudgedOutlook } from '../../../domain/fleet/prewarm/outlook.ts';
import { warmTerms } from '../../../domain/fleet/prewarm/rule.ts';
import { queuesOf } from '../../../domain/fleet/pool/pool-config.ts';
import { quarterStart } from '../../../domain/fleet/prewarm/week.ts';
import { HOURS_PER_MONTH } from '../../../domain/fleet/provider/billing.ts';
import type { PoolSetup } from '../../../domain/fleet/pool/pool-state.ts';
import { waitsIn } from './demand.ts';
import { meanBootSec } from './observe.ts';
import { IDLE_GAPS_READ } from './store.ts';

/**
 * Decks that needed machines, by minute, in order of time.
 *
 * @param queues only decks whose calls waited in the queues of this pool, null = of all pools; every deck where left out
 */
export async function readArrivals(
  db: Transaction,
  fromMs: number,
  untilMs: number,
  queues?: string | null,
): Promise<readonly Arrival[]> {
  const rows = await db.$queryRaw<{ readonly at: Date; readonly decks: number; readonly slides: number }[]>`
    SELECT date_trunc('minute', a."createdAt") AS at, count(*)::int AS decks, sum(a."announcedPages")::int AS slides
    FROM "Analysis" a
    WHERE a."createdAt" >= ${new Date(fromMs)} AND a."createdAt" < ${new Date(untilMs)} AND a."announcedPages" > 0
      AND ${queues === undefined ? Prisma.sql`true` : waitsIn(queues)}
    GROUP BY 1 ORDER BY 1`;
  return rows.map(({ at, decks, slides }) => ({ atMs: at.getTime(), decks, slides }));
}

/** The first deck that needed machines, ms since 1970; null = none ever did. @param queues as in {@link readArrivals} */
export async function firstArrivalMs(db: Transaction, queues?: string | null): Promise<number | null> {
  const first = await db.analysis.findFirst({
    where: { announcedPages: { gt: 0 }, ...(queues === undefined ? {} : { poolName: queues }) },
    orderBy: { createdAt: 'asc' },
    select: { createdAt: true },
  });
  return first?.createdAt.getTime() ?? null;
}

/**
 * Prices of the pool's machines as the ledger froze them, in order of time: those since a time and the one before. Servers that run already
 * have none.
 */
async function readPrices(db: PrismaClient, pool: string, fromMs: number): Promise<readonly PriceSince[]> {
  const where = { pool, resource: 'instance', priceUsdPerHour: { gt: 0 } };
  const select = { billedFrom: true, priceUsdPerHour: true } as const;
  const from = new Date(fromMs);
  const [before, since] = await Promise.all([
    db.rental.findFirst({ where: { ...where, billedFrom: { lt: from } }, orderBy: { billedFrom: 'desc' }, select }),
    db.rental.findMany({ where: { ...where, billedFrom: { gte: from } }, orderBy: { billedFrom: 'asc' }, select }),
  ]);
  return [...(before === null ? [] : [before]), ...since].flatMap(({ billedFrom, priceUsdPerHour }) =>
    billedFrom === null ? [] : [{ fromMs: billedFrom.getTime(), usdPerHour: Number(priceUsdPerHour) }],
  );
}

/** What the histories of a pool's instances say since a time. @param arrivals of that time */
export async function readWarmHistory(
  db: Transaction,
  pool: string,
  fromMs: number,
  untilMs: number,
  arrivals: readonly Arrival[],
): Promise<WarmHistory> {
  const rows = await db.$queryRaw<(Omit<HistoryRow, 'atMs'> & { readonly at: Date })[]>`
    SELECT t."instanceName" AS instance, t.at, t."fromPhase", t."toPhase", t.reason
    FROM "InstanceTransition" t JOIN "FleetInstance" i ON i.name = t."instanceName"
    WHERE i.pool = ${pool} AND t.at >= ${new Date(fromMs)} AND t.at < ${new Date(untilMs)}
    ORDER BY t."instanceName", t.position`;
  return warmHistory(
    rows.map(({ at, ...row }) => ({ ...row, atMs: at.getTime() })),
    arrivals,
  );
}

/** The outlook of a pool by everything that is known now. @param timezone IANA, of the accounting settings */
export async function foreseeArrivals(
  db: PrismaClient,
  { config, capabilities, slots }: Pick<PoolSetup, 'config' | 'capabilities' | 'slots'>,
  timezone: string,
  now: Date,
): Promise<JudgedOutlook> {
  const nowMs = now.getTime();
  const firstMs = (await firstArrivalMs(db, queuesOf(config))) ?? nowMs;
  const fromMs = Math.max(nowMs - HISTORY_MS, firstMs);
  // A quarter that is not over yet says nothing about how many come in it.
  const untilMs = quarterStart(nowMs);
  const [arrivals, prices, bootSec, gaps] = await Promise.all([
    readArrivals(db, fromMs, nowMs, queuesOf(config)),
    readPrices(db, config.name, fromMs),
    meanBootSec(db, config.name),
    db.idleGap.findMany({
      where: { pool: config.name },
      orderBy: { startedAt: 'desc' },
      take: IDLE_GAPS_READ,
      select: { seconds: true },
    }),
  ]);
  const { warmed } = await readWarmHistory(db, config.name, fromMs, nowMs, arrivals);
  const terms = warmTerms({
    config,
    billing: capabilities.billing,
    bootSec: bootSec ?? capabilities.expectedBootMs / 1000,
    usdPerHour: prices.at(-1)?.usdPerHour ?? 0,
    volumeUsdPerHour: (config.osVolumeGib * capabilities.volumeUsdPerGibMonth) / HOURS_PER_MONTH,
    idleGapsSec: gaps.map(({ seconds }) => seconds).toReversed(),
  });
  const past = arrivals.filter(({ atMs }) => atMs < untilMs);
  const span = { fromMs, untilMs: Math.max(fromMs, untilMs), nowMs, timezone };
  return outlookOf({
    ...span,
    arrivals: past,
    prices,
    terms,
    warmedLately: warmed,
    ...machineSeconds(config.classes, slots),
  });
}
