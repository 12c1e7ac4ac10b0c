/** Costs, cost reports and schedules. */
import type { CostReportLine, CostReportPage, CostsDocument } from '../costs/schemas.ts';
import type { ReportFormat } from '../costs/format.ts';
import type { ScheduleDocument, ScheduleRequest } from '../schedules/schemas.ts';
import { costReportSchema, type CostReport } from '../../domain/costs/report/document.ts';
import { asJson, queryString, type Transport } from './transport.ts';

/** What costs are asked for by. */
export interface CostsQuery {
  /** First and last local day. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly by?: CostsDocument['by'] | undefined;
  readonly tenant?: string | undefined;
  readonly limit?: number | undefined;
}

const pathOf = (id: string): string => `/costs/reports/${encodeURIComponent(id)}`;

/** The calls of costs. */
export const costCalls = (http: Transport) => ({
  /** What a time cost. */
  costs(query: CostsQuery = {}, signal?: AbortSignal): Promise<CostsDocument> {
    return http.json<CostsDocument>(`/costs${queryString({ ...query, format: 'json' })}`, { signal });
  },

  /** The same as a table. */
  async costsCsv(query: CostsQuery = {}, signal?: AbortSignal): Promise<string> {
    return (await http.call(`/costs${queryString({ ...query, format: 'csv' })}`, { signal })).text();
  },

  /** Stored reports, newest first. */
  costReports(
    query: {
      readonly period?: string;
      readonly kind?: string;
      readonly tenant?: string;
      readonly limit?: number;
      readonly cursor?: string;
    } = {},
    signal?: AbortSignal,
  ): Promise<CostReportPage> {
    return http.json<CostReportPage>(`/costs/reports${queryString(query)}`, { signal });
  },

  /** The report of a period: the one that is there, or one that is made now. */
  makeCostReport(
    input: { readonly period: string; readonly again?: boolean },
    signal?: AbortSignal,
  ): Promise<CostReportLine> {
    return http.json<CostReportLine>('/costs/reports', { method: 'POST', ...asJson(input), signal });
  },

  /** A report as a checked document. @throws DeckhandError `not_found` */
  async costReport(id: string, signal?: AbortSignal): Promise<CostReport> {
    return costReportSchema.parse(await http.json<unknown>(`${pathOf(id)}?format=json`, { signal }));
  },

  /** A report for people or spreadsheets. @throws DeckhandError `not_found` */
  async costReportText(id: string, format: Exclude<ReportFormat, 'json'>, signal?: AbortSignal): Promise<string> {
    return (await http.call(`${pathOf(id)}?format=${format}`, { signal })).text();
  },

  /** What is done by the clock. */
  async schedules(signal?: AbortSignal): Promise<readonly ScheduleDocument[]> {
    return (await http.json<{ readonly items: readonly ScheduleDocument[] }>('/schedules', { signal })).items;
  },

  /** Asks something of a schedule. @throws DeckhandError `not_found` */
  askSchedule(id: string, request: ScheduleRequest, signal?: AbortSignal): Promise<ScheduleDocument> {
    return http.json<ScheduleDocument>(`/schedules/${encodeURIComponent(id)}/${request}`, { method: 'POST', signal });
  },

  /** Makes up for what was due on some days, both included. @throws DeckhandError `not_found`, `invalid_request` */
  backfillSchedule(
    id: string,
    days: { readonly from: string; readonly to: string },
    signal?: AbortSignal,
  ): Promise<ScheduleDocument> {
    const path = `/schedules/${encodeURIComponent(id)}/backfill`;
    return http.json<ScheduleDocument>(path, { method: 'POST', ...asJson(days), signal });
  },
});
