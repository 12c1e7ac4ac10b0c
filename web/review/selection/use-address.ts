/** Keeps the address in step with what is shown, so that a link opens exactly there. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Store } from '../../store.ts';
import type { Selection } from '../tools.ts';

/** Browsers refuse more than some changes of the address a second; a key that is held down would be more. */
const WAIT_MS = 200;

/** Writes what is shown into the address, in place of what it held before. */
export function useAddress(selection: Store<Selection>): void {
  const navigate = useNavigate({ from: '/decks/$deckId' });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = (): void => {
      const { stop, quote, slide } = selection.get();
      void navigate({
        search: ({ analysis }) => ({
          ...(analysis === undefined ? {} : { analysis }),
          ...(stop === null ? {} : { claim: stop }),
          ...(quote === 0 ? {} : { quote: quote + 1 }),
          slide,
        }),
        replace: true,
        resetScroll: false,
      });
    };
    const unsubscribe = selection.subscribe(() => {
      clearTimeout(timer);
      timer = setTimeout(write, WAIT_MS);
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [selection, navigate]);
}
