/** The subject of a verdict, read from its text: `deck`, `value/funding`, `question/market_size`, `slide/7`, `reading/clinical`, `profile/team`. */
import type { VerdictSubject } from './kinds.ts';

/** The parts of a subject. */
export type SubjectParts =
  | { readonly of: 'deck' }
  | { readonly of: 'value'; readonly field: string }
  | { readonly of: 'question'; readonly slug: string }
  | { readonly of: 'slide'; readonly number: number }
  | { readonly of: 'reading'; readonly reading: string }
  | { readonly of: 'profile'; readonly topic: string };

/** A name after the slash: of a field, a question, a reading. */
const NAME = /^[a-z0-9][a-z0-9_-]*$/u;
/** Written in one way only, so that a slide has one subject. */
const SLIDE_NUMBER = /^[1-9]\d{0,4}$/u;

/** The parts of a subject; null for a text that is none. Whether what it names exists is not checked here. */
export function subjectParts(subject: VerdictSubject): SubjectParts | null {
  if (subject === 'deck') return { of: 'deck' };
  const [of, name, ...more] = subject.split('/');
  if (name === undefined || more.length > 0) return null;
  if (of === 'slide') return SLIDE_NUMBER.test(name) ? { of, number: Number(name) } : null;
  if (!NAME.test(name)) return null;
  switch (of) {
    case 'value':
      return { of, field: name };
    case 'question':
      return { of, slug: name };
    case 'reading':
      return { of, reading: name };
    case 'profile':
      return { of, topic: name };
    default:
      return null;
  }
}

/** The subject of these parts. */
export function subjectOf(parts: SubjectParts): VerdictSubject {
  switch (parts.of) {
    case 'deck':
      return 'deck';
    case 'value':
      return `value/${parts.field}`;
    case 'question':
      return `question/${parts.slug}`;
    case 'slide':
      return `slide/${parts.number}`;
    case 'reading':
      return `reading/${parts.reading}`;
    case 'profile':
      return `profile/${parts.topic}`;
  }
}
