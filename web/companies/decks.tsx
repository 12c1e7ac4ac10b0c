/** The decks of a company, oldest first: how ask and score went from one to the next. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DeckEntry } from '../../domain/decks/list/entry.ts';
import { evidenceFigure } from '../../domain/decks/list/rank.ts';
import type { Language } from '../../domain/models/model-tasks.ts';
import { Ask, DecisionBadge, KindBadge, Market, Score } from '../decks/list/cells.tsx';
import { DeckStatus } from '../decks/list/status.tsx';
import { formatDay, formatDeckDate, formatShare, formatSigned } from '../format.ts';
import { MenuItem, MenuLink, MoreMenu } from '../ui/menu.tsx';
import { ColumnHead, RowHead, Table } from '../ui/table.tsx';
import { useLanguage, useWords } from '../words/language.ts';
import { companiesWords } from './words.ts';

interface DecksProps {
  readonly decks: readonly DeckEntry[];
  /** Ids of those that are compared. */
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
  readonly onMove: (deck: DeckEntry) => void;
}

/** The table. */
export function CompanyDecks({ decks, selected, onSelect, onMove }: DecksProps) {
  const words = useWords(companiesWords);
  const isSeveral = decks.length > 1;
  const toggle = (id: string, on: boolean): void =>
    onSelect(new Set(on ? [...selected, id] : [...selected].filter((each) => each !== id)));
  return (
    <Table
      head={
        <>
          {isSeveral ? <td className="no-print w-8 py-2 pl-3" /> : null}
          <ColumnHead>{words.deck}</ColumnHead>
          <ColumnHead className="hidden sm:table-cell">{words.ask}</ColumnHead>
          <ColumnHead className="hidden md:table-cell">{words.stage}</ColumnHead>
          <ColumnHead className="hidden lg:table-cell">{words.market}</ColumnHead>
          <ColumnHead className="text-right">{words.score}</ColumnHead>
          <ColumnHead className="hidden text-right md:table-cell">{words.coverage}</ColumnHead>
          <ColumnHead className="hidden md:table-cell">{words.decision}</ColumnHead>
          <ColumnHead className="hidden lg:table-cell">{words.added}</ColumnHead>
          <td className="no-print w-10" />
        </>
      }
    >
      {decks.map((deck, index) => (
        <Row
          key={deck.id}
          deck={deck}
          before={decks[index - 1]}
          onMove={() => onMove(deck)}
          checkbox={
            isSeveral ? (
              <td className="no-print py-2 pl-3">
                <input
                  type="checkbox"
                  aria-label={words.select(deck.fileName)}
                  className="size-4 accent-accent"
                  checked={selected.has(deck.id)}
                  disabled={deck.resultAnalysisId === null}
                  onChange={({ target }) => toggle(deck.id, target.checked)}
                />
              </td>
            ) : null
          }
        />
      ))}
    </Table>
  );
}

/** How the figure of a review differs from that of the deck before; null where they are not of one kind. */
function changeText(deck: DeckEntry, before: DeckEntry | undefined, language: Language): string | null {
  if (before === undefined) return null;
  const [evidence, evidenceBefore] = [evidenceFigure(deck), evidenceFigure(before)];
  if (evidence !== null && evidence.asked === evidenceBefore?.asked)
    return formatSigned(evidence.found - evidenceBefore.found, language, 0);
  const isOfRules = evidence !== null || evidenceBefore !== null;
  if (isOfRules || deck.score === null || before.score === null) return null;
  return formatSigned(deck.score - before.score, language);
}

function Row({
  deck,
  before,
  checkbox,
  onMove,
}: {
  readonly deck: DeckEntry;
  /** The deck before it in time; undefined for the oldest. */
  readonly before: DeckEntry | undefined;
  readonly checkbox: ReactNode;
  readonly onMove: () => void;
}) {
  const words = useWords(companiesWords);
  const language = useLanguage();
  const isReviewed = deck.resultAnalysisId !== null;
  const change = changeText(deck, before, language);
  return (
    <tr className="border-b border-line align-top last:border-0">
      {checkbox}
      <RowHead>
        <Link
          to="/decks/$deckId"
          params={{ deckId: deck.id }}
          className="font-medium break-words text-accent underline-offset-2 hover:underline"
        >
          {deck.deckDate === null ? deck.fileName : formatDeckDate(deck.deckDate, language)}
        </Link>
        {deck.deckDate === null ? null : <span className="block text-xs break-all text-soft">{deck.fileName}</span>}
        <span className="block sm:hidden">
          <Ask deck={deck} />
        </span>
        <KindBadge deck={deck} />
      </RowHead>
      <td className="hidden px-3 py-2 sm:table-cell">
        <Ask deck={deck} />
      </td>
      <td className="hidden px-3 py-2 md:table-cell">{deck.facts.stage ?? '–'}</td>
      <td className="hidden px-3 py-2 lg:table-cell">
        <Market deck={deck} />
      </td>
      <td className="px-3 py-2 text-right tabular-nums">
        {isReviewed ? <Score deck={deck} /> : <DeckStatus deck={deck} />}
        {change === null ? null : (
          <span className="block text-xs whitespace-nowrap text-soft" title={words.change}>
            {change}
            <span className="sr-only"> {words.comparedWithBefore}</span>
          </span>
        )}
      </td>
      <td className="hidden px-3 py-2 text-right tabular-nums md:table-cell">{formatShare(deck.coverage, language)}</td>
      <td className="hidden px-3 py-2 md:table-cell">
        <DecisionBadge decision={deck.decision} />
      </td>
      <td className="hidden px-3 py-2 whitespace-nowrap lg:table-cell">{formatDay(deck.createdAt, language)}</td>
      <td className="no-print py-1 pr-2 text-right">
        <MoreMenu label={words.more(deck.fileName)}>
          <MenuLink>
            <Link to="/decks/$deckId" params={{ deckId: deck.id }}>
              {words.openReview}
            </Link>
          </MenuLink>
          <MenuItem onSelect={onMove}>{words.move}</MenuItem>
        </MoreMenu>
      </td>
    </tr>
  );
}
