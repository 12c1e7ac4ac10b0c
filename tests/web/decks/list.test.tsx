/** What the list shows of a deck: as a row, as a card, while its review runs, and when it failed. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { answerApi, callsOf, problem } from '../support/api.ts';
import { deckNamed } from '../support/documents.ts';
import { openPage } from '../support/open-page.tsx';
import { sendEvent } from '../support/stream.ts';
import { answersWith, deckWith, findRow, isCount, pageOf, runningDeck, runWith } from './decks.ts';

const damaged = deckWith('broken.pdf', {
  status: 'failed',
  analysis: runWith({ failure: { code: 'pdf_damaged', message: 'xref table is gone' } }),
  attention: ['failed'],
  resultAnalysisId: null,
  evidence: null,
  score: null,
  machineScore: null,
  coverage: null,
  quotes: { verified: 0, total: 0, answering: 0, bearing: 0, notJudged: 0 },
  ask: null,
  sector: null,
});

it('A row has what the review found and what people said', async () => {
  await openPage('/');
  const row = await findRow('Pulsara 2026.pdf');
  expect(within(row).getByRole('link').textContent).toBe('Pulsara');
  const { evidence } = deckNamed('Pulsara 2026.pdf');
  const figure = `${evidence?.found} of ${evidence?.asked}`;
  const texts = ['Complete', figure, "The machine's score is 2.4", '€4.5m', 'Telemedicine', 'Meet'];
  for (const text of texts) expect(within(row).getByText(text)).toBeTruthy();
  expect(within(row).getByTitle('Questions with evidence. Evidence score: 2.9 of 7').textContent).toBe(figure);
  expect(within(row).getByText('Text that tries to steer the score, The deck contradicts itself')).toBeTruthy();
  expect(within(row).getByTitle('16 of 16 quotes').textContent).toBe('100 %');
  expect(within(await findRow('quayline.pdf')).getByText('Nothing to look at')).toBeTruthy();
  expect(screen.getByText('4 in all')).toBeTruthy();
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('5');
});

it('A row says in one line what a deck offers, which round it names, and what it is where it is no pitch deck', async () => {
  const { facts } = deckNamed('cardiosense.pdf');
  const seed = deckWith('seed.pdf', {
    offering: 'Robots that clean rivers',
    documentKind: 'pitch_deck',
    facts: { ...facts, stage: 'raising our seed round', round: 'seed' },
    resultEngineKind: 'language model',
    score: 4.2,
    machineScore: 4.2,
  });
  const form = deckWith('form.pdf', { documentKind: 'form', facts: { ...facts, stage: 'Prototype', round: null } });
  await openPage('/', { answers: answersWith([seed, form]) });
  const row = await findRow('seed.pdf');
  expect(within(row).getByText('Robots that clean rivers')).toBeTruthy();
  expect(within(row).getByTitle('raising our seed round').textContent).toBe('Seed');
  expect(within(row).getByText('4.2')).toBeTruthy();
  expect(within(row).queryByText('Pitch deck')).toBeNull();
  const other = await findRow('form.pdf');
  for (const text of ['Form', 'Prototype']) expect(within(other).getByText(text)).toBeTruthy();
});

it('A card has the kind of the document and the market in German', async () => {
  const { facts } = deckNamed('cardiosense.pdf');
  const market = { text: 'TAM 12,4 Mrd. €', amount: 12_400_000_000, currency: 'EUR' };
  const invoice = deckWith('rechnung.pdf', {
    documentKind: 'invoice',
    facts: { ...facts, market },
    resultEngineKind: 'rules',
    evidence: { found: 3, asked: 34 },
    score: null,
    machineScore: null,
  });
  await openPage('/', { answers: answersWith([invoice]), language: 'de', width: 'phone' });
  expect(await screen.findByText('Rechnung')).toBeTruthy();
  expect(screen.getByTitle('TAM 12,4 Mrd. €').textContent).toMatch(/^12,4.Mrd\..€$/u);
  expect(screen.getByText('3 von 34')).toBeTruthy();
});

it('A card has the facts that are known, in German', async () => {
  const tagged = deckWith('cardiosense.pdf', {
    company: { id: 'c1', name: 'CardioSense' },
    tags: ['Kardiologie'],
    assignee: 'Ben Baker',
    decision: 'later',
    resultEngineKind: 'language model',
    attention: ['contradictions'],
  });
  await openPage('/', { answers: answersWith([tagged, damaged]), language: 'de', width: 'phone' });
  const [card, broken] = await screen
    .findAllByRole('listitem')
    .then((items) =>
      ['CardioSense', 'broken.pdf'].map((name) => items.find((item) => within(item).queryByRole('link', { name }))),
    );
  const shown = card?.textContent ?? '';
  const facts = ['Fertig', '4,2 Mio. €', 'Bewertung3,2', 'Belegt100 %', 'Kardiologie', 'ZuständigBen Baker', 'Später'];
  for (const text of [...facts, 'Das Deck widerspricht sich']) expect(shown.replaceAll('\u00A0', ' ')).toContain(text);
  expect(broken?.textContent).toContain('Die PDF-Datei ist beschädigt');
  expect(broken?.textContent).toContain('Das Deck neu exportieren und hinzufügen.');
  expect(broken?.textContent).toContain('Die Prüfung ist fehlgeschlagen');
  expect(broken?.textContent).not.toContain('Bewertung');
  expect(screen.queryByRole('table')).toBeNull();
});

it.each(['desktop', 'phone'] as const)(
  'How many quotes answer is a share, without those not judged (%s)',
  async (width) => {
    const quotes = { verified: 16, total: 16, answering: 8, bearing: 6, notJudged: 2 };
    const half = deckWith('half.pdf', { quotes, answeringShare: 0.5 });
    const unjudged = { verified: 3, total: 4, answering: 0, bearing: 0, notJudged: 3 };
    const none = deckWith('none.pdf', { quotes: unjudged, answeringShare: null });
    await openPage('/', { answers: answersWith([half, none]), width });
    const share = await screen.findByTitle('8 of 16 quotes');
    expect(share.textContent).toBe('50 %');
    expect(share.parentElement?.textContent).toBe('50 %2 not judged');
    expect(screen.getByText('3 not judged').parentElement?.textContent).toBe('–3 not judged');
  },
);

it('A failed review says why, with what to do where that is known', async () => {
  const unknown = deckWith('strange.pdf', {
    status: 'failed',
    analysis: runWith({ failure: { code: 'model_unreachable', message: 'No model answers.' } }),
  });
  await openPage('/', { answers: answersWith([damaged, unknown]) });
  const row = await findRow('broken.pdf');
  expect(within(row).getByText('The review failed')).toBeTruthy();
  expect(within(row).getByText(/^The PDF is damaged/u).textContent).toBe(
    'The PDF is damaged Export the deck again and add it.',
  );
  expect(within(await findRow('strange.pdf')).getByText('No model answers.')).toBeTruthy();
});

it('A deck without a company has the name of its file, and its other names', async () => {
  const renamed = deckWith('first.pdf', { otherNames: ['second.pdf', 'third.pdf'] });
  const words = { text: 'about a million', amount: null, currency: null };
  await openPage('/', { answers: answersWith([renamed, { ...damaged, ask: words }]) });
  const row = await findRow('first.pdf');
  expect(within(row).getByText('Company not found · also second.pdf, third.pdf')).toBeTruthy();
  const failed = await findRow('broken.pdf');
  expect(within(failed).queryByText('Company not found')).toBeNull();
  expect(within(failed).getByText('about a million')).toBeTruthy();
});

it('A running review shows its stage, then its progress as it comes', async () => {
  const decks = [
    runningDeck('seven.pdf', { stage: 'slides' }),
    runningDeck('still.pdf', { pausedAt: '2026-11-28T03:47:00.000Z' }),
    deckWith('next.pdf', { status: 'queued', analysis: runWith({ finishedAt: null }) }),
    runningDeck('begun.pdf', { stage: null }),
  ];
  await openPage('/', { answers: answersWith(decks) });
  const row = await findRow('seven.pdf');
  expect(within(row).getByRole('progressbar', { name: 'Slides' }).getAttribute('aria-valuenow')).toBeNull();
  expect(within(await findRow('still.pdf')).getByText('Paused')).toBeTruthy();
  expect(within(await findRow('next.pdf')).getByText('Waiting')).toBeTruthy();
  expect(within(await findRow('begun.pdf')).getByRole('progressbar', { name: 'Running' })).toBeTruthy();
  sendEvent({
    type: 'progress',
    data: { 'seven.pdf': { stage: 'slides', done: 7, total: 30, failed: 0, place: null, expectedSeconds: null } },
  });
  const bar = within(row).getByRole('progressbar', { name: 'Slide 7 of 30' });
  expect(bar.getAttribute('aria-valuenow')).toBe('23');
  sendEvent({
    type: 'progress',
    data: { 'seven.pdf': { stage: 'scoring', done: 1, total: 4, failed: 0, place: null, expectedSeconds: null } },
  });
  expect(within(row).getByRole('progressbar', { name: 'Scores: 1 of 4' })).toBeTruthy();
});

it('A review that waits for others shows its place and when it is expected', async () => {
  await openPage('/', { answers: answersWith([runningDeck('held.pdf', { stage: 'probe' })]) });
  const row = await findRow('held.pdf');
  const held = { stage: 'probe', done: 0, total: 0, failed: 0, expectedSeconds: 1260 } as const;
  sendEvent({ type: 'progress', data: { 'held.pdf': { ...held, place: 3 } } });
  expect(within(row).getByText('Place 3 in line')).toBeTruthy();
  expect(within(row).getByText('about 21 mins')).toBeTruthy();
  expect(within(row).queryByRole('progressbar')).toBeNull();
  sendEvent({ type: 'progress', data: { 'held.pdf': { ...held, place: 1 } } });
  expect(within(row).getByText('Next in line')).toBeTruthy();
});

it('A press on a row opens the deck, a press on its box selects it', async () => {
  const { user, address } = await openPage('/');
  const row = await findRow('quayline.pdf');
  await user.click(within(row).getByRole('checkbox'));
  expect(address()).toBe('/');
  await user.click(within(row).getByText('Outside health'));
  await expect.poll(address).toBe('/decks/10487c37-6047-4f9b-946f-5990a147523a');
});

it('The list shows grey rows until it is read, and why it cannot be read', async () => {
  const refusal = problem(400, 'validation_failed', 'The database does not answer.', 'Wait a moment.');
  const reading = Promise.withResolvers<Response>();
  const { user } = await openPage('/', {
    answers: { 'GET /decks': (call) => (isCount(call) ? pageOf([]) : reading.promise) },
  });
  await screen.findByText('Loading …');
  reading.resolve(refusal);
  await screen.findByText('The database does not answer.');
  expect(screen.getByText('Wait a moment.')).toBeTruthy();
  answerApi(answersWith([deckWith('now.pdf')]));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await findRow('now.pdf')).toBeTruthy();
});

it('A list that cannot be read again stays, says so, and can be tried again', async () => {
  const { user, queries } = await openPage('/', { answers: answersWith([deckWith('old.pdf')]) });
  await findRow('old.pdf');
  answerApi({ 'GET /decks': problem(503, 'service_unavailable', 'No answer.') });
  void queries.invalidateQueries({ queryKey: ['decks'] });
  await screen.findByText(/The list could not be read again\. What is shown is older\. No answer\./u);
  expect(await findRow('old.pdf')).toBeTruthy();
  answerApi(answersWith([deckWith('new.pdf')]));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await findRow('new.pdf')).toBeTruthy();
  await waitFor(() => expect(screen.queryByText('old.pdf')).toBeNull());
  expect(screen.queryByRole('alert')).toBeNull();
});

it('An entry that changed replaces the one that is shown', async () => {
  const decks = [runningDeck('live.pdf'), deckWith('gone.pdf')];
  await openPage('/', { answers: answersWith(decks) });
  expect(within(await findRow('live.pdf')).getByRole('progressbar')).toBeTruthy();
  const reads = callsOf('GET /decks').length;
  sendEvent({
    type: 'deck',
    id: '2',
    data: deckWith('live.pdf', { status: 'completed', resultEngineKind: null, score: 6.5, machineScore: 6.5 }),
  });
  const row = await findRow('live.pdf');
  await within(row).findByText('6.5');
  expect(within(row).getByText('Complete')).toBeTruthy();
  sendEvent({ type: 'gone', data: { id: 'gone.pdf' } });
  await waitFor(() => expect(screen.queryByText('gone.pdf')).toBeNull());
  // The number of decks is read again.
  await expect.poll(() => callsOf('GET /decks').length).toBeGreaterThan(reads);
});
