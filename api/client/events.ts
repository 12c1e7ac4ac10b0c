/** What happens in an analysis, as it happens. */
import { DeckhandError } from '../../domain/errors.ts';
import type { AnalysisEvent } from '../analyses/schemas.ts';
import { readEvents } from '../event-source.ts';
import type { Transport } from './transport.ts';

/** Waits between attempts to reopen a broken event stream. */
const RECONNECT_MS = 1000;
/** After so many attempts in a row without one event the stream is given up. */
const MAX_RECONNECTS = 30;

/** The calls of event streams. */
export const eventCalls = (http: Transport) => ({
  /**
   * Follows an analysis until it is finished; the last event is `finished`. A broken connection is opened again, so events may repeat.
   *
   * @throws DeckhandError `service_unavailable` when the API stays away; the signal's reason when aborted
   */
  async *events(analysisId: string, signal?: AbortSignal): AsyncGenerator<AnalysisEvent, void> {
    const path = `/analyses/${encodeURIComponent(analysisId)}/events`;
    for (let attempts = 0; ; attempts += 1) {
      try {
        const response = await http.call(path, { headers: { accept: 'text/event-stream' }, signal });
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
  },
});
