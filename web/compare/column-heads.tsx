/** The names of the compared reviews above their columns, with what can be done with each. */
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { byDeckTime } from '../../domain/decks/compare/side-by-side.ts';
import { companyDecksQuery, runsQuery } from '../review/queries.ts';
import { IconButton } from '../ui/button.tsx';
import { MenuItem, MenuLink, MoreMenu } from '../ui/menu.tsx';
import { tell, tellError } from '../ui/toast.tsx';
import { useWords } from '../words/language.ts';
import { Letter } from './beside.tsx';
import type { Column } from './model.ts';
import { compareWords } from './words.ts';

/** What a head can do to the comparison. */
export interface ColumnActions {
  readonly ids: readonly string[];
  readonly canAdd: boolean;
  readonly add: (analysisId: string) => void;
  readonly remove: (analysisId: string) => void;
}

/** The heads; they stay in view where columns stand side by side. */
export function ColumnHeads({
  columns,
  actions,
}: {
  readonly columns: readonly Column[];
  readonly actions: ColumnActions;
}) {
  return (
    <ul className="z-20 flex flex-col gap-1 border-b border-line bg-panel px-3 py-2 sm:px-5 beside:sticky beside:top-13 beside:grid beside:grid-cols-(--beside) beside:gap-x-4 print:static">
      <li aria-hidden className="hidden beside:block" />
      {columns.map((column) => (
        <li key={column.report.analysisId} className="flex min-w-0 items-start gap-2">
          <Letter column={column} />
          <div className="min-w-0 grow">
            <Link
              to="/decks/$deckId"
              params={{ deckId: column.deck.id }}
              search={{ analysis: column.report.analysisId }}
              className="block truncate font-semibold hover:underline"
              title={column.name}
            >
              {column.name}
            </Link>
            {column.detail === '' ? null : (
              <p className="truncate text-xs text-soft" title={column.detail}>
                {column.detail}
              </p>
            )}
          </div>
          <ColumnMenu column={column} actions={actions} />
        </li>
      ))}
    </ul>
  );
}

function ColumnMenu({ column, actions }: { readonly column: Column; readonly actions: ColumnActions }) {
  const words = useWords(compareWords);
  const queries = useQueryClient();
  const { deck, report } = column;
  const addFirst = (candidates: readonly string[], nothing: string): void => {
    const next = candidates.find((id) => !actions.ids.includes(id));
    if (next === undefined) tell(nothing);
    else actions.add(next);
  };
  const addVersion = async (companyId: string): Promise<void> => {
    const decks = await queries.fetchQuery(companyDecksQuery(companyId));
    const before = decks.filter((each) => each.id !== deck.id && byDeckTime(each, deck) < 0);
    const newestFirst = before.toSorted((a, b) => byDeckTime(b, a));
    addFirst(
      newestFirst.flatMap(({ resultAnalysisId }) => resultAnalysisId ?? []),
      words.noPreviousVersion,
    );
  };
  const addRun = async (): Promise<void> => {
    const runs = await queries.fetchQuery(runsQuery(deck.id));
    const before = runs.filter(({ createdAt, taskType }) => taskType === null && createdAt < report.createdAt);
    addFirst(
      before.map(({ analysisId }) => analysisId),
      words.noPreviousRun,
    );
  };
  const companyId = deck.company?.id ?? null;
  return (
    <span className="no-print flex shrink-0">
      <MoreMenu label={words.more(column.name)} className="min-h-7 min-w-7 px-1">
        <MenuLink>
          <Link to="/decks/$deckId" params={{ deckId: deck.id }} search={{ analysis: report.analysisId }}>
            {words.openReview}
          </Link>
        </MenuLink>
        {companyId === null ? null : (
          <MenuItem disabled={!actions.canAdd} onSelect={() => void addVersion(companyId).catch(tellError)}>
            {words.previousVersion}
          </MenuItem>
        )}
        <MenuItem disabled={!actions.canAdd} onSelect={() => void addRun().catch(tellError)}>
          {words.previousRun}
        </MenuItem>
      </MoreMenu>
      <IconButton
        label={words.remove(column.name)}
        className="min-h-7 min-w-7 px-1"
        onClick={() => actions.remove(report.analysisId)}
      >
        <X size={16} aria-hidden />
      </IconButton>
    </span>
  );
}
