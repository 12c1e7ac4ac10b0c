/** Decks and their analyses: uploading, starting, following and steering them, replays and reports. */
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { type Comparison, comparisonSchema } from '../../domain/decks/compare/comparison.ts';
import { type ReplayPlan, replayPlanSchema } from '../../domain/decks/replay/plan.ts';
import { type AnalysisReport, analysisReportSchema } from '../../domain/decks/report.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream';
import type { Language, ModelProfile, TaskType } from '../../domain/models/model-tasks.ts';
import type { AnalysisEvent, AnalysisStatusDocument, AnalysisSummary } from '../decks/analyses/schemas.ts';
import type { bulkBodySchema, ReplayBatch, replayBodySchema } from '../decks/replays/schemas.ts';
import type { DeckDocument, DeletionDocument } from '../decks/schemas.ts';
import { PATIENCE_MS, retryDelayMs } from './patience.ts';
import { asJson, queryString, type Transport } from './transport.ts';

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

/** Ids that fit into one address. */
const IDS_AT_ONCE = 100;

const analysisPath = (analysisId: string): string => `/analyses/${encodeURIComponent(analysisId)}`;

/** Before a stream that ended or broke off is opened again. */
const RECONNECT_MS = 1000;

/** Choices of a replay; what is left out is that of the analysis. */
export type ReplayOptions = Omit<z.input<typeof replayBodySchema>, 'dryRun'> & {
  /** The same key starts the same replay once. */
  readonly idempotencyKey?: string;
};
type BulkReplayOptions = z.input<typeof bulkBodySchema>;

const replayPath = (analysisId: string): string => `/analyses/${encodeURIComponent(analysisId)}/replay`;

/** Server-sent events of a response body. */
export function readEvents(body: ReadableStream<Uint8Array> | null): AsyncIterable<EventSourceMessage> {
  return (body ?? new Blob([]).stream())
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
}

/** The calls of decks and analyses. */
export const deckCalls = (http: Transport) => ({
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
    return http.json<DeckDocument>('/decks', { method: 'POST', body: form, signal });
  },

  /** One deck. @throws DeckhandError `not_found` */
  deck(deckId: string, signal?: AbortSignal): Promise<DeckDocument> {
    return http.json<DeckDocument>(`/decks/${encodeURIComponent(deckId)}`, { signal });
  },

  /** Has a deck deleted with everything of it. Asking again changes nothing. @throws DeckhandError `not_found` */
  deleteDeck(deckId: string, signal?: AbortSignal): Promise<DeletionDocument> {
    return http.json<DeletionDocument>(`/decks/${encodeURIComponent(deckId)}`, { method: 'DELETE', signal });
  },

  /** How far a deletion is. @throws DeckhandError `not_found` when the deck is not, and was not lately, being deleted */
  deletion(deckId: string, signal?: AbortSignal): Promise<DeletionDocument> {
    return http.json<DeletionDocument>(`/decks/${encodeURIComponent(deckId)}/deletion`, { signal });
  },

  /** Starts a review, or one task type alone. */
  startAnalysis(deckId: string, options: StartOptions = {}, signal?: AbortSignal): Promise<AnalysisSummary> {
    const { idempotencyKey, taskType, ...choices } = options;
    const deck = `/decks/${encodeURIComponent(deckId)}`;
    const path = taskType === undefined ? `${deck}/analyses` : `${deck}/tasks/${taskType}`;
    return http.json<AnalysisSummary>(path, { method: 'POST', ...asJson(choices, idempotencyKey), signal });
  },

  /** Every analysis of a deck, newest first. */
  async analysesOf(deckId: string, signal?: AbortSignal): Promise<AnalysisSummary[]> {
    const all: AnalysisSummary[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await http.json<{ readonly items: readonly AnalysisSummary[]; readonly nextCursor: string | null }>(
        `/analyses${queryString({ deck: deckId, limit: 200, cursor })}`,
        { signal },
      );
      all.push(...page.items);
      if (page.nextCursor === null) return all;
      cursor = page.nextCursor;
    }
  },

  /** The analyses of these ids; those that do not exist are left out. */
  async analysesById(ids: readonly string[], signal?: AbortSignal): Promise<AnalysisSummary[]> {
    const found: AnalysisSummary[] = [];
    for (let i = 0; i < ids.length; i += IDS_AT_ONCE) {
      const part = ids.slice(i, i + IDS_AT_ONCE);
      const query = queryString({ ids: part, limit: IDS_AT_ONCE });
      const page = await http.json<{ items: AnalysisSummary[] }>(`/analyses${query}`, { signal });
      found.push(...page.items);
    }
    return found;
  },

  /** How far an analysis is. @throws DeckhandError `not_found` */
  status(analysisId: string, signal?: AbortSignal): Promise<AnalysisStatusDocument> {
    return http.json<AnalysisStatusDocument>(analysisPath(analysisId), { signal });
  },

  /** Asks a run to stop. @throws DeckhandError `conflict` when it is over */
  cancel(analysisId: string, signal?: AbortSignal): Promise<AnalysisSummary> {
    return http.json<AnalysisSummary>(`${analysisPath(analysisId)}/cancel`, { method: 'POST', signal });
  },

  /** Holds a run, or lets it go on. @throws DeckhandError `conflict` when it is over */
  hold(analysisId: string, request: 'pause' | 'resume', signal?: AbortSignal): Promise<AnalysisSummary> {
    return http.json<AnalysisSummary>(`${analysisPath(analysisId)}/${request}`, { method: 'POST', signal });
  },

  /** Gives a run another priority, 1 (critical) … 5 (batch). @throws DeckhandError `conflict` when it is over */
  prioritise(analysisId: string, priority: number, signal?: AbortSignal): Promise<AnalysisSummary> {
    const path = `${analysisPath(analysisId)}/priority`;
    return http.json<AnalysisSummary>(path, { method: 'POST', ...asJson({ priority }), signal });
  },

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
    return http.json<AnalysisSummary>(`${analysisPath(analysisId)}/retry`, { method: 'POST', ...asJson(item), signal });
  },

  /**
   * Follows an analysis until it is finished; the last event is `finished`. A broken connection is opened again, so events may repeat.
   *
   * @throws DeckhandError `service_unavailable` when the API stays away; the signal's reason when aborted
   */
  async *events(analysisId: string, signal?: AbortSignal): AsyncGenerator<AnalysisEvent, void> {
    const path = `/analyses/${encodeURIComponent(analysisId)}/events`;
    let awaySinceMs: number | null = null;
    for (;;) {
      let delayMs: number | null = RECONNECT_MS;
      try {
        const response = await http.call(path, { headers: { accept: 'text/event-stream' }, signal });
        for await (const event of readEvents(response.body)) {
          awaySinceMs = null;
          yield { type: event.event, data: JSON.parse(event.data) } as AnalysisEvent;
          if (event.event === 'finished') return;
        }
      } catch (error) {
        signal?.throwIfAborted();
        // A connection that breaks off in the middle of an event is a TypeError.
        delayMs = error instanceof TypeError ? RECONNECT_MS : retryDelayMs(error);
        if (delayMs === null || performance.now() - (awaySinceMs ?? Infinity) > PATIENCE_MS) throw error;
      }
      awaySinceMs ??= performance.now();
      await sleep(delayMs, undefined, signal === undefined ? {} : { signal });
    }
  },

  /** Starts a replay of a finished analysis. @throws DeckhandError `conflict` while it runs */
  replay(analysisId: string, options: ReplayOptions = {}, signal?: AbortSignal): Promise<AnalysisSummary> {
    const { idempotencyKey, ...choices } = options;
    return http.json<AnalysisSummary>(replayPath(analysisId), {
      method: 'POST',
      ...asJson(choices, idempotencyKey),
      signal,
    });
  },

  /** What a replay would compute, as a checked document; starts nothing. */
  async planReplay(analysisId: string, options: ReplayOptions = {}, signal?: AbortSignal): Promise<ReplayPlan> {
    const { idempotencyKey: _, ...choices } = options;
    const body = await http.json<unknown>(replayPath(analysisId), {
      method: 'POST',
      ...asJson({ ...choices, dryRun: true }),
      signal,
    });
    return replayPlanSchema.parse(body);
  },

  /** Replays what a filter finds, or says what that would be. */
  replayMany(options: BulkReplayOptions, signal?: AbortSignal): Promise<ReplayBatch> {
    return http.json<ReplayBatch>('/replays', { method: 'POST', ...asJson(options), signal });
  },

  /** The report as a checked document. */
  async report(analysisId: string, signal?: AbortSignal): Promise<AnalysisReport> {
    const body = await http.json<unknown>(`${analysisPath(analysisId)}/report?format=json`, { signal });
    return analysisReportSchema.parse(body);
  },

  /** The report for people. */
  async reportText(analysisId: string, format: 'md' | 'html', signal?: AbortSignal): Promise<string> {
    return (await http.call(`${analysisPath(analysisId)}/report?format=${format}`, { signal })).text();
  },

  /** What two analyses say differently, as a checked document. @throws DeckhandError `conflict` for two decks without `anyDeck` */
  async compare(
    a: string,
    b: string,
    { anyDeck = false }: { readonly anyDeck?: boolean } = {},
    signal?: AbortSignal,
  ): Promise<Comparison> {
    const path = `${analysisPath(a)}/compare/${encodeURIComponent(b)}`;
    const body = await http.json<unknown>(`${path}${queryString({ format: 'json', anyDeck })}`, { signal });
    return comparisonSchema.parse(body);
  },
});
