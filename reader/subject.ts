/** Names of the subjects that a slide or a part of it can be about, and how their words are written. */
/** Names of the subjects; those in {@link SILENT} answer no question. */
export type Subject =
  | 'problem'
  | 'today'
  | 'before'
  | 'persona'
  | 'solution'
  | 'benefit'
  | 'evidence'
  | 'market'
  | 'timing'
  | 'competition'
  | 'advantage'
  | 'model'
  | 'pricing'
  | 'economics'
  | 'traction'
  | 'customers'
  | 'voices'
  | 'pilots'
  | 'sales'
  | 'roadmap'
  | 'financials'
  | 'ask'
  | 'funds'
  | 'team'
  | 'hiring'
  | 'company'
  | 'vision'
  | 'risks'
  | 'regulatory'
  | 'contents'
  | 'closing'
  | 'legal'
  | 'sources';

/** Slides that list, thank, warn or cite. */
export const SILENT: ReadonlySet<Subject> = new Set<Subject>(['contents', 'closing', 'legal', 'sources']);

/** The words of a subject. */
export interface Wording {
  /** Words that name the subject in a short headline or heading. */
  readonly label: RegExp;
  /** Words by which a headline that is a sentence belongs to the subject. */
  readonly statement?: RegExp;
}
