/** The event stream itself: one connection for all tabs, which another tab takes over, and which is made anew after a refusal. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { WorkspaceEvent } from '../../../domain/decks/list/entry.ts';
import { type Connection, followStream } from '../../../web/live/stream.ts';
import { deckNamed } from '../support/documents.ts';
import { breakStreams, FakeEventSource, openStreams, sendEvent, sendText } from '../support/stream.ts';

/** Tabs that wait for the lock, in order. */
let waiting: (() => void)[] = [];

beforeEach(() => {
  waiting = [];
  // As a browser's lock: the first one has it, the others wait until it is given back.
  let isHeld = false;
  vi.spyOn(navigator.locks, 'request').mockImplementation((async (_name: string, run: () => Promise<unknown>) => {
    if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
    isHeld = true;
    return run();
  }) as never);
});
afterEach(() => vi.restoreAllMocks());

/** A tab, and what it was told. */
function openTab(after: string | null = null) {
  const told = { events: [] as WorkspaceEvent[], connections: [] as Connection[], reconnects: 0 };
  followStream(
    {
      onEvent: (event) => told.events.push(event),
      onConnection: (connection) => told.connections.push(connection),
      onReconnect: () => void told.reconnects++,
    },
    after,
  );
  return told;
}
const event = (id: string): WorkspaceEvent => ({ type: 'deck', id, data: deckNamed('quayline.pdf') });
const isLive = ({ connections }: ReturnType<typeof openTab>) => connections.at(-1)?.live;

it('A second tab is told what the first one reads, and goes on after the last event it saw', async () => {
  const first = openTab('7');
  await expect.poll(openStreams).toEqual(['/api/v1/events?after=7']);
  await expect.poll(() => isLive(first)).toBe(true);
  const second = openTab();
  // It asks whether there is a connection, and makes none of its own.
  await expect.poll(() => isLive(second)).toBe(true);
  expect(openStreams()).toHaveLength(1);
  sendEvent(event('8'));
  sendEvent({ type: 'gone', data: { id: 'deck-1' } });
  sendEvent({ type: 'progress', data: {} });
  expect(first.events.map(({ type }) => type)).toEqual(['deck', 'gone', 'progress']);
  await expect.poll(() => second.events).toEqual(first.events);
  breakStreams();
  await expect.poll(() => isLive(second)).toBe(false);
  // The first tab is closed: its lock goes to the second one.
  FakeEventSource.closeAll();
  waiting[0]?.();
  await expect.poll(openStreams).toEqual(['/api/v1/events?after=8']);
  await expect.poll(() => isLive(second)).toBe(true);
  expect(second.reconnects).toBe(2);
});

it('A stream that was refused is asked for again after a while, and everything is read anew then', async () => {
  const told = openTab();
  await expect.poll(() => isLive(told)).toBe(true);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  breakStreams({ refused: true });
  expect(isLive(told)).toBe(false);
  expect(openStreams()).toEqual([]);
  await vi.advanceTimersByTimeAsync(2900);
  expect(openStreams()).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  vi.useRealTimers();
  await expect.poll(openStreams).toEqual(['/api/v1/events']);
  await expect.poll(() => told.reconnects).toBe(2);
});

it('An event that is not what its kind says is left out, and the stream goes on', async () => {
  const told = openTab();
  await expect.poll(() => isLive(told)).toBe(true);
  sendText('deck', '{');
  sendText('deck', '{"id":"deck-1"}');
  sendText('progress', '{"deck-1":{"stage":"of a later version","done":0,"total":1,"failed":0}}');
  sendText('of_later', '{}');
  sendEvent(event('8'));
  expect(told.events).toEqual([event('8')]);
});
