/** Light or dark: as the system has it, unless a person chose. */
import { useSyncExternalStore } from 'react';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'deckhand.theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

let theme: Theme = THEMES.find((each) => each === localStorage.getItem(KEY)) ?? 'system';

function apply(): void {
  const dark = theme === 'dark' || (theme === 'system' && system.matches);
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
}

/** Applies the theme and follows the system's. Call it once. */
export function followTheme(): void {
  apply();
  system.addEventListener('change', apply);
}

/** Chooses a theme, here and for the next visit. */
export function setTheme(next: Theme): void {
  theme = next;
  localStorage.setItem(KEY, next);
  apply();
  for (const listener of listeners) listener();
}

/** The chosen theme, for a component. */
export const useTheme = (): Theme =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => theme,
  );
