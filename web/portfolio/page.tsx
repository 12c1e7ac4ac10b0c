/** Figures over many decks, under the same filters as the list. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { FilterBar } from '../decks/filters/bar.tsx';
import { isFiltered } from '../decks/filters/filter.ts';
import type { DecksSearch } from '../decks/search.ts';
import { formatCount } from '../format.ts';
import { KEYS } from '../live/cache.ts';
import { api } from '../request.ts';
import { Button, buttonClasses } from '../ui/button.tsx';
import { Empty, NotRead } from '../ui/states.tsx';
import { useLanguage, useWords } from '../words/language.ts';
import {
  Answering,
  Asks,
  Coverage,
  Decisions,
  Evidence,
  Markets,
  OverTime,
  Rounds,
  Scores,
  Sectors,
} from './charts.tsx';
import type { Portfolio } from './figures.ts';
import { portfolioWords } from './words.ts';

/** The page. */
export function PortfolioPage() {
  const words = useWords(portfolioWords);
  const language = useLanguage();
  const { sort: _sort, ...filter } = useSearch({ from: '/portfolio' });
  const navigate = useNavigate({ from: '/portfolio' });
  const go = (next: DecksSearch): void => void navigate({ search: next, replace: next.q !== filter.q });
  const { data, error, refetch } = useQuery({
    queryKey: [...KEYS.overview, 'portfolio', filter],
    queryFn: ({ signal }) => api.GET('/decks/portfolio', { params: { query: filter }, signal }),
    placeholderData: keepPreviousData,
  });
  const isNarrowed = isFiltered(filter);
  const isEmpty = data?.total === 0;
  return (
    <div className="flex flex-col gap-4 px-3 py-4 sm:px-5">
      <title>{`${words.title} · Deckhand`}</title>
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="text-xl font-semibold">{words.title}</h1>
        {data === undefined ? null : (
          <p role="status" className="text-sm text-soft">
            {words.decks(data.total, formatCount(data.total, language))}
          </p>
        )}
        <Link
          to="/"
          search={filter}
          className="no-print ml-auto text-sm text-accent underline-offset-2 hover:underline"
        >
          {words.toList}
        </Link>
      </header>
      {isEmpty && !isNarrowed ? null : (
        <div className="no-print">
          <FilterBar search={filter} onSearch={go}>
            {null}
          </FilterBar>
        </div>
      )}
      {data === undefined ? (
        <NotRead error={error} refetch={refetch} />
      ) : isEmpty ? (
        <Nothing isNarrowed={isNarrowed} onClear={() => go({})} />
      ) : (
        <Charts portfolio={data} filter={filter} />
      )}
    </div>
  );
}

function Nothing({ isNarrowed, onClear }: { readonly isNarrowed: boolean; readonly onClear: () => void }) {
  const words = useWords(portfolioWords);
  return isNarrowed ? (
    <Empty title={words.nothingFits}>
      <Button onClick={onClear}>{words.clear}</Button>
    </Empty>
  ) : (
    <Empty title={words.emptyTitle}>
      <p className="text-soft">{words.emptyText}</p>
      <Link to="/" className={buttonClasses('primary')}>
        {words.toDecks}
      </Link>
    </Empty>
  );
}

function Charts(props: { readonly portfolio: Portfolio; readonly filter: DecksSearch }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
      <Sectors {...props} />
      {props.portfolio.byRules ? <Evidence {...props} /> : <Scores {...props} />}
      <OverTime {...props} />
      <Asks {...props} />
      <Markets {...props} />
      <div className="flex flex-col gap-4">
        <Rounds {...props} />
        <Decisions {...props} />
      </div>
      <div className="flex flex-col gap-4">
        <Coverage {...props} />
        <Answering portfolio={props.portfolio} />
      </div>
    </div>
  );
}
