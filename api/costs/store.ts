/** Stored cost reports: found, listed, and made when they are asked for. */
import { WorkflowFailedError, type Client } from '@temporalio/client';
import { rootCause } from '@temporalio/common';
import { costReportSchema, INSTALLATION_SCOPE, type CostReport } from '../../domain/costs/report/document.ts';
import { parsePeriod, type ReportKind, type ReportPeriod } from '../../domain/costs/report/period.ts';
import { DeckhandError } from '../../domain/errors.ts';
import type { CostReport as CostReportRow, Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import {
  COST_REPORT_WORKFLOW,
  makeCostReportWorkflowId,
  type CostReportEnd,
  type CostReportInput,
} from '../../contracts/costs.ts';
import { CONTROL_QUEUE } from '../../contracts/queues.ts';
import { unreachable } from '../../platform/temporal/unreachable.ts';

/** A report is made within seconds; longer means that no worker takes it, or the ledger is very large. */
const WAIT_MS = 45_000;

/** A stored report. */
export interface StoredReport {
  readonly row: CostReportRow;
  readonly report: CostReport;
}

const stored = (row: CostReportRow): StoredReport => ({ row, report: costReportSchema.parse(row.document) });

/** One report. @param scope owner that it must have; null = any owner @throws DeckhandError `not_found`, also for one of another scope */
export async function findReport(db: PrismaClient, id: string, scope: string | null): Promise<StoredReport> {
  const row = await db.costReport.findFirst({ where: { id, ...(scope === null ? {} : { scope }) } });
  if (row === null) {
    throw new DeckhandError('not_found', `no cost report ${id}`, {
      userMessage: 'There is no such cost report.',
      hint: 'List them: deckhand costs reports',
    });
  }
  return stored(row);
}

/** Which reports are listed. */
export interface ReportFilter {
  readonly scope: string;
  readonly kind?: ReportKind | undefined;
  /** Only the one of this period. */
  readonly period?: ReportPeriod | undefined;
}

/** Reports that fit, by the list's order. */
export async function listReports(
  db: PrismaClient,
  { scope, kind, period }: ReportFilter,
  page: Pick<Prisma.CostReportFindManyArgs, 'orderBy' | 'take'> & { readonly where: Prisma.CostReportWhereInput },
): Promise<StoredReport[]> {
  const ofPeriod = period === undefined ? {} : { kind: period.kind, period: period.name };
  const where = { scope, ...(kind === undefined ? {} : { kind }), ...ofPeriod, AND: page.where };
  const rows = await db.costReport.findMany({ ...page, where });
  return rows.map(stored);
}

/**
 * The installation's report of a period: the one that is there, or one that is made now, with those of all tenants. The same asked for twice at
 * once is made once.
 *
 * @throws DeckhandError `invalid_request` for what is no period; `service_unavailable` when it is not there in time: it is being made then
 */
export async function ensureReport(
  { db, temporal }: { readonly db: PrismaClient; readonly temporal: Client },
  text: string,
  { timezone, again, nowMs }: { readonly timezone: string; readonly again: boolean; readonly nowMs: number },
): Promise<StoredReport & { readonly made: boolean }> {
  const period = parsePeriod(text, timezone, nowMs);
  const { kind, name } = period;
  const where = { kind_period_scope: { kind, period: name, scope: INSTALLATION_SCOPE } };
  const present = await db.costReport.findUnique({ where });
  // A day of another time zone has the same name.
  if (!again && present !== null && present.timezone === timezone && stored(present).report.complete) {
    return { ...stored(present), made: false };
  }
  await makeReport(temporal, period);
  return { ...stored(await db.costReport.findUniqueOrThrow({ where })), made: true };
}

async function makeReport(temporal: Client, period: ReportPeriod): Promise<void> {
  const input: CostReportInput = { ask: { what: 'period', period } };
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(), WAIT_MS);
  try {
    const handle = await temporal.withAbortSignal(ended.signal, () =>
      temporal.workflow.start<(input: CostReportInput) => Promise<CostReportEnd>>(COST_REPORT_WORKFLOW, {
        workflowId: makeCostReportWorkflowId(period.kind, period.name),
        taskQueue: CONTROL_QUEUE,
        args: [input],
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        staticSummary: `Cost report ${period.name}`,
      }),
    );
    await temporal.withAbortSignal(ended.signal, () => handle.result());
  } catch (error) {
    if (error instanceof WorkflowFailedError) {
      const why = rootCause(error) ?? error.message;
      throw new DeckhandError('service_unavailable', `report ${period.name}: ${why}`, {
        userMessage: `The report of ${period.name} could not be made: ${why}`,
        hint: `See the workflow in the Temporal UI: ${makeCostReportWorkflowId(period.kind, period.name)}`,
        cause: error,
      });
    }
    if (!ended.signal.aborted) throw unreachable(error);
    throw new DeckhandError('service_unavailable', `report ${period.name} not made within ${WAIT_MS} ms`, {
      userMessage: 'The report is not ready yet; it is being made.',
      hint: 'Try again in a moment. `./deckhand doctor` shows whether the control worker runs.',
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}
