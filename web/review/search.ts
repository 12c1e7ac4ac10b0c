/** What the address of a review holds. */

/** Another run than the newest one with results, and the claim and slide that are shown. */
export interface ReviewSearch {
  readonly analysis?: string;
  readonly claim?: string;
  readonly slide?: number;
}

/** Reads the search of an address. */
export function readReviewSearch({ analysis, claim, slide }: Readonly<Record<string, unknown>>): ReviewSearch {
  return {
    ...(typeof analysis === 'string' ? { analysis } : {}),
    ...(typeof claim === 'string' ? { claim } : {}),
    ...(typeof slide === 'number' && Number.isInteger(slide) && slide > 0 ? { slide } : {}),
  };
}
