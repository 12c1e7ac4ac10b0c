/** Reads of decks. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Answer } from '../../api/paths.ts';
import type { DeckEntry, DeckEntryPage } from '../../domain/decks/list/entry.ts';
import { KEYS } from '../live/cache.ts';
import { api } from '../request.ts';
import type { DecksSearch } from './search.ts';

/** Decks of the first page; later ones are larger, because a long list is read again page by page. */
const FIRST_PAGE = 50;
const LATER_PAGE = 200;

/** Pages of the list under a filter. While another filter is read, the list before it stays. */
export const decksQuery = (search: DecksSearch) =>
  infiniteQueryOptions({
    queryKey: [...KEYS.decks, search],
    queryFn: ({ pageParam: cursor, signal }) => readDecks(search, cursor, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });

const readDecks = (search: DecksSearch, cursor: string | null, signal?: AbortSignal): Promise<DeckEntryPage> => {
  const query = { ...search, limit: cursor === null ? FIRST_PAGE : LATER_PAGE, cursor: cursor ?? undefined };
  return api.GET('/decks', { params: { query }, signal: signal ?? null });
};

/** Every deck that fits a search, read page by page. */
export async function readAllDecks(search: DecksSearch): Promise<DeckEntry[]> {
  const decks: DeckEntry[] = [];
  let cursor: string | null = null;
  do {
    const page: DeckEntryPage = await readDecks(search, cursor);
    decks.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return decks;
}

/** How many decks fit a search. */
export const countQuery = (search: DecksSearch) =>
  queryOptions({
    queryKey: [...KEYS.overview, 'count', search],
    queryFn: async ({ signal }) =>
      (await api.GET('/decks', { params: { query: { ...search, limit: 1 } }, signal })).total,
    placeholderData: keepPreviousData,
  });

/** Values to filter by. */
export type Facets = Answer<'get', '/decks/facets'>;

/** Values to filter by; those of one filter are counted among the decks that fit the others. */
export const facetsQuery = ({ sort: _sort, ...filter }: DecksSearch) =>
  queryOptions({
    queryKey: [...KEYS.overview, 'facets', filter],
    queryFn: ({ signal }) => api.GET('/decks/facets', { params: { query: filter }, signal }),
    placeholderData: keepPreviousData,
  });

/** Names of the people that decks can be assigned to. */
export const peopleQuery = queryOptions({
  queryKey: ['people'],
  queryFn: async ({ signal }) => (await api.GET('/people', { signal })).items.map(({ name }) => name),
});

/** A filter that people gave a name. Its query is as in the address of the list. */
export type SavedView = Answer<'get', '/views'>['items'][number];

/** The saved views. */
export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: async ({ signal }) => (await api.GET('/views', { signal })).items,
});

/** A sample deck that comes with Deckhand. */
export type Sample = Answer<'get', '/samples'>['items'][number];

/** The sample decks. */
export const samplesQuery = queryOptions({
  queryKey: ['samples'],
  queryFn: async ({ signal }) => (await api.GET('/samples', { signal })).items,
  staleTime: Infinity,
});

/** One deck. */
export const deckQuery = (deckId: string) =>
  queryOptions({
    queryKey: KEYS.deck(deckId),
    queryFn: ({ signal }) => api.GET('/decks/{id}', { params: { path: { id: deckId } }, signal }),
  });
