/** How lists call a deck. */
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';

/** Its company, else its file. */
export const deckName = ({ company, fileName }: DeckEntry): string => company?.name ?? fileName;
