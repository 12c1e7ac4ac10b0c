/**
 * A typed client of the HTTP API, for the CLI, the drop folder and tests: a call for every route (client/calls.ts), what needs more than one call
 * (client/decks.ts), and problem documents turned into errors.
 */
import { z } from 'zod';
import { DeckhandError, isErrorCode } from '../domain/errors.ts';
import { createCalls, type Calls } from './client/calls.ts';
import { deckCalls } from './client/decks.ts';

export type { AlertDocument, AlertPage, AlertRuleDetails, AlertRuleDocument } from './alerts/schemas.ts';
export type { BudgetDocument, BudgetList } from './costs/budgets/schemas.ts';
export type { AnalysisEvent, AnalysisStatusDocument, AnalysisSummary } from './decks/analyses/schemas.ts';
export type { ReplayOptions, StartOptions } from './client/decks.ts';
export type { CalibrationDocument } from './calibration/schemas.ts';
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

/** The key to show, decided before each request; undefined = none. May throw to send nothing. */
export type KeySource = (signal?: AbortSignal) => Promise<string | undefined>;

const problemSchema = z.object({ code: z.string(), detail: z.string(), hint: z.string().optional() });

/** The error that a response that is not 2xx stands for. */
function errorOf({ status, headers }: Response, body: unknown): DeckhandError {
  const parsed = problemSchema.safeParse(body);
  if (!parsed.success) {
    const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
    return new DeckhandError(
      status >= 500 ? 'service_unavailable' : 'internal',
      `HTTP ${status}: ${text.slice(0, 200)}`,
      {
        userMessage: `The API answered HTTP ${status}.`,
      },
    );
  }
  const { code, detail, hint } = parsed.data;
  const retryAfterSec = Number(headers.get('retry-after') ?? Number.NaN);
  return new DeckhandError(isErrorCode(code) ? code : 'internal', detail, {
    ...(hint === undefined ? {} : { hint }),
    ...(Number.isFinite(retryAfterSec) ? { retryAfterMs: retryAfterSec * 1000 } : {}),
  });
}

/** Nothing answers there. */
export function noAnswer(url: string, cause: unknown): DeckhandError {
  return new DeckhandError('service_unavailable', `no answer from ${url}: ${String(cause)}`, {
    userMessage: 'The Deckhand API does not answer.',
    hint: 'Start it with `./deckhand up`.',
    cause,
  });
}

/** The calls of every route, and those that need more than one. */
export interface DeckhandClient extends Calls, ReturnType<typeof deckCalls> {}

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
  const base = `${baseUrl.replace(/\/+$/, '')}/api/v1`;
  const ask = async (request: Request): Promise<Response> => {
    const { signal, headers } = request;
    const key = typeof apiKey === 'function' ? await apiKey(signal) : apiKey;
    if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
    try {
      return await fetch(request);
    } catch (error) {
      signal.throwIfAborted();
      throw noAnswer(base, error);
    }
  };
  const calls = createCalls({ baseUrl: base, fetch: ask }, errorOf);
  return { ...calls, ...deckCalls(calls) };
}
