/**
 * The Temporal schedules of Deckhand, in one table. Each entry starts a short workflow. Repairs and removals are in ../duties.ts.
 *
 * Rounds read the present state, so a missed round is not repeated: the next one reads the same. Each report has a period of its own, so
 * every report that was missed within a week is made later, however many come at once.
 */
import { ScheduleOverlapPolicy, type ScheduleSpec } from '@temporalio/client';
import { reportTimes } from '../../../domain/costs/report/schedule-times.ts';
import { providerNames, type Fleet } from '../../../clouds/fleet.ts';
import {
  COST_REPORT_WORKFLOW,
  makeCostReportScheduleId,
  makeCostReportWorkflowId,
  SCHEDULED_REPORT_KINDS,
  SETTLE_SCHEDULE_ID,
  SETTLE_WORKFLOW,
  type CostReportInput,
  type ScheduledReportKind,
} from '../../../contracts/costs.ts';
import { ALERT_ROUND_WORKFLOW, ALERT_ROUND_WORKFLOW_ID, ALERT_SCHEDULE_ID } from '../../../contracts/alerts.ts';
import {
  makeReapWorkflowId,
  REAPER_SCHEDULE_ID,
  REAPER_WORKFLOW,
  type ReapRoundInput,
} from '../../../contracts/reaper.ts';

/** One schedule. */
export interface ScheduleEntry {
  readonly id: string;
  /** For people: what it does. */
  readonly what: string;
  readonly workflowType: string;
  /** Temporal adds the time. */
  readonly workflowId: string;
  readonly args: readonly unknown[];
  /** The whole of it: what is left out of an update stays as it was. */
  readonly spec: ScheduleSpec;
  readonly overlap: ScheduleOverlapPolicy;
  /** Times that were missed for longer than this are left out. */
  readonly catchUpMs: number;
  /** Also when a control process starts, so that what a crash left behind is handled at once. */
  readonly atStart: boolean;
}

const DAY_MS = 24 * 3_600_000;
/** Rounds that were missed. */
const ROUND_CATCH_UP_MS = 10_000;
/** Reports that were missed. */
const REPORT_CATCH_UP_MS = 7 * DAY_MS;

/** Every schedule of the installation. @param nowMs changes of clocks are looked for from here on */
export function scheduleTable(fleet: Fleet, nowMs: number): ScheduleEntry[] {
  const { accounting, alerts, reaper } = fleet;
  const round = { overlap: ScheduleOverlapPolicy.SKIP, catchUpMs: ROUND_CATCH_UP_MS, args: [], atStart: false };
  const every = (intervalMs: number): ScheduleSpec => ({ intervals: [{ every: intervalMs }] });
  const reapInput: ReapRoundInput = { dryRun: false };
  return [
    // Nothing is rented where servers run already, so there is nothing to reap.
    ...(providerNames(fleet).length === 0
      ? []
      : [
          {
            ...round,
            id: REAPER_SCHEDULE_ID,
            what: 'Look for machines, disks, deployments and keys of ours without an owner',
            workflowType: REAPER_WORKFLOW,
            workflowId: makeReapWorkflowId('scheduled'),
            args: [reapInput],
            spec: every(reaper.intervalMs),
            atStart: true,
          },
        ]),
    {
      ...round,
      id: SETTLE_SCHEDULE_ID,
      what: 'Settle the cost ledger',
      workflowType: SETTLE_WORKFLOW,
      workflowId: 'ledger/settle',
      spec: every(accounting.settleIntervalMs),
    },
    {
      ...round,
      id: ALERT_SCHEDULE_ID,
      what: 'Raise and clear alerts by their rules',
      workflowType: ALERT_ROUND_WORKFLOW,
      workflowId: ALERT_ROUND_WORKFLOW_ID,
      spec: every(alerts.intervalMs),
    },
    ...SCHEDULED_REPORT_KINDS.map((kind) => reportEntry(kind, accounting, nowMs)),
  ];
}

const WHAT: Readonly<Record<ScheduledReportKind, string>> = {
  daily: 'Report on the costs of the day before',
  weekly: 'Report on the costs of the week before',
  monthly: 'Report on the costs of the month before',
};

function reportEntry(kind: ScheduledReportKind, accounting: Fleet['accounting'], nowMs: number): ScheduleEntry {
  const { timezone, reportHour } = accounting;
  const input: CostReportInput = { ask: { what: 'last', kind, timezone } };
  return {
    id: makeCostReportScheduleId(kind),
    what: WHAT[kind],
    workflowType: COST_REPORT_WORKFLOW,
    workflowId: makeCostReportWorkflowId(kind),
    args: [input],
    spec: { calendars: reportTimes(kind, reportHour, timezone, nowMs).map(calendarOf), timezone },
    // Each has a period of its own; one that waits for the ledger keeps no other from being made.
    overlap: ScheduleOverlapPolicy.ALLOW_ALL,
    catchUpMs: REPORT_CATCH_UP_MS,
    atStart: false,
  };
}

const MONTHS = [
  'JANUARY',
  'FEBRUARY',
  'MARCH',
  'APRIL',
  'MAY',
  'JUNE',
  'JULY',
  'AUGUST',
  'SEPTEMBER',
  'OCTOBER',
  'NOVEMBER',
  'DECEMBER',
] as const;
const WEEKDAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'] as const;

type Calendar = NonNullable<ScheduleSpec['calendars']>[number];

/** A time as Temporal's calendars have it. */
function calendarOf({
  hour,
  minute,
  year,
  month,
  dayOfMonth,
  dayOfWeek,
}: ReturnType<typeof reportTimes>[number]): Calendar {
  const monthName = month === undefined ? undefined : MONTHS[month - 1];
  const weekday = dayOfWeek === undefined ? undefined : WEEKDAYS[dayOfWeek];
  return {
    hour,
    minute,
    ...(year === undefined ? {} : { year }),
    ...(monthName === undefined ? {} : { month: monthName }),
    ...(dayOfMonth === undefined ? {} : { dayOfMonth }),
    ...(weekday === undefined ? {} : { dayOfWeek: weekday }),
  };
}
