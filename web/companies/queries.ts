/** Reads of companies, and what people change of them. */
import { infiniteQueryOptions, keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import type { DeckCompany } from '../../api/companies/schemas.ts';
import type { DeckEntry } from '../../domain/decks/list/entry.ts';
import { KEYS } from '../live/cache.ts';
import { api } from '../request.ts';

const PAGE = 50;
const FOUND = 8;

/** Pages of the list. */
export const companiesQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: [...KEYS.overview, 'companies', q],
    queryFn: ({ pageParam, signal }) =>
      api.GET('/companies', { params: { query: { q, limit: PAGE, cursor: pageParam ?? undefined } }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });

/** The first companies that fit a text, for a choice of one. */
export const companyChoicesQuery = (q: string) =>
  queryOptions({
    queryKey: [...KEYS.overview, 'company-choices', q],
    queryFn: async ({ signal }) =>
      (await api.GET('/companies', { params: { query: { q, limit: FOUND } }, signal })).items,
    placeholderData: keepPreviousData,
  });

/** One company with its decks. */
export const companyQuery = (companyId: string) =>
  queryOptions({
    queryKey: [...KEYS.overview, 'company', companyId],
    queryFn: ({ signal }) => api.GET('/companies/{id}', { params: { path: { id: companyId } }, signal }),
  });

/** Entries of these decks, by id. */
export const entriesQuery = (deckIds: readonly string[]) =>
  queryOptions({
    queryKey: [...KEYS.overview, 'entries', deckIds],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, DeckEntry>> => {
      const { items } = await api.GET('/decks', { params: { query: { ids: deckIds.join(','), limit: PAGE } }, signal });
      return new Map(items.map((entry) => [entry.id, entry]));
    },
    enabled: deckIds.length > 0,
    placeholderData: keepPreviousData,
  });

/** What people change of companies; each reads again what it changes. */
export function useCompanyChanges() {
  const queries = useQueryClient();
  const changed = async <T>(sent: Promise<T>): Promise<T> => {
    const answer = await sent;
    await Promise.all([KEYS.overview, KEYS.decks].map((queryKey) => queries.invalidateQueries({ queryKey })));
    return answer;
  };
  return {
    rename: (id: string, name: string) =>
      changed(api.PATCH('/companies/{id}', { params: { path: { id } }, body: { name } })),
    merge: (id: string, from: string) =>
      changed(api.POST('/companies/{id}/merge', { params: { path: { id } }, body: { from } })),
    putDeck: (id: string, to: DeckCompany) =>
      changed(api.PUT('/decks/{id}/company', { params: { path: { id } }, body: to })),
  };
}
