/** Reads of decks. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { DeckEntry, DeckEntryPage } from '../../domain/decks/list/entry.ts';
import { KEYS } from '../live/cache.ts';
import { getJson } from '../request.ts';
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

const readDecks = (search: DecksSearch, cursor: string | null, signal?: AbortSignal): Promise<DeckEntryPage> =>
  getJson(
    '/decks',
    { ...search, limit: cursor === null ? FIRST_PAGE : LATER_PAGE, cursor: cursor ?? undefined },
    signal,
  );

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
    queryFn: async ({ signal }) => (await getJson<DeckEntryPage>('/decks', { ...search, limit: 1 }, signal)).total,
    placeholderData: keepPreviousData,
  });

/** A value to filter by, and how many decks have it. */
export interface FacetValue {
  readonly value: string;
  readonly count: number;
}

/** Values to filter by. */
export interface Facets {
  readonly statuses: readonly FacetValue[];
  readonly attention: readonly FacetValue[];
  readonly sectors: readonly FacetValue[];
  readonly decisions: readonly FacetValue[];
  readonly assignees: readonly FacetValue[];
  readonly owners: readonly FacetValue[];
  readonly tags: readonly FacetValue[];
}

/** Values to filter by; those of one filter are counted among the decks that fit the others. */
export const facetsQuery = ({ sort: _sort, ...filter }: DecksSearch) =>
  queryOptions({
    queryKey: [...KEYS.overview, 'facets', filter],
    queryFn: ({ signal }) => getJson<Facets>('/decks/facets', filter, signal),
    placeholderData: keepPreviousData,
  });

/** Names of the people that decks can be assigned to. */
export const peopleQuery = queryOptions({
  queryKey: ['people'],
  queryFn: async ({ signal }) => {
    const { items } = await getJson<{ readonly items: readonly { readonly name: string }[] }>('/people', {}, signal);
    return items.map(({ name }) => name);
  },
});

/** A filter that people gave a name. */
export interface SavedView {
  readonly id: string;
  readonly name: string;
  /** As in the address of the list. */
  readonly query: string;
}

/** The saved views. */
export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: async ({ signal }) => (await getJson<{ readonly items: readonly SavedView[] }>('/views', {}, signal)).items,
});

/** A sample deck that comes with Deckhand. */
export interface Sample {
  readonly name: string;
  readonly fileName: string;
  readonly slides: number;
}

/** The sample decks. */
export const samplesQuery = queryOptions({
  queryKey: ['samples'],
  queryFn: async ({ signal }) => (await getJson<{ readonly items: readonly Sample[] }>('/samples', {}, signal)).items,
  staleTime: Infinity,
});

/** One deck. */
export const deckQuery = (deckId: string) =>
  queryOptions({
    queryKey: KEYS.deck(deckId),
    queryFn: ({ signal }) => getJson<DeckEntry>(`/decks/${encodeURIComponent(deckId)}`, {}, signal),
  });
