/**
 * A small typed client of the HTTP API, for the CLI and for tests: what the routes take and give, and their problem documents turned back
 * into errors.
 */
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { comparisonSchema } from '../domain/compare/comparison.ts';
import type { Comparison } from '../domain/compare/comparison.ts';
import { DeckhandError, isErrorCode } from '../domain/errors.ts';
import type { Language, ModelProfile, TaskType } from '../domain/model-tasks.ts';
import type { WebhookEvent } from '../domain/webhooks.ts';
import { replayPlanSchema, type ReplayPlan } from '../domain/replay/plan.ts';
import { analysisReportSchema } from '../domain/report.ts';
import type { AnalysisReport } from '../domain/report.ts';
import type { AnalysisEvent, AnalysisStatusDocument, AnalysisSummary } from './analyses/schemas.ts';
import type { DeckDocument, DeletionDocument } from './decks/schemas.ts';
import type { ReapReportDocument } from './fleet/reap-routes.ts';
import type { OperatorRequest } from '../workflows/pool/contract.ts';
import { readEvents } from './event-source.ts';
import type { FleetDocument, InstanceHistoryDocument } from './fleet/fleet-schemas.ts';
import type { Capacity, CapacityQuery, PlanDocument, PlanQuery, TierList } from './fleet/selection-schemas.ts';
import type { ApiKeyDocument, CreatedApiKeyDocument, NewApiKey } from './keys/schemas.ts';
import type { ModelList } from './models/routes.ts';
import type { bulkBodySchema, ReplayBatch, replayBodySchema } from './replays/schemas.ts';
import type { SessionDocument } from './session/schemas.ts';
import type { NewTenant, TenantChange, TenantDocument } from './tenants/schemas.ts';
import type { DeliveryDocument, DeliveryPage, NewWebhookDocument, WebhookDocument } from './webhooks/schemas.ts';

export type { AnalysisEvent, AnalysisStatusDocument, AnalysisSummary } from './analyses/schemas.ts';
export type { DeckDocument, DeletionDocument } from './decks/schemas.ts';
export type { ReapReportDocument } from './fleet/reap-routes.ts';
export type { Capacity, CapacityQuery, PlanDocument, PlanQuery, TierList } from './fleet/selection-schemas.ts';
export type { ApiKeyDocument } from './keys/schemas.ts';
export type { ModelList } from './models/routes.ts';
export type { TenantDocument } from './tenants/schemas.ts';
export type { ReplayBatch } from './replays/schemas.ts';
export type { DeliveryDocument, NewWebhookDocument, WebhookDocument } from './webhooks/schemas.ts';
export type { FleetDocument, FleetInstanceDocument, InstanceHistoryDocument } from './fleet/fleet-schemas.ts';

/** Choices of a run; what is left out is the server's default. */
export interface StartOptions {
  readonly language?: Language;
  readonly template?: string;
  readonly models?: ModelProfile;
  readonly priority?: number;
  /** The same key starts the same analysis once. */
  readonly idempotencyKey?: string;
  /** One task type alone instead of the full review. */
  readonly taskType?: TaskType;
}

/** Choices of a replay; what is left out is that of the analysis. */
export type ReplayOptions = Omit<z.input<typeof replayBodySchema>, 'dryRun'> & {
  /** The same key starts the same replay once. */
  readonly idempotencyKey?: string;
};
export type BulkReplayOptions = z.input<typeof bulkBodySchema>;

interface CallOptions {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

const problemSchema = z.object({ code: z.string(), detail: z.string(), hint: z.string().optional() });

/** Ids that fit into one address. */
const IDS_AT_ONCE = 100;
/** Waits between attempts to reopen a broken event stream. */
const RECONNECT_MS = 1000;
/** After so many attempts in a row without one event the stream is given up. */
const MAX_RECONNECTS = 30;

/** The error that a response that is not 2xx stands for. */
async function errorOf(response: Response): Promise<DeckhandError> {
  const text = await response.text();
  const parsed = problemSchema.safeParse(safeJson(text));
  if (!parsed.success) {
    const code = response.status >= 500 ? 'service_unavailable' : 'internal';
    return new DeckhandError(code, `HTTP ${response.status}: ${text.slice(0, 200)}`, {
      userMessage: `The API answered HTTP ${response.status}.`,
    });
  }
  const { code, detail, hint } = parsed.data;
  return new DeckhandError(isErrorCode(code) ? code : 'internal', detail, hint === undefined ? {} : { hint });
}

/** Body and header of a request in JSON. */
const asJson = (body: unknown): Pick<CallOptions, 'body' | 'headers'> => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** `?a=1&b=2,3` of what is defined; empty when nothing is. */
function queryString(values: Readonly<Record<string, string | number | readonly string[] | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) query.set(name, typeof value === 'object' ? value.join(',') : String(value));
  }
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** Talks to one API. Every method throws {@link DeckhandError}: the API's own, or `service_unavailable` when nothing answers. */
export class DeckhandClient {
  readonly #base: string;
  readonly #apiKey: string | undefined;

  /**
   * @param baseUrl such as `http://127.0.0.1:8420`
   * @param options apiKey: shown with every request; an open API needs none
   */
  constructor(baseUrl: string, { apiKey }: { readonly apiKey?: string | undefined } = {}) {
    this.#base = `${baseUrl.replace(/\/+$/, '')}/api/v1`;
    this.#apiKey = apiKey;
  }

  /** Uploads a PDF from disk. The same file is the same deck. */
  async uploadDeck(path: string, signal?: AbortSignal): Promise<DeckDocument> {
    const form = new FormData();
    let file: Blob;
    try {
      file = await openAsBlob(path, { type: 'application/pdf' });
    } catch (error) {
      throw new DeckhandError('not_found', `cannot open ${path}`, {
        userMessage: `There is no file ${path} that can be read.`,
        cause: error,
      });
    }
    form.set('file', file, basename(path));
    return this.#json<DeckDocument>('/decks', { method: 'POST', body: form, signal });
  }

  /** One deck. @throws DeckhandError `not_found` */
  deck(deckId: string, signal?: AbortSignal): Promise<DeckDocument> {
    return this.#json<DeckDocument>(`/decks/${encodeURIComponent(deckId)}`, { signal });
  }

  /** Every analysis of a deck, newest first. */
  async analysesOf(deckId: string, signal?: AbortSignal): Promise<AnalysisSummary[]> {
    const all: AnalysisSummary[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await this.#json<{ readonly items: readonly AnalysisSummary[]; readonly nextCursor: string | null }>(
        `/analyses${queryString({ deck: deckId, limit: 200, cursor })}`,
        { signal },
      );
      all.push(...page.items);
      if (page.nextCursor === null) return all;
      cursor = page.nextCursor;
    }
  }

  /** Has a deck deleted with everything of it. Asking again changes nothing. @throws DeckhandError `not_found` */
  deleteDeck(deckId: string, signal?: AbortSignal): Promise<DeletionDocument> {
    return this.#json<DeletionDocument>(`/decks/${encodeURIComponent(deckId)}`, { method: 'DELETE', signal });
  }

  /** How far a deletion is. @throws DeckhandError `not_found` when the deck is not, and was not lately, being deleted */
  deletion(deckId: string, signal?: AbortSignal): Promise<DeletionDocument> {
    return this.#json<DeletionDocument>(`/decks/${encodeURIComponent(deckId)}/deletion`, { signal });
  }

  /** Starts a review, or one task type alone. */
  startAnalysis(deckId: string, options: StartOptions = {}, signal?: AbortSignal): Promise<AnalysisSummary> {
    const { idempotencyKey, taskType, ...choices } = options;
    const id = encodeURIComponent(deckId);
    return this.#json<AnalysisSummary>(
      taskType === undefined ? `/decks/${id}/analyses` : `/decks/${id}/tasks/${taskType}`,
      {
        method: 'POST',
        body: JSON.stringify(choices),
        headers: {
          'content-type': 'application/json',
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        signal,
      },
    );
  }

  /** Which model answers which task. */
  models(signal?: AbortSignal): Promise<ModelList> {
    return this.#json<ModelList>('/models', { signal });
  }

  /** Forgets the pinned digests of a profile, so that the gateway pins what its hosts hold. */
  async unpinModels(profile: ModelProfile, signal?: AbortSignal): Promise<void> {
    await this.#call(`/models/${profile}/pins`, { method: 'DELETE', signal });
  }

  /** Adds a webhook; its secret is shown this once. No events = all. */
  addWebhook(
    input: { readonly url: string; readonly events?: readonly WebhookEvent[] },
    signal?: AbortSignal,
  ): Promise<NewWebhookDocument> {
    return this.#json<NewWebhookDocument>('/webhooks', { method: 'POST', ...asJson(input), signal });
  }

  /** Every webhook of the tenant. */
  async webhooks(signal?: AbortSignal): Promise<readonly WebhookDocument[]> {
    const { items } = await this.#json<{ readonly items: readonly WebhookDocument[] }>('/webhooks', { signal });
    return items;
  }

  /** Removes a webhook with its log. @throws DeckhandError `not_found` */
  async removeWebhook(id: string, signal?: AbortSignal): Promise<void> {
    await this.#call(`/webhooks/${encodeURIComponent(id)}`, { method: 'DELETE', signal });
  }

  /** Sends a test; what came of it is in the log. @throws DeckhandError `not_found` */
  testWebhook(id: string, signal?: AbortSignal): Promise<DeliveryDocument> {
    return this.#json<DeliveryDocument>(`/webhooks/${encodeURIComponent(id)}/test`, { method: 'POST', signal });
  }

  /** A page of the log of a webhook, newest first. @throws DeckhandError `not_found` */
  deliveries(
    id: string,
    page: { readonly limit?: number; readonly cursor?: string } = {},
    signal?: AbortSignal,
  ): Promise<DeliveryPage> {
    return this.#json<DeliveryPage>(`/webhooks/${encodeURIComponent(id)}/deliveries${queryString(page)}`, { signal });
  }

  /** Has a delivery tried now. @throws DeckhandError `not_found`, `conflict` when it has arrived */
  retryDelivery(id: string, deliveryId: string, signal?: AbortSignal): Promise<DeliveryDocument> {
    const path = `/webhooks/${encodeURIComponent(id)}/deliveries/${encodeURIComponent(deliveryId)}/retry`;
    return this.#json<DeliveryDocument>(path, { method: 'POST', signal });
  }

  /** Whose key this client shows. @throws DeckhandError `unauthenticated` when it is not valid */
  session(signal?: AbortSignal): Promise<SessionDocument> {
    return this.#json<SessionDocument>('/session', { signal });
  }

  /** Makes an API key; the key itself is in this answer and nowhere else. @throws DeckhandError `not_found` (tenant) */
  createKey(key: NewApiKey, signal?: AbortSignal): Promise<CreatedApiKeyDocument> {
    return this.#json<CreatedApiKeyDocument>('/keys', { method: 'POST', ...asJson(key), signal });
  }

  /** API keys of all tenants, oldest first. */
  async keys(signal?: AbortSignal): Promise<readonly ApiKeyDocument[]> {
    return (await this.#json<{ items: ApiKeyDocument[] }>('/keys', { signal })).items;
  }

  /** Revokes an API key. @throws DeckhandError `not_found`, `conflict` for the last key of an operator, unless forced */
  revokeKey(id: string, { force = false } = {}, signal?: AbortSignal): Promise<ApiKeyDocument> {
    return this.#json<ApiKeyDocument>(`/keys/${encodeURIComponent(id)}?force=${force}`, { method: 'DELETE', signal });
  }

  /** Makes a tenant, or gives back the one that is there. @throws DeckhandError `conflict` when it has other values */
  createTenant(tenant: NewTenant, signal?: AbortSignal): Promise<TenantDocument> {
    return this.#json<TenantDocument>('/tenants', { method: 'POST', ...asJson(tenant), signal });
  }

  /** All tenants. */
  async tenants(signal?: AbortSignal): Promise<readonly TenantDocument[]> {
    return (await this.#json<{ items: TenantDocument[] }>('/tenants', { signal })).items;
  }

  /** Changes what is given. @throws DeckhandError `not_found` */
  changeTenant(slug: string, change: TenantChange, signal?: AbortSignal): Promise<TenantDocument> {
    const path = `/tenants/${encodeURIComponent(slug)}`;
    return this.#json<TenantDocument>(path, { method: 'PATCH', ...asJson(change), signal });
  }

  /** One round of the reaper. */
  reap({ dryRun }: { readonly dryRun: boolean }, signal?: AbortSignal): Promise<ReapReportDocument> {
    return this.#json<ReapReportDocument>(`/fleet/reap?dryRun=${dryRun}`, { method: 'POST', signal });
  }

  /** Pools and instances. */
  fleet(signal?: AbortSignal): Promise<FleetDocument> {
    return this.#json<FleetDocument>('/fleet', { signal });
  }

  /** One instance with its history. @throws DeckhandError `not_found` */
  instance(name: string, signal?: AbortSignal): Promise<InstanceHistoryDocument> {
    return this.#json<InstanceHistoryDocument>(`/fleet/instances/${encodeURIComponent(name)}`, { signal });
  }

  /** Asks something of an instance. @throws DeckhandError `not_found`, `conflict` when it is in no state for it */
  askInstance(name: string, request: OperatorRequest, signal?: AbortSignal): Promise<InstanceHistoryDocument> {
    return this.#json<InstanceHistoryDocument>(`/fleet/instances/${encodeURIComponent(name)}/${request}`, {
      method: 'POST',
      signal,
    });
  }

  /** The tiers of GPUs as the provider sells them. */
  tiers(signal?: AbortSignal): Promise<TierList> {
    return this.#json<TierList>('/fleet/tiers', { signal });
  }

  /** What is available now. */
  capacity(query: CapacityQuery, signal?: AbortSignal): Promise<Capacity> {
    return this.#json<Capacity>(`/fleet/capacity${queryString({ ...query })}`, { signal });
  }

  /** The ladder of a selector or pool, every offer explained. */
  plan(query: PlanQuery, signal?: AbortSignal): Promise<PlanDocument> {
    return this.#json<PlanDocument>(`/fleet/plan${queryString({ ...query })}`, { signal });
  }

  /** Asks whether the API, its database and Temporal answer. @throws DeckhandError `service_unavailable` when one does not */
  async health(signal?: AbortSignal): Promise<void> {
    await this.#call('/health', { signal });
  }

  /** The analyses of these ids; those that do not exist are left out. */
  async analysesById(ids: readonly string[], signal?: AbortSignal): Promise<AnalysisSummary[]> {
    const found: AnalysisSummary[] = [];
    for (let i = 0; i < ids.length; i += IDS_AT_ONCE) {
      const part = ids.slice(i, i + IDS_AT_ONCE);
      const query = queryString({ ids: part, limit: IDS_AT_ONCE });
      const page = await this.#json<{ items: AnalysisSummary[] }>(`/analyses${query}`, { signal });
      found.push(...page.items);
    }
    return found;
  }

  /** Starts a replay of a finished analysis. @throws DeckhandError `conflict` while it runs */
  replay(analysisId: string, options: ReplayOptions = {}, signal?: AbortSignal): Promise<AnalysisSummary> {
    const { idempotencyKey, ...choices } = options;
    return this.#json<AnalysisSummary>(`/analyses/${encodeURIComponent(analysisId)}/replay`, {
      method: 'POST',
      body: JSON.stringify(choices),
      headers: {
        'content-type': 'application/json',
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      signal,
    });
  }

  /** What a replay would compute, as a checked document; starts nothing. */
  async planReplay(analysisId: string, options: ReplayOptions = {}, signal?: AbortSignal): Promise<ReplayPlan> {
    const { idempotencyKey: _, ...choices } = options;
    const body = await this.#json<unknown>(`/analyses/${encodeURIComponent(analysisId)}/replay`, {
      method: 'POST',
      body: JSON.stringify({ ...choices, dryRun: true }),
      headers: { 'content-type': 'application/json' },
      signal,
    });
    return replayPlanSchema.parse(body);
  }

  /** Replays what a filter finds, or says what that would be. */
  replayMany(options: BulkReplayOptions, signal?: AbortSignal): Promise<ReplayBatch> {
    return this.#json<ReplayBatch>('/replays', {
      method: 'POST',
      body: JSON.stringify(options),
      headers: { 'content-type': 'application/json' },
      signal,
    });
  }

  status(analysisId: string, signal?: AbortSignal): Promise<AnalysisStatusDocument> {
    return this.#json<AnalysisStatusDocument>(`/analyses/${encodeURIComponent(analysisId)}`, { signal });
  }

  /** Asks a run to stop. @throws DeckhandError `conflict` when it is over */
  cancel(analysisId: string, signal?: AbortSignal): Promise<AnalysisSummary> {
    return this.#json<AnalysisSummary>(`/analyses/${encodeURIComponent(analysisId)}/cancel`, {
      method: 'POST',
      signal,
    });
  }

  /** Holds a run, or lets it go on. @throws DeckhandError `conflict` when it is over */
  hold(analysisId: string, request: 'pause' | 'resume', signal?: AbortSignal): Promise<AnalysisSummary> {
    return this.#json<AnalysisSummary>(`/analyses/${encodeURIComponent(analysisId)}/${request}`, {
      method: 'POST',
      signal,
    });
  }

  /** Gives a run another priority, 1 (critical) … 5 (batch). @throws DeckhandError `conflict` when it is over */
  prioritise(analysisId: string, priority: number, signal?: AbortSignal): Promise<AnalysisSummary> {
    const path = `/analyses/${encodeURIComponent(analysisId)}/priority`;
    return this.#json<AnalysisSummary>(path, { method: 'POST', ...asJson({ priority }), signal });
  }

  /**
   * Tries what failed of one slide or question again. Of a finished analysis this starts a replay, which is returned.
   *
   * @throws DeckhandError `conflict` when nothing of it has failed
   */
  retry(
    analysisId: string,
    item: { readonly slide: number } | { readonly question: string },
    signal?: AbortSignal,
  ): Promise<AnalysisSummary> {
    const path = `/analyses/${encodeURIComponent(analysisId)}/retry`;
    return this.#json<AnalysisSummary>(path, { method: 'POST', ...asJson(item), signal });
  }

  /** The report as a checked document. */
  async report(analysisId: string, signal?: AbortSignal): Promise<AnalysisReport> {
    const body = await this.#json<unknown>(`/analyses/${encodeURIComponent(analysisId)}/report?format=json`, {
      signal,
    });
    return analysisReportSchema.parse(body);
  }

  /** What two analyses say differently, as a checked document. @throws DeckhandError `conflict` for two decks without `anyDeck` */
  async compare(
    a: string,
    b: string,
    { anyDeck = false }: { readonly anyDeck?: boolean } = {},
    signal?: AbortSignal,
  ): Promise<Comparison> {
    const path = `/analyses/${encodeURIComponent(a)}/compare/${encodeURIComponent(b)}`;
    const body = await this.#json<unknown>(`${path}${queryString({ format: 'json', anyDeck: String(anyDeck) })}`, {
      signal,
    });
    return comparisonSchema.parse(body);
  }

  /** The report for people. */
  async reportText(analysisId: string, format: 'md' | 'html', signal?: AbortSignal): Promise<string> {
    const path = `/analyses/${encodeURIComponent(analysisId)}/report?format=${format}`;
    return (await this.#call(path, { signal })).text();
  }

  /**
   * Follows an analysis until it is finished; the last event is `finished`. A broken connection is opened again, so events may repeat.
   *
   * @throws DeckhandError `service_unavailable` when the API stays away; the signal's reason when aborted
   */
  async *events(analysisId: string, signal?: AbortSignal): AsyncGenerator<AnalysisEvent, void> {
    const path = `/analyses/${encodeURIComponent(analysisId)}/events`;
    for (let attempts = 0; ; attempts += 1) {
      try {
        const response = await this.#call(path, { headers: { accept: 'text/event-stream' }, signal });
        for await (const event of readEvents(response.body)) {
          attempts = 0;
          yield { type: event.type, data: JSON.parse(event.data) } as AnalysisEvent;
          if (event.type === 'finished') return;
        }
      } catch (error) {
        signal?.throwIfAborted();
        const lost =
          error instanceof TypeError || (error instanceof DeckhandError && error.code === 'service_unavailable');
        if (!lost || attempts >= MAX_RECONNECTS) throw error;
      }
      signal?.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
    }
  }

  async #json<T>(path: string, options: CallOptions): Promise<T> {
    const response = await this.#call(path, options);
    return (await response.json()) as T;
  }

  async #call(path: string, { method = 'GET', body, headers, signal }: CallOptions): Promise<Response> {
    const authorization = this.#apiKey === undefined ? {} : { authorization: `Bearer ${this.#apiKey}` };
    const init: RequestInit = { method, headers: { accept: 'application/json', ...authorization, ...headers } };
    if (body instanceof FormData || typeof body === 'string') init.body = body;
    if (signal !== undefined) init.signal = signal;
    let response: Response;
    try {
      response = await fetch(`${this.#base}${path}`, init);
    } catch (error) {
      signal?.throwIfAborted();
      throw new DeckhandError('service_unavailable', `no answer from ${this.#base}: ${String(error)}`, {
        userMessage: 'The Deckhand API does not answer.',
        hint: 'Start it with `./deckhand up`.',
        cause: error,
      });
    }
    if (!response.ok) throw await errorOf(response);
    return response;
  }
}
