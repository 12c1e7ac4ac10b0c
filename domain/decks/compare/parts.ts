/** Parts of a comparison, without a library at run time: pages import it. */

/** Parts of a report whose items are matched and compared, in the order they are shown. */
export const PARTS = [
  'run',
  'deck',
  'overall',
  'extractions',
  'profile',
  'classification',
  'chapters',
  'questions',
  'specialised',
  'slides',
  'steering',
  'contradictions',
] as const;
export type Part = (typeof PARTS)[number];
