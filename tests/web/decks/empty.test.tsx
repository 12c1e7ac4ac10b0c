/** The list without a deck: what Deckhand does, and the samples. */
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { answerApi, type Answers, callsOf, problem } from '../support/api.ts';
import { openPage } from '../support/open-page.tsx';
import { answersWith, deckWith } from './decks.ts';
import { clearUploads, fileOf, filesSent, stored } from './uploads.ts';

afterEach(clearUploads);

const answers: Answers = {
  ...answersWith([]),
  'GET /samples/:sample': ({ params }) => new Response(`%PDF-1.7 ${params['sample']}`),
  'POST /decks': (call) => stored(call),
  'POST /decks/:deck/analyses': {},
};

it('A sample is added at a press as if it had been dropped, and takes the place of the page', async () => {
  const { user } = await openPage('/', { answers });
  expect(await screen.findByRole('heading', { name: 'No decks yet' })).toBeTruthy();
  expect(screen.queryByRole('searchbox')).toBeNull();
  expect(screen.getByText('0 in all')).toBeTruthy();
  const sample = await screen.findByRole('button', { name: /^cardiosense\.pdf/u });
  expect(within(sample).getByText('14 slides')).toBeTruthy();
  answerApi(answersWith([deckWith('cardiosense.pdf', { company: { id: 'c1', name: 'CardioSense' } })]));
  await user.click(sample);
  expect(await screen.findByRole('link', { name: 'CardioSense' })).toBeTruthy();
  expect(screen.queryByRole('heading', { name: 'No decks yet' })).toBeNull();
  const [call] = callsOf('POST /decks');
  expect(call === undefined ? '' : await fileOf(call).text()).toBe('%PDF-1.7 cardiosense');
  expect(callsOf('POST /decks/:deck/analyses').map(({ params }) => params['deck'])).toEqual(['cardiosense.pdf']);
});

it('All samples are added at once', async () => {
  const { user } = await openPage('/', { answers });
  await user.click(await screen.findByRole('button', { name: 'Review all samples' }));
  await expect.poll(() => callsOf('POST /decks/:deck/analyses')).toHaveLength(4);
  expect(filesSent().toSorted()).toEqual(['cardiosense.pdf', 'dermaline-scan.pdf', 'lumbalis.pdf', 'quayline.pdf']);
});

it('A sample that cannot be read says why', async () => {
  const { user } = await openPage('/', {
    answers: { ...answers, 'GET /samples/:sample': problem(404, 'not_found', 'There is no such sample.') },
  });
  await user.click(await screen.findByRole('button', { name: /^lumbalis\.pdf/u }));
  expect(await screen.findByText('There is no such sample.')).toBeTruthy();
  expect(filesSent()).toEqual([]);
});

it('The empty page is there in German on a phone, and without samples', async () => {
  await openPage('/', { answers: { ...answers, 'GET /samples': { items: [] } }, language: 'de', width: 'phone' });
  expect(await screen.findByRole('heading', { name: 'Noch keine Decks' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'PDFs hier ablegen oder Dateien auswählen' })).toBeTruthy();
  await waitFor(() => expect(callsOf('GET /samples')).toHaveLength(1));
  expect(screen.queryByRole('heading', { name: 'Beispiele ausprobieren' })).toBeNull();
});

it('A search without a result is not the empty page', async () => {
  const { user, address } = await openPage('/?q=pump&sort=company', { answers });
  expect(await screen.findByRole('heading', { name: 'No deck fits' })).toBeTruthy();
  expect(screen.getByRole('searchbox')).toBeTruthy();
  expect(screen.getByText('0 found')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Clear search and filters' }));
  await expect.poll(address).toBe('/?sort=company');
  expect(await screen.findByRole('heading', { name: 'No decks yet' })).toBeTruthy();
});
