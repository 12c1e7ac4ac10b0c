/** How decks that are added are reviewed: the language of the review and its priority. */
import type { Language } from '../../../domain/models/model-tasks.ts';
import { DEFAULT_PRIORITY } from '../../../domain/decks/priority.ts';
import { createStore, useValue } from '../../store.ts';
import { currentLanguage, useLanguage } from '../../words/language.ts';

/** Languages that a review can be written in. */
export const REVIEW_LANGUAGES: readonly Language[] = ['en', 'de'];

/** Body of a request that starts a review. */
export interface ReviewChoices {
  readonly language: Language;
  /** 1 (critical) … 5 (batch). */
  readonly priority: number;
}

/** Language null: that of the page. */
const chosen = createStore<Omit<ReviewChoices, 'language'> & { readonly language: Language | null }>({
  language: null,
  priority: DEFAULT_PRIORITY,
});

/** Choices for decks that are added now. */
export function currentChoices(): ReviewChoices {
  const { language, priority } = chosen.get();
  return { language: language ?? currentLanguage(), priority };
}

/** Changes some of them, until the page is left. */
export const choose = (next: Partial<ReviewChoices>): void => chosen.set({ ...chosen.get(), ...next });

/** The choices, for a component. */
export function useReviewChoices(): ReviewChoices {
  const ofPage = useLanguage();
  const { language, priority } = useValue(chosen);
  return { language: language ?? ofPage, priority };
}
