/** Keys of the deck list: j and k or the arrows move between decks, x selects, / leads to the search. */
import { useEffect, useRef } from 'react';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';

/** Id of the search box. */
export const SEARCH_ID = 'deck-search';

/** Where keys are text or belong to a control. */
const TYPING = 'input:not([type="checkbox"]),textarea,select,[contenteditable],[role="menu"],[role="dialog"]';

const linkOf = (index: number): HTMLElement | null => document.querySelector(`[data-row="${index}"]`);

/** Index of the row that has the focus; null without one. */
function focusedRow(): number | null {
  const row = document.activeElement?.closest('tr,li')?.querySelector('[data-row]');
  const index = row?.getAttribute('data-row') ?? null;
  return index === null ? null : Number(index);
}

/**
 * Listens to the keys.
 *
 * @param scrollTo brings a row into the document
 */
export function useRowKeys(
  decks: readonly DeckEntry[],
  scrollTo: (index: number) => void,
  onSelect: (deck: DeckEntry, isRange: boolean) => void,
): void {
  const now = useRef({ decks, scrollTo, onSelect });
  useEffect(() => {
    now.current = { decks, scrollTo, onSelect };
  });
  useEffect(() => {
    let last: number | null = null;
    // A row that is not in the document yet; keys may come faster than it.
    let pending: number | null = null;
    const focus = (index: number): void => {
      const { decks: rows, scrollTo: scroll } = now.current;
      const target = Math.max(0, Math.min(rows.length - 1, index));
      last = target;
      scroll(target);
      const link = linkOf(target);
      pending = link === null ? target : null;
      link?.focus();
      if (link !== null) return;
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          if (pending !== target) return;
          pending = null;
          linkOf(target)?.focus();
        }),
      );
    };
    const onKey = (event: KeyboardEvent): void => {
      const { key, target } = event;
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || !(target instanceof Element))
        return;
      if (target.closest(TYPING) !== null) return;
      const focused = pending ?? focusedRow();
      const isArrow = key === 'ArrowDown' || key === 'ArrowUp';
      // Without a row in focus the arrows scroll, as everywhere.
      if (isArrow && focused === null) return;
      if (key === 'j' || key === 'k' || isArrow) {
        const from = focused ?? last;
        const step = key === 'j' || key === 'ArrowDown' ? 1 : -1;
        event.preventDefault();
        focus(from === null ? 0 : from + step);
      } else if (key === 'x' && focused !== null) {
        const deck = now.current.decks[focused];
        if (deck !== undefined) now.current.onSelect(deck, event.shiftKey);
      } else if (key === '/') {
        event.preventDefault();
        document.getElementById(SEARCH_ID)?.focus();
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
