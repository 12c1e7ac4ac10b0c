/** Calls of decks and analyses that are more than one request, or check what they get: uploads, pages, event streams, documents. */
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream';
import type { z } from 'zod';
import { comparisonSchema } from '../../domain/decks/compare/comparison.ts';
import { replayPlanSchema } from '../../domain/decks/replay/plan.ts';
import { analysisReportSchema } from '../../domain/decks/report.ts';
import { DeckhandError } from '../../domain/errors.ts';
import type { TaskType } from '../../domain/models/model-tasks.ts';
import { tryJson } from '../../domain/text/json.ts';
import type { AnalysisEvent, AnalysisSummary, startBodySchema } from '../decks/analyses/schemas.ts';
import type { replayBodySchema } from '../decks/replays/schemas.ts';
import type { DeckDocument } from '../decks/schemas.ts';
import type { Calls } from './calls.ts';
import { PATIENCE_MS, retryDelayMs } from './patience.ts';

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

/** Items in one page of a list. */
const PAGE = 200;
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

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** The items of a list over all its pages. */
async function allPages<Item>(
  read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const all: Item[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await read(cursor === undefined ? { limit: PAGE } : { limit: PAGE, cursor });
    all.push(...page.items);
    cursor = page.nextCursor;
  }
  return all;
}

/** The path of an analysis as the calls take it. */
const of = (id: string, signal: AbortSignal | undefined) => ({ params: { path: { id } }, signal: signal ?? null });

/** The calls. */
export const deckCalls = ({ GET, POST, text, stream }: Calls) => ({
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
    return POST('/decks', { body, signal: signal ?? null });
  },

  /** Starts a review, or one task type alone. */
  startAnalysis(deckId: string, options: StartOptions = {}, signal?: AbortSignal): Promise<AnalysisSummary> {
    const { idempotencyKey, taskType: type, ...body } = options;
    const [path, header] = [{ id: deckId }, { 'idempotency-key': idempotencyKey }];
    const rest = { body, signal: signal ?? null };
    return type === undefined
      ? POST('/decks/{id}/analyses', { params: { path, header }, ...rest })
      : POST('/decks/{id}/tasks/{type}', { params: { path: { ...path, type }, header }, ...rest });
  },

  /** Every deck, newest first. */
  allDecks: (signal?: AbortSignal) =>
    allPages((page) => GET('/decks', { params: { query: page }, signal: signal ?? null })),

  /** Every analysis of a deck, newest first. */
  analysesOf: (deck: string, signal?: AbortSignal) =>
    allPages((page) => GET('/analyses', { params: { query: { deck, ...page } }, signal: signal ?? null })),

  /** The analyses of these ids; those that do not exist are left out. */
  async analysesById(ids: readonly string[], signal?: AbortSignal): Promise<AnalysisSummary[]> {
    const found: AnalysisSummary[] = [];
    for (let i = 0; i < ids.length; i += IDS_AT_ONCE) {
      const query = { ids: ids.slice(i, i + IDS_AT_ONCE).join(','), limit: IDS_AT_ONCE };
      found.push(...(await GET('/analyses', { params: { query }, signal: signal ?? null })).items);
    }
    return found;
  },

  /**
   * Follows an analysis until it is finished; the last event is `finished`. A broken connection is opened again, so events may repeat. Events of
   * kinds that are not known here are left out.
   *
   * @throws DeckhandError `service_unavailable` when the API stays unavailable, `internal` for an event that is not what its kind says; the
   *   signal's reason when aborted
   */
  async *events(analysisId: string, signal?: AbortSignal): AsyncGenerator<AnalysisEvent, void> {
    // Loaded only where a stream is read: the schemas of the API take a while.
    const { analysisEventSchema } = await import('../decks/analyses/schemas.ts');
    const kinds = analysisEventSchema.options.map(({ shape }): string => shape.type.value);
    let awaySinceMs: number | null = null;
    for (;;) {
      let delayMs: number | null = RECONNECT_MS;
      try {
        const headers = { accept: 'text/event-stream' };
        const body = await stream('/analyses/{id}/events', { ...of(analysisId, signal), headers, parseAs: 'stream' });
        for await (const event of readEvents(body)) {
          awaySinceMs = null;
          if (!kinds.includes(event.event ?? '')) continue;
          const parsed = analysisEventSchema.safeParse({ type: event.event, data: tryJson(event.data) });
          if (!parsed.success) throw malformed(analysisId, event, parsed.error);
          yield parsed.data;
          if (parsed.data.type === 'finished') return;
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
  async replay(analysisId: string, options: ReplayOptions = {}, signal?: AbortSignal): Promise<AnalysisSummary> {
    const { idempotencyKey, ...body } = options;
    const params = { path: { id: analysisId }, header: { 'idempotency-key': idempotencyKey } };
    const answer = await POST('/analyses/{id}/replay', { params, body, signal: signal ?? null });
    if ('analysisId' in answer) return answer;
    throw new DeckhandError('internal', `the replay of ${analysisId} was answered by a plan`);
  },

  /** What a replay would compute, as a checked document; starts nothing. */
  async planReplay(analysisId: string, options: ReplayOptions = {}, signal?: AbortSignal) {
    const { idempotencyKey: _, ...choices } = options;
    const body = { ...choices, dryRun: true };
    return replayPlanSchema.parse(await POST('/analyses/{id}/replay', { ...of(analysisId, signal), body }));
  },

  /** The report as a checked document. */
  report: async (id: string, signal?: AbortSignal) =>
    analysisReportSchema.parse(
      await GET('/analyses/{id}/report', {
        params: { path: { id }, query: { format: 'json' } },
        signal: signal ?? null,
      }),
    ),

  /** The report as text. */
  reportText: (id: string, format: 'md' | 'html') =>
    text('/analyses/{id}/report', { params: { path: { id }, query: { format } }, parseAs: 'text' }),

  /** How two analyses differ, as a checked document. @throws DeckhandError `conflict` for two decks without `anyDeck` */
  async compare(a: string, b: string, { anyDeck = false } = {}, signal?: AbortSignal) {
    const params = { path: { a, b }, query: { format: 'json', anyDeck: anyDeck ? 'true' : 'false' } } as const;
    return comparisonSchema.parse(await GET('/analyses/{a}/compare/{b}', { params, signal: signal ?? null }));
  },
});

/** An event that is not what its kind says. */
const malformed = (analysisId: string, { event, data }: EventSourceMessage, cause: Error): DeckhandError =>
  new DeckhandError('internal', `event ${event} of analysis ${analysisId} is malformed: ${data.slice(0, 200)}`, {
    userMessage: `The API sent an event ${event} that this version of Deckhand does not understand.`,
    hint: 'The API may have another version; `./deckhand doctor` names it.',
    cause,
  });
