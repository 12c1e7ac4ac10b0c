/** Whether the window fits a media query. */
import { useMemo, useSyncExternalStore } from 'react';

/** @example const isWide = useMedia('(min-width: 900px)'); */
export function useMedia(query: string): boolean {
  const { subscribe, matches } = useMemo(() => {
    const media = matchMedia(query);
    return {
      subscribe: (listener: () => void) => {
        media.addEventListener('change', listener);
        return () => media.removeEventListener('change', listener);
      },
      matches: () => media.matches,
    };
  }, [query]);
  return useSyncExternalStore(subscribe, matches);
}
