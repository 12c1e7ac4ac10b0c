/**
 * What a replay that fills gaps does with an item: take its stored result, leave it missing, or compute it.
 */

/** An item in the analysis that is replayed. */
export interface OriginItem {
  /** State of its call; null when none was planned. */
  readonly state: 'planned' | 'stored' | 'failed' | 'cancelled' | null;
  /** True when the item itself is recorded as missing; a call can be answered and its item still be missing (an illegible slide). */
  readonly isGap: boolean;
  /** True when the page the item is about could not be drawn. */
  readonly pageIsGap: boolean;
  /** True when the replay is asked to fill it. */
  readonly wanted: boolean;
  /** True when the replay is asked to draw its page again. */
  readonly pageWanted: boolean;
}

/**
 * `take`: use the stored result. `stays`: it failed and stays missing. `compute`: it failed and is wanted, or was never planned because of
 * such a failure.
 */
export type ItemDecision = 'take' | 'stays' | 'compute';

/** Decides. */
export function decideItem(item: OriginItem): ItemDecision {
  if (item.state === 'stored') return item.isGap && item.wanted ? 'compute' : 'take';
  if (item.state === 'failed') return item.wanted ? 'compute' : 'stays';
  return item.pageIsGap && !item.pageWanted ? 'stays' : 'compute';
}
