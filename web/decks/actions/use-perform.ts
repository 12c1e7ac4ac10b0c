/** Does something with decks and tells how it went. */
import { useQueryClient } from '@tanstack/react-query';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import { readListsSoon } from '../../live/cache.ts';
import { tell, tellError } from '../../ui/toast.tsx';
import { useWords } from '../../words/language.ts';
import { deselectDecks } from '../selection/store.ts';
import { type Action, fitsDeck, performOnAll } from './perform.ts';
import { showDialog } from './store.ts';
import { actionWords } from './words.ts';

/** A function that does it; decks it makes no sense for are left out. */
export function usePerform(): (action: Action, decks: readonly DeckEntry[]) => Promise<void> {
  const queries = useQueryClient();
  const words = useWords(actionWords);
  return async (action, given) => {
    const decks = given.filter((deck) => fitsDeck(action.kind, deck));
    const failures = await performOnAll(action, decks);
    const failed = new Set(failures.map(({ deck }) => deck.id));
    const done = decks.filter(({ id }) => !failed.has(id));
    if (action.kind === 'delete') deselectDecks(done.map(({ id }) => id));
    readListsSoon(queries);
    const [first] = failures;
    if (first === undefined) tell(words.done[action.kind](done.length));
    else if (decks.length === 1) tellError(first.error);
    else showDialog({ kind: 'failures', title: words.failedFor(failures.length, decks.length), failures });
  };
}
