/** The start page: the list of decks, which files are dropped on, with search, filters and what can be done with a selection. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ComponentProps, lazy, Suspense, useCallback, useEffect } from 'react';
import { Failed } from '../ui/states.tsx';
import { commonWords } from '../words/common.ts';
import { useWords } from '../words/language.ts';
import { ExportMenu } from './actions/export.tsx';
import { OpenDialog } from './actions/open-dialog.tsx';
import { NoDecks } from './empty.tsx';
import { FilterBar } from './filters/bar.tsx';
import { isFiltered } from './filters/filter.ts';
import { ViewsMenu } from './filters/views-menu.tsx';
import { DecksHeader } from './header.tsx';
import { DeckList } from './list/list.tsx';
import { SortMenu } from './list/sort-menu.tsx';
import { decksQuery } from './queries.ts';
import type { DecksSearch } from './search.ts';
import { clearSelection, useHasSelection } from './selection/store.ts';
import { DropPage } from './uploads/drop.tsx';
import { useUploadCount } from './uploads/queue.ts';
import { UploadSummary } from './uploads/summary.tsx';

// What is only needed after a press is not part of the first page.
const SelectionBar = lazy(async () => ({ default: (await import('./selection/bar.tsx')).SelectionBar }));

/** The page. */
export function DecksPage() {
  const search = useSearch({ from: '/' });
  const navigate = useNavigate({ from: '/' });
  const query = useInfiniteQuery(decksQuery(search));
  const { data, error, refetch } = query;
  // Each filter is a step back in the history, letters of a search are not.
  const onSearch = useCallback(
    (next: DecksSearch) => void navigate({ search: next, replace: next.q !== search.q, resetScroll: false }),
    [navigate, search.q],
  );
  const { sort: _sort, ...filter } = search;
  const filterKey = JSON.stringify(filter);
  // What is no longer in the list must not be changed with the rest.
  useEffect(() => clearSelection, [filterKey]);
  const total = data?.pages.at(-1)?.total;
  const hasUploads = useUploadCount() > 0;
  const isEmpty = total === 0 && !hasUploads && !isFiltered(search);
  return (
    <DropPage>
      {(openFiles) => {
        const empty = <NoDecks search={search} onSearch={onSearch} onAdd={openFiles} />;
        return (
          <div className="flex grow flex-col gap-3 p-3 min-[900px]:h-[calc(100dvh-3.25rem)] sm:px-5 sm:py-4">
            <DecksHeader search={search} onSearch={onSearch} total={total} onAdd={openFiles} />
            {isEmpty ? null : (
              <FilterBar search={search} onSearch={onSearch}>
                <SortMenu search={search} onSearch={onSearch} />
                <ViewsMenu search={search} onSearch={onSearch} />
                <ExportMenu search={search} />
              </FilterBar>
            )}
            <UploadSummary />
            {isEmpty ? (
              empty
            ) : data !== undefined ? (
              <DeckList query={query} search={search} onSearch={onSearch} empty={hasUploads ? null : empty} />
            ) : error === null ? (
              <ListSkeleton />
            ) : (
              <Failed error={error} onRetry={() => void refetch()} />
            )}
            <Selected search={search} total={total ?? 0} />
            <OpenDialog />
          </div>
        );
      }}
    </DropPage>
  );
}

/** What can be done with the selection, while there is one. */
function Selected(props: ComponentProps<typeof SelectionBar>) {
  return useHasSelection() ? (
    <Suspense>
      <SelectionBar {...props} />
    </Suspense>
  ) : null;
}

const SKELETON_ROWS = 8;

/** The list before it was read: grey rows in its place, so that nothing jumps. */
function ListSkeleton() {
  const words = useWords(commonWords);
  return (
    <div role="status" className="overflow-hidden rounded-lg border border-line bg-panel">
      <span className="sr-only">{words.loading}</span>
      {Array.from({ length: SKELETON_ROWS }, (_, row) => (
        <div key={row} aria-hidden className="flex h-14 animate-pulse items-center gap-4 border-b border-line px-4">
          <span className="size-4 rounded bg-raised" />
          <span className="h-4 w-48 rounded bg-raised" />
          <span className="h-4 grow rounded bg-raised" />
        </div>
      ))}
    </div>
  );
}
