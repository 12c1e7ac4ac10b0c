/** The event stream of the workspace, sent by the test in place of the API. */
import { act } from '@testing-library/react';
import type { WorkspaceEvent } from '../../../domain/decks/list/entry.ts';

const open = new Set<FakeEventSource>();

/** In place of the browser's EventSource: connected at once, and told what a test sends. */
export class FakeEventSource extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  readonly url: string;
  readyState: number = FakeEventSource.CONNECTING;

  constructor(url: string) {
    super();
    this.url = url;
    open.add(this);
    queueMicrotask(() => {
      if (this.readyState === FakeEventSource.CLOSED) return;
      this.readyState = FakeEventSource.OPEN;
      this.dispatchEvent(new Event('open'));
    });
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED;
    open.delete(this);
  }

  static closeAll(): void {
    for (const source of open) source.close();
  }
}

/** Addresses of the open streams. */
export const openStreams = (): string[] => [...open].map(({ url }) => url);

/** Sends an event to every open stream. */
export function sendEvent(event: WorkspaceEvent): void {
  const data = JSON.stringify(event.data);
  const lastEventId = event.type === 'deck' ? event.id : '';
  act(() => {
    for (const source of open) source.dispatchEvent(new MessageEvent(event.type, { data, lastEventId }));
  });
}

/** Sends an event as an API of another version may: with any text. */
export function sendText(type: string, data: string): void {
  act(() => {
    for (const source of open) source.dispatchEvent(new MessageEvent(type, { data, lastEventId: '9' }));
  });
}

/** Breaks every open stream. @param refused as after an answer that is no stream, after which a browser does not connect again by itself */
export function breakStreams({ refused = false }: { readonly refused?: boolean } = {}): void {
  act(() => {
    for (const source of open) {
      if (refused) source.readyState = FakeEventSource.CLOSED;
      source.dispatchEvent(new Event('error'));
    }
  });
}
