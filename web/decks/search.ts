/** What the address of the deck list holds: the filter, the order and the search, under the names of the API's query. */
import type { EntrySort } from '../../domain/decks/list/entry.ts';

/** Filters of the list; several values of one filter are joined by commas. */
export interface DecksSearch {
  readonly q?: string;
  readonly sort?: EntrySort | `-${EntrySort}`;
  readonly status?: string;
  readonly sector?: string;
  readonly company?: string;
  readonly decision?: string;
  readonly assignee?: string;
  readonly owner?: string;
  readonly tag?: string;
  readonly attention?: string;
  readonly since?: string;
  readonly until?: string;
  readonly minScore?: string;
  readonly maxScore?: string;
  readonly minCoverage?: string;
}

/** Names of the filters, as the API and the address have them. */
export const FILTERS = [
  'q',
  'status',
  'sector',
  'company',
  'decision',
  'assignee',
  'owner',
  'tag',
  'attention',
  'since',
  'until',
  'minScore',
  'maxScore',
  'minCoverage',
] as const satisfies readonly (keyof DecksSearch)[];

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
