/** What the address of a comparison holds. */

/** Ids of the reviews, joined by commas. */
export interface CompareSearch {
  readonly analyses?: string;
}

/** Reads the search of an address. */
export const readCompareSearch = ({ analyses }: Readonly<Record<string, unknown>>): CompareSearch =>
  typeof analyses === 'string' ? { analyses } : {};
