/** The list of companies. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type Answers, callsOf, problem } from '../support/api.ts';
import { documents } from '../support/documents.ts';
import { openPage } from '../support/open-page.tsx';

const NONE: Answers = { 'GET /companies': { items: [], total: 0, nextCursor: null } };

it('The list says that there are no companies yet and leads to the decks', async () => {
  await openPage('/companies', { answers: NONE, isRecorded: false });
  expect((await screen.findByRole('link', { name: 'To the decks' })).getAttribute('href')).toBe('/');
});

it('A row has the company, its decks and the score of the newest one', async () => {
  await openPage('/companies');
  const row = await screen.findByRole('row', { name: /Pulsara/u });
  expect(within(row).getByText('2')).toBeTruthy();
});

it('A search is sent once the person stops typing and stands in the address', async () => {
  const { user, address } = await openPage('/companies');
  await user.type(await screen.findByRole('searchbox'), 'puls');
  await expect.poll(() => callsOf('GET /companies').at(-1)?.query['q']).toBe('puls');
  expect(address()).toBe('/companies?q=puls');
});

it('A refusal shows its reason and can be tried again', async () => {
  const { user } = await openPage('/companies', {
    answers: { 'GET /companies': problem(503, 'service_unavailable', 'The database does not answer.') },
    isRecorded: false,
  });
  await screen.findByText(/The database does not answer/u);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await expect.poll(() => callsOf('GET /companies')).toHaveLength(2);
});

it('A row leads to the company and to its newest deck, in German on a phone', async () => {
  const { user, address } = await openPage('/companies', { language: 'de', width: 'phone' });
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Firmen');
  expect(await screen.findByText('3 insgesamt')).toBeTruthy();
  await expect.poll(() => document.title).toBe('Firmen · Deckhand');
  const row = within(screen.getByRole('row', { name: /^CardioSense/u }));
  expect(row.getByText('cardiosense.example')).toBeTruthy();
  expect(row.getByRole('link', { name: 'cardiosense.pdf' }).getAttribute('href')).toMatch(/^\/decks\//u);
  expect(await row.findByTitle('Fragen mit Beleg. Belegwertung: 3,2 von 7')).toBeTruthy();
  await user.click(screen.getByRole('link', { name: 'Pulsara' }));
  await screen.findByRole('heading', { level: 1, name: 'Pulsara' });
  expect(address()).toBe(`/companies/${documents.company().id}`);
});

it('Only the entries of the newest decks are read for the scores', async () => {
  await openPage('/companies');
  await expect.poll(() => callsOf('GET /decks')).toHaveLength(1);
  const ids = documents.companies().items.map(({ newestDeck }) => newestDeck?.id);
  expect(callsOf('GET /decks')[0]?.query['ids']).toBe(ids.join(','));
});

it('A company without a deck has a dash, and asks for no entries', async () => {
  const items = documents.companies().items.map((company) => ({ ...company, newestDeck: null }));
  await openPage('/companies', {
    answers: { 'GET /companies': { items, total: 3, nextCursor: null } },
    isRecorded: false,
  });
  const row = await screen.findByRole('row', { name: /^CardioSense/u });
  expect(within(row).getByText('–')).toBeTruthy();
});

it('A search that nothing fits says how to search', async () => {
  await openPage('/companies?q=42', { answers: NONE, isRecorded: false });
  await screen.findByRole('heading', { name: 'No company fits' });
  expect(screen.getByText('Try a part of its name, or of its web address.')).toBeTruthy();
  expect(callsOf('GET /companies')[0]?.query['q']).toBe('42');
  expect((screen.getByRole('searchbox') as HTMLInputElement).value).toBe('42');
});

it('A long list reads on where it ended', async () => {
  const { items } = documents.companies();
  const { user } = await openPage('/companies', {
    answers: {
      'GET /companies': ({ query }) =>
        query['cursor'] === undefined
          ? { items: items.slice(0, 2), total: 3, nextCursor: 'second' }
          : { items: items.slice(2), total: 3, nextCursor: null },
    },
  });
  await screen.findByRole('row', { name: /^Pulsara/u });
  expect(screen.queryByRole('row', { name: /^Quayline/u })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Load more' }));
  await screen.findByRole('row', { name: /^Quayline/u });
  expect(callsOf('GET /companies').at(-1)?.query).toMatchObject({ cursor: 'second', limit: '50' });
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
});
