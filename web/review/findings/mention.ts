/** A quote where it was written out before. Pure. */

/** Words of a quote that a later place repeats. */
const MENTIONED_WORDS = 6;

/** The first words of a quote. */
export function mentionOf(quote: string): string {
  const words = quote.trim().split(/\s+/u);
  return words.length <= MENTIONED_WORDS ? words.join(' ') : `${words.slice(0, MENTIONED_WORDS).join(' ')} …`;
}
