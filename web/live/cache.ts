/**
 * Puts events of the stream into the query cache, so that every page that shows a deck changes at once.
 */
import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { DeckEntry, DeckEntryPage, StageProgress } from '../../domain/decks/list/entry.ts';
import type { InfiniteData } from '@tanstack/react-query';
import { type Connection, followStream } from './stream.ts';

/** Keys of cached documents; what begins with one belongs to it. */
export const KEYS = {
  /** Pages of the deck list, by their filter. */
  decks: ['decks'],
  /** One entry, by deck. */
  deck: (deckId: string) => ['deck', deckId] as const,
  /** Reports, verdicts … of one deck. */
  ofDeck: (deckId: string) => ['of-deck', deckId] as const,
  /** What is computed over many decks: facets, portfolio, companies, calibration. */
  overview: ['overview'],
} as const;

/** Lists are read again at most this often when decks come that they do not show. */
const LIST_STEP_MS = 800;

let connection: Connection = { live: false, sinceMs: Date.now() };
let progress: Readonly<Record<string, StageProgress>> = {};
const listeners = new Set<() => void>();

const tell = (): void => {
  for (const listener of listeners) listener();
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the pages are live. */
export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => connection);

/** How far the running review of a deck is; undefined when none runs, or before the first event. */
export const useProgress = (deckId: string): StageProgress | undefined =>
  useSyncExternalStore(subscribe, () => progress[deckId]);

/** Replaces an entry in a list that shows it. A deck that is being deleted leaves it. */
function withEntry(
  data: InfiniteData<DeckEntryPage> | undefined,
  entry: DeckEntry,
): InfiniteData<DeckEntryPage> | undefined {
  if (data === undefined || !data.pages.some((page) => page.items.some(({ id }) => id === entry.id))) return data;
  const pages = data.pages.map((page) => ({
    ...page,
    items: page.items.flatMap((each) => (each.id !== entry.id ? each : entry.deletingAt === null ? entry : [])),
  }));
  return { ...data, pages };
}

/** Keeps the cache up to date from the stream. Call it once. */
export function keepCacheLive(queries: QueryClient): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const readListsAgain = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void queries.invalidateQueries({ queryKey: KEYS.decks });
      void queries.invalidateQueries({ queryKey: KEYS.overview });
    }, LIST_STEP_MS);
  };
  followStream(
    {
      onEvent: (event) => {
        if (event.type === 'progress') {
          progress = event.data;
          tell();
          return;
        }
        const entry = event.data;
        queries.setQueryData(KEYS.deck(entry.id), entry);
        void queries.invalidateQueries({ queryKey: KEYS.ofDeck(entry.id) });
        queries.setQueriesData<InfiniteData<DeckEntryPage>>({ queryKey: KEYS.decks }, (data) => withEntry(data, entry));
        // It may belong into, or out of, a list by its new values.
        readListsAgain();
      },
      onReconnect: () => void queries.invalidateQueries(),
      onConnection: (next) => {
        connection = next;
        tell();
      },
    },
    null,
  );
}
