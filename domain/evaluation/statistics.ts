/**
 * Statistics of an evaluation: how sure a share is, and how far two graders agree.
 */

/** Two-sided 95 %. */
const Z = 1.959963984540054;

/** A share with its 95 % interval; `low` and `high` are null where nothing was counted. */
export interface Share {
  readonly right: number;
  readonly of: number;
  /** Bounds from 0 to 1. */
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * A share with its {@link shareInterval}; without bounds where there is nothing to share.
 *
 * @param right from 0 to `of`
 */
export const shareOf = (right: number, of: number): Share =>
  of === 0 ? { right, of, low: null, high: null } : { right, of, ...shareInterval(right, of) };

/**
 * Wilson score interval (95 %) of a share, from 0 to 1. It holds for small counts and for shares of 0 and 1 as well.
 *
 * @param right from 0 to `of`
 * @param of at least 1
 */
export function shareInterval(right: number, of: number): { readonly low: number; readonly high: number } {
  const share = right / of;
  const spread = 1 + (Z * Z) / of;
  const centre = (share + (Z * Z) / (2 * of)) / spread;
  const half = (Z / spread) * Math.sqrt((share * (1 - share)) / of + (Z * Z) / (4 * of * of));
  // At shares of 0 and 1 the bound is exact; rounding must not move it.
  return { low: right === 0 ? 0 : centre - half, high: right === of ? 1 : centre + half };
}

/** Grades that two graders gave to one thing. */
export type GradePair = readonly [a: number, b: number];

/**
 * Cohen's kappa with quadratic weights: 1 = the same grades, 0 = as close as chance would bring them, below 0 = further apart.
 *
 * With quadratic weights the expected disagreement is the sum of both variances and the squared difference of the means, so no table of
 * counts is needed and the number of possible grades does not matter.
 *
 * @returns null where both gave one and the same grade throughout, or nothing: then chance alone would agree as well
 */
export function quadraticKappa(pairs: readonly GradePair[]): number | null {
  const a = momentsOf(pairs.map(([grade]) => grade));
  const b = momentsOf(pairs.map(([, grade]) => grade));
  const expected = a.variance + b.variance + (a.mean - b.mean) ** 2;
  if (pairs.length === 0 || expected === 0) return null;
  return 1 - momentsOf(pairs.map(([x, y]) => (x - y) ** 2)).mean / expected;
}

/** Mean distance of two graders' grades; null without a pair. */
export const meanDistance = (pairs: readonly GradePair[]): number | null =>
  pairs.length === 0 ? null : momentsOf(pairs.map(([a, b]) => Math.abs(a - b))).mean;

function momentsOf(values: readonly number[]): { readonly mean: number; readonly variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, variance };
}

/** How often each occurs. */
export function countsOf<K extends string>(keys: readonly K[]): Partial<Record<K, number>> {
  const counts: Partial<Record<K, number>> = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}
