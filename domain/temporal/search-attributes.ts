/**
 * What runs can be searched by in Temporal. All of type Keyword, of which a server has room for eight; they stand in clear on it, so they
 * hold opaque ids and names that operators gave, never anything of a deck.
 */

/** Names as the server knows them. */
export const SEARCH_ATTRIBUTES = ['Tenant', 'DeckId', 'AnalysisId', 'Stage', 'DeckStatus', 'Template', 'Pool'] as const;

/**
 * Values of DeckStatus: `waiting_for_capacity` = nothing of the run moves because no model host (or converter) has a place for it; `paused`
 * = an operator holds it; the last four are ends.
 */
export const DECK_STATUSES = [
  'running',
  'waiting_for_capacity',
  'paused',
  'completed',
  'completed_with_gaps',
  'failed',
  'cancelled',
] as const;
export type DeckStatus = (typeof DECK_STATUSES)[number];

/** Value of Template: `seven_chapter_review@2`, or the slug alone before a version is chosen. */
export const templateAttribute = (slug: string, version: number | null): string =>
  version === null ? slug : `${slug}@${version}`;
