/** The portfolio is filtered as the list is; and what it shows without decks and without an answer. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Portfolio } from '../../../web/portfolio/figures.ts';
import { type Answers, answerApi, callsOf, offline } from '../support/api.ts';
import { documents } from '../support/documents.ts';
import { openPage } from '../support/open-page.tsx';

const figures = (total: number): Portfolio => ({ ...documents.portfolio(), total });

/** One deck was decided to meet; a search for `nothing` has no deck. */
const filtered = (): Answers => ({
  'GET /decks/portfolio': ({ query }) =>
    figures(query['q'] === 'nothing' ? 0 : query['decision'] === undefined ? 4 : 1),
});

it('Filters come from the address, lead to the same list, and are removed on the page', async () => {
  const { user, address } = await openPage('/portfolio?decision=meet', { answers: filtered() });
  await screen.findByText('1 deck');
  expect(callsOf('GET /decks/portfolio')[0]?.query).toEqual({ decision: 'meet' });
  const list = screen.getByRole('link', { name: 'Show them as a list' });
  expect(list.getAttribute('href')).toBe('/?decision=meet');
  await user.click(screen.getByRole('button', { name: /^Remove/u }));
  await screen.findByText('4 decks');
  expect(address()).toBe('/portfolio');
});

it('A search that no deck fits can be cleared', async () => {
  const { user, address } = await openPage('/portfolio', { answers: filtered() });
  await screen.findByText('4 decks');
  await user.type(screen.getByRole('searchbox'), 'nothing');
  await screen.findByRole('heading', { name: 'No deck fits' });
  expect(address()).toBe('/portfolio?q=nothing');
  // The search stays on the page, to be changed.
  expect(screen.getByRole('searchbox')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Clear search and filters' }));
  await screen.findByText('4 decks');
  expect(address()).toBe('/portfolio');
});

it('Without any deck the page leads to the upload', async () => {
  const { user, address } = await openPage('/portfolio', { answers: { 'GET /decks/portfolio': figures(0) } });
  await screen.findByRole('heading', { name: 'No decks yet' });
  expect(screen.queryByRole('searchbox')).toBeNull();
  await user.click(screen.getByRole('link', { name: 'Add decks' }));
  await expect.poll(address).toBe('/');
});

it('Figures that cannot be read are read again on request', async () => {
  const { user } = await openPage('/portfolio', { answers: { 'GET /decks/portfolio': offline }, language: 'de' });
  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText(/^Deckhand antwortet nicht\./u)).toBeTruthy();
  answerApi({ 'GET /decks/portfolio': figures(4) });
  await user.click(alert.getByRole('button', { name: 'Noch einmal versuchen' }));
  await screen.findByText('4 Decks');
});
