/** What the address of a comparison holds. */

/** Most reviews side by side. */
export const MOST_COMPARED = 5;

/** Whether as many reviews can be compared. */
export const isComparable = (count: number): boolean => count >= 2 && count <= MOST_COMPARED;

/** Ids of the reviews, joined by commas, and whether only what differs is shown; undefined: as it fits what is compared. */
export interface CompareSearch {
  readonly analyses?: string;
  readonly only?: boolean;
}

/** Reads the search of an address. */
export const readCompareSearch = ({ analyses, only }: Readonly<Record<string, unknown>>): CompareSearch => ({
  ...(typeof analyses === 'string' ? { analyses } : {}),
  ...(typeof only === 'boolean' ? { only } : {}),
});

/** Ids of the reviews, each once, as many as are compared. */
export const analysesOf = ({ analyses = '' }: CompareSearch): readonly string[] =>
  [...new Set(analyses.split(',').filter((id) => id !== ''))].slice(0, MOST_COMPARED);

/** The search with these reviews. */
export const withAnalyses = ({ only }: CompareSearch, ids: readonly string[]): CompareSearch => ({
  ...(ids.length === 0 ? {} : { analyses: ids.join(',') }),
  ...(only === undefined ? {} : { only }),
});
