/** Which reviews are compared: taken in by a search or by what came before, left out, gone, unread or unfinished. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { analysesOf, readCompareSearch, withAnalyses } from '../../../web/compare/search.ts';
import { answerApi, callsOf, problem } from '../support/api.ts';
import { documents, recordedAnswers } from '../support/documents.ts';
import { openPage } from '../support/open-page.tsx';
import {
  AUTUMN,
  compareAddress,
  heading,
  openCompared,
  SECOND_RUN,
  secondRun,
  SPRING,
  withReports,
} from './reviews.ts';

const found = (...items: ReturnType<typeof documents.decks>['items']) => ({ ...documents.decks(), items });
const decks = (): ReturnType<typeof documents.decks>['items'] => documents.decks().items;

it('An address holds each review once, and five at most', () => {
  expect(analysesOf({ analyses: 'a,,b,a,c,d,e,f' })).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(readCompareSearch({ analyses: 7, only: 'yes', other: 1 })).toEqual({});
  expect(readCompareSearch({ analyses: 'a', only: false })).toEqual({ analyses: 'a', only: false });
  expect(withAnalyses({ analyses: 'a', only: true }, [])).toEqual({ only: true });
});

it('Where nothing was chosen the page begins with a search, whose choice is the first review', async () => {
  const { user, address } = await openPage('/compare', {
    answers: { 'GET /decks': ({ query }) => found(...(query['q'] === 'none' ? [] : decks())) },
  });
  await screen.findByRole('heading', { name: 'Nothing to compare yet' });
  await user.type(screen.getByRole('combobox'), 'none');
  await screen.findByText('No deck found.');
  expect(callsOf('GET /decks').at(-1)?.query).toMatchObject({ q: 'none', limit: '8' });
  await user.clear(screen.getByRole('combobox'));
  await user.click(await screen.findByRole('option', { name: /^PulsaraPulsara 2026\.pdf · March 2026 · 2\.9/u }));
  await heading('Pulsara');
  expect(address()).toBe(compareAddress(SPRING));
  expect(screen.getByText('One review so far')).toBeTruthy();
  expect(screen.getByText('Add a second one to compare it with.')).toBeTruthy();
  expect(screen.queryByLabelText('Only differences')).toBeNull();
});

it('The previous version of a deck is taken in, and left out again', async () => {
  const { user, address } = await openCompared([AUTUMN], 'Pulsara', { language: 'de' });
  await user.click(screen.getByRole('button', { name: 'Mehr zu Pulsara' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Vorige Fassung hinzufügen' }));
  await heading('Pulsara: März 2026 und September 2026');
  expect(callsOf('GET /decks').at(-1)?.query).toMatchObject({ company: decks()[0]?.company?.id, sort: '-created' });
  await user.click(screen.getByRole('button', { name: 'September 2026 entfernen' }));
  await expect.poll(address).toBe(compareAddress(SPRING));
});

it('A deck without an earlier version or review says so', async () => {
  const { user, address } = await openCompared([SPRING], 'Pulsara', {
    answers: {
      'GET /decks': ({ query }) => found(...decks().filter(({ company }) => company?.id === query['company'])),
    },
  });
  const choose = async (name: string): Promise<void> => {
    await user.click(screen.getByRole('button', { name: 'More for Pulsara' }));
    await user.click(await screen.findByRole('menuitem', { name }));
  };
  await choose('Add the previous version');
  await screen.findAllByText('There is no earlier version of this company’s deck.');
  await choose('Add an earlier review of this deck');
  await screen.findAllByText('There is no earlier review of this deck.');
  expect(address()).toBe(compareAddress(SPRING));
});

it('An earlier review of the deck is taken in, but no run of a single task', async () => {
  const [run] = documents.runs().items;
  if (run === undefined) throw new Error('no recorded run');
  const part = {
    ...run,
    analysisId: 'only-slides',
    taskType: 'describe_slides',
    createdAt: '2026-11-28T12:00:00.000Z',
  };
  const { user, address } = await openCompared([SECOND_RUN], 'Pulsara', {
    answers: { ...secondRun(), 'GET /analyses': { items: [part as typeof run, run] } },
  });
  await user.click(screen.getByRole('button', { name: 'More for Pulsara' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Add an earlier review of this deck' }));
  await screen.findByText('2 reviews of one deck');
  expect(decodeURIComponent(address())).toBe(compareAddress(SECOND_RUN, SPRING));
});

it('A refused reading of earlier reviews is told', async () => {
  const { user } = await openCompared([SPRING], 'Pulsara', {
    answers: { 'GET /analyses': problem(503, 'service_unavailable', 'Try later.', 'Wait a bit.') },
  });
  await user.click(screen.getByRole('button', { name: 'More for Pulsara' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Add an earlier review of this deck' }));
  expect((await screen.findAllByText('Try later.')).length).toBeGreaterThan(0);
  expect(screen.getAllByText('Wait a bit.').length).toBeGreaterThan(0);
});

it('A deck is added by typing and Enter, once what was found fits what was typed', async () => {
  const { user, address } = await openCompared([SPRING], 'Pulsara', {
    answers: {
      'GET /decks': ({ query }) =>
        found(...decks().filter(({ fileName }) => fileName.toLowerCase().includes(query['q'] ?? ''))),
    },
  });
  await user.click(screen.getByRole('button', { name: 'Add a deck' }));
  const panel = within(await screen.findByRole('dialog', { name: 'Add a deck to the comparison' }));
  await user.type(panel.getByRole('combobox'), 'pulsara 2027{Enter}');
  await heading('Pulsara: March 2026 and September 2026');
  expect(decodeURIComponent(address())).toBe(compareAddress(SPRING, AUTUMN));
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('A deck without a review, and one that is compared already, cannot be chosen', async () => {
  const { user, address } = await openCompared([SPRING], 'Pulsara', {
    answers: {
      ...withReports({}),
      'GET /decks': found(...decks().map((deck, at) => (at === 0 ? { ...deck, resultAnalysisId: null } : deck))),
    },
  });
  await user.click(screen.getByRole('button', { name: 'Add a deck' }));
  const unreviewed = await screen.findByRole('option', { name: /not reviewed yet$/u });
  const compared = screen.getByRole('option', { name: /already compared$/u });
  expect([unreviewed, compared].map((option) => option.getAttribute('aria-disabled'))).toEqual(['true', 'true']);
  await user.click(unreviewed);
  await user.click(compared);
  await user.type(screen.getByRole('combobox'), '{ArrowUp}{Enter}');
  expect(screen.getByRole('dialog')).toBeTruthy();
  expect(address()).toBe(compareAddress(SPRING));
  // The arrow keys go on to one that can be chosen.
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  await expect.poll(() => decodeURIComponent(address())).toMatch(/^\/compare\?analyses=.+,.+$/u);
});

it('No sixth review can be added', async () => {
  const { user } = await openPage(compareAddress(SPRING, 'r2', 'r3', 'r4', 'r5', 'r6'), {
    answers: withReports({ [SPRING]: { createdAt: '2026-11-29T09:00:00.000Z' } }),
  });
  await screen.findByText('5 reviews of one deck', {}, { timeout: 5000 });
  expect(screen.getByTitle('Five reviews are the most that can be compared.').hasAttribute('disabled')).toBe(true);
  const [more] = screen.getAllByRole('button', { name: /^More for/u });
  await user.click(more ?? document.body);
  const add = await screen.findByRole('menuitem', { name: 'Add an earlier review of this deck' });
  expect(add.hasAttribute('data-disabled')).toBe(true);
});

it('A review that is gone can be left out, and the others are compared meanwhile', async () => {
  const answers = recordedAnswers();
  const { user, address } = await openCompared([SPRING, 'gone', AUTUMN], 'Pulsara: March 2026 and September 2026', {
    answers: {
      ...answers,
      'GET /analyses/:analysis/report': ({ params }) =>
        params['analysis'] === 'gone'
          ? problem(404, 'analysis_not_found', 'There is no such analysis.')
          : params['analysis'] === AUTUMN
            ? documents.laterReport()
            : documents.report(),
    },
  });
  expect(screen.getByRole('alert').textContent).toContain('A review of this address is not there any more.');
  await user.click(screen.getByRole('button', { name: 'Leave it out' }));
  await expect.poll(() => screen.queryByRole('alert')).toBeNull();
  expect(decodeURIComponent(address())).toBe(compareAddress(SPRING, AUTUMN));
});

it('Reviews that cannot be read are read again on request', async () => {
  const { user } = await openPage(compareAddress(SPRING, AUTUMN), {
    answers: { 'GET /decks/:deck/verdicts': problem(503, 'service_unavailable', 'The database does not answer.') },
  });
  await screen.findByText('The database does not answer.');
  answerApi({ 'GET /decks/:deck/verdicts': { items: [] } });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await heading('Pulsara: March 2026 and September 2026');
});

it('A review that still runs is compared as far as it is', async () => {
  await openCompared([SPRING, AUTUMN], 'Pulsara: March 2026 and September 2026', {
    answers: withReports({ [AUTUMN]: { status: 'running' } }),
  });
  expect(screen.getByText('The review of September 2026 still runs. It is compared as far as it is.')).toBeTruthy();
});
