/** The dialog of the deck list that is open. A store, because it is opened from a row's menu and from the bar of the selection. */
import { useSyncExternalStore } from 'react';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import type { Failure } from './perform.ts';

/** Dialogs about decks. */
export const DECK_DIALOGS = ['review', 'priority', 'tags', 'assign', 'decide', 'delete'] as const;
export type DeckDialog = (typeof DECK_DIALOGS)[number];

/** What is open; `failures` reports what could not be done. */
export type OpenDialog =
  | { readonly kind: DeckDialog; readonly decks: readonly DeckEntry[] }
  | { readonly kind: 'failures'; readonly title: string; readonly failures: readonly Failure[] };

let open: OpenDialog | null = null;
const listeners = new Set<() => void>();

function set(next: OpenDialog | null): void {
  open = next;
  for (const listener of listeners) listener();
}

/** Opens a dialog in place of the one that is open. */
export const showDialog = (next: OpenDialog): void => set(next);

/** Closes a dialog, unless another one took its place. */
export function closeDialog(shown: OpenDialog): void {
  if (open === shown) set(null);
}

/** The open dialog, for the component that shows it. */
export const useOpenDialog = (): OpenDialog | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
