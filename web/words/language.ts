/**
 * The language of the workspace, English or German, and how an area declares its words: one object per language, complete by type.
 */
import type { Language } from '../../domain/models/model-tasks.ts';
import { createStore, useValue } from '../store.ts';

const KEY = 'deckhand.language';

function initialLanguage(): Language {
  const chosen = localStorage.getItem(KEY);
  if (chosen === 'en' || chosen === 'de') return chosen;
  return navigator.language.toLowerCase().startsWith('de') ? 'de' : 'en';
}

const language = createStore(initialLanguage());
document.documentElement.lang = language.get();

/** The language in use. */
export const currentLanguage = language.get;

/** Changes the language, here and for the next visit. */
export function setLanguage(next: Language): void {
  localStorage.setItem(KEY, next);
  document.documentElement.lang = next;
  language.set(next);
}

/** The language in use, for a component. */
export const useLanguage = (): Language => useValue(language);

/** The words of an area in both languages. */
export interface Words<W> {
  readonly en: W;
  readonly de: W;
}

/**
 * Declares the words of an area; the German ones have every name of the English ones, or the compiler refuses them.
 *
 * @example
 * const words = bothLanguages({ open: 'Open' }, { open: 'Öffnen' });
 */
export const bothLanguages = <W>(en: W, de: NoInfer<W>): Words<W> => ({ en, de });

/** The word for a key that any text may be, such as a code of the API; undefined where there is none. */
export const wordFor = <W>(words: Readonly<Record<string, W>>, key: string): W | undefined =>
  Object.hasOwn(words, key) ? words[key] : undefined;

/** One or many of something, with their number; `shown` is the number as people write it. */
export const plural = (count: number, one: string, many: string, shown = String(count)): string =>
  `${shown} ${count === 1 ? one : many}`;

/** The words of an area in the language in use. */
export const useWords = <W>(words: Words<W>): W => words[useLanguage()];
