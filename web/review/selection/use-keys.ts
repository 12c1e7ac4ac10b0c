/** Single keys that do something on the review page, wherever the focus is, unless something there takes keys itself. */
import { useEffect, useRef } from 'react';

const STORED = 'deckhand.review-keys';

/** Whether single keys are on. They can be switched off, because they get in the way of speech input. */
export const keysAreOn = (): boolean => localStorage.getItem(STORED) !== 'off';

/** Switches single keys on or off, here and for the next visit. */
export const switchKeys = (on: boolean): void => localStorage.setItem(STORED, on ? 'on' : 'off');

/** What takes keys itself: fields, menus, dialogs, and groups that the arrow keys walk through. */
const TAKES_KEYS = 'input, textarea, select, [contenteditable], [role="menu"], [role="dialog"], [role="radiogroup"]';

/** Does what belongs to a key. `keys` are by `KeyboardEvent.key`, letters in lower case; they get the event, which repeats while a key is held down. */
export function useKeys(keys: Readonly<Record<string, (event: KeyboardEvent) => void>>): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !keysAreOn()) return;
      if (event.target instanceof Element && event.target.closest(TAKES_KEYS) !== null) return;
      const act = current.current[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (act === undefined) return;
      event.preventDefault();
      act(event);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
