/**
 * What others need to start accounting: names, ids, inputs. No workflow code.
 */

/** Queue of accounting activities, in the control process. */
export const ACCOUNTING_QUEUE = 'accounting';

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

/** Workflow type of one round of alert rules, and its schedule. */
export const ALERT_ROUND_WORKFLOW = 'alertRound';
export const ALERT_SCHEDULE_ID = 'alerts';
