/** The subjects that a slide or a part of it can be about. */
import { DeckhandError } from '../domain/errors.ts';

const NAMES = [
  'problem',
  'today',
  'before',
  'persona',
  'solution',
  'benefit',
  'evidence',
  'market',
  'timing',
  'competition',
  'advantage',
  'model',
  'pricing',
  'economics',
  'traction',
  'customers',
  'voices',
  'pilots',
  'sales',
  'roadmap',
  'financials',
  'ask',
  'funds',
  'team',
  'hiring',
  'company',
  'vision',
  'risks',
  'regulatory',
  'contents',
  'closing',
  'legal',
  'sources',
] as const;

export type Subject = (typeof NAMES)[number];
/** In the order in which slides are known by them. */
export const SUBJECTS: readonly Subject[] = NAMES;

/** Slides that list, thank, warn or cite: they answer no question. */
export const SILENT: ReadonlySet<Subject> = new Set<Subject>(['contents', 'closing', 'legal', 'sources']);

/** The subjects of a text that names them with spaces between. Throws for a name of none. */
export const subjectsNamed = (names: string): readonly Subject[] =>
  names.split(' ').flatMap((name) => {
    const subject = SUBJECTS.find((each) => each === name);
    if (subject === undefined && name !== '') throw new DeckhandError('internal', `${name} is no subject of slides`);
    return subject ?? [];
  });
