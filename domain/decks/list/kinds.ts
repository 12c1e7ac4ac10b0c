/** States of analyses and decks, and why a deck needs a look, without a library: pages import it. */

/** Life of an analysis, as stored. */
export const ANALYSIS_STATUSES = [
  'queued',
  'running',
  'completed',
  'completed_with_gaps',
  'failed',
  'cancelled',
] as const;

/** State of the newest full review; `uploaded` before the first. */
export const ENTRY_STATUSES = ['uploaded', ...ANALYSIS_STATUSES] as const;

/**
 * Why somebody should look at a deck. `failed`: its run failed; `gaps`: something of it could not be computed; `unreadable`: no text could be
 * read; `language`: the engine does not know its language; `contradictions`, `steering` and `invisible_text`: what the review warns of;
 * `few_quotes`: less than {@link FEW_QUOTES_SHARE} of its quotes are verified; `little_found`: fewer than {@link LITTLE_FOUND_SHARE} quotes for each
 * question that was asked, as in an empty template or a deck of pictures.
 */
export const ATTENTION_REASONS = [
  'failed',
  'unreadable',
  'language',
  'gaps',
  'steering',
  'invisible_text',
  'contradictions',
  'few_quotes',
  'little_found',
] as const;

/** Below this share of verified quotes a deck needs a look. */
export const FEW_QUOTES_SHARE = 0.8;
/** Below this number of quotes for each question a deck needs a look. */
export const LITTLE_FOUND_SHARE = 0.25;
