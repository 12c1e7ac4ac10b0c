/**
 * Finds the slide of a quote whose named slide does not have it: models take the printed number of a page for its place in the deck.
 */
import type { PageLayout } from '../pages/page.ts';
import { isTooShort, type QuoteCheck } from './quote-check.ts';

/** A quote that was moved to the slide on which it stands. */
export interface MovedQuote {
  readonly slide: number;
  readonly check: QuoteCheck;
}

/** True when it is worth looking for a quote on other slides: the named one does not have it, and it is long enough to prove something. */
export const mayStandElsewhere = (quote: string, { absent }: QuoteCheck): boolean => absent && !isTooShort(quote);

/**
 * The only other slide on which a quote is verified; null where it is on none or on several, since then nothing says which one was meant.
 *
 * @param named The slide that the engine named
 * @param pages Every page of the deck by its number; null for one that was not read
 * @param judge How the quote is judged on a page
 */
export function findOnOtherSlide(
  named: number,
  pages: ReadonlyMap<number, PageLayout | null>,
  judge: (page: PageLayout | null) => QuoteCheck,
): MovedQuote | null {
  let only: MovedQuote | null = null;
  for (const [slide, page] of pages) {
    if (slide === named) continue;
    const check = judge(page);
    if (check.verdict !== 'verified') continue;
    if (only !== null) return null;
    only = { slide, check: { ...check, reason: `${check.reason}, on slide ${slide} alone; slide ${named} was named` } };
  }
  return only;
}
