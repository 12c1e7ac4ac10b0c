/** Reads the report again while its run goes on: when the run is further, and at most once a second. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { KEYS, useProgress } from '../../live/cache.ts';

const STEP_MS = 1000;

/** Follows the run of a deck while `isRunning`. */
export function useLiveReport(deckId: string, isRunning: boolean): void {
  const queries = useQueryClient();
  const progress = useProgress(deckId);
  const readMs = useRef(0);
  useEffect(() => {
    if (!isRunning) return undefined;
    const wait = Math.max(0, readMs.current + STEP_MS - performance.now());
    const timer = setTimeout(() => {
      readMs.current = performance.now();
      void queries.invalidateQueries({
        queryKey: KEYS.ofDeck(deckId),
        predicate: ({ queryKey }) => queryKey[2] === 'report' || queryKey[2] === 'slides',
      });
    }, wait);
    return () => clearTimeout(timer);
  }, [queries, deckId, isRunning, progress]);
}
