/** Activities of cost reports, on queue `accounting`: find the period, make one report at a time. */
import type { Client } from '@temporalio/client';
import { INSTALLATION_SCOPE } from '../../../domain/costs/report/document.ts';
import { periodOverAt, spanPeriod, type ReportPeriod } from '../../../domain/costs/report/period.ts';
import type { PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { CostReportAsk } from '../../../contracts/costs.ts';
import { startUntriedDeliveries } from '../../webhooks/outbox.ts';
import { heartbeating } from '../../support/heartbeat.ts';
import { makeCostReport } from './make.ts';
import { storeReport } from './store.ts';

/** A report that was made. */
export interface MadeReport {
  readonly reportId: string;
  readonly totalUsd: string;
  readonly complete: boolean;
  /** The period is not over yet. */
  readonly underWay: boolean;
  /** Rentals that are not settled to the end of the period. */
  readonly unsettledRentals: number;
  /** Tenants that something of the period belongs to; none in a tenant's own report. */
  readonly tenants: readonly string[];
}

export interface CostReportActivities {
  /** The period of a report. @param input.scheduledAt when the run was to begin, ISO 8601: a run that comes late reports on the same period */
  chooseReportPeriod(input: { readonly ask: CostReportAsk; readonly scheduledAt: string }): Promise<ReportPeriod>;
  /**
   * Makes and stores a report. Repeating it stores the same row again.
   *
   * @param input.tell when webhooks are notified: once the report is complete, or once its period is over, even if incomplete
   */
  storeCostReport(input: {
    readonly period: ReportPeriod;
    readonly scope: string;
    readonly tell: 'complete' | 'over';
  }): Promise<MadeReport>;
  /** Starts notifications of reports that have not been attempted yet. */
  startReportDeliveries(): Promise<number>;
}

/** Dependencies of the activities. */
export interface CostReportDeps {
  readonly db: PrismaClient;
  readonly temporal: Client;
  readonly pools: readonly PoolConfig[];
}

export function createCostReportActivities({ db, temporal, pools }: CostReportDeps): CostReportActivities {
  return heartbeating<CostReportActivities>({
    chooseReportPeriod: ({ ask, scheduledAt }) => Promise.resolve(choosePeriod(ask, Date.parse(scheduledAt))),
    storeCostReport: async ({ period, scope, tell }) => {
      const nowMs = Date.now();
      const report = await makeCostReport(db, period, scope, nowMs, pools);
      const { totalUsd, complete, unsettledRentals } = report;
      const over = period.untilMs <= nowMs;
      return {
        reportId: await storeReport(db, report, { tell: complete || (over && tell === 'over') }),
        totalUsd,
        complete,
        underWay: !over,
        unsettledRentals,
        tenants: scope === INSTALLATION_SCOPE ? report.tenants.map(({ tenantId }) => tenantId) : [],
      };
    },
    startReportDeliveries: () => startUntriedDeliveries(db, temporal, 'costReportId'),
  });
}

function choosePeriod(ask: CostReportAsk, scheduledMs: number): ReportPeriod {
  switch (ask.what) {
    case 'last':
      return periodOverAt(ask.kind, scheduledMs, ask.timezone);
    case 'span':
      return spanPeriod(scheduledMs - ask.lengthMs, scheduledMs, ask.timezone);
    case 'period':
      return ask.period;
    default:
      return ask satisfies never;
  }
}
