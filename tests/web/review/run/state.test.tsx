/** What is said of the run above the findings, and what can be done about it. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { DeckEntry } from '../../../../domain/decks/list/entry.ts';
import type { AnalysisReport, ReportGap } from '../../../../domain/decks/report.ts';
import { callsOf, problem } from '../../support/api.ts';
import { sendEvent } from '../../support/stream.ts';
import { recordedReport, ANALYSIS_ID, DECK, openReview, PROGRESS, spoken } from '../deck-page.ts';

const gap = (more: Partial<ReportGap>): ReportGap => ({
  item: 'slide/6',
  stage: 'slides',
  slide: null,
  question: null,
  code: 'slide_illegible',
  message: 'the page has no text that can be read',
  ...more,
});
const reportWith = (change: Partial<AnalysisReport>): AnalysisReport => ({ ...recordedReport(), ...change });
const ofDeck = (change: Partial<DeckEntry>) => ({ 'GET /decks/:deck': { ...DECK, ...change } });
const run = (change: Partial<NonNullable<DeckEntry['analysis']>>): DeckEntry['analysis'] =>
  DECK.analysis === null ? null : { ...DECK.analysis, ...change };

const GAPS = reportWith({
  gaps: [
    gap({ slide: 6 }),
    gap({ slide: 3 }),
    gap({ slide: 6, stage: 'review' }),
    gap({ code: 'model_stalled', question: 'team_experience' }),
    gap({ code: 'model_stalled' }),
    gap({ code: 'own_code', message: 'The printer is on fire.' }),
  ],
});

it('Gaps are told once per reason with their slides, which are shown on request', async () => {
  const { user } = await openReview({ report: GAPS });
  expect(screen.getByText('6 things could not be computed')).toBeTruthy();
  const illegible = screen.getByText(/^Nothing could be read/u);
  const slides = within(illegible).getAllByRole('button');
  expect(slides.map(({ textContent }) => textContent)).toEqual(['Slide 3', 'Slide 6']);
  expect(
    screen.getByText('The model stopped in the middle of its answer: 1 question, a value of the whole deck'),
  ).toBeTruthy();
  expect(screen.getByText('The printer is on fire.')).toBeTruthy();
  await user.click(within(illegible).getByRole('button', { name: 'Slide 6' }));
  await expect.poll(spoken).toBe('Slide 6');
});

it('What is missing is computed by a run of its own, and the newest run is shown from then on', async () => {
  const { user, address } = await openReview({
    report: GAPS,
    search: `?analysis=${ANALYSIS_ID}`,
    answers: { 'POST /analyses/:analysis/replay': { analysisId: 'filled' } },
  });
  await user.click(screen.getByRole('button', { name: 'Compute what is missing' }));
  await screen.findAllByText('A run that fills the gaps is started.');
  expect(callsOf('POST /analyses/:analysis/replay')).toMatchObject([
    { params: { analysis: ANALYSIS_ID }, body: { kind: 'gaps' } },
  ]);
  await expect.poll(address).toBe(`/decks/${DECK.id}`);
  await expect.poll(() => callsOf('GET /decks/:deck').length).toBeGreaterThan(1);
});

it('Beside what could not be computed stands how many requests were lost', async () => {
  const sends = { counted: 9, lost: 5 };
  await openReview({ report: GAPS, answers: { 'GET /analyses/:analysis': { progress: PROGRESS, sends } } });
  await screen.findByText('5 requests to a model were lost with a machine, its gateway or the network.');
});

it('A run for what is missing that is refused says why', async () => {
  const { user } = await openReview({
    report: GAPS,
    answers: { 'POST /analyses/:analysis/replay': problem(409, 'conflict', 'Another run goes on.') },
  });
  await user.click(screen.getByRole('button', { name: 'Compute what is missing' }));
  expect((await screen.findAllByText('Another run goes on.')).length).toBeGreaterThan(0);
});

it('While the review runs nothing that is missing can be computed', async () => {
  await openReview({
    report: reportWith({ gaps: [gap({ slide: 6 })], status: 'running', finishedAt: null }),
    answers: ofDeck({ status: 'running', resultAnalysisId: null }),
  });
  expect(screen.getByText('The review is running. What is finished is shown below.')).toBeTruthy();
  expect(screen.getByText('Something could not be computed')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Compute what is missing' })).toBeNull();
});

it('A review that waits for others says its place, and one that began what it waits for', async () => {
  await openReview({
    report: reportWith({ status: 'running', finishedAt: null }),
    answers: {
      ...ofDeck({ status: 'running', resultAnalysisId: null }),
      'GET /analyses/:analysis': {
        progress: { ...PROGRESS, waitingFor: 'a model host for text: gpu-1 is booting' },
        sends: { counted: 4, lost: 1 },
      },
    },
  });
  await screen.findByText('It waits for a model host for text: gpu-1 is booting.');
  expect(screen.getByText('1 request to a model was lost with a machine, its gateway or the network.')).toBeTruthy();
  const held = { stage: 'probe', done: 0, total: 0, failed: 0, place: 2, expectedSeconds: 7200 } as const;
  sendEvent({ type: 'progress', data: { [DECK.id]: held } });
  expect(screen.getByText(/^The review is at place 2 in line/u)).toBeTruthy();
  expect(screen.getByText('It is expected in about 2 hrs.')).toBeTruthy();
  expect(screen.queryByText(/^It waits for/u)).toBeNull();
});

it('A running review is read again when it is further', async () => {
  await openReview({
    report: reportWith({ status: 'running', finishedAt: null }),
    answers: ofDeck({ status: 'running', resultAnalysisId: null }),
  });
  const reads = (): number => callsOf('GET /analyses/:analysis/report').length;
  await expect.poll(reads).toBe(2);
  sendEvent({
    type: 'progress',
    data: { [DECK.id]: { stage: 'scoring', done: 3, total: 14, failed: 0, place: null, expectedSeconds: null } },
  });
  await expect.poll(reads).toBe(3);
});

it('A review that waits, one beside the shown one, and a cancelled one are told apart, in German as well', async () => {
  const { queries } = await openReview({
    language: 'de',
    answers: ofDeck({ status: 'queued', resultAnalysisId: null }),
  });
  const now = (change: Partial<DeckEntry>): void =>
    void queries.setQueryData(['deck', DECK.id], { ...DECK, ...change });
  expect(screen.getByText('Die Prüfung wartet, bis sie an der Reihe ist.')).toBeTruthy();
  now({ status: 'running', analysis: run({ id: 'new' }) });
  await screen.findByText(/^Eine neue Prüfung läuft\. Gezeigt wird die vom \d\d\.\d\d\.2026\.$/u);
  now({ status: 'cancelled' });
  await screen.findByText('Die Prüfung wurde abgebrochen. Was fertig war, steht unten.');
  expect(screen.getByRole('button', { name: 'Erneut prüfen' })).toBeTruthy();
});

it('A file that cannot be read is said with what to do, and leads to the decks', async () => {
  await openReview({
    report: reportWith({ status: 'failed', chapters: [], extractions: [], slides: [] }),
    answers: ofDeck({
      status: 'failed',
      resultAnalysisId: null,
      analysis: run({ failure: { code: 'pdf_damaged', message: 'xref broken' } as never }),
    }),
  });
  const message = screen.getByText('The review failed').parentElement ?? document.body;
  expect(within(message).getByText('The PDF is damaged. Export the deck again and add it.')).toBeTruthy();
  expect(within(message).getByRole('link', { name: 'To the decks' }).getAttribute('href')).toBe('/');
  expect(within(message).queryByRole('button', { name: 'Review again' })).toBeNull();
});

it('Another failure is said in the words of the API, and the deck can be reviewed again', async () => {
  const { user } = await openReview({
    answers: ofDeck({
      status: 'failed',
      analysis: run({ failure: { code: 'internal', message: 'Disk full.' } as never }),
    }),
  });
  const message = screen.getByText('The review failed', { selector: 'p' }).parentElement ?? document.body;
  expect(within(message).getByText('Disk full.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Review again' }));
  expect(await screen.findByRole('dialog')).toBeTruthy();
  // Which dialog is open is kept beside the page.
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

it.each([
  ['en', /^Answered by servers outside your network \(a\.example, b\.example\)\.$/u],
  ['de', /^Von Servern außerhalb Ihres Netzes beantwortet \(a\.example, b\.example\)\.$/u],
] as const)('Servers outside the network that answered are named (%s)', async (language, sentence) => {
  const { extractions, sector, ...rest } = recordedReport();
  const left = (host: string, from: typeof sector.provenance) =>
    from === null ? null : { ...from, outsideHost: host };
  const report = {
    ...rest,
    extractions: extractions.map((value) => ({ ...value, provenance: left('b.example', value.provenance) })),
    sector: { ...sector, provenance: left('a.example', sector.provenance) },
  };
  await openReview({ report, language });
  expect(screen.getByText(sentence)).toBeTruthy();
});

it('Notices, what is in the file, a shortened deck and answers by rules are said', async () => {
  const report = recordedReport();
  await openReview({
    report: {
      ...report,
      notices: [{ code: 'no_readable_text', text: 'No page could be read.' }] as never,
      gaps: [gap({ slide: 6 })],
      condensed: { slides: 8 } as never,
      deck: { ...report.deck, hazards: ['javascript', 'attachments_unknown', 'own_hazard'] },
    },
  });
  expect(screen.getByText('No page could be read.')).toBeTruthy();
  // The notice stands in place of its gaps.
  expect(screen.queryByText('Something could not be computed')).toBeNull();
  expect(
    screen.getByText(
      'In the file, reported and never executed: a script, attached files (the file is too damaged to tell), own_hazard.',
    ),
  ).toBeTruthy();
  expect(screen.getByText(/^The deck did not fit into the model’s window\./u)).toBeTruthy();
  expect(screen.getAllByText(/language model/u)).toHaveLength(1);
  expect(screen.getByText(/^Answered by rules, not a language model\./u)).toBeTruthy();
});
