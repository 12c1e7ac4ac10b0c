/** The list of companies. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { callsOf, problem } from './support/api.ts';
import { recordedAnswers } from './support/documents.ts';
import { openPage } from './support/open-page.tsx';

it('The list says that there are no companies yet and leads to the decks', async () => {
  await openPage('/companies', { answers: { 'GET /companies': { items: [], total: 0, nextCursor: null } } });
  expect((await screen.findByRole('link', { name: 'To the decks' })).getAttribute('href')).toBe('/');
});

it('A row has the company, its decks and the score of the newest one', async () => {
  await openPage('/companies', { answers: recordedAnswers() });
  const row = await screen.findByRole('row', { name: /Pulsara/u });
  expect(within(row).getByText('2')).toBeTruthy();
});

it('A search is sent once the person stops typing and stands in the address', async () => {
  const { user, address } = await openPage('/companies', { answers: recordedAnswers() });
  await user.type(await screen.findByRole('searchbox'), 'puls');
  await expect.poll(() => callsOf('GET /companies').at(-1)?.query['q']).toBe('puls');
  expect(address()).toBe('/companies?q=puls');
});

it('A refusal shows its reason and can be tried again', async () => {
  const { user } = await openPage('/companies', {
    answers: { 'GET /companies': problem(503, 'service_unavailable', 'The database does not answer.') },
  });
  await screen.findByText(/The database does not answer/u);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await expect.poll(() => callsOf('GET /companies')).toHaveLength(2);
});
