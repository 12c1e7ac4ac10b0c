/** What the table and the cards of the deck list need. */
import type { ReactNode } from 'react';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import type { SearchProps } from '../search.ts';

/** The list as far as it is loaded. */
export interface ListProps extends SearchProps {
  readonly decks: readonly DeckEntry[];
  /** Decks that fit, loaded or not. */
  readonly total: number;
  /** A box was ticked or cleared; `isRange` with the shift key. */
  readonly onSelect: (deck: DeckEntry, isRange: boolean) => void;
  /** The last deck that is in the document. */
  readonly onNear: (index: number) => void;
  /** True while what is shown is of another filter. */
  readonly isStale: boolean;
  /** Stand below the last deck. */
  readonly children: ReactNode;
}
