/** One company: its decks in time order, and what can be done with it. */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Columns3, Merge, Pencil } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { CompanyDetails } from '../../api/companies/schemas.ts';
import { byDeckTime } from '../../domain/decks/compare/side-by-side.ts';
import type { DeckEntry } from '../../domain/decks/list/entry.ts';
import { isComparable } from '../compare/search.ts';
import { Button, buttonClasses } from '../ui/button.tsx';
import { NotRead } from '../ui/states.tsx';
import { useWords } from '../words/language.ts';
import { CompanyDialogs, type CompanyDialog } from './dialogs.tsx';
import { CompanyDecks } from './decks.tsx';
import { companyQuery } from './queries.ts';
import { companiesWords } from './words.ts';

/** The page. */
export function CompanyPage() {
  const { companyId } = useParams({ from: '/companies/$companyId' });
  const navigate = useNavigate();
  const { data: company, error, refetch } = useQuery(companyQuery(companyId));
  const id = company?.id;
  // The address of a company that was merged leads to the one that stays.
  useEffect(() => {
    if (id !== undefined && id !== companyId) {
      void navigate({ to: '/companies/$companyId', params: { companyId: id }, replace: true });
    }
  }, [id, companyId, navigate]);
  return company === undefined ? <NotRead error={error} refetch={refetch} /> : <Company company={company} />;
}

function Company({ company }: { readonly company: CompanyDetails }) {
  const words = useWords(companiesWords);
  const [dialog, setDialog] = useState<CompanyDialog | null>(null);
  const decks = company.decks.toSorted(byDeckTime);
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const selected = chosen ?? newestTwo(decks);
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-4 px-3 py-5 sm:px-5">
      <title>{`${company.name} · Deckhand`}</title>
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="text-sm">
            <Link to="/companies" className="text-accent underline-offset-2 hover:underline">
              {words.allCompanies}
            </Link>
          </p>
          <h1 className="text-xl font-semibold break-words">{company.name}</h1>
          <p className="text-sm text-soft">
            <Link
              to="/"
              search={{ company: company.id }}
              className="text-accent underline-offset-2 hover:underline"
              title={words.inList}
            >
              {words.deckCount(decks.length)}
            </Link>
            {company.domains.map((domain) => ` · ${domain}`)}
          </p>
        </div>
        <div className="no-print flex flex-wrap gap-2">
          {decks.length < 2 ? null : <CompareLink decks={decks} selected={selected} />}
          <Button onClick={() => setDialog({ kind: 'rename' })}>
            <Pencil size={16} aria-hidden />
            {words.rename}
          </Button>
          <Button onClick={() => setDialog({ kind: 'merge' })}>
            <Merge size={16} aria-hidden />
            {words.merge}
          </Button>
        </div>
      </header>
      <CompanyDecks
        decks={decks}
        selected={selected}
        onSelect={setChosen}
        onMove={(deck) => setDialog({ kind: 'move', deck })}
      />
      <CompanyDialogs company={company} dialog={dialog} onClose={() => setDialog(null)} />
    </div>
  );
}

/** The decks that are compared before anything was chosen. */
const newestTwo = (decks: readonly DeckEntry[]): ReadonlySet<string> =>
  new Set(
    decks
      .filter(({ resultAnalysisId }) => resultAnalysisId !== null)
      .slice(-2)
      .map(({ id }) => id),
  );

function CompareLink({
  decks,
  selected,
}: {
  readonly decks: readonly DeckEntry[];
  readonly selected: ReadonlySet<string>;
}) {
  const words = useWords(companiesWords);
  const analyses = decks.flatMap(({ id, resultAnalysisId }) => (selected.has(id) ? (resultAnalysisId ?? []) : []));
  const label = (
    <>
      <Columns3 size={16} aria-hidden />
      {words.compare}
    </>
  );
  if (!isComparable(analyses.length)) {
    return (
      <Button disabled title={words.compareHint}>
        {label}
      </Button>
    );
  }
  return (
    <Link to="/compare" search={{ analyses: analyses.join(',') }} className={buttonClasses('primary')}>
      {label}
    </Link>
  );
}
