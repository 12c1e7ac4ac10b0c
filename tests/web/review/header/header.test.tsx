/** The head of a review: whose deck it is, how far its run is, and its score. */
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { quoteFrom } from '../../../../testing/profile.ts';
import type { DeckEntry } from '../../../../domain/decks/list/entry.ts';
import { judgedReport, modelReport, said, recordedReport, DECK, head, openReview, withMarks } from '../deck-page.ts';

const deck = (change: Partial<DeckEntry>): { 'GET /decks/:deck': DeckEntry } => ({
  'GET /decks/:deck': { ...DECK, ...change },
});

const NONE_JUDGED = '16 quotes: 16 on their slide · not judged whether they answer';

it('The head names the company and the file, and has the score with how well it is proved', async () => {
  await openReview();
  expect(head().getByRole('heading').textContent).toBe('Pulsara');
  expect(head().getByText('Pulsara 2026.pdf')).toBeTruthy();
  expect(document.title).toBe('Pulsara, review · Deckhand');
  for (const text of ['2.4', 'of 7', 'evidence score', '14 of 14 questions scored', NONE_JUDGED])
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

it('A score of a model is not said to be of evidence', async () => {
  await openReview({ report: modelReport(judgedReport()) });
  expect(head().getByText('2.4')).toBeTruthy();
  expect(head().queryByText(/evidence/iu)).toBeNull();
  expect(head().queryByText(/machine:/u)).toBeNull();
});

it.each([
  {
    language: 'en',
    texts: ['11', 'of 14 questions', 'Missing: Financials (1), Use of funds (1), Organization (1)'],
    label: 'Evidence found',
    score: 'of 7',
  },
  {
    language: 'de',
    texts: ['11', 'von 14 Fragen', 'Es fehlen: Financials (1), Use of funds (1), Organization (1)'],
    label: 'Belege gefunden',
    score: 'von 7',
  },
] as const)(
  'The evidence leads a review of rules, with what is missing ($language)',
  async ({ language, ...words }) => {
    await openReview({ report: judgedReport(), language });
    for (const text of words.texts) expect(head().getByText(text)).toBeTruthy();
    // Once seen, once read out.
    expect(head().getAllByText(words.label)).toHaveLength(2);
    expect(head().queryByText(words.score)).toBeNull();
  },
);

it('Evidence that people deny is not counted', async () => {
  const report = judgedReport();
  const answer = report.chapters[0]?.questions[0]?.answer ?? null;
  const history = said({
    kind: 'judgement',
    subject: 'question/target_problem',
    text: 'wrong',
    machine: { text: answer, score: null },
  });
  await openReview({ report, history });
  expect(head().getByText('10')).toBeTruthy();
  expect(head().getByText(/^Missing: Problem analysis \(1\)/u)).toBeTruthy();
});

it.each([
  { language: 'en', text: 'This is not a pitch deck but a form:', quote: '“The ask”' },
  { language: 'de', text: 'Das ist kein Pitchdeck, sondern ein Formular:', quote: '„The ask“' },
] as const)(
  'A form is said to be none before everything else, with the words that show it ($language)',
  async (each) => {
    const { language, text, quote } = each;
    const report = recordedReport();
    const document = { kind: 'form' as const, evidence: [quoteFrom(5, 'The ask')] };
    const { user } = await openReview({ report: { ...report, profile: { ...report.profile, document } }, language });
    const line = screen.getByText(text);
    const heading = screen.getByRole('heading', { level: 1 });
    expect(line.compareDocumentPosition(heading) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    await user.click(screen.getByText(quote));
    expect(screen.getByRole('article', { current: true }).contains(line)).toBe(true);
  },
);

it('Words that do not stand on their slide show no form, and a pitch deck has no such line', async () => {
  const report = recordedReport();
  const evidence = [quoteFrom(5, 'Nowhere', { verdict: 'contradicted' })];
  await openReview({ report: { ...report, profile: { ...report.profile, document: { kind: 'other', evidence } } } });
  expect(screen.getByText('This is not a pitch deck.')).toBeTruthy();
  expect(screen.queryByText(/Nowhere/u)).toBeNull();
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
    'Belegwert',
    '14 von 14 Fragen bewertet',
    '16 Zitate: 16 auf ihrer Folie · nicht beurteilt, ob sie antworten',
  ])
    expect(head().getByText(text)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Alle Decks' })).toBeTruthy();
});
