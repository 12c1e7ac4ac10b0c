/** Reads of decks. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { DeckEntry, DeckEntryPage } from '../../domain/decks/list/entry.ts';
import { KEYS } from '../live/cache.ts';
import { getJson } from '../request.ts';
import type { DecksSearch } from './search.ts';

const PAGE = 50;

/** Pages of the list under a filter. */
export const decksQuery = (search: DecksSearch) =>
  infiniteQueryOptions({
    queryKey: [...KEYS.decks, search],
    queryFn: ({ pageParam, signal }) =>
      getJson<DeckEntryPage>('/decks', { ...search, limit: PAGE, cursor: pageParam ?? undefined }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });

/** One deck. */
export const deckQuery = (deckId: string) =>
  queryOptions({
    queryKey: KEYS.deck(deckId),
    queryFn: ({ signal }) => getJson<DeckEntry>(`/decks/${encodeURIComponent(deckId)}`, {}, signal),
  });
