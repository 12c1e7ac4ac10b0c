/** What values of filters are called. */
import { deckWords, sectorName } from '../../words/deck.ts';
import { useWords } from '../../words/language.ts';
import type { ListFilterName } from './filter.ts';
import { filterWords } from './words.ts';

/** A function that names a value; people's own words stay as they are. */
export function useValueName(): (name: ListFilterName, value: string) => string {
  const deck = useWords(deckWords);
  const words = useWords(filterWords);
  const named: Readonly<Partial<Record<ListFilterName, Readonly<Record<string, string>>>>> = {
    status: deck.status,
    attention: { ...deck.attention, any: words.any },
    answering: words.answering,
    decision: { ...deck.decision, none: words.undecided },
    sector: deck.sector,
    kind: deck.kind,
    round: deck.round,
  };
  return (name, value) => sectorName(value, named[name] ?? {});
}
