/** What operators use: the fleet, costs, budgets, schedules, alerts, targets. */
import { costReportSchema } from '../../domain/costs/report/document.ts';
import type { OperatorRequest } from '../../domain/fleet/pool/pool-state.ts';
import type {
  AlertDocument,
  AlertPage,
  AlertRuleDetails,
  AlertRuleDocument,
  NewRule,
  RuleEdit,
} from '../alerts/schemas.ts';
import type { BudgetList, BudgetName, NewBudget } from '../costs/budgets/schemas.ts';
import type { CostForecastDocument } from '../costs/forecast-schemas.ts';
import type { CostReportLine, CostReportPage, CostsDocument } from '../costs/schemas.ts';
import type { FleetDocument, InstanceHistoryDocument, OfferBlockList } from '../fleet/fleet-schemas.ts';
import type { ReapReportDocument } from '../fleet/reap-schemas.ts';
import type { PoolLogsDocument } from '../fleet/log-schemas.ts';
import type { FleetVolumeDocument, FleetVolumeListDocument } from '../fleet/volume-schemas.ts';
import type { Capacity, CapacityQuery, PlanDocument, PlanQuery, TierList } from '../fleet/selection-schemas.ts';
import type { GpuDiagnosisDocument } from '../health/health-schemas.ts';
import type { HealthHistoryDocument } from '../health/health-schemas.ts';
import type { ReportFormat } from '../pages/format.ts';
import type { NewRolloutInput, RolloutComparison, RolloutDocument } from '../rollouts/schemas.ts';
import type { ScheduleDocument, ScheduleRequest } from '../schedules/schemas.ts';
import type { PerformanceDocument, PerformanceQuery, PeriodQuery, TargetList } from '../targets/schemas.ts';
import { path, type Transport } from './transport.ts';

/** A page of a list. */
interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

/** Which costs. */
export interface CostsQuery {
  /** First and last local day. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly by?: CostsDocument['by'] | undefined;
  readonly tenant?: string | undefined;
  readonly limit?: number | undefined;
}

/** Which cost reports. */
interface CostReportsQuery extends PageQuery {
  readonly period?: string;
  readonly kind?: string;
  readonly tenant?: string | undefined;
}

/** The calls of operation. */
export const operationCalls = (http: Transport) => ({
  /** Pools and instances. */
  fleet: (signal?: AbortSignal) => http.json<FleetDocument>('GET', '/fleet', { signal }),

  /** One instance with its history. @throws DeckhandError `not_found` */
  instance: (name: string, signal?: AbortSignal) =>
    http.json<InstanceHistoryDocument>('GET', path`/fleet/instances/${name}`, { signal }),

  /** Health of one instance: level, changes, samples. @throws DeckhandError `not_found` */
  instanceHealth: (name: string, query: PageQuery = {}, signal?: AbortSignal) =>
    http.json<HealthHistoryDocument>('GET', path`/fleet/instances/${name}/health`, { query: { ...query }, signal }),

  /** Sends a request to an instance. @throws DeckhandError `not_found`, `conflict` when its phase does not allow it */
  askInstance: (name: string, request: OperatorRequest, signal?: AbortSignal) =>
    http.json<InstanceHistoryDocument>('POST', path`/fleet/instances/${name}/${request}`, { signal }),

  /** Lifts the block of a scope, or all blocks. @throws DeckhandError `not_found` */
  unblock: (scope?: string, signal?: AbortSignal) =>
    http.json<OfferBlockList>('DELETE', '/fleet/blocks', { query: { scope }, signal }),

  /** The newest lines that the deployment of an endpoint pool has logged. @throws DeckhandError `not_found`, `invalid_request` */
  poolLogs: (pool: string, query: { readonly minutes?: number; readonly limit?: number } = {}, signal?: AbortSignal) =>
    http.json<PoolLogsDocument>('GET', path`/fleet/pools/${pool}/logs`, { query: { ...query }, signal }),

  /** Volumes in the accounts of the fleet. */
  volumes: (signal?: AbortSignal) => http.json<FleetVolumeListDocument>('GET', '/fleet/volumes', { signal }),

  /** Attaches a data volume. @throws DeckhandError `not_found`, `forbidden`, `conflict` */
  attachVolume: (volume: string, instance: string, signal?: AbortSignal) =>
    http.json<FleetVolumeDocument>('POST', '/fleet/volumes/attach', { body: { volume, instance }, signal }),

  /** Detaches a data volume, from its only instance where none is named. @throws DeckhandError `not_found`, `forbidden`, `conflict` */
  detachVolume: (volume: string, instance: string | null, signal?: AbortSignal) =>
    http.json<FleetVolumeDocument>('POST', '/fleet/volumes/detach', { body: { volume, instance }, signal }),

  /** Diagnosis of an instance by its gateway. @throws DeckhandError `not_found`, `conflict` when no gateway is attached to it */
  diagnose: (name: string, signal?: AbortSignal) =>
    http.json<GpuDiagnosisDocument>('POST', path`/fleet/instances/${name}/diagnosis`, { signal }),

  /** The tiers of GPUs as a provider sells them: the one that is named, else the fleet's own. */
  tiers: (query: { readonly provider?: string | undefined } = {}, signal?: AbortSignal) =>
    http.json<TierList>('GET', '/fleet/tiers', { query, signal }),

  /** What is available now. */
  capacity: (query: CapacityQuery, signal?: AbortSignal) =>
    http.json<Capacity>('GET', '/fleet/capacity', { query: { ...query }, signal }),

  /** The ladder of a selector or pool, every offer with its reason. */
  plan: (query: PlanQuery, signal?: AbortSignal) =>
    http.json<PlanDocument>('GET', '/fleet/plan', { query: { ...query }, signal }),

  /** One round of the reaper. */
  reap: (query: { readonly dryRun: boolean }, signal?: AbortSignal) =>
    http.json<ReapReportDocument>('POST', '/fleet/reap', { query, signal }),

  /** Costs of a period. */
  costs: (query: CostsQuery = {}, signal?: AbortSignal) =>
    http.json<CostsDocument>('GET', '/costs', { query: { ...query, format: 'json' }, signal }),

  /** The same as CSV. */
  costsCsv: (query: CostsQuery = {}, signal?: AbortSignal) =>
    http.text('/costs', { query: { ...query, format: 'csv' }, signal }),

  /** What the coming days are expected to bring and to cost. */
  costForecast: (query: { readonly days?: number } = {}, signal?: AbortSignal) =>
    http.json<CostForecastDocument>('GET', '/costs/forecast', { query, signal }),

  /** Stored reports, newest first. */
  costReports: (query: CostReportsQuery = {}, signal?: AbortSignal) =>
    http.json<CostReportPage>('GET', '/costs/reports', { query: { ...query }, signal }),

  /** The report of a period: the stored one, or a new one. */
  makeCostReport: (body: { readonly period: string; readonly again?: boolean }, signal?: AbortSignal) =>
    http.json<CostReportLine>('POST', '/costs/reports', { body, signal }),

  /** A report as a checked document. @throws DeckhandError `not_found` */
  costReport: async (id: string, signal?: AbortSignal) =>
    costReportSchema.parse(await http.json('GET', path`/costs/reports/${id}`, { query: { format: 'json' }, signal })),

  /** A report as text. @throws DeckhandError `not_found` */
  costReportText: (id: string, format: Exclude<ReportFormat, 'json'>, signal?: AbortSignal) =>
    http.text(path`/costs/reports/${id}`, { query: { format }, signal }),

  /** All schedules. */
  schedules: (signal?: AbortSignal) => http.items<ScheduleDocument>('/schedules', { signal }),

  /** Sends a request to a schedule. @throws DeckhandError `not_found` */
  askSchedule: (id: string, request: ScheduleRequest, signal?: AbortSignal) =>
    http.json<ScheduleDocument>('POST', path`/schedules/${id}/${request}`, { signal }),

  /** Runs what was due on some days, both included. @throws DeckhandError `not_found`, `invalid_request` */
  backfillSchedule: (id: string, body: { readonly from: string; readonly to: string }, signal?: AbortSignal) =>
    http.json<ScheduleDocument>('POST', path`/schedules/${id}/backfill`, { body, signal }),

  /** Every budget with its use. */
  budgets: (signal?: AbortSignal) => http.json<BudgetList>('GET', '/budgets', { signal }),

  /** Sets a budget; returns all. @throws DeckhandError `invalid_request`, `not_found` for an unknown tenant */
  setBudget: (body: NewBudget, signal?: AbortSignal) => http.json<BudgetList>('PUT', '/budgets', { body, signal }),

  /** Removes a budget; returns the others. @throws DeckhandError `not_found` */
  removeBudget: (query: BudgetName, signal?: AbortSignal) =>
    http.json<BudgetList>('DELETE', '/budgets', { query, signal }),

  /** Starts a rollout, or changes the share of one. @throws DeckhandError `invalid_request`, `conflict`, `not_found` (tenant) */
  startRollout: (body: NewRolloutInput, signal?: AbortSignal) =>
    http.json<RolloutDocument>('POST', '/rollouts', { body, signal }),

  /** Every rollout, newest first. */
  rollouts: (signal?: AbortSignal) => http.items<RolloutDocument>('/rollouts', { signal }),

  /** One rollout with both sides compared. @throws DeckhandError `not_found` */
  rollout: (name: string, signal?: AbortSignal) =>
    http.json<RolloutComparison>('GET', path`/rollouts/${name}`, { signal }),

  /** Ends a rollout. Doing it again changes nothing. @throws DeckhandError `not_found` */
  stopRollout: (name: string, signal?: AbortSignal) =>
    http.json<RolloutDocument>('POST', path`/rollouts/${name}/stop`, { signal }),

  /** A page of alerts, newest first: open ones, or `all`. */
  alerts: (query: PageQuery & { readonly all?: boolean } = {}, signal?: AbortSignal) =>
    http.json<AlertPage>('GET', '/alerts', { query: { ...query }, signal }),

  /** One alert. @throws DeckhandError `not_found` */
  alert: (id: string, signal?: AbortSignal) => http.json<AlertDocument>('GET', path`/alerts/${id}`, { signal }),

  /** Every rule. */
  alertRules: (signal?: AbortSignal) => http.items<AlertRuleDocument>('/alert-rules', { signal }),

  /** One rule with the readings of its last round. @throws DeckhandError `not_found` */
  alertRule: (id: string, signal?: AbortSignal) =>
    http.json<AlertRuleDetails>('GET', path`/alert-rules/${id}`, { signal }),

  /** Adds a rule. @throws DeckhandError `conflict`, `invalid_request` */
  addAlertRule: (body: NewRule, signal?: AbortSignal) =>
    http.json<AlertRuleDetails>('POST', '/alert-rules', { body, signal }),

  /** Changes a rule. @throws DeckhandError `not_found`, `invalid_request` */
  editAlertRule: (id: string, body: RuleEdit, signal?: AbortSignal) =>
    http.json<AlertRuleDetails>('PATCH', path`/alert-rules/${id}`, { body, signal }),

  /** The targets over a period; by default the last 30 days. */
  targets: (query: PeriodQuery = {}, signal?: AbortSignal) =>
    http.json<TargetList>('GET', '/targets', { query, signal }),

  /** Durations and failures of model calls over time. */
  performance: (query: PerformanceQuery = {}, signal?: AbortSignal) =>
    http.json<PerformanceDocument>('GET', '/performance', { query, signal }),
});
