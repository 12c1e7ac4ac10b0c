/** What operators use: the fleet, costs, budgets, schedules, alerts, targets. */
import type { OperatorRequest } from '../../domain/fleet/pool/pool-state.ts';
import { type CostReport, costReportSchema } from '../../domain/costs/report/document.ts';
import type {
  AlertDocument,
  AlertPage,
  AlertRuleDetails,
  AlertRuleDocument,
  NewRule,
  RuleEdit,
} from '../alerts/schemas.ts';
import type { BudgetList, BudgetName, NewBudget } from '../costs/budgets/schemas.ts';
import type { ReportFormat } from '../pages/format.ts';
import type { CostReportLine, CostReportPage, CostsDocument } from '../costs/schemas.ts';
import type { FleetDocument, InstanceHistoryDocument, OfferBlockList } from '../fleet/fleet-schemas.ts';
import type { ReapReportDocument } from '../fleet/reap-routes.ts';
import type { Capacity, CapacityQuery, PlanDocument, PlanQuery, TierList } from '../fleet/selection-schemas.ts';
import type { GpuDiagnosisDocument } from '../health/diagnosis-routes.ts';
import type { HealthHistoryDocument } from '../health/health-schemas.ts';
import type { ScheduleDocument, ScheduleRequest } from '../schedules/schemas.ts';
import type { PerformanceDocument, PerformanceQuery, PeriodQuery, TargetList } from '../targets/schemas.ts';
import { asJson, queryString, type Transport } from './transport.ts';

const instancePath = (name: string): string => `/fleet/instances/${encodeURIComponent(name)}`;

/** What costs are asked for by. */
export interface CostsQuery {
  /** First and last local day. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly by?: CostsDocument['by'] | undefined;
  readonly tenant?: string | undefined;
  readonly limit?: number | undefined;
}

const costReportPath = (id: string): string => `/costs/reports/${encodeURIComponent(id)}`;

const ruleOf = (id: string): string => `/alert-rules/${encodeURIComponent(id)}`;

/** The calls of operation. */
export const operationCalls = (http: Transport) => ({
  /** Pools and instances. */
  fleet(signal?: AbortSignal): Promise<FleetDocument> {
    return http.json<FleetDocument>('/fleet', { signal });
  },

  /** One instance with its history. @throws DeckhandError `not_found` */
  instance(name: string, signal?: AbortSignal): Promise<InstanceHistoryDocument> {
    return http.json<InstanceHistoryDocument>(instancePath(name), { signal });
  },

  /** Health of one instance: where it stands, what changed, samples. @throws DeckhandError `not_found` */
  instanceHealth(
    name: string,
    query: { readonly limit?: number; readonly cursor?: string } = {},
    signal?: AbortSignal,
  ): Promise<HealthHistoryDocument> {
    return http.json<HealthHistoryDocument>(`${instancePath(name)}/health${queryString({ ...query })}`, { signal });
  },

  /** Asks something of an instance. @throws DeckhandError `not_found`, `conflict` when it is in no state for it */
  askInstance(name: string, request: OperatorRequest, signal?: AbortSignal): Promise<InstanceHistoryDocument> {
    return http.json<InstanceHistoryDocument>(`${instancePath(name)}/${request}`, { method: 'POST', signal });
  },

  /** Lifts blocks before their time; every one where no scope is named. @throws DeckhandError `not_found` */
  unblock(scope?: string, signal?: AbortSignal): Promise<OfferBlockList> {
    return http.json<OfferBlockList>(`/fleet/blocks${queryString({ scope })}`, { method: 'DELETE', signal });
  },

  /** Has its gateway look into an instance. @throws DeckhandError `not_found`, `conflict` when no gateway is attached to it */
  diagnose(name: string, signal?: AbortSignal): Promise<GpuDiagnosisDocument> {
    return http.json<GpuDiagnosisDocument>(`${instancePath(name)}/diagnosis`, { method: 'POST', signal });
  },

  /** The tiers of GPUs as the provider sells them. */
  tiers(signal?: AbortSignal): Promise<TierList> {
    return http.json<TierList>('/fleet/tiers', { signal });
  },

  /** What is available now. */
  capacity(query: CapacityQuery, signal?: AbortSignal): Promise<Capacity> {
    return http.json<Capacity>(`/fleet/capacity${queryString({ ...query })}`, { signal });
  },

  /** The ladder of a selector or pool, every offer explained. */
  plan(query: PlanQuery, signal?: AbortSignal): Promise<PlanDocument> {
    return http.json<PlanDocument>(`/fleet/plan${queryString({ ...query })}`, { signal });
  },

  /** One round of the reaper. */
  reap({ dryRun }: { readonly dryRun: boolean }, signal?: AbortSignal): Promise<ReapReportDocument> {
    return http.json<ReapReportDocument>(`/fleet/reap${queryString({ dryRun })}`, { method: 'POST', signal });
  },

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
    return costReportSchema.parse(await http.json<unknown>(`${costReportPath(id)}?format=json`, { signal }));
  },

  /** A report for people or spreadsheets. @throws DeckhandError `not_found` */
  async costReportText(id: string, format: Exclude<ReportFormat, 'json'>, signal?: AbortSignal): Promise<string> {
    return (await http.call(`${costReportPath(id)}?format=${format}`, { signal })).text();
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

  /** Every budget with its use. */
  budgets(signal?: AbortSignal): Promise<BudgetList> {
    return http.json<BudgetList>('/budgets', { signal });
  },

  /** Sets one; answers all. @throws DeckhandError `invalid_request`, `not_found` for an unknown tenant */
  setBudget(budget: NewBudget, signal?: AbortSignal): Promise<BudgetList> {
    return http.json<BudgetList>('/budgets', { method: 'PUT', ...asJson(budget), signal });
  },

  /** Removes one; answers the others. @throws DeckhandError `not_found` */
  removeBudget(name: BudgetName, signal?: AbortSignal): Promise<BudgetList> {
    return http.json<BudgetList>(`/budgets${queryString(name)}`, { method: 'DELETE', signal });
  },

  /** A page of alerts, newest first; open ones unless `all` are asked for. */
  alerts(
    page: { readonly all?: boolean; readonly limit?: number; readonly cursor?: string } = {},
    signal?: AbortSignal,
  ): Promise<AlertPage> {
    return http.json<AlertPage>(`/alerts${queryString(page)}`, { signal });
  },

  /** One alert. @throws DeckhandError `not_found` */
  alert(id: string, signal?: AbortSignal): Promise<AlertDocument> {
    return http.json<AlertDocument>(`/alerts/${encodeURIComponent(id)}`, { signal });
  },

  /** Every rule. */
  async alertRules(signal?: AbortSignal): Promise<readonly AlertRuleDocument[]> {
    const { items } = await http.json<{ readonly items: readonly AlertRuleDocument[] }>('/alert-rules', { signal });
    return items;
  },

  /** One rule with what its last round read. @throws DeckhandError `not_found` */
  alertRule(id: string, signal?: AbortSignal): Promise<AlertRuleDetails> {
    return http.json<AlertRuleDetails>(ruleOf(id), { signal });
  },

  /** Adds a rule. @throws DeckhandError `conflict`, `invalid_request` */
  addAlertRule(rule: NewRule, signal?: AbortSignal): Promise<AlertRuleDetails> {
    return http.json<AlertRuleDetails>('/alert-rules', { method: 'POST', ...asJson(rule), signal });
  },

  /** Changes a rule. @throws DeckhandError `not_found`, `invalid_request` */
  editAlertRule(id: string, edit: RuleEdit, signal?: AbortSignal): Promise<AlertRuleDetails> {
    return http.json<AlertRuleDetails>(ruleOf(id), { method: 'PATCH', ...asJson(edit), signal });
  },

  /** The targets over a period; the last 30 days when none is named. */
  targets(query: PeriodQuery = {}, signal?: AbortSignal): Promise<TargetList> {
    return http.json<TargetList>(`/targets${queryString(query)}`, { signal });
  },

  /** Durations and failures of model calls over time. */
  performance(query: PerformanceQuery = {}, signal?: AbortSignal): Promise<PerformanceDocument> {
    return http.json<PerformanceDocument>(`/performance${queryString(query)}`, { signal });
  },
});
