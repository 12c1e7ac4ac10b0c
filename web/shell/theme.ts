/** Light or dark: as the system has it, unless a person chose. */
import { createStore, useValue } from '../store.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'deckhand.theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const theme = createStore<Theme>(THEMES.find((each) => each === localStorage.getItem(KEY)) ?? 'system');

function apply(): void {
  const dark = theme.get() === 'dark' || (theme.get() === 'system' && system.matches);
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
}

/** Applies the theme and follows the system's. Call it once. */
export function followTheme(): void {
  apply();
  system.addEventListener('change', apply);
}

/** Chooses a theme, here and for the next visit. */
export function setTheme(next: Theme): void {
  localStorage.setItem(KEY, next);
  theme.set(next);
  apply();
}

/** The chosen theme, for a component. */
export const useTheme = (): Theme => useValue(theme);
