/** The head of a review: whose deck it is, how far its run is, and its score. */
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { DeckEntry } from '../../../../domain/decks/list/entry.ts';
import { documents } from '../../support/documents.ts';
import { DECK, head, openReview } from '../deck-page.ts';

const deck = (change: Partial<DeckEntry>): { 'GET /decks/:deck': DeckEntry } => ({
  'GET /decks/:deck': { ...DECK, ...change },
});

it('The head names the company and the file, and has the score with how well it is proved', async () => {
  await openReview();
  expect(head().getByRole('heading').textContent).toBe('Pulsara');
  expect(head().getByText('Pulsara 2026.pdf')).toBeTruthy();
  expect(document.title).toBe('Pulsara, review · Deckhand');
  for (const text of ['2.4', 'of 7', 'by rules', '14 of 14 questions scored', '16 of 16 quotes verified'])
    expect(head().getByText(text)).toBeTruthy();
  // That it is complete is not worth a word.
  expect(head().queryByText('Complete')).toBeNull();
  expect(head().queryByText(/^Decision:/u)).toBeNull();
  expect(head().getByRole('link', { name: 'All decks' }).getAttribute('href')).toBe('/');
});

it('A deck whose company is not known is called by its file, with the other names of the file', async () => {
  const otherNames = ['Deck final.pdf', 'Deck final 2.pdf'];
  await openReview({ report: { ...documents.report(), company: null }, answers: deck({ otherNames }) });
  expect(head().getByRole('heading').textContent).toBe('Pulsara 2026.pdf');
  expect(head().getByText('also Deck final.pdf, Deck final 2.pdf')).toBeTruthy();
  expect(document.title).toBe('Pulsara 2026.pdf, review · Deckhand');
});

it('A file that was added under several names has them beside its own', async () => {
  await openReview({ answers: deck({ otherNames: ['Copy.pdf'] }) });
  expect(head().getByText('Pulsara 2026.pdf, also Copy.pdf').title).toBe('Pulsara 2026.pdf, also Copy.pdf');
});

it('A score of a model is not said to be by rules', async () => {
  const report = documents.report();
  const engine = { name: 'm', label: 'm', version: null, kind: 'model' };
  await openReview({ report: { ...report, engine } });
  expect(head().getByText('2.4')).toBeTruthy();
  expect(head().queryByText(/by rules/u)).toBeNull();
  expect(head().queryByText(/machine:/u)).toBeNull();
});

it('Before anything is scored there are only the quotes', async () => {
  const report = documents.report();
  const chapters = report.chapters.map((chapter) => ({ ...chapter, score: null, scored: 0, asked: 0 }));
  await openReview({ report: { ...report, chapters, overall: { ...report.overall, score: null } } });
  expect(head().queryByText('of 7')).toBeNull();
  expect(head().queryByText(/questions scored$/u)).toBeNull();
  expect(head().getByText('16 of 16 quotes verified')).toBeTruthy();
});

it('The same quote counts once, and one that is not proved is not verified', async () => {
  const report = documents.report();
  const unproved = {
    slide: 2,
    quote: 'We have a moat.',
    verdict: 'contradicted' as const,
    reason: null,
    boxes: null,
    answering: null,
    answeringBy: null,
    citedSlide: null,
    reread: null,
    rereadReason: null,
  };
  const specialised = report.specialised.map((reading) => ({ ...reading, evidence: [...reading.evidence, unproved] }));
  await openReview({ report: { ...report, specialised } });
  expect(head().getByText('16 of 17 quotes verified')).toBeTruthy();
});

it.each([
  { status: 'queued', text: 'Waiting' },
  { status: 'completed_with_gaps', text: 'Complete, with gaps' },
  { status: 'cancelled', text: 'Cancelled' },
] as const)('A run that is $status says so in the head', async ({ status, text }) => {
  await openReview({ answers: deck({ status }) });
  expect(head().getByText(text)).toBeTruthy();
});

it('The head is the same in German and on a phone', async () => {
  await openReview({ language: 'de', width: 'phone' });
  expect(document.title).toBe('Pulsara, Prüfung · Deckhand');
  for (const text of ['2,4', 'von 7', 'von Regeln', '14 von 14 Fragen bewertet', '16 von 16 Zitaten belegt'])
    expect(head().getByText(text)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Alle Decks' })).toBeTruthy();
});
