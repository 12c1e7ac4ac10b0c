/** Puts events of the stream into the query cache, so that every page that shows a deck changes at once. */
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { DeckEntry, DeckEntryPage, StageProgress } from '../../domain/decks/list/entry.ts';
import { createStore, useStore, useValue } from '../store.ts';
import { needsReading, type ListFilter } from './lists.ts';
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

/** Lists and overviews are read again at most this often, and no more than a third of the time is spent on it. */
const READ_STEP_MS = 800;
const REST_PER_READ = 2;

const connection = createStore<Connection | null>(null);
const progress = createStore<Readonly<Record<string, StageProgress>>>({});

/** Whether the pages are live. */
export const useConnection = (): Connection | null => useValue(connection);

/** How far the running review of a deck is; undefined when none runs, or before the first event. */
export const useProgress = (deckId: string): StageProgress | undefined => useStore(progress, (decks) => decks[deckId]);

/** Replaces an entry in a list that shows it. A deck that is being deleted, or is gone, leaves it. */
function withEntry(
  data: InfiniteData<DeckEntryPage> | undefined,
  deckId: string,
  entry: DeckEntry | null,
): InfiniteData<DeckEntryPage> | undefined {
  if (data === undefined || shownIn(data, deckId) === undefined) return data;
  const now = entry === null || entry.deletingAt !== null ? [] : [entry];
  const pages = data.pages.map((page) => ({
    ...page,
    items: page.items.flatMap((each) => (each.id === deckId ? now : each)),
  }));
  return { ...data, pages };
}

/** The entry as a list shows it. */
const shownIn = (data: InfiniteData<DeckEntryPage> | undefined, deckId: string): DeckEntry | undefined =>
  data?.pages.flatMap((page) => page.items).find(({ id }) => id === deckId);

/** Reads what begins with a key again soon: many calls are one reading, and readings do not overlap. */
function readerOf(queryKey: readonly string[]): (queries: QueryClient) => void {
  let isPlanned = false;
  let isAskedAgain = false;
  let restMs = READ_STEP_MS;
  const read = async (queries: QueryClient): Promise<void> => {
    isAskedAgain = false;
    const startedMs = performance.now();
    await queries.invalidateQueries({ queryKey });
    restMs = Math.max(READ_STEP_MS, REST_PER_READ * (performance.now() - startedMs));
    isPlanned = false;
    if (isAskedAgain) readSoon(queries);
  };
  const readSoon = (queries: QueryClient): void => {
    isAskedAgain = true;
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(() => void read(queries), restMs);
  };
  return readSoon;
}

/** Reads the lists of decks again soon: one that they do not show may belong into them. */
export const readListsSoon = readerOf(KEYS.decks);
/** Reads soon what is computed over many decks. */
const readOverviewsSoon = readerOf(KEYS.overview);

/** Keeps the cache up to date from the stream. Call it once. */
export function keepCacheLive(queries: QueryClient): void {
  followStream(
    {
      onEvent: (event) => {
        if (event.type === 'progress') {
          progress.set(event.data);
          return;
        }
        if (event.type === 'gone') {
          const { id } = event.data;
          void queries.invalidateQueries({ queryKey: KEYS.deck(id) });
          queries.setQueriesData<InfiniteData<DeckEntryPage>>({ queryKey: KEYS.decks }, (data) =>
            withEntry(data, id, null),
          );
          readListsSoon(queries);
          readOverviewsSoon(queries);
          return;
        }
        const entry = event.data;
        queries.setQueryData(KEYS.deck(entry.id), entry);
        void queries.invalidateQueries({ queryKey: KEYS.ofDeck(entry.id) });
        const lists = queries.getQueriesData<InfiniteData<DeckEntryPage>>({ queryKey: KEYS.decks });
        if (lists.some(([key, data]) => needsReading((key[1] ?? {}) as ListFilter, shownIn(data, entry.id), entry))) {
          readListsSoon(queries);
        }
        queries.setQueriesData<InfiniteData<DeckEntryPage>>({ queryKey: KEYS.decks }, (data) =>
          withEntry(data, entry.id, entry),
        );
        readOverviewsSoon(queries);
      },
      onReconnect: () => void queries.invalidateQueries(),
      onConnection: connection.set,
    },
    null,
  );
}
