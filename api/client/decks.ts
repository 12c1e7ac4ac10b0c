/** Decks and their analyses: uploading, starting, following and changing them, replays and reports. */
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream';
import type { z } from 'zod';
import { comparisonSchema } from '../../domain/decks/compare/comparison.ts';
import type { DeckEntry } from '../../domain/decks/list/entry.ts';
import { replayPlanSchema } from '../../domain/decks/replay/plan.ts';
import { analysisReportSchema } from '../../domain/decks/report.ts';
import { DeckhandError } from '../../domain/errors.ts';
import type { TaskType } from '../../domain/models/model-tasks.ts';
import type {
  AnalysisEvent,
  AnalysisStatusDocument,
  AnalysisSummary,
  startBodySchema,
} from '../decks/analyses/schemas.ts';
import type { bulkBodySchema, ReplayBatch, replayBodySchema } from '../decks/replays/schemas.ts';
import type { DeckDocument, DeletionDocument } from '../decks/schemas.ts';
import { PATIENCE_MS, retryDelayMs } from './patience.ts';
import { path, type Transport } from './transport.ts';

/** Choices of a run; by default the server's. */
export type StartOptions = z.input<typeof startBodySchema> & {
  /** The same key starts the same analysis once. */
  readonly idempotencyKey?: string;
  /** One task type alone instead of the full review. */
  readonly taskType?: TaskType | undefined;
};

/** Choices of a replay; by default those of the analysis. */
export type ReplayOptions = Omit<z.input<typeof replayBodySchema>, 'dryRun'> & {
  /** The same key starts the same replay once. */
  readonly idempotencyKey?: string;
};

/** Ids that fit into one address. */
const IDS_AT_ONCE = 100;
/** Before a stream that ended or broke off is opened again. */
const RECONNECT_MS = 1000;

/** Server-sent events of a response body. */
export function readEvents(body: ReadableStream<Uint8Array> | null): AsyncIterable<EventSourceMessage> {
  return (body ?? new Blob([]).stream())
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
}

/** The calls of decks and analyses. */
export const deckCalls = (http: Transport) => ({
  /** Uploads a PDF from disk. The same file is the same deck. */
  async uploadDeck(file: string, signal?: AbortSignal): Promise<DeckDocument> {
    const body = new FormData();
    let blob: Blob;
    try {
      blob = await openAsBlob(file, { type: 'application/pdf' });
    } catch (error) {
      throw new DeckhandError('not_found', `cannot open ${file}`, {
        userMessage: `There is no file ${file} that can be read.`,
        cause: error,
      });
    }
    body.set('file', blob, basename(file));
    return http.json('POST', '/decks', { body, signal });
  },

  /** Every deck, newest first. */
  decks: (signal?: AbortSignal) => http.pages<DeckEntry>('/decks', {}, signal),

  /** The PDF as it was uploaded. @throws DeckhandError `not_found` */
  async deckPdf(deckId: string, signal?: AbortSignal): Promise<Readable> {
    const { body } = await http.call('GET', path`/decks/${deckId}/pdf`, { accept: 'application/pdf', signal });
    return Readable.fromWeb(body ?? new Blob([]).stream());
  },

  /** One deck, as the list shows it. @throws DeckhandError `not_found` */
  deck: (deckId: string, signal?: AbortSignal) => http.json<DeckEntry>('GET', path`/decks/${deckId}`, { signal }),

  /** Starts the deletion of a deck with everything of it. Doing it again changes nothing. @throws DeckhandError `not_found` */
  deleteDeck: (deckId: string, signal?: AbortSignal) =>
    http.json<DeletionDocument>('DELETE', path`/decks/${deckId}`, { signal }),

  /** Progress of a deletion. @throws DeckhandError `not_found` when the deck is not being deleted and was not lately */
  deletion: (deckId: string, signal?: AbortSignal) =>
    http.json<DeletionDocument>('GET', path`/decks/${deckId}/deletion`, { signal }),

  /** Starts a review, or one task type alone. */
  startAnalysis(deckId: string, options: StartOptions = {}, signal?: AbortSignal): Promise<AnalysisSummary> {
    const { idempotencyKey, taskType, ...body } = options;
    const target = taskType === undefined ? path`/decks/${deckId}/analyses` : path`/decks/${deckId}/tasks/${taskType}`;
    return http.json('POST', target, { body, idempotencyKey, signal });
  },

  /** Every analysis of a deck, newest first. */
  analysesOf: (deck: string, signal?: AbortSignal) => http.pages<AnalysisSummary>('/analyses', { deck }, signal),

  /** The analyses of these ids; those that do not exist are left out. */
  async analysesById(ids: readonly string[], signal?: AbortSignal): Promise<AnalysisSummary[]> {
    const found: AnalysisSummary[] = [];
    for (let i = 0; i < ids.length; i += IDS_AT_ONCE) {
      const query = { ids: ids.slice(i, i + IDS_AT_ONCE), limit: IDS_AT_ONCE };
      found.push(...(await http.items<AnalysisSummary>('/analyses', { query, signal })));
    }
    return found;
  },

  /** Status and progress of an analysis. @throws DeckhandError `not_found` */
  status: (analysisId: string, signal?: AbortSignal) =>
    http.json<AnalysisStatusDocument>('GET', path`/analyses/${analysisId}`, { signal }),

  /** Cancels a run. @throws DeckhandError `conflict` when it is finished */
  cancel: (analysisId: string, signal?: AbortSignal) =>
    http.json<AnalysisSummary>('POST', path`/analyses/${analysisId}/cancel`, { signal }),

  /** Pauses or resumes a run. @throws DeckhandError `conflict` when it is finished */
  hold: (analysisId: string, request: 'pause' | 'resume', signal?: AbortSignal) =>
    http.json<AnalysisSummary>('POST', path`/analyses/${analysisId}/${request}`, { signal }),

  /** Gives a run another priority, 1 (critical) … 5 (batch). @throws DeckhandError `conflict` when it is finished */
  prioritise: (analysisId: string, priority: number, signal?: AbortSignal) =>
    http.json<AnalysisSummary>('POST', path`/analyses/${analysisId}/priority`, { body: { priority }, signal }),

  /**
   * Retries what failed of one slide or question. Of a finished analysis this starts a replay, which is returned.
   *
   * @throws DeckhandError `conflict` when nothing of it has failed
   */
  retry: (analysisId: string, body: { readonly slide: number } | { readonly question: string }, signal?: AbortSignal) =>
    http.json<AnalysisSummary>('POST', path`/analyses/${analysisId}/retry`, { body, signal }),

  /**
   * Follows an analysis until it is finished; the last event is `finished`. A broken connection is opened again, so events may repeat.
   *
   * @throws DeckhandError `service_unavailable` when the API stays unavailable; the signal's reason when aborted
   */
  async *events(analysisId: string, signal?: AbortSignal): AsyncGenerator<AnalysisEvent, void> {
    let awaySinceMs: number | null = null;
    for (;;) {
      let delayMs: number | null = RECONNECT_MS;
      try {
        const target = path`/analyses/${analysisId}/events`;
        const response = await http.call('GET', target, { accept: 'text/event-stream', signal });
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
    const { idempotencyKey, ...body } = options;
    return http.json('POST', path`/analyses/${analysisId}/replay`, { body, idempotencyKey, signal });
  },

  /** What a replay would compute, as a checked document; starts nothing. */
  async planReplay(analysisId: string, options: ReplayOptions = {}, signal?: AbortSignal) {
    const { idempotencyKey: _, ...choices } = options;
    const body = { ...choices, dryRun: true };
    return replayPlanSchema.parse(await http.json('POST', path`/analyses/${analysisId}/replay`, { body, signal }));
  },

  /** Replays the analyses that a filter finds, or returns their plans. */
  replayMany: (body: z.input<typeof bulkBodySchema>, signal?: AbortSignal) =>
    http.json<ReplayBatch>('POST', '/replays', { body, signal }),

  /** The report as a checked document. */
  report: async (analysisId: string, signal?: AbortSignal) =>
    analysisReportSchema.parse(
      await http.json('GET', path`/analyses/${analysisId}/report`, { query: { format: 'json' }, signal }),
    ),

  /** The report as text. */
  reportText: (analysisId: string, format: 'md' | 'html', signal?: AbortSignal) =>
    http.text(path`/analyses/${analysisId}/report`, { query: { format }, signal }),

  /** How two analyses differ, as a checked document. @throws DeckhandError `conflict` for two decks without `anyDeck` */
  async compare(a: string, b: string, { anyDeck = false } = {}, signal?: AbortSignal) {
    const query = { format: 'json', anyDeck };
    return comparisonSchema.parse(await http.json('GET', path`/analyses/${a}/compare/${b}`, { query, signal }));
  },
});
