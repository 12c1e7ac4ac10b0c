/** Adds a deck to the comparison, by a search. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { formatDeckDate, formatScore } from '../format.ts';
import { KEYS } from '../live/cache.ts';
import { api } from '../request.ts';
import { Button } from '../ui/button.tsx';
import { Popover } from '../ui/popover.tsx';
import { type Found, SearchChoice } from '../ui/search-choice.tsx';
import { useLanguage, useWords } from '../words/language.ts';
import { compareWords } from './words.ts';

const FOUND = 8;

/** The button with the search. */
export function AddDeck({
  ids,
  canAdd,
  onAdd,
}: {
  readonly ids: readonly string[];
  readonly canAdd: boolean;
  readonly onAdd: (analysisId: string) => void;
}) {
  const words = useWords(compareWords);
  if (!canAdd) {
    return (
      <Button disabled title={words.full}>
        <Plus size={16} aria-hidden />
        {words.add}
      </Button>
    );
  }
  return (
    <Popover
      label={words.addTitle}
      trigger={
        <Button>
          <Plus size={16} aria-hidden />
          {words.add}
        </Button>
      }
    >
      {(close) => (
        <DeckSearch
          ids={ids}
          onAdd={(id) => {
            close();
            onAdd(id);
          }}
        />
      )}
    </Popover>
  );
}

/** The search alone. */
export function DeckSearch({
  ids,
  onAdd,
}: {
  readonly ids: readonly string[];
  readonly onAdd: (analysisId: string) => void;
}) {
  const words = useWords(compareWords);
  const language = useLanguage();
  const useChoices = (text: string): Found<string> => {
    const { data, isPlaceholderData } = useQuery({
      queryKey: [...KEYS.overview, 'deck-search', text],
      queryFn: ({ signal }) => api.GET('/decks', { params: { query: { q: text.trim(), limit: FOUND } }, signal }),
      placeholderData: keepPreviousData,
    });
    const choices = data?.items.map(({ id, company, fileName, deckDate, score, resultAnalysisId }) => ({
      id,
      value: resultAnalysisId ?? '',
      label: (
        <>
          <span className="truncate font-medium">{company?.name ?? fileName}</span>
          <span className="truncate text-xs text-soft">
            {[fileName, formatDeckDate(deckDate, language), formatScore(score, language)].join(' · ')}
          </span>
        </>
      ),
      ...(resultAnalysisId === null
        ? { reason: words.notReviewed }
        : ids.includes(resultAnalysisId)
          ? { reason: words.alreadyHere }
          : {}),
    }));
    return { choices, isCurrent: data !== undefined && !isPlaceholderData };
  };
  return (
    <SearchChoice label={words.searchDecks} nothing={words.noDeckFound} useChoices={useChoices} onChoose={onAdd} />
  );
}
