/** What the address of the deck list holds: the filter, the order and the search, under the names of the API's query. */
import type { EntrySort } from '../../domain/decks/list/entry.ts';

/** Names of the filters, as the API and the address have them. */
export const FILTERS = [
  'q',
  'status',
  'sector',
  'kind',
  'round',
  'company',
  'decision',
  'assignee',
  'owner',
  'tag',
  'attention',
  'answering',
  'since',
  'until',
  'minScore',
  'maxScore',
  'minCoverage',
] as const;

/** Filters of the list; several values of one filter are joined by commas. */
export type DecksSearch = Readonly<Partial<Record<(typeof FILTERS)[number], string>>> & {
  readonly sort?: EntrySort | `-${EntrySort}`;
};

/** The search of a page, and what changes it. */
export interface SearchProps {
  readonly search: DecksSearch;
  readonly onSearch: (search: DecksSearch) => void;
}

/** Reads the search of an address; what is not a filter is left out, and the API refuses values that it does not know. */
export function readDecksSearch(given: Readonly<Record<string, unknown>>): DecksSearch {
  const entries = [...FILTERS, 'sort'].flatMap((name) => {
    const value = given[name];
    // The router reads numbers and truth values as such.
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return [];
    return String(value) === '' ? [] : [[name, String(value)] as const];
  });
  return Object.fromEntries(entries);
}
