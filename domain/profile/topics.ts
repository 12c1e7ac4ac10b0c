/**
 * Topics of a deck's profile: a chapter beside the template that collects the typed facts which an investor looks at first. It has no score
 * and none of the template's questions. Without a library at run time: the pages of the workspace import it.
 */

/** Topics in the order in which a model is asked for them. */
export const PROFILE_TOPICS = [
  'offering',
  'customers',
  'ask',
  'use_of_funds',
  'traction',
  'team',
  'market',
  'competition',
  'stage',
] as const;
export type ProfileTopic = (typeof PROFILE_TOPICS)[number];

/** Kinds of document: a pitch deck, and what is sent in the place of one. */
export const DOCUMENT_KINDS = [
  'pitch_deck',
  'form',
  'invoice',
  'thesis',
  'lean_canvas',
  'event_programme',
  'template',
  'other',
] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];
