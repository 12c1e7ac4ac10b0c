/**
 * The tenant's event stream, one connection per browser: the tab that holds a lock reads it and passes every event on to the other tabs. When
 * that tab closes, another takes the lock and resumes after the last event it saw.
 */
import type { WorkspaceEvent } from '../../domain/decks/list/entry.ts';
import { apiPath } from '../request.ts';
import { EVENT_TYPES, readEvent } from './events.ts';

/** Whether changes arrive at once; `since` is when they last did. */
export interface Connection {
  readonly live: boolean;
  readonly sinceMs: number;
}

type Message =
  | { readonly kind: 'event'; readonly event: WorkspaceEvent }
  | { readonly kind: 'connection'; readonly live: boolean }
  | { readonly kind: 'question' };

const LOCK = 'deckhand-events';
const RETRY_MS = 3000;

/** What reads the stream is told. */
export interface StreamListener {
  onEvent(event: WorkspaceEvent): void;
  /** A connection was made anew: what changed meanwhile may not be known. */
  onReconnect(): void;
  onConnection(connection: Connection): void;
}

/**
 * Follows the stream until the page is left.
 *
 * @param after id of the last event that is known; null = from now on
 */
export function followStream(listener: StreamListener, after: string | null): void {
  const channel = new BroadcastChannel(LOCK);
  let lastId = after;
  let live = false;

  const setLive = (next: boolean): void => {
    const returns = next && !live;
    live = next;
    listener.onConnection({ live, sinceMs: Date.now() });
    if (returns) listener.onReconnect();
  };
  const receive = (event: WorkspaceEvent): void => {
    if (event.type === 'deck') lastId = event.id;
    listener.onEvent(event);
  };

  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'event') receive(data.event);
    else if (data.kind === 'connection') setLive(data.live);
  });
  channel.postMessage({ kind: 'question' } satisfies Message);

  /** Reads the stream for all tabs; ends only when the stream is refused. */
  const read = (): Promise<void> =>
    new Promise((resolve) => {
      const source = new EventSource(apiPath('/events', { after: lastId ?? undefined }));
      const tellConnection = (next: boolean): void => {
        setLive(next);
        channel.postMessage({ kind: 'connection', live: next } satisfies Message);
      };
      const answer = ({ data }: MessageEvent<Message>): void => {
        if (data.kind === 'question') channel.postMessage({ kind: 'connection', live } satisfies Message);
      };
      const pass = (event: WorkspaceEvent): void => {
        receive(event);
        channel.postMessage({ kind: 'event', event } satisfies Message);
      };
      const listening = new AbortController();
      const { signal } = listening;
      const end = (waitMs: number): void => {
        listening.abort();
        source.close();
        tellConnection(false);
        setTimeout(resolve, waitMs);
      };
      channel.addEventListener('message', answer, { signal });
      // A browser keeps a stream whose network is gone for minutes.
      window.addEventListener('offline', () => tellConnection(false), { signal });
      window.addEventListener('online', () => end(0), { signal });
      source.addEventListener('open', () => tellConnection(true));
      for (const type of EVENT_TYPES)
        source.addEventListener(type, ({ data, lastEventId }: MessageEvent<string>) => {
          const event = readEvent(type, lastEventId, data);
          if (event !== null) pass(event);
        });
      source.addEventListener('error', () => {
        // The browser connects again by itself, except after an answer that is no stream.
        if (source.readyState === EventSource.CLOSED) end(RETRY_MS);
        else tellConnection(false);
      });
    });

  void navigator.locks.request(LOCK, async () => {
    for (;;) await read();
  });
}
