/** Which decks are selected. A store, so that a change draws only the rows it concerns. */
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import { createStore, useStore, useValue } from '../../store.ts';

/** Selected decks by id, in the order in which they were selected. */
export type Selection = ReadonlyMap<string, DeckEntry>;

const selected = createStore<Selection>(new Map());
/** The row that a range begins at. */
let anchor: string | null = null;

/** Selects a deck, or takes it out. */
export function toggleDeck(deck: DeckEntry): void {
  anchor = deck.id;
  const next = new Map(selected.get());
  if (!next.delete(deck.id)) next.set(deck.id, deck);
  selected.set(next);
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
  selected.set(new Map([...selected.get(), ...decks.map((deck) => [deck.id, deck] as const)]));
}

/** Takes decks out. */
export function deselectDecks(ids: readonly string[]): void {
  const next = new Map(selected.get());
  for (const id of ids) next.delete(id);
  if (next.size < selected.get().size) selected.set(next);
}

/** Selects nothing. */
export function clearSelection(): void {
  anchor = null;
  if (selected.get().size > 0) selected.set(new Map());
}

/** Brings selected decks up to date with a list that shows them. */
export function refreshSelection(decks: readonly DeckEntry[]): void {
  const before = selected.get();
  const changed = decks.filter((deck) => before.has(deck.id) && before.get(deck.id) !== deck);
  if (changed.length > 0) selectDecks(changed);
}

/** The selection, for a component. */
export const useSelection = (): Selection => useValue(selected);

/** Whether a deck is selected, for its row. */
export const useIsSelected = (deckId: string): boolean => useStore(selected, (decks) => decks.has(deckId));

/** Whether any deck is selected. */
export const useHasSelection = (): boolean => useStore(selected, ({ size }) => size > 0);
