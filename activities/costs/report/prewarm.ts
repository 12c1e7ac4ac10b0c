/** Reads what a report says about instances that were warmed ahead of decks. */
import { prewarmLine } from '../../../domain/costs/report/prewarm.ts';
import type { CostReport } from '../../../domain/costs/report/document.ts';
import type { ReportPeriod } from '../../../domain/costs/report/period.ts';
import { queuesOf, type ReportedPool } from '../../../domain/fleet/pool/pool-config.ts';
import { PREWARM_PREFIX } from '../../../domain/fleet/prewarm/warming.ts';
import type { Transaction } from '../../../platform/db.ts';
import { readArrivals, readWarmHistory } from '../../fleet/pool/arrivals.ts';

const DAY_MS = 86_400_000;

/**
 * One line for each pool that warmed an instance in the period.
 *
 * @param configured pools of the fleet file; one that was removed gets no line, since nothing tells which analyses came to it
 */
export async function readPrewarm(
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
