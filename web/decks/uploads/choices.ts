/** How decks that are added are reviewed: the language of the review and its priority. */
import { useSyncExternalStore } from 'react';
import type { Language } from '../../../domain/models/model-tasks.ts';
import { DEFAULT_PRIORITY } from '../../../domain/decks/priority.ts';
import { currentLanguage, useLanguage } from '../../words/language.ts';

/** Languages that a review can be written in. */
export const REVIEW_LANGUAGES: readonly Language[] = ['en', 'de'];

/** Body of a request that starts a review. */
export interface ReviewChoices {
  readonly language: Language;
  /** 1 (critical) … 5 (batch). */
  readonly priority: number;
}

/** Null: that of the page. */
let language: Language | null = null;
let priority: number = DEFAULT_PRIORITY;
const listeners = new Set<() => void>();

/** Choices for decks that are added now. */
export const currentChoices = (): ReviewChoices => ({ language: language ?? currentLanguage(), priority });

/** Changes some of them, until the page is left. */
export function choose(next: Partial<ReviewChoices>): void {
  language = next.language ?? language;
  priority = next.priority ?? priority;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The choices, for a component. */
export function useReviewChoices(): ReviewChoices {
  const ofPage = useLanguage();
  const chosen = useSyncExternalStore(subscribe, () => language);
  return { language: chosen ?? ofPage, priority: useSyncExternalStore(subscribe, () => priority) };
}
