/**
 * What becomes of an item when a replay fills the gaps of an analysis: its stored result is taken, its failure stays, or it is computed.
 */

/** What the analysis that is replayed has of an item. */
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
 * `take`: the stored result as it is. `stays`: it failed and goes on being missing. `compute`: it is planned, as what failed and is wanted,
 * and as what was never done because of that.
 */
export type ItemDecision = 'take' | 'stays' | 'compute';

/** Decides. */
export function decideItem(item: OriginItem): ItemDecision {
  if (item.state === 'stored') return item.isGap && item.wanted ? 'compute' : 'take';
  if (item.state === 'failed') return item.wanted ? 'compute' : 'stays';
  return item.pageIsGap && !item.pageWanted ? 'stays' : 'compute';
}
