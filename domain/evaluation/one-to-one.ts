/**
 * Pairs the members of two lists, each with at most one of the other.
 */

/** A pair that may be made. */
export interface Candidate {
  readonly wanted: number;
  readonly found: number;
  /** How well they belong together; the best pairs are made first. */
  readonly score: number;
}

/**
 * As many pairs as can be made of the candidates, the best ones first. A pair is changed only where one more can be made of it.
 *
 * @returns the index of `wanted` by that of `found`
 */
export function matchOneToOne(candidates: readonly Candidate[]): ReadonlyMap<number, number> {
  const best = candidates.toSorted((a, b) => b.score - a.score);
  const wantedOf = new Map<number, number>();
  const foundOf = new Map<number, number>();
  const pair = (found: number, wanted: number): void => {
    wantedOf.set(found, wanted);
    foundOf.set(wanted, found);
  };
  for (const { wanted, found } of best) if (!wantedOf.has(found) && !foundOf.has(wanted)) pair(found, wanted);
  /** Whether it has a partner now; one that is taken looks for another one. */
  const takesOne = (found: number, tried: Set<number>): boolean => {
    for (const { wanted } of best.filter((each) => each.found === found)) {
      if (tried.has(wanted)) continue;
      tried.add(wanted);
      const holder = foundOf.get(wanted);
      if (holder !== undefined && !takesOne(holder, tried)) continue;
      pair(found, wanted);
      return true;
    }
    return false;
  };
  for (const found of new Set(best.map((each) => each.found))) if (!wantedOf.has(found)) takesOne(found, new Set());
  return wantedOf;
}
