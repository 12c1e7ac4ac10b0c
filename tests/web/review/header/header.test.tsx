/** The head of a review: whose deck it is, how far its run is, and its score. */
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { DeckEntry } from '../../../../domain/decks/list/entry.ts';
import { recordedReport, DECK, head, openReview, withMarks } from '../deck-page.ts';

const deck = (change: Partial<DeckEntry>): { 'GET /decks/:deck': DeckEntry } => ({
  'GET /decks/:deck': { ...DECK, ...change },
});

const NONE_JUDGED = '16 quotes: 16 on their slide · not judged whether they answer';

it('The head names the company and the file, and has the score with how well it is proved', async () => {
  await openReview();
  expect(head().getByRole('heading').textContent).toBe('Pulsara');
  expect(head().getByText('Pulsara 2026.pdf')).toBeTruthy();
  expect(document.title).toBe('Pulsara, review · Deckhand');
  for (const text of ['2.4', 'of 7', 'by rules', '14 of 14 questions scored', NONE_JUDGED])
    expect(head().getByText(text)).toBeTruthy();
  // That it is complete is not worth a word.
  expect(head().queryByText('Complete')).toBeNull();
  expect(head().queryByText(/^Decision:/u)).toBeNull();
  expect(head().getByRole('link', { name: 'All decks' }).getAttribute('href')).toBe('/');
});

it('A deck whose company is not known is called by its file, with the other names of the file', async () => {
  const otherNames = ['Deck final.pdf', 'Deck final 2.pdf'];
  await openReview({ report: { ...recordedReport(), company: null }, answers: deck({ otherNames }) });
  expect(head().getByRole('heading').textContent).toBe('Pulsara 2026.pdf');
  expect(head().getByText('also Deck final.pdf, Deck final 2.pdf')).toBeTruthy();
  expect(document.title).toBe('Pulsara 2026.pdf, review · Deckhand');
});

it('A file that was added under several names has them beside its own', async () => {
  await openReview({ answers: deck({ otherNames: ['Copy.pdf'] }) });
  expect(head().getByText('Pulsara 2026.pdf, also Copy.pdf').title).toBe('Pulsara 2026.pdf, also Copy.pdf');
});

it('A score of a model is not said to be by rules', async () => {
  const report = recordedReport();
  const engine = { name: 'm', label: 'm', version: null, kind: 'model' };
  await openReview({ report: { ...report, engine } });
  expect(head().getByText('2.4')).toBeTruthy();
  expect(head().queryByText(/by rules/u)).toBeNull();
  expect(head().queryByText(/machine:/u)).toBeNull();
});

it('Before anything is scored there are only the quotes', async () => {
  const report = recordedReport();
  const chapters = report.chapters.map((chapter) => ({ ...chapter, score: null, scored: 0, asked: 0 }));
  await openReview({ report: { ...report, chapters, overall: { ...report.overall, score: null } } });
  expect(head().queryByText('of 7')).toBeNull();
  expect(head().queryByText(/questions scored$/u)).toBeNull();
  expect(head().getByText(NONE_JUDGED)).toBeTruthy();
});

it.each([
  [
    { quotes: 62, onSlide: 58, answering: 34, notJudged: 10 },
    '62 quotes: 58 on their slide · 34 answer their question · 10 not judged',
  ],
  [{ quotes: 9, onSlide: 1, answering: 1, notJudged: 0 }, '9 quotes: 1 on its slide · 1 answers its question'],
  [{ quotes: 3, onSlide: 0, answering: 0, notJudged: 0 }, '3 quotes: 0 on their slide'],
])('Quotes are counted by both marks: %j', async (marks, text) => {
  await openReview({ report: withMarks(recordedReport(), marks) });
  expect(head().getByText(text)).toBeTruthy();
});

it('A review without quotes counts none', async () => {
  await openReview({ report: withMarks(recordedReport(), { quotes: 0, onSlide: 0, notJudged: 0 }) });
  expect(head().queryByText(/quotes:/u)).toBeNull();
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
  for (const text of [
    '2,4',
    'von 7',
    'von Regeln',
    '14 von 14 Fragen bewertet',
    '16 Zitate: 16 auf ihrer Folie · nicht beurteilt, ob sie antworten',
  ])
    expect(head().getByText(text)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Alle Decks' })).toBeTruthy();
});
