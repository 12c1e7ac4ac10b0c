/**
 * Roll-up of question scores: chapter = weighted mean of its scored questions, overall = weighted mean of the chapters that have a
 * score. Nothing that was not scored enters a mean; coverage says how much was.
 */

/** Highest score a question can get; the lowest is 0. */
export const MAX_SCORE = 7;
/** Name of the method, stored with every overall score. */
export const SCORE_METHOD = 'weighted mean of chapter means over scored questions';

export interface WeightedScore {
  readonly weight: number;
  /** Null = not scored. */
  readonly score: number | null;
}

export interface RollUp {
  /** Null when nothing was scored. */
  readonly score: number | null;
  readonly scored: number;
  readonly asked: number;
}

/** Weighted mean of what is scored, with the count of both. Weights are positive. */
export function rollUp(items: readonly WeightedScore[]): RollUp {
  let sum = 0;
  let weights = 0;
  let scored = 0;
  for (const { score, weight } of items) {
    if (score === null) continue;
    sum += score * weight;
    weights += weight;
    scored++;
  }
  return { score: weights === 0 ? null : sum / weights, scored, asked: items.length };
}

/** Share of asked questions that were scored, 0..1; 0 when nothing was asked. */
export const coverage = (scored: number, asked: number): number => (asked === 0 ? 0 : scored / asked);
