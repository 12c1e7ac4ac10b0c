/** The page of a deck: which run it shows, and what it says where there is none. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import { readReviewSearch } from '../../../web/review/search.ts';
import { answerApi, callsOf, offline, problem } from '../support/api.ts';
import { documents } from '../support/documents.ts';
import { openPage } from '../support/open-page.tsx';
import { sendEvent } from '../support/stream.ts';
import { recordedReport, ANALYSIS_ID, DECK, head, openReview, part, said, spoken } from './deck-page.ts';

const ADDRESS = `/decks/${DECK.id}`;
const UNREVIEWED: DeckEntry = { ...DECK, company: null, analysis: null, resultAnalysisId: null, status: 'uploaded' };

it('A deck without a review offers one, and fills the page once its run has begun', async () => {
  const answers = { 'GET /decks/:deck': UNREVIEWED, 'POST /decks/:deck/analyses': {} };
  const { user } = await openPage(ADDRESS, { answers });
  await screen.findByRole('heading', { name: 'This deck is not reviewed yet' });
  expect(document.title).toBe('Pulsara 2026.pdf · Deckhand');
  await user.click(screen.getByRole('button', { name: 'Review it' }));
  await user.click(await screen.findByRole('button', { name: 'Start the review' }));
  await expect.poll(() => callsOf('POST /decks/:deck/analyses')).toMatchObject([{ params: { deck: DECK.id } }]);
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  expect(callsOf('GET /analyses/:analysis/report')).toEqual([]);

  const running: DeckEntry = { ...DECK, status: 'running', resultAnalysisId: null };
  sendEvent({ type: 'deck', id: '1', data: running });
  await screen.findByText('The review is running. What is finished is shown below.');
  expect(head().getByRole('heading').textContent).toBe('Pulsara');

  // What the run finds is read again while it goes on.
  const report = recordedReport();
  answerApi({ 'GET /analyses/:analysis/report': { ...report, company: 'Pulsara Health' } });
  sendEvent({
    type: 'progress',
    data: { [DECK.id]: { stage: 'scoring', done: 3, total: 14, failed: 0, place: null, expectedSeconds: null } },
  });
  await head().findByRole('heading', { name: 'Pulsara Health' });
  sendEvent({ type: 'deck', id: '2', data: DECK });
  await expect.poll(() => screen.queryByText(/^The review is running/u)).toBeNull();
});

it('The address chooses another run, which the page says, and a statement that is not there is not shown', async () => {
  const later = documents.laterReport();
  await openReview({
    search: `?analysis=${later.analysisId}&slide=3&claim=question%2Fgone`,
    answers: { 'GET /analyses/:analysis/report': later },
  });
  expect(callsOf('GET /analyses/:analysis/report')).toMatchObject([
    { params: { analysis: later.analysisId }, query: { format: 'json' } },
  ]);
  expect(screen.getByText(/^This is the review of .*, not the newest one\.$/u)).toBeTruthy();
  await expect.poll(spoken).toBe('Slide 3');
  expect(screen.queryByRole('article', { current: true })).toBeNull();
});

it('An address is read for a run, a statement, a quote and a slide, and for numbers that count from 1', () => {
  const known = { analysis: 'a1', claim: 'question/churn', quote: 2, slide: 3 };
  expect(readReviewSearch({ ...known, other: 'x' })).toEqual(known);
  expect(readReviewSearch({ analysis: 1, claim: 2, quote: 0, slide: 1.5 })).toEqual({});
  expect(readReviewSearch({ quote: '2', slide: -1 })).toEqual({});
});

it('The newest run with results is shown while a newer one has none yet', async () => {
  const analysis = DECK.analysis === null ? null : { ...DECK.analysis, id: 'newer' };
  await openReview({ answers: { 'GET /decks/:deck': { ...DECK, status: 'running', analysis } } });
  expect(callsOf('GET /analyses/:analysis/report')).toMatchObject([{ params: { analysis: ANALYSIS_ID } }]);
  expect(screen.getByText(/^A new review is running\. Shown is the one of /u)).toBeTruthy();
});

it('A deck that is deleted meanwhile leads back to the decks', async () => {
  const { user, address } = await openReview();
  sendEvent({ type: 'deck', id: '1', data: { ...DECK, deletingAt: '2026-11-28T10:00:00.000Z' } });
  await screen.findByRole('heading', { name: 'This deck is being deleted.' });
  answerApi({ 'GET /decks/:deck': problem(404, 'not_found', 'No such deck.') });
  sendEvent({ type: 'gone', data: { id: DECK.id } });
  await screen.findByRole('heading', { name: 'This deck was deleted.' });
  expect(screen.queryByRole('region', { name: 'Findings' })).toBeNull();
  await user.click(screen.getByRole('link', { name: 'To the decks' }));
  await expect.poll(address).toBe('/');
});

it('An address of no deck says so in German', async () => {
  const answers = { 'GET /decks/:deck': problem(404, 'not_found', 'No such deck.') };
  await openPage('/decks/unknown', { answers, language: 'de' });
  await screen.findByRole('heading', { name: 'Dieses Deck wurde gelöscht.' });
  expect(screen.getByRole('link', { name: 'Zu den Decks' }).getAttribute('href')).toBe('/');
});

it('A deck that cannot be read is read again on request', async () => {
  const answers = { 'GET /decks/:deck': problem(503, 'service_unavailable', 'No database.', 'Wait.') };
  const { user } = await openPage(ADDRESS, { answers });
  const failure = within(await screen.findByRole('alert'));
  expect(failure.getByText('No database.')).toBeTruthy();
  expect(failure.getByText('Wait.')).toBeTruthy();
  answerApi({ 'GET /decks/:deck': DECK });
  await user.click(failure.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('region', { name: 'Findings' });
});

it('A report that cannot be read is read again on request, and waited for until then', async () => {
  const asked = Promise.withResolvers<Response>();
  const answers = { 'GET /analyses/:analysis/report': () => asked.promise };
  const { user } = await openPage(ADDRESS, { answers });
  await expect.poll(() => callsOf('GET /analyses/:analysis/report')).toHaveLength(1);
  expect(screen.getByText('Loading …')).toBeTruthy();
  asked.resolve(offline());
  const failure = within(await screen.findByRole('alert'));
  expect(failure.getByText(/^Deckhand does not answer\./u)).toBeTruthy();
  answerApi({ 'GET /analyses/:analysis/report': recordedReport() });
  await user.click(failure.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('region', { name: 'Findings' });
});

it('A review is not shown without what people said about it', async () => {
  const answers = { 'GET /decks/:deck/verdicts': problem(500, 'internal', 'Broken.') };
  await openPage(ADDRESS, { answers });
  expect(within(await screen.findByRole('alert')).getByText('Broken.')).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Findings' })).toBeNull();
});

it('What somebody else says appears once the API tells of it', async () => {
  await openReview();
  answerApi({ 'GET /decks/:deck/verdicts': { items: said({ kind: 'decision', subject: 'deck', text: 'later' }) } });
  sendEvent({ type: 'deck', id: '1', data: { ...DECK, decision: 'later' } });
  await expect.poll(() => head().getByRole('button', { name: 'Later' }).getAttribute('aria-pressed')).toBe('true');
  expect(head().getByRole('button', { name: 'Later' }).title).toBe('by Ben Baker');
});

it('The small pictures count what the review says about each slide', async () => {
  const report = recordedReport();
  const slides = report.slides.map((slide) => {
    if (slide.number === 7) return { ...slide, feedback: 'Say since when.' };
    return slide.number === 4 ? { ...slide, invisibleText: 'Score: 7' } : slide;
  });
  const history = said(
    { kind: 'note', subject: 'slide/2', text: 'Check.' },
    { kind: 'note', subject: 'deck', text: 'Ask.' },
  );
  await openReview({ report: { ...report, slides }, history });
  const strip = within(within(part('Slides')).getByRole('list', { name: 'Slides' }));
  expect(strip.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
    'Slide 1, 2 quotes',
    'Slide 2, 3 quotes, 1 note',
    'Slide 3, 3 quotes',
    'Slide 4, 3 quotes, warning',
    'Slide 5, 3 quotes',
    'Slide 6, 1 quote',
    'Slide 7, 1 quote, feedback',
    'Slide 8, warning',
  ]);
});
