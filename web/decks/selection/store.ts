/** Which decks are selected. A store, so that a change draws only the rows it concerns. */
import { useSyncExternalStore } from 'react';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';

/** Selected decks by id, in the order in which they were selected. */
export type Selection = ReadonlyMap<string, DeckEntry>;

let selected: Selection = new Map();
/** The row that a range begins at. */
let anchor: string | null = null;
const listeners = new Set<() => void>();

function set(next: Selection): void {
  selected = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Selects a deck, or takes it out. */
export function toggleDeck(deck: DeckEntry): void {
  anchor = deck.id;
  const next = new Map(selected);
  if (!next.delete(deck.id)) next.set(deck.id, deck);
  set(next);
}

/** Selects from the row that was last changed to this one. */
export function selectRange(decks: readonly DeckEntry[], to: DeckEntry): void {
  const from = decks.findIndex(({ id }) => id === anchor);
  const until = decks.findIndex(({ id }) => id === to.id);
  if (from === -1) toggleDeck(to);
  else selectDecks(decks.slice(Math.min(from, until), Math.max(from, until) + 1));
}

/** Adds decks. */
export function selectDecks(decks: readonly DeckEntry[]): void {
  set(new Map([...selected, ...decks.map((deck) => [deck.id, deck] as const)]));
}

/** Takes decks out. */
export function deselectDecks(ids: readonly string[]): void {
  const next = new Map(selected);
  for (const id of ids) next.delete(id);
  if (next.size < selected.size) set(next);
}

/** Selects nothing. */
export function clearSelection(): void {
  anchor = null;
  if (selected.size > 0) set(new Map());
}

/** Brings selected decks up to date with a list that shows them. */
export function refreshSelection(decks: readonly DeckEntry[]): void {
  if (selected.size === 0) return;
  const changed = decks.filter((deck) => selected.has(deck.id) && selected.get(deck.id) !== deck);
  if (changed.length > 0) selectDecks(changed);
}

/** The selection, for a component. */
export const useSelection = (): Selection => useSyncExternalStore(subscribe, () => selected);

/** Whether a deck is selected, for its row. */
export const useIsSelected = (deckId: string): boolean => useSyncExternalStore(subscribe, () => selected.has(deckId));

/** Whether any deck is selected. */
export const useHasSelection = (): boolean => useSyncExternalStore(subscribe, () => selected.size > 0);
