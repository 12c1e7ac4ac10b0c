/** The events of an analysis, while it runs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream';
import type { AnalysisEvent } from '../decks/analyses/schemas.ts';
import { PATIENCE_MS, retryDelayMs } from './patience.ts';
import type { Transport } from './transport.ts';

/** Before a stream that ended or broke off is opened again. */
const RECONNECT_MS = 1000;

/** The server-sent events of a response body; an event that the body ends in is left out. */
export const readEvents = (body: ReadableStream<Uint8Array> | null): ReadableStream<EventSourceMessage> =>
  (body ?? ReadableStream.from<Uint8Array>([]))
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());

/** The calls of event streams. */
export const eventCalls = (http: Transport) => ({
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
        for await (const { event: type, data } of readEvents(response.body)) {
          awaySinceMs = null;
          yield { type, data: JSON.parse(data) } as AnalysisEvent;
          if (type === 'finished') return;
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
});
