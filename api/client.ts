/**
 * A small typed client of the HTTP API, for the CLI and for tests: what the routes take and give, and their problem documents turned back
 * into errors. Each area of the API has its calls in a file of its own beside this one.
 */
import { accessCalls } from './client/access.ts';
import { alertCalls } from './client/alerts.ts';
import { analysisCalls } from './client/analyses.ts';
import { budgetCalls } from './client/budgets.ts';
import { costCalls } from './client/costs.ts';
import { deckCalls } from './client/decks.ts';
import { eventCalls } from './client/events.ts';
import { fleetCalls } from './client/fleet.ts';
import { replayCalls } from './client/replays.ts';
import { reportCalls } from './client/reports.ts';
import { serverCalls } from './client/server.ts';
import { targetCalls } from './client/targets.ts';
import { createTransport, type KeySource } from './client/transport.ts';
import { webhookCalls } from './client/webhooks.ts';

export type { AlertDocument, AlertPage, AlertRuleDetails, AlertRuleDocument } from './alerts/schemas.ts';
export type { BudgetDocument, BudgetList } from './costs/budgets/schemas.ts';
export type { AnalysisEvent, AnalysisStatusDocument, AnalysisSummary } from './decks/analyses/schemas.ts';
export type { StartOptions } from './client/analyses.ts';
export type { ReplayOptions } from './client/replays.ts';
export type { CostsQuery } from './client/costs.ts';
export type { CostReportLine, CostReportPage, CostsDocument } from './costs/schemas.ts';
export type { DeckDocument, DeletionDocument } from './decks/schemas.ts';
export type {
  FleetDocument,
  FleetInstanceDocument,
  InstanceHistoryDocument,
  OfferBlockList,
} from './fleet/fleet-schemas.ts';
export type { HealthHistoryDocument } from './health/health-schemas.ts';
export type { ReapReportDocument } from './fleet/reap-routes.ts';
export type { Capacity, PlanDocument, PlanQuery, TierList } from './fleet/selection-schemas.ts';
export type { ApiKeyDocument } from './keys/schemas.ts';
export type { ModelList } from './models/routes.ts';
export type { ReplayBatch } from './decks/replays/schemas.ts';
export type { PerformanceDocument, TargetList } from './targets/schemas.ts';
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
    ...serverCalls(http),
    ...deckCalls(http),
    ...analysisCalls(http),
    ...eventCalls(http),
    ...replayCalls(http),
    ...reportCalls(http),
    ...webhookCalls(http),
    ...alertCalls(http),
    ...accessCalls(http),
    ...costCalls(http),
    ...budgetCalls(http),
    ...fleetCalls(http),
    ...targetCalls(http),
  };
}

/** The calls of every area; as an interface, so that two areas cannot give one name to different calls. */
export interface DeckhandClient
  extends
    ReturnType<typeof serverCalls>,
    ReturnType<typeof deckCalls>,
    ReturnType<typeof analysisCalls>,
    ReturnType<typeof eventCalls>,
    ReturnType<typeof replayCalls>,
    ReturnType<typeof reportCalls>,
    ReturnType<typeof webhookCalls>,
    ReturnType<typeof alertCalls>,
    ReturnType<typeof accessCalls>,
    ReturnType<typeof costCalls>,
    ReturnType<typeof budgetCalls>,
    ReturnType<typeof fleetCalls>,
    ReturnType<typeof targetCalls> {}
