/**
 * Text of a page that nobody can see and that says something: reported as the hazard `invisible_text`.
 *
 * Most hidden words of ordinary decks are harmless: shadows and copies of what is seen, letters of a word that is drawn twice, a line left beside
 * the page. They are kept out of prompts and evidence like all hidden words, and are not reported.
 */
import { isSteering } from '../evidence/steering.ts';
import type { PageLayout } from './page.ts';

/** Hidden words that the page does not show have to have so many letters and digits together: a short sentence. */
const LEAST_LETTERS = 30;

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** Pieces of hidden text that a reader of the review should know of, as they stand on the page. */
export function invisibleText(layout: PageLayout): string[] {
  const shown = lettersOf(layout.words.map(({ text }) => text).join(''));
  return layout.hidden
    .filter(({ reason, text }) => {
      const own = text
        .split(/\s+/u)
        .map(lettersOf)
        .filter((word) => !shown.includes(word));
      // What was left beside the page is common, and no viewer shows it.
      return isSteering([text]) || (reason !== 'off_page' && own.join('').length >= LEAST_LETTERS);
    })
    .map(({ text }) => text);
}
