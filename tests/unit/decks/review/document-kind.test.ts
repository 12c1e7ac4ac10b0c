/** The sentence on a document that is no pitch deck. */
import { expect, it } from 'vitest';
import { otherDocument, otherDocumentText } from '../../../../domain/decks/review/document-kind.ts';
import { DOCUMENT_KINDS, type DocumentKind } from '../../../../domain/profile/topics.ts';
import { NO_PROFILE, profileOf, quoteFrom } from '../../../../testing/profile.ts';

const documentOf = (kind: DocumentKind, verdict: 'verified' | 'contradicted' = 'verified') => ({
  profile: profileOf({}, { document: { kind, evidence: [quoteFrom(2, 'Application form', { verdict })] } }),
});

it('a form is said to be none, with words that show it and their slide', () => {
  expect(otherDocumentText(documentOf('form'), 'en')).toBe(
    'This is not a pitch deck but a form: “Application form” (slide 2).',
  );
  expect(otherDocumentText(documentOf('form'), 'de')).toBe(
    'Das ist kein Pitchdeck, sondern ein Formular: „Application form“ (Folie 2).',
  );
});

it('words that do not stand on their slide show nothing', () => {
  expect(otherDocumentText(documentOf('other', 'contradicted'), 'en')).toBe('This is not a pitch deck.');
  expect(otherDocument(documentOf('invoice', 'contradicted'), 'de')?.quote).toBeNull();
});

it('nothing is said of a pitch deck and of a review that did not ask', () => {
  expect(otherDocument(documentOf('pitch_deck'), 'en')).toBeNull();
  expect(otherDocumentText({ profile: NO_PROFILE }, 'en')).toBeNull();
});

it.each(['en', 'de'] as const)('every kind of document has words of its own (%s)', (language) => {
  const texts = DOCUMENT_KINDS.map((kind) => otherDocumentText(documentOf(kind), language));
  expect(new Set(texts).size).toBe(DOCUMENT_KINDS.length);
});
