/** A PDF that is there already, under the same name or another one. */
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import { type Answers, callsOf } from '../support/api.ts';
import { openPage } from '../support/open-page.tsx';
import { sendEvent } from '../support/stream.ts';
import { answersWith, deckWith, findRow, pageOf, runningDeck, runWith } from './decks.ts';
import { chooseFiles, clearUploads, pdf, stored } from './uploads.ts';

afterEach(clearUploads);

const reviewed = () => callsOf('POST /decks/:deck/analyses').map(({ params, body }) => [params['deck'], body]);

/** Every upload is a PDF that is known as this deck. */
const known = (deck: DeckEntry): Answers => ({
  ...answersWith([]),
  // A list that does not show the deck, for instance because of a filter.
  'GET /decks': pageOf([deckWith('other.pdf')]),
  'GET /decks/:deck': deck,
  'POST /decks': (call) => stored(call, { isNew: false }),
  'POST /decks/:deck/analyses': {},
});

it('A known PDF shows both names and when it was reviewed, and is reviewed again when asked to', async () => {
  const first = deckWith('first.pdf', { analysis: runWith({ finishedAt: '2026-11-26T12:00:00.000Z' }) });
  const { user } = await openPage('/', { answers: known(first) });
  await findRow('other.pdf');
  await chooseFiles(user, pdf('copy.pdf'));
  const row = await findRow('copy.pdf');
  expect(await within(row).findByText('Known, reviewed on 26 Nov 2026')).toBeTruthy();
  expect(within(row).getByText('known as first.pdf')).toBeTruthy();
  expect(within(row).getByRole('link', { name: 'Open copy.pdf' })).toBeTruthy();
  expect(reviewed()).toEqual([]);
  await user.click(within(row).getByRole('button', { name: 'Review again' }));
  expect(await within(row).findByText('Review started')).toBeTruthy();
  expect(reviewed()).toEqual([['copy.pdf', { language: 'en', priority: 3 }]]);
});

it('A known PDF whose review is running says when that review ends', async () => {
  const busy = runningDeck('copy.pdf');
  const { user } = await openPage('/', {
    answers: { ...known(busy), 'GET /decks': pageOf([busy]) },
  });
  await screen.findByRole('link', { name: 'copy.pdf' });
  await chooseFiles(user, pdf('copy.pdf'));
  const uploads = await screen.findByRole('rowgroup', { name: 'Uploads' });
  expect(await within(uploads).findByText('Known, its review is running')).toBeTruthy();
  expect(within(uploads).queryByText(/^known as/u)).toBeNull();
  expect(within(uploads).queryByRole('button', { name: 'Review again' })).toBeNull();
  sendEvent({ type: 'deck', id: '2', data: deckWith('copy.pdf') });
  expect(await within(uploads).findByText('Known, reviewed on 28 Nov 2026')).toBeTruthy();
  await user.click(within(uploads).getByRole('button', { name: 'Dismiss copy.pdf' }));
  await waitFor(() => expect(screen.queryByRole('rowgroup', { name: 'Uploads' })).toBeNull());
});

it('A known PDF without a review is reviewed', async () => {
  const failed = deckWith('failed.pdf', { status: 'failed' });
  const { user } = await openPage('/', { answers: known(failed), language: 'de' });
  await findRow('other.pdf');
  await chooseFiles(user, pdf('failed.pdf'));
  expect(await within(await findRow('failed.pdf')).findByText('Prüfung gestartet')).toBeTruthy();
  expect(reviewed()).toEqual([['failed.pdf', { language: 'de', priority: 3 }]]);
});
