/** Reviewing decks again, and changing or ending reviews that run. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type Answers, problem } from '../support/api.ts';
import { openPage } from '../support/open-page.tsx';
import { textsOf } from '../support/texts.ts';
import {
  answersWith,
  chooseFor,
  deckWith,
  findDialog,
  findRow,
  press,
  runningDeck,
  runWith,
  select,
  sent,
} from './decks.ts';

const done = deckWith('done.pdf', { analysis: runWith({ id: 'run of done.pdf', priority: 4 }) });
const german = deckWith('german.pdf', { analysis: runWith({ id: 'run of german.pdf', language: 'de', priority: 5 }) });
const fresh = deckWith('new.pdf', { status: 'uploaded', analysis: null, resultAnalysisId: null });
const waiting = deckWith('next.pdf', {
  status: 'queued',
  analysis: runWith({ id: 'run of next.pdf', finishedAt: null, priority: 2 }),
});
const busy = runningDeck('busy.pdf', { priority: 4 });

const answers: Answers = {
  ...answersWith([done, german, fresh, waiting, busy]),
  'POST /analyses/:analysis/replay': {},
  'POST /decks/:deck/analyses': {},
  'POST /analyses/:analysis/cancel': null,
  'POST /analyses/:analysis/priority': {},
};

const replays = () => sent('POST /analyses/:analysis/replay', 'analysis');
const starts = () => sent('POST /decks/:deck/analyses', 'deck');
const changes = () => sent('POST /analyses/:analysis/priority', 'analysis');
const cancelled = () => sent('POST /analyses/:analysis/cancel', 'analysis').map(([analysis]) => analysis);

const gone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

it('A review computes again what is asked for', async () => {
  const { user } = await openPage('/', { answers });
  for (const scope of [/^What changed/u, /^Only what is missing/u, /^Everything anew/u]) {
    await chooseFor(user, 'done.pdf', 'Review again …');
    const dialog = await findDialog('Review again');
    expect(within(dialog).getByRole<HTMLInputElement>('radio', { name: /^What changed/u }).checked).toBe(true);
    await user.click(within(dialog).getByRole('radio', { name: scope }));
    await user.click(within(dialog).getByRole('button', { name: 'Start the review' }));
    await gone();
  }
  expect((await screen.findAllByText('Review of 1 deck started')).length).toBeGreaterThan(0);
  expect(replays()).toEqual([
    ['run of done.pdf', { kind: 'full' }],
    ['run of done.pdf', { kind: 'gaps' }],
    ['run of done.pdf', { kind: 'full', from: 'slides' }],
  ]);
  expect(starts()).toEqual([]);
});

it('A review in another language begins anew, and a running one is left out', async () => {
  const { user } = await openPage('/', { answers });
  await select(user, ['done.pdf', 'german.pdf', 'new.pdf', 'busy.pdf']);
  await press(user, 'Review again');
  const dialog = await findDialog('Review again');
  expect(within(dialog).getByText('1 deck is left out: its review is running.')).toBeTruthy();
  await user.selectOptions(within(dialog).getByLabelText('Language of the review'), 'German');
  await user.selectOptions(within(dialog).getByLabelText('Priority'), '2 – high');
  await user.click(within(dialog).getByRole('button', { name: 'Start the review' }));
  expect(await screen.findByText('Review of 3 decks started')).toBeTruthy();
  expect(replays()).toEqual([['run of german.pdf', { kind: 'full', priority: 2 }]]);
  expect(starts()).toEqual([
    ['done.pdf', { language: 'de', priority: 2 }],
    ['new.pdf', { language: 'de', priority: 2 }],
  ]);
});

it('What is not chosen is as before, or as on the page for a deck without a review', async () => {
  const { user } = await openPage('/', { answers });
  await select(user, ['new.pdf', 'german.pdf']);
  await press(user, 'Review again');
  const dialog = await findDialog('Review again');
  const language = within(dialog).getByLabelText('Language of the review');
  await user.selectOptions(language, 'English');
  await user.click(within(dialog).getByRole('button', { name: 'Start the review' }));
  await gone();
  expect(starts()).toEqual([
    ['german.pdf', { language: 'en', priority: 5 }],
    ['new.pdf', { language: 'en', priority: 3 }],
  ]);
  await press(user, 'Review again');
  await user.click(await screen.findByRole('button', { name: 'Start the review' }));
  await gone();
  expect(starts().filter(([deck]) => deck === 'new.pdf')).toHaveLength(2);
  expect(starts()).toHaveLength(3);
  expect(replays()).toEqual([['run of german.pdf', { kind: 'full' }]]);
});

it('The priority of a waiting review begins with its own and is changed', async () => {
  const { user } = await openPage('/', { answers });
  await chooseFor(user, 'next.pdf', 'Priority …');
  const dialog = await findDialog('Priority');
  const choice = within(dialog).getByLabelText<HTMLSelectElement>('Priority');
  expect(choice.selectedOptions[0]?.textContent).toBe('2 – high');
  await user.selectOptions(choice, '1 – critical');
  await user.click(within(dialog).getByRole('button', { name: 'Change the priority' }));
  expect(await screen.findByText('Priority of 1 deck changed')).toBeTruthy();
  expect(changes()).toEqual([['run of next.pdf', { priority: 1 }]]);
});

it('A running review is cancelled at once, one that ended is not', async () => {
  const { user } = await openPage('/', { answers });
  await user.click(await screen.findByRole('button', { name: 'Actions for busy.pdf' }));
  expect(screen.queryByRole('menuitem', { name: 'Review again …' })).toBeNull();
  await user.click(screen.getByRole('menuitem', { name: 'Cancel the review' }));
  expect(await screen.findByText('Review of 1 deck cancelled')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Actions for done.pdf' }));
  expect(screen.queryByRole('menuitem', { name: 'Cancel the review' })).toBeNull();
  expect(screen.queryByRole('menuitem', { name: 'Priority …' })).toBeNull();
  expect(screen.getByRole('menuitem', { name: 'Download the PDF' }).getAttribute('href')).toBe(
    '/api/v1/decks/done.pdf/pdf',
  );
  await user.keyboard('{Escape}');
  expect(cancelled()).toEqual(['run of busy.pdf']);
});

it('The commands for running reviews leave the others of a selection out', async () => {
  const { user } = await openPage('/', { answers });
  await select(user, ['done.pdf', 'next.pdf', 'busy.pdf']);
  await press(user, 'Cancel the review');
  expect(await screen.findByText('Review of 2 decks cancelled')).toBeTruthy();
  expect(cancelled()).toEqual(['run of busy.pdf', 'run of next.pdf']);
  await press(user, 'Priority');
  const dialog = await findDialog('Priority');
  expect(textsOf(within(dialog).getAllByRole('listitem'))).toEqual(['next.pdf', 'busy.pdf']);
  await user.selectOptions(within(dialog).getByLabelText('Priority'), '5 – batch');
  await user.click(within(dialog).getByRole('button', { name: 'Change the priority' }));
  expect(await screen.findByText('Priority of 2 decks changed')).toBeTruthy();
  expect(changes()).toEqual([
    ['run of busy.pdf', { priority: 5 }],
    ['run of next.pdf', { priority: 5 }],
  ]);
});

it('A review that cannot be cancelled says why, in German', async () => {
  const { user } = await openPage('/', {
    language: 'de',
    answers: {
      ...answers,
      'POST /analyses/:analysis/cancel': problem(503, 'service_unavailable', 'Temporal schweigt.'),
    },
  });
  await findRow('busy.pdf');
  await user.click(screen.getByRole('button', { name: 'Aktionen für busy.pdf' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Prüfung abbrechen' }));
  expect(await screen.findByText('Temporal schweigt.')).toBeTruthy();
});
