/** The other runs of a deck and the other decks of its company, to open or to compare. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import { formatMoment, formatScore } from '../../format.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { commonWords } from '../../words/common.ts';
import { deckWords } from '../../words/deck.ts';
import { useLanguage, useWords, wordFor } from '../../words/language.ts';
import { companyDecksQuery, runsQuery } from '../queries.ts';
import { runWords } from './words.ts';

interface RunsProps {
  readonly deck: DeckEntry;
  /** The review that is shown. */
  readonly analysisId: string;
  readonly onClose: () => void;
}

/** The dialog. */
export function RunsDialog({ deck, analysisId, onClose }: RunsProps) {
  const words = useWords(runWords);
  return (
    <Dialog onClose={onClose} title={words.runsTitle}>
      <Runs deck={deck} analysisId={analysisId} onClose={onClose} />
      {deck.company === null || deck.company.id === null ? null : (
        <Versions deck={deck} companyId={deck.company.id} analysisId={analysisId} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Runs({ deck, analysisId, onClose }: RunsProps) {
  const words = useWords(runWords);
  const status = useWords(deckWords).status;
  const { languages } = useWords(commonWords);
  const language = useLanguage();
  const { data: runs } = useQuery(runsQuery(deck.id));
  return (
    <Rows title={words.runsOfDeck} isEmpty={runs?.length === 0}>
      {runs?.map((run) => (
        <Row
          key={run.analysisId}
          title={formatMoment(run.createdAt, language)}
          facts={[
            status[run.status],
            languages[run.language],
            wordFor(words.models, run.models) ?? words.byModels(run.models),
            ...(run.overallScore === null ? [] : [formatScore(run.overallScore, language)]),
          ]}
          isShown={run.analysisId === analysisId}
        >
          <Link
            to="/decks/$deckId"
            params={{ deckId: deck.id }}
            search={{ analysis: run.analysisId }}
            onClick={onClose}
            className={buttonClasses()}
          >
            {words.open}
          </Link>
          <CompareLink analyses={[analysisId, run.analysisId]} />
        </Row>
      ))}
    </Rows>
  );
}

function Versions({ deck, companyId, analysisId, onClose }: RunsProps & { readonly companyId: string }) {
  const words = useWords(runWords);
  const language = useLanguage();
  const { data } = useQuery(companyDecksQuery(companyId));
  const others = data?.filter(({ id }) => id !== deck.id);
  return (
    <Rows title={words.decksOfCompany} isEmpty={others?.length === 0}>
      {others?.map((other) => (
        <Row
          key={other.id}
          title={other.fileName}
          facts={[formatMoment(other.createdAt, language), formatScore(other.score, language)]}
          isShown={false}
        >
          <Link
            to="/decks/$deckId"
            params={{ deckId: other.id }}
            search={{}}
            onClick={onClose}
            className={buttonClasses()}
          >
            {words.open}
          </Link>
          {other.resultAnalysisId === null ? null : <CompareLink analyses={[analysisId, other.resultAnalysisId]} />}
        </Row>
      ))}
    </Rows>
  );
}

function CompareLink({ analyses }: { readonly analyses: readonly string[] }) {
  const words = useWords(runWords);
  return (
    <Link to="/compare" search={{ analyses: analyses.join(',') }} className={buttonClasses('quiet')}>
      {words.compare}
    </Link>
  );
}

function Rows({
  title,
  isEmpty,
  children,
}: {
  readonly title: string;
  readonly isEmpty: boolean;
  readonly children: ReactNode;
}) {
  const words = useWords(runWords);
  return (
    <section>
      <h3 className="mb-1 text-sm font-medium text-soft">{title}</h3>
      {isEmpty ? <p className="text-sm text-soft">{words.noOthers}</p> : null}
      <ul className="divide-y divide-line">{children}</ul>
    </section>
  );
}

function Row({
  title,
  facts,
  isShown,
  children,
}: {
  readonly title: string;
  readonly facts: readonly string[];
  readonly isShown: boolean;
  readonly children: ReactNode;
}) {
  const words = useWords(runWords);
  return (
    <li className="flex flex-wrap items-center gap-2 py-2 text-sm">
      <div className="min-w-0 grow">
        <p className="truncate font-medium">{title}</p>
        <p className="text-soft">{facts.join(' · ')}</p>
      </div>
      {isShown ? <span className="text-soft">{words.shown}</span> : children}
    </li>
  );
}
