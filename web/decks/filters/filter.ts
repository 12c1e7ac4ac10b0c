/** The filter of the deck list as the pages change it: values of one filter, what is set, and which order a header asks for next. */
import type { EntrySort } from '../../../domain/decks/list/entry.ts';
import { FILTERS, type DecksSearch } from '../search.ts';

/** Filters with a list of values to choose from. */
export const LIST_FILTERS = [
  'status',
  'attention',
  'answering',
  'sector',
  'kind',
  'round',
  'decision',
  'assignee',
  'owner',
  'tag',
] as const;
export type ListFilterName = (typeof LIST_FILTERS)[number];

/** What can be filtered by in the menu of filters. */
export const FILTER_KINDS = [...LIST_FILTERS, 'score', 'coverage', 'created'] as const;
export type FilterKind = (typeof FILTER_KINDS)[number];

/** Parameters that a kind sets. */
export const PARAMETERS: Readonly<Record<FilterKind, readonly (keyof DecksSearch)[]>> = {
  status: ['status'],
  attention: ['attention'],
  answering: ['answering'],
  sector: ['sector'],
  kind: ['kind'],
  round: ['round'],
  decision: ['decision'],
  assignee: ['assignee'],
  owner: ['owner'],
  tag: ['tag'],
  score: ['minScore', 'maxScore'],
  coverage: ['minCoverage'],
  created: ['since', 'until'],
};

/** Chosen values of one filter. */
export const valuesOf = (search: DecksSearch, name: ListFilterName): readonly string[] =>
  search[name]?.split(',').filter((value) => value !== '') ?? [];

/** The search with other values of one filter. */
export function withValues(search: DecksSearch, name: ListFilterName, values: readonly string[]): DecksSearch {
  const { [name]: _before, ...rest } = search;
  return values.length === 0 ? rest : { ...rest, [name]: values.join(',') };
}

/** The search with one value more, or without it. */
export function toggled(search: DecksSearch, name: ListFilterName, value: string): DecksSearch {
  const values = valuesOf(search, name);
  return withValues(
    search,
    name,
    values.includes(value) ? values.filter((each) => each !== value) : [...values, value],
  );
}

/** The search with one parameter set, or without it for an empty value. */
export function withParameter(search: DecksSearch, name: keyof DecksSearch, value: string): DecksSearch {
  const { [name]: _before, ...rest } = search;
  return value === '' ? rest : { ...rest, [name]: value };
}

/** The search without a kind of filter. */
export function withoutKind(search: DecksSearch, kind: FilterKind): DecksSearch {
  const names: readonly string[] = PARAMETERS[kind];
  return Object.fromEntries(Object.entries(search).filter(([name]) => !names.includes(name)));
}

/** Kinds that are set, in the order of the menu. */
export const kindsSet = (search: DecksSearch): readonly FilterKind[] =>
  FILTER_KINDS.filter((kind) => PARAMETERS[kind].some((name) => search[name] !== undefined));

/** Whether anything limits the list. */
export const isFiltered = (search: DecksSearch): boolean => FILTERS.some((name) => search[name] !== undefined);

/** The search without anything that limits the list. */
export const withoutFilters = ({ sort }: DecksSearch): DecksSearch => (sort === undefined ? {} : { sort });

/** What is sorted by, and whether downwards. */
export interface Order {
  readonly by: EntrySort;
  readonly down: boolean;
}

const NEWEST_FIRST = '-created';

/** The order of a search; newest first by default. */
export function orderOf({ sort = NEWEST_FIRST }: DecksSearch): Order {
  const down = sort.startsWith('-');
  return { by: (down ? sort.slice(1) : sort) as EntrySort, down };
}

/** Names and states read upwards first, numbers downwards. */
const UPWARDS_FIRST: ReadonlySet<EntrySort> = new Set(['company', 'sector', 'status']);

/** The search with the order that a click on a header asks for: its own, then the other way, then newest first again. */
export function sortedNext(search: DecksSearch, by: EntrySort): DecksSearch {
  const now = orderOf(search);
  const first = !UPWARDS_FIRST.has(by);
  if (now.by !== by) return withOrder(search, { by, down: first });
  return now.down === first
    ? withOrder(search, { by, down: !first })
    : withOrder(search, { by: 'created', down: true });
}

/** The search with an order. */
export function withOrder(search: DecksSearch, { by, down }: Order): DecksSearch {
  const { sort: _before, ...rest } = search;
  const sort: DecksSearch['sort'] = down ? `-${by}` : by;
  return sort === NEWEST_FIRST ? rest : { ...rest, sort };
}
