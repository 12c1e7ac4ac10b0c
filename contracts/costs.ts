/** Contract of the accounting workflow: names, ids, inputs. No workflow code. */

import type { ReportKind, ReportPeriod } from '../domain/costs/report/period.ts';

/** Workflow type that settles the ledger up to now. */
export const SETTLE_WORKFLOW = 'settleLedger';
/** Schedule that runs it. */
export const SETTLE_SCHEDULE_ID = 'ledger-settle';

/** Workflow type of one cost report. */
export const COST_REPORT_WORKFLOW = 'costReport';
/** Kinds of reports that are made by schedule. */
export const SCHEDULED_REPORT_KINDS = ['daily', 'weekly', 'monthly'] as const;
export type ScheduledReportKind = (typeof SCHEDULED_REPORT_KINDS)[number];
/** Schedule of a kind of report. */
export const makeCostReportScheduleId = (kind: ScheduledReportKind): string => `cost-report-${kind}`;
/** Workflow id of a report; a schedule adds the time. A requested report of a period has one run at a time. */
export const makeCostReportWorkflowId = (kind: ReportKind, period?: string): string =>
  period === undefined ? `cost-report/${kind}` : `cost-report/${kind}/${period}`;

/** What a report is on. */
export type CostReportAsk =
  /** The last period of a kind that is over at the time the run was scheduled for. */
  | { readonly what: 'last'; readonly kind: ScheduledReportKind; readonly timezone: string }
  /** The time of this length that ends when the run was scheduled. */
  | { readonly what: 'span'; readonly lengthMs: number; readonly timezone: string }
  /** A requested period. */
  | { readonly what: 'period'; readonly period: ReportPeriod };

/** Input of {@link COST_REPORT_WORKFLOW}. */
export interface CostReportInput {
  readonly ask: CostReportAsk;
  /** Between two tries at a complete report. Shorter in tests. */
  readonly againMs?: number;
}

/** What came of a run. */
export interface CostReportEnd {
  readonly kind: ReportKind;
  readonly period: string;
  /** The installation's report. */
  readonly reportId: string;
  /** Exact decimal, USD. */
  readonly totalUsd: string;
  /** Nothing of the period is missing in it. */
  readonly complete: boolean;
  /** Tenants that have a report of their own on it. */
  readonly tenants: number;
}
