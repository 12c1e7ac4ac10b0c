/** What the address of a review holds. */

/** Another run than the newest one with results, and what is shown: a claim, which of its quotes (from 1), and the slide. */
export interface ReviewSearch {
  readonly analysis?: string;
  readonly claim?: string;
  readonly quote?: number;
  readonly slide?: number;
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value > 0;

/** Reads the search of an address. */
export function readReviewSearch(given: Readonly<Record<string, unknown>>): ReviewSearch {
  const { analysis, claim, quote, slide } = given;
  return {
    ...(typeof analysis === 'string' ? { analysis } : {}),
    ...(typeof claim === 'string' ? { claim } : {}),
    ...(isCount(quote) ? { quote } : {}),
    ...(isCount(slide) ? { slide } : {}),
  };
}
