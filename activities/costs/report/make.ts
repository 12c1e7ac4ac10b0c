/** Makes a report of a period and scope from the current ledger. */
import { buildCostReport } from '../../../domain/costs/report/build.ts';
import { INSTALLATION_SCOPE, type CostReport } from '../../../domain/costs/report/document.ts';
import type { ReportPeriod } from '../../../domain/costs/report/period.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { readLedgerSums } from './ledger-sums.ts';
import type { ReportedPool } from '../../../domain/fleet/pool/pool-config.ts';
import { readPrewarm } from './prewarm.ts';
import { readBalances, readRentals } from './rentals.ts';

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
