/** Search, filters and saved views of the deck list. What is set stands as a chip that opens its controls. */
import { ChevronLeft, ChevronRight, ListFilter, X } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { formatDay, formatShare } from '../../format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { Loading } from '../../ui/states.tsx';
import { useLanguage, useWords } from '../../words/language.ts';
import type { DecksSearch, SearchProps } from '../search.ts';
import {
  FILTER_KINDS,
  type FilterKind,
  isFiltered,
  kindsSet,
  LIST_FILTERS,
  valuesOf,
  withoutFilters,
  withoutKind,
  withParameter,
} from './filter.ts';
import { SearchBox } from './search-box.tsx';
import { useValueName } from './value-name.ts';
import { filterWords } from './words.ts';

const LazyEditor = lazy(async () => ({ default: (await import('./editor.tsx')).FilterEditor }));

const FilterEditor = (props: SearchProps & { readonly kind: FilterKind }) => (
  <Suspense fallback={<Loading />}>
    <LazyEditor {...props} />
  </Suspense>
);

/** The bar; `children` stand at its end. */
export function FilterBar({ search, onSearch, children }: SearchProps & { readonly children: ReactNode }) {
  const words = useWords(filterWords);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchBox value={search.q ?? ''} onSearch={(q) => onSearch(withParameter(search, 'q', q))} />
      <FilterMenu search={search} onSearch={onSearch} />
      {kindsSet(search).map((kind) => (
        <Chip key={kind} kind={kind} search={search} onSearch={onSearch} />
      ))}
      {search.company === undefined ? null : (
        <Removable name={words.company} onRemove={() => onSearch(withParameter(search, 'company', ''))}>
          <span className="px-2.5">{words.company}</span>
        </Removable>
      )}
      {isFiltered(search) ? (
        <Button look="quiet" onClick={() => onSearch(withoutFilters(search))}>
          {words.clear}
        </Button>
      ) : null}
      <div className="ml-auto flex items-center gap-1">{children}</div>
    </div>
  );
}

/** All filters: a list of kinds, then the controls of the one that was chosen. */
function FilterMenu({ search, onSearch }: SearchProps) {
  const words = useWords(filterWords);
  const [kind, setKind] = useState<FilterKind | null>(null);
  return (
    <Popover
      label={words.filters}
      onOpen={() => setKind(null)}
      trigger={
        <Button>
          <ListFilter size={16} aria-hidden />
          {words.filter}
        </Button>
      }
    >
      {kind === null ? (
        <ul className="-m-1.5">
          {FILTER_KINDS.map((each) => (
            <li key={each}>
              <Button look="quiet" className="w-full justify-between font-normal" onClick={() => setKind(each)}>
                {words.kinds[each]}
                <ChevronRight size={16} aria-hidden className="text-soft" />
              </Button>
            </li>
          ))}
        </ul>
      ) : (
        <div className="flex flex-col gap-2">
          <div className="-mx-1.5 -mt-1.5 flex items-center gap-1 font-medium">
            <IconButton autoFocus label={words.back} onClick={() => setKind(null)}>
              <ChevronLeft size={16} aria-hidden />
            </IconButton>
            {words.kinds[kind]}
          </div>
          <FilterEditor kind={kind} search={search} onSearch={onSearch} />
        </div>
      )}
    </Popover>
  );
}

/** A filter that is set. */
function Chip({ kind, search, onSearch }: SearchProps & { readonly kind: FilterKind }) {
  const words = useWords(filterWords);
  const text = useFilterText(kind, search);
  return (
    <Removable name={words.kinds[kind]} onRemove={() => onSearch(withoutKind(search, kind))}>
      <Popover
        label={words.kinds[kind]}
        trigger={
          <button
            type="button"
            title={words.change(words.kinds[kind])}
            className="flex min-h-8.5 min-w-0 items-center gap-1 rounded-l-md px-2.5 hover:bg-raised"
          >
            <span className="text-soft">{words.kinds[kind]}</span>
            <span className="max-w-44 truncate font-medium">{text}</span>
          </button>
        }
      >
        <FilterEditor kind={kind} search={search} onSearch={onSearch} />
      </Popover>
    </Removable>
  );
}

function Removable({
  name,
  onRemove,
  children,
}: {
  readonly name: string;
  readonly onRemove: () => void;
  readonly children: ReactNode;
}) {
  const words = useWords(filterWords);
  return (
    <div className="flex max-w-full items-center rounded-md border border-line bg-panel text-sm">
      {children}
      <IconButton label={words.remove(name)} className="min-h-8.5 min-w-8 rounded-l-none px-1" onClick={onRemove}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  );
}

/** What a filter lets through, in words. */
function useFilterText(kind: FilterKind, search: DecksSearch): string {
  const words = useWords(filterWords);
  const language = useLanguage();
  const nameOf = useValueName();
  const day = (value: string | undefined): string | undefined =>
    value !== undefined && /^\d{4}-/u.test(value) ? formatDay(value, language) : value;
  switch (kind) {
    case 'score':
      return words.range(search.minScore, search.maxScore);
    case 'coverage':
      return words.range(formatShare(Number(search.minCoverage), language), undefined);
    case 'created':
      return words.range(day(search.since), day(search.until));
    default: {
      const name = LIST_FILTERS.find((each) => each === kind) ?? 'status';
      return valuesOf(search, name)
        .map((value) => nameOf(name, value))
        .join(', ');
    }
  }
}
