/** The dialog of the deck list that is open. A store, because it is opened from a row's menu and from the bar of the selection. */
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import { createStore, useValue } from '../../store.ts';
import type { Failure } from './perform.ts';

/** Dialogs about decks. */
export type DeckDialog = 'review' | 'priority' | 'tags' | 'assign' | 'decide' | 'delete';

/** What is open; `failures` reports what could not be done. */
export type OpenDialog =
  | { readonly kind: DeckDialog; readonly decks: readonly DeckEntry[] }
  | { readonly kind: 'failures'; readonly title: string; readonly failures: readonly Failure[] };

const open = createStore<OpenDialog | null>(null);

/** Opens a dialog in place of the one that is open. */
export const showDialog = (next: OpenDialog): void => open.set(next);

/** Closes a dialog, unless another one took its place. */
export function closeDialog(shown: OpenDialog): void {
  if (open.get() === shown) open.set(null);
}

/** The open dialog, for the component that shows it. */
export const useOpenDialog = (): OpenDialog | null => useValue(open);
