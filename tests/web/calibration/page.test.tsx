/** Where people and the machine differ: by question, the newest differences, corrected values, and the filters of the page. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { CalibrationDocument } from '../../../api/calibration/schemas.ts';
import { answerApi, callsOf, offline } from '../support/api.ts';
import { documents } from '../support/documents.ts';
import { openPage } from '../support/open-page.tsx';

const withDocument = (change: (document: CalibrationDocument) => Partial<CalibrationDocument>) => {
  const document = documents.calibration();
  return { 'GET /calibration': { ...document, ...change(document) } };
};
const EMPTY: CalibrationDocument = { answering: [], questions: [], values: [] };
const ANSWERING: CalibrationDocument['answering'] = [
  { engine: 'rules', model: null, level: 'high', judged: 40, right: 38, share: 0.95, low: 0.835, high: 0.986 },
  { engine: 'ollama', model: 'qwen3:8b', level: null, judged: 4, right: 1, share: 0.25, low: 0.046, high: 0.699 },
];
const VALUES: CalibrationDocument['values'] = [
  { field: 'company_name', corrected: 1, added: 0, confirmed: 2 },
  { field: 'own_field', corrected: 0, added: 0, confirmed: 1 },
];
const textOf = (element: Element): string => element.textContent.replaceAll(/\s/gu, ' ');

it('Questions, differences and values are shown in German on a phone', async () => {
  await openPage('/calibration', {
    answers: withDocument(() => ({ values: VALUES })),
    language: 'de',
    width: 'phone',
  });
  await screen.findByText(/Im Mittel bewerten Menschen um 4,0 Punkte höher\.$/u);
  expect(screen.getByText(/^Menschen gaben 2 Bewertungen zu 2 Fragen ab/u).textContent).toMatch(/0.% davon sind/u);
  await expect.poll(() => document.title).toBe('Abgleich · Deckhand');
  const [questions, values] = screen.getAllByRole('table');
  const row = within(questions ?? document.body).getByRole('row', { name: /^Which problem/u });
  expect(textOf(row)).toMatch(/Problem analysis1\+4,00 %$/u);
  expect(
    within(values ?? document.body)
      .getAllByRole('row')
      .slice(1)
      .map(textOf),
  ).toEqual(['Unternehmen102', 'own_field001']);
  expect(screen.getAllByText('Maschine 3, Mensch 7')).toHaveLength(2);
});

it('The newest difference stands first, with its reason, and leads to the claim in its review', async () => {
  const { user, address } = await openPage('/calibration', {
    answers: withDocument(({ questions }) => ({
      questions: questions.toReversed().map((question, at) => ({
        ...question,
        differences: question.differences.map((each) =>
          at === 0 ? each : { ...each, reason: null, company: null, createdAt: '2026-12-24T12:00:00.000Z' },
        ),
      })),
    })),
  });
  const list = within(await screen.findByRole('region', { name: 'Newest differences' }));
  const [newest, older] = list.getAllByRole('listitem');
  expect(newest?.textContent).toMatch(/^Pulsara 2026\.pdfWhat kind of problem is it.*No reason given\.Ann Archer/u);
  expect(older?.textContent).toContain('They showed signed contracts.');
  await user.click(within(older ?? document.body).getByRole('link', { name: 'Pulsara' }));
  const { deck, analysisId } = documents.report();
  const claim = encodeURIComponent('question/target_problem');
  await expect.poll(address).toMatch(new RegExp(`^/decks/${deck.id}\\?claim=${claim}&analysis=${analysisId}`, 'u'));
});

it('The address says whose scores count and since when', async () => {
  const { user, address } = await openPage('/calibration');
  await screen.findByRole('option', { name: 'Ann Archer' });
  await user.selectOptions(screen.getByLabelText('Said by'), 'Ann Archer');
  await user.selectOptions(screen.getByLabelText('Said since'), 'The last 30 days');
  await expect.poll(address).toBe('/calibration?author=Ann+Archer&since=30d');
  await expect.poll(() => callsOf('GET /calibration').at(-1)?.query).toEqual({ author: 'Ann Archer', since: '30d' });
  await user.selectOptions(screen.getByLabelText('Said by'), 'Anyone');
  await expect.poll(address).toBe('/calibration?since=30d');
});

it('Filters that nothing fits are kept in their fields and can be cleared', async () => {
  const { user, address } = await openPage('/calibration?author=Nobody&since=2026', {
    answers: { 'GET /calibration': ({ query }) => (query['author'] === undefined ? documents.calibration() : EMPTY) },
  });
  await screen.findByRole('heading', { name: 'Nobody gave a score that fits these filters.' });
  expect((screen.getByLabelText('Said by') as HTMLSelectElement).value).toBe('Nobody');
  // Also a moment of an address that is none of the periods.
  expect((screen.getByLabelText('Said since') as HTMLSelectElement).value).toBe('2026');
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  await screen.findByRole('row', { name: /^Which problem/u });
  expect(address()).toBe('/calibration');
});

it('Without scores of people the page says how it fills', async () => {
  await openPage('/calibration', { answers: { 'GET /calibration': EMPTY } });
  await screen.findByRole('heading', { name: 'Nothing to compare yet' });
  expect(screen.getByText(/^This page fills when people give scores of their own\./u)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'To the decks' }).getAttribute('href')).toBe('/');
  expect(screen.queryByLabelText('Said by')).toBeNull();
});

it('Deckhand that does not answer is said, and the page goes on once it does', async () => {
  const { user } = await openPage('/calibration', { answers: { 'GET /calibration': offline } });
  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText(/^Deckhand does not answer\./u)).toBeTruthy();
  answerApi({ 'GET /calibration': documents.calibration() });
  await user.click(alert.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('row', { name: /^Which problem/u });
});

it('People who score lower have a bar to the left, and a question without the machine has none', async () => {
  await openPage('/calibration', {
    answers: withDocument(({ questions: [first, second] }) =>
      first === undefined || second === undefined
        ? {}
        : {
            questions: [
              { ...first, scored: 3, compared: 2, equal: 1, meanDifference: -2, differences: [] },
              { ...second, text: null, chapter: null, compared: 0, meanDifference: null, differences: [] },
            ],
          },
    ),
  });
  await screen.findByText(/On average people score 2\.0 points lower\.$/u);
  expect(screen.getByText(/^People gave 2 scores on 1 question/u).textContent).toContain('50 % of them are the same');
  const lower = screen.getByRole('row', { name: /^What kind of problem/u });
  expect(textOf(lower)).toMatch(/3−2\.050 %$/u);
  expect(within(lower).getByTitle('2 of 3 can be compared')).toBeTruthy();
  const bar = lower.querySelector('rect');
  expect([bar?.getAttribute('x'), bar?.getAttribute('width')]).toEqual(['30', '30']);
  expect(textOf(screen.getByRole('row', { name: /^target_problem/u }))).toBe('target_problem1––');
  expect(screen.getByText('People and the machine gave the same scores.')).toBeTruthy();
});

it('People who score as the machine does are level with it, and values alone are shown without scores', async () => {
  const { queries } = await openPage('/calibration', {
    answers: withDocument(({ questions }) => ({
      questions: questions.map((each) => ({ ...each, equal: 1, meanDifference: 0.01, differences: [] })),
    })),
  });
  await screen.findByText(
    /100 % of them are the same as the machine’s\. On average people score as the machine does\.$/u,
  );
  answerApi({ 'GET /calibration': { ...EMPTY, values: VALUES } });
  await queries.invalidateQueries();
  await screen.findByRole('region', { name: 'Corrected values' });
  expect(screen.queryByRole('region', { name: 'By question' })).toBeNull();
  expect(screen.queryByText(/On average/u)).toBeNull();
});

it.each([
  {
    language: 'en',
    name: 'How often the marks are right',
    column: 'Best quote of the claim',
    rows: [
      'answers the questionbuilt-in reader4095 % (84 % to 99 %)',
      'not judged whether it answersqwen3:8b425 % (5 % to 70 %)',
    ],
    counted: '38 of 40 are right',
  },
  {
    language: 'de',
    name: 'Wie oft die Zeichen stimmen',
    column: 'Bestes Zitat der Aussage',
    rows: [
      'beantwortet die Frageeingebauter Leser4095 % (84 % bis 99 %)',
      'nicht beurteilt, ob es antwortetqwen3:8b425 % (5 % bis 70 %)',
    ],
    counted: '38 von 40 sind richtig',
  },
] as const)(
  'Claims that people judged stand by engine and best quote, with the share that is right ($language)',
  async (look) => {
    const { language, name, column, rows, counted } = look;
    const width = language === 'de' ? 'phone' : 'desktop';
    await openPage('/calibration', {
      answers: { 'GET /calibration': { ...EMPTY, answering: ANSWERING } },
      language,
      width,
    });
    const section = within(await screen.findByRole('region', { name }));
    expect(section.getAllByRole('row').slice(1).map(textOf)).toEqual(rows);
    expect(section.getByRole('columnheader', { name: column })).toBeTruthy();
    expect(section.getByTitle(counted)).toBeTruthy();
    const [bar] = section.getAllByRole('row')[1]?.querySelectorAll('rect') ?? [];
    expect(Number(bar?.getAttribute('x'))).toBeCloseTo(133.6);
    expect(screen.queryByText('Nothing to compare yet')).toBeNull();
  },
);
