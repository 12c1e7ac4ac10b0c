/** The companies that decks are of. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { CompanyDocument } from '../../api/companies/schemas.ts';
import type { DeckEntry } from '../../domain/decks/list/entry.ts';
import { SearchBox } from '../decks/filters/search-box.tsx';
import { Score } from '../decks/list/cells.tsx';
import { formatCount, formatDay } from '../format.ts';
import { Button } from '../ui/button.tsx';
import { Empty, NotRead, ToDecks } from '../ui/states.tsx';
import { ColumnHead, RowHead, Table } from '../ui/table.tsx';
import { useLanguage, useWords } from '../words/language.ts';
import { companiesQuery, entriesQuery } from './queries.ts';
import { companiesWords } from './words.ts';

/** The page. */
export function CompaniesPage() {
  const words = useWords(companiesWords);
  const language = useLanguage();
  const { q = '' } = useSearch({ from: '/companies' });
  const navigate = useNavigate({ from: '/companies' });
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(companiesQuery(q));
  const companies = data?.pages.flatMap(({ items }) => items);
  const total = data?.pages[0]?.total;
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-4 px-3 py-5 sm:px-5">
      <title>{`${words.title} · Deckhand`}</title>
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="text-xl font-semibold">{words.title}</h1>
        {total === undefined ? null : (
          <p role="status" className="text-sm text-soft">
            {words.total(formatCount(total, language))}
          </p>
        )}
        <div className="no-print flex grow justify-end">
          <SearchBox
            value={q}
            label={words.search}
            hint={words.searchHint}
            onSearch={(next) => void navigate({ search: next === '' ? {} : { q: next }, replace: true })}
          />
        </div>
      </header>
      {companies === undefined ? (
        <NotRead error={error} refetch={refetch} />
      ) : companies.length === 0 ? (
        <Nothing isSearch={q !== ''} />
      ) : (
        <>
          <CompanyTable companies={companies} />
          {hasNextPage ? (
            <Button className="self-center" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {words.loadMore}
            </Button>
          ) : null}
        </>
      )}
    </div>
  );
}

function Nothing({ isSearch }: { readonly isSearch: boolean }) {
  const words = useWords(companiesWords);
  return isSearch ? (
    <Empty title={words.nothingFits}>
      <p className="text-soft">{words.nothingFitsHint}</p>
    </Empty>
  ) : (
    <Empty title={words.emptyTitle}>
      <p className="text-soft">{words.emptyText}</p>
      <ToDecks />
    </Empty>
  );
}

function CompanyTable({ companies }: { readonly companies: readonly CompanyDocument[] }) {
  const words = useWords(companiesWords);
  const { data: entries } = useQuery(entriesQuery(companies.flatMap(({ newestDeck }) => newestDeck?.id ?? [])));
  return (
    <Table
      className="table-fixed"
      head={
        <>
          <ColumnHead>{words.company}</ColumnHead>
          <ColumnHead className="w-16 text-right">{words.decks}</ColumnHead>
          <ColumnHead className="hidden  sm:table-cell">{words.newestDeck}</ColumnHead>
          <ColumnHead className="w-24 text-right">{words.score}</ColumnHead>
        </>
      }
    >
      {companies.map((company) => (
        <Row key={company.id} company={company} newest={entries?.get(company.newestDeck?.id ?? '')} />
      ))}
    </Table>
  );
}

function Row({ company, newest }: { readonly company: CompanyDocument; readonly newest: DeckEntry | undefined }) {
  const language = useLanguage();
  const { id, name, domains, deckCount, newestDeck } = company;
  return (
    <tr className="border-b border-line align-top last:border-0">
      <RowHead>
        <Link
          to="/companies/$companyId"
          params={{ companyId: id }}
          className="font-medium break-words text-accent underline-offset-2 hover:underline"
        >
          {name}
        </Link>
        {domains.length === 0 ? null : <span className="block truncate text-xs text-soft">{domains.join(', ')}</span>}
      </RowHead>
      <td className="px-3 py-2 text-right tabular-nums">{formatCount(deckCount, language)}</td>
      <td className="hidden px-3 py-2 sm:table-cell">
        {newestDeck === null ? (
          '–'
        ) : (
          <>
            <Link
              to="/decks/$deckId"
              params={{ deckId: newestDeck.id }}
              className="block truncate underline-offset-2 hover:underline"
              title={newestDeck.fileName}
            >
              {newestDeck.fileName}
            </Link>
            <span className="text-xs text-soft">{formatDay(newestDeck.createdAt, language)}</span>
          </>
        )}
      </td>
      <td className="px-3 py-2 text-right tabular-nums">{newest === undefined ? null : <Score deck={newest} />}</td>
    </tr>
  );
}
