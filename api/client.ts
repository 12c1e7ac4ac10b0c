/**
 * A typed client of the HTTP API, for the CLI, the drop folder and tests: the documents of the routes, and problem documents turned
 * into errors. The calls are in `client/`, by area.
 */
import { accessCalls } from './client/access.ts';
import { deckCalls } from './client/decks.ts';
import { operationCalls } from './client/operations.ts';
import type { Calls } from './client/calls.ts';
import { callsOf, createTransport, type KeySource } from './client/transport.ts';
import { verdictCalls } from './client/verdicts.ts';

export type { AlertDocument, AlertPage, AlertRuleDetails, AlertRuleDocument } from './alerts/schemas.ts';
export type { BudgetDocument, BudgetList } from './costs/budgets/schemas.ts';
export type { AnalysisEvent, AnalysisStatusDocument, AnalysisSummary } from './decks/analyses/schemas.ts';
export type { ReplayOptions, StartOptions } from './client/decks.ts';
export type { CostsQuery } from './client/operations.ts';
export type { CostForecastDocument } from './costs/forecast-schemas.ts';
export type { CostReportLine, CostReportPage, CostsDocument } from './costs/schemas.ts';
export type { DeckDocument, DeletionDocument } from './decks/schemas.ts';
export type {
  FleetDocument,
  FleetInstanceDocument,
  InstanceHistoryDocument,
  OfferBlockList,
} from './fleet/fleet-schemas.ts';
export type { HealthHistoryDocument } from './health/health-schemas.ts';
export type { ReapReportDocument } from './fleet/reap-schemas.ts';
export type { PoolLogsDocument } from './fleet/log-schemas.ts';
export type { FleetVolumeDocument, FleetVolumeListDocument } from './fleet/volume-schemas.ts';
export type { Capacity, PlanDocument, PlanQuery, TierList } from './fleet/selection-schemas.ts';
export type { ApiKeyDocument } from './keys/schemas.ts';
export type { ReplayBatch } from './decks/replays/schemas.ts';
export type { PerformanceDocument, TargetList } from './targets/schemas.ts';
export type { RolloutComparison, RolloutDocument } from './rollouts/schemas.ts';
export type { ScheduleDocument } from './schedules/schemas.ts';
export type { TenantDocument } from './tenants/schemas.ts';
export type { DeliveryDocument, NewWebhookDocument, WebhookDocument } from './webhooks/schemas.ts';

/**
 * A client of the API at this URL. Every call throws a DeckhandError: the API's own, or `service_unavailable` when nothing answers.
 *
 * @param baseUrl such as `http://127.0.0.1:8420`
 * @param options apiKey: shown with every request, or what decides on it before each; an open API needs none
 */
export function createDeckhandClient(
  baseUrl: string,
  { apiKey }: { readonly apiKey?: string | KeySource | undefined } = {},
): DeckhandClient {
  const http = createTransport(baseUrl, apiKey);
  return {
    ...callsOf(baseUrl, apiKey),
    ...accessCalls(http),
    ...deckCalls(http),
    ...operationCalls(http),
    ...verdictCalls(http),
  };
}

/** The calls of every area; as an interface, so that two areas cannot give one name to different calls. */
export interface DeckhandClient
  extends
    Calls,
    ReturnType<typeof accessCalls>,
    ReturnType<typeof deckCalls>,
    ReturnType<typeof operationCalls>,
    ReturnType<typeof verdictCalls> {}
