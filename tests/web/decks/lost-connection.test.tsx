/** Uploads while Deckhand does not answer, and uploads that break although it does. */
import { act, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { answerApi, type Answers, callsOf, offline } from '../support/api.ts';
import { openPage } from '../support/open-page.tsx';
import { answersWith, deckWith, findRow } from './decks.ts';
import { chooseFiles, clearUploads, filesSent, pdf, stored } from './uploads.ts';

afterEach(clearUploads);

const answers: Answers = {
  ...answersWith([deckWith('old.pdf')]),
  'POST /decks': offline(),
  'POST /decks/:deck/analyses': {},
};

it('Uploads wait while there is no connection and go on by themselves', async () => {
  const { user } = await openPage('/', { answers: { ...answers, 'GET /health': offline() } });
  await findRow('old.pdf');
  await chooseFiles(user, pdf('a.pdf'), pdf('b.pdf'));
  expect(await screen.findAllByText('Waits until Deckhand answers again')).toHaveLength(2);
  const before = filesSent().length;
  await chooseFiles(user, pdf('c.pdf'));
  expect(screen.getAllByText('Waits until Deckhand answers again')).toHaveLength(3);
  expect(filesSent()).toHaveLength(before);
  // The browser has a network again, Deckhand does not answer yet.
  const probes = callsOf('GET /health').length;
  act(() => void window.dispatchEvent(new Event('online')));
  await expect.poll(() => callsOf('GET /health').length).toBeGreaterThan(probes);
  expect(screen.getAllByText('Waits until Deckhand answers again')).toHaveLength(3);
  answerApi({ 'GET /health': {}, 'POST /decks': (call) => stored(call) });
  act(() => void window.dispatchEvent(new Event('online')));
  expect(await screen.findAllByText('Review started')).toHaveLength(3);
  expect(filesSent().slice(before).toSorted()).toEqual(['a.pdf', 'b.pdf', 'c.pdf']);
});

it('An upload that breaks three times although Deckhand answers is a fault of its own', async () => {
  const { user } = await openPage('/', { answers: { ...answers, 'GET /health': {} } });
  await findRow('old.pdf');
  await chooseFiles(user, pdf('odd.pdf'));
  const row = await findRow('odd.pdf');
  expect(await within(row).findByText('The connection broke')).toBeTruthy();
  expect(filesSent()).toEqual(['odd.pdf', 'odd.pdf', 'odd.pdf']);
  answerApi({ 'POST /decks': (call) => stored(call) });
  await user.click(within(row).getByRole('button', { name: 'Try again' }));
  expect(await within(row).findByText('Review started')).toBeTruthy();
});
