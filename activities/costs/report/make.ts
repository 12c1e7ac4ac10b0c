/** Makes a report of a period and scope from the current ledger. */
import { buildCostReport } from '../../../domain/costs/report/build.ts';
import { INSTALLATION_SCOPE, type CostReport } from '../../../domain/costs/report/document.ts';
import type { ReportPeriod } from '../../../domain/costs/report/period.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { readLedgerSums } from './ledger-sums.ts';
import { queuesOf, type ReportedPool } from '../../../domain/fleet/pool/pool-config.ts';
import { readBalances, readRentals } from './rentals.ts';
import { prewarmLine } from '../../../domain/costs/report/prewarm.ts';
import { PREWARM_PREFIX } from '../../../domain/fleet/prewarm/warming.ts';
import type { Transaction } from '../../../platform/db.ts';
import { readArrivals, readWarmHistory } from '../../fleet/pool/arrivals.ts';

/** Time limit for a year of a busy installation. */
const TIMEOUT_MS = 120_000;

/**
 * Makes the report in one database snapshot, whatever is settled meanwhile.
 *
 * @param pools that are configured
 */
export function makeCostReport(
  db: PrismaClient,
  period: ReportPeriod,
  scope: string,
  nowMs: number,
  pools: readonly ReportedPool[] = [],
): Promise<CostReport> {
  return db.$transaction(
    async (tx) => {
      const sums = await readLedgerSums(tx, period, scope, nowMs);
      if (scope !== INSTALLATION_SCOPE) {
        return buildCostReport({ period, scope, sums, rentals: [], balances: [], nowMs });
      }
      const within = await readRentals(tx, period.fromMs, period.untilMs);
      // Servers that run already cost nothing and have no balance.
      const paid = [
        ...within.filter((r) => Number(r.usdPerHour) > 0),
        ...sums.machines.filter((m) => Number(m.usd) !== 0),
      ];
      const providers = new Set(paid.map(({ provider }) => provider));
      const balances = await readBalances(tx, period, providers);
      const looks = balances.flatMap((b) => (b.looks === null ? [] : [b.looks.first.atMs, b.looks.last.atMs]));
      const rentals = await readRentals(tx, Math.min(period.fromMs, ...looks), Math.max(period.untilMs, ...looks));
      const prewarm = await readPrewarm(tx, period, pools);
      return buildCostReport({ period, scope, sums, rentals, balances, prewarm, nowMs });
    },
    { isolationLevel: 'RepeatableRead', timeout: TIMEOUT_MS },
  );
}

const DAY_MS = 86_400_000;

/**
 * One line for each pool that warmed an instance in the period.
 *
 * @param configured pools of the fleet file; one that was removed gets no line, since nothing tells which analyses came to it
 */
async function readPrewarm(
  tx: Transaction,
  { fromMs, untilMs }: ReportPeriod,
  configured: readonly ReportedPool[],
): Promise<CostReport['prewarm']> {
  const warmed = await tx.$queryRaw<{ readonly pool: string }[]>`
    SELECT DISTINCT i.pool FROM "InstanceTransition" t JOIN "FleetInstance" i ON i.name = t."instanceName"
    WHERE t.at >= ${new Date(fromMs)} AND t.at < ${new Date(untilMs)} AND t.reason LIKE ${`${PREWARM_PREFIX}%`}
    ORDER BY i.pool`;
  const pools = warmed.flatMap(({ pool }) => configured.find(({ name }) => name === pool) ?? []);
  const [earliestMs, latestMs] = [fromMs - DAY_MS, untilMs + DAY_MS];
  const lines: CostReport['prewarm'] = [];
  for (const config of pools) {
    const { name: pool, waitingUsdPerMinute } = config;
    const arrivals = await readArrivals(tx, earliestMs, latestMs, queuesOf(config));
    const history = await readWarmHistory(tx, pool, earliestMs, latestMs, arrivals);
    const rentals = await tx.rental.findMany({
      where: {
        resource: 'instance',
        instanceName: { in: [...new Set(history.warmed.map(({ instance }) => instance))] },
        billedFrom: { lt: new Date(latestMs) },
      },
      select: { instanceName: true, priceUsdPerHour: true, billedFrom: true, billedUntil: true },
    });
    const machines = rentals.map(({ instanceName, priceUsdPerHour, billedFrom, billedUntil }) => ({
      instance: instanceName ?? '',
      usdPerHour: priceUsdPerHour.toFixed(),
      fromMs: billedFrom?.getTime() ?? Infinity,
      untilMs: billedUntil?.getTime() ?? null,
    }));
    const line = prewarmLine({ pool, history, machines, waitingUsdPerMinute, fromMs, untilMs });
    if (line !== null) lines.push(line);
  }
  return lines;
}
