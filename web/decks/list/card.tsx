/** One deck as a card, for narrow windows. */
import { memo } from 'react';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import { evidenceFigure } from '../../../domain/decks/list/rank.ts';
import { formatShare } from '../../format.ts';
import { Badge } from '../../ui/badge.tsx';
import { classes } from '../../ui/classes.ts';
import { deckWords, sectorName } from '../../words/deck.ts';
import { useLanguage, useWords } from '../../words/language.ts';
import { DeckMenu } from '../actions/deck-menu.tsx';
import { useIsSelected } from '../selection/store.ts';
import { decksWords } from '../words.ts';
import { AttentionList } from './attention.tsx';
import { Answering, Ask, DecisionBadge, Market, Score } from './cells.tsx';
import { deckName } from './names.ts';
import { DeckNames, type RowProps, SelectBox } from './row.tsx';
import { DeckStatus, FailureHint } from './status.tsx';

/** The card. */
export const DeckCard = memo(function DeckCard({ deck, index, onSelect }: Omit<RowProps, 'columns'>) {
  const words = useWords(decksWords);
  const isSelected = useIsSelected(deck.id);
  return (
    <div
      className={classes(
        'flex flex-col gap-0.5 rounded-lg border border-line pb-3 text-sm',
        isSelected ? 'bg-accent-tint' : 'bg-panel',
      )}
    >
      <div className="flex items-center">
        <SelectBox
          label={words.select(deckName(deck))}
          checked={isSelected}
          onChange={(isRange) => onSelect(deck, isRange)}
          className="h-14 w-11 shrink-0"
        />
        <div className="min-w-0 grow">
          <DeckNames deck={deck} index={index} />
        </div>
        <DeckMenu deck={deck} />
      </div>
      <div className="flex flex-col gap-2 pr-3 pl-11">
        <div className="flex items-center justify-between gap-3">
          <DeckStatus deck={deck} />
          <DecisionOfCard deck={deck} />
        </div>
        <AttentionList reasons={deck.attention} />
        {deck.status === 'failed' && deck.analysis !== null && deck.analysis.failure !== null ? (
          <FailureHint {...deck.analysis.failure} />
        ) : null}
        <Facts deck={deck} />
        {deck.tags.length === 0 ? null : (
          <div className="flex flex-wrap gap-1">
            {deck.tags.map((tag) => (
              <Badge key={tag} className="max-w-full">
                <span className="truncate">{tag}</span>
              </Badge>
            ))}
          </div>
        )}
      </div>
    </div>
  );
});

const DecisionOfCard = ({ deck: { decision } }: { readonly deck: DeckEntry }) =>
  decision === null ? null : <DecisionBadge decision={decision} />;

/** Figures with their names; only what is known. */
function Facts({ deck }: { readonly deck: DeckEntry }) {
  const { columns } = useWords(decksWords);
  const names = useWords(deckWords);
  const language = useLanguage();
  const { score, coverage, quotes, sector, ask, assignee, facts } = deck;
  const figures = [
    score === null && evidenceFigure(deck) === null
      ? null
      : ([columns.score, <Score key="score" deck={deck} />] as const),
    coverage === null ? null : ([columns.coverage, formatShare(coverage, language)] as const),
    quotes.total === 0 ? null : ([columns.verified, formatShare(quotes.verified / quotes.total, language)] as const),
    quotes.total === 0 ? null : ([columns.answering, <Answering key="answering" deck={deck} />] as const),
    ask === null ? null : ([columns.ask, <Ask key="ask" deck={deck} />] as const),
    facts.market === null ? null : ([columns.market, <Market key="market" deck={deck} />] as const),
    sector === null ? null : ([columns.sector, sectorName(sector, names.sector)] as const),
    assignee === null ? null : ([columns.assignee, assignee] as const),
  ].filter((fact) => fact !== null);
  if (figures.length === 0) return null;
  return (
    <dl className="grid grid-cols-[repeat(3,minmax(0,1fr))] gap-x-3 gap-y-1.5">
      {figures.map(([name, value]) => (
        <div key={name} className={classes('min-w-0', name === columns.sector && 'col-span-2')}>
          <dt className="truncate text-xs text-soft">{name}</dt>
          <dd className="break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
