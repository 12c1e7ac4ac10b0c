/**
 * The search attributes of runs in Temporal. All are of type Keyword, of which a server has room for eight. They are not encrypted, so they
 * contain opaque ids and names given by operators, never anything of a deck.
 */

/** Names as the server knows them. */
export const SEARCH_ATTRIBUTES = ['Tenant', 'DeckId', 'AnalysisId', 'Stage', 'DeckStatus', 'Template', 'Pool'] as const;

/**
 * Values of DeckStatus: `waiting_for_capacity` = the run makes no progress because no model host (or converter) has a free place; `paused`
 * = an operator holds it; the last four are final.
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
