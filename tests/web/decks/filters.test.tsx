/** Search and filters above the list. */
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { type ApiCall, type Answers, callsOf } from '../support/api.ts';
import { documents } from '../support/documents.ts';
import { openPage } from '../support/open-page.tsx';
import { deckWith, findRow, isCount, namesShown, pageOf } from './decks.ts';

const heart = deckWith('heart.pdf', { company: { id: 'c1', name: 'CardioSense' } });
const failed = deckWith('broken.pdf', { status: 'failed', attention: ['failed'] });

/** A list of two decks, of which the API finds one for any filter. */
const answers = (fitting = failed): Answers => ({
  'GET /decks': ({ query, ...call }: ApiCall) => {
    if (isCount({ ...call, query })) return pageOf([failed]);
    const { limit: _limit, sort: _sort, ...filter } = query;
    if (query['q']?.startsWith('nothing') === true) return pageOf([]);
    return pageOf(Object.keys(filter).length === 0 ? [heart, failed] : [fitting]);
  },
});

/** Opens the controls of a filter from the menu of all. */
async function openFilter(user: UserEvent, kind: string): Promise<HTMLElement> {
  await user.click(await screen.findByRole('button', { name: 'Filter' }));
  const panel = await screen.findByRole('dialog', { name: 'Filters' });
  await user.click(within(panel).getByRole('button', { name: kind }));
  return panel;
}

const lastQuery = () => callsOf('GET /decks').findLast((call) => !isCount(call))?.query;

it('The head says how many decks need a look, and a press leaves only those', async () => {
  const { user, address } = await openPage('/?sort=company', { answers: answers() });
  await user.click(await screen.findByRole('button', { name: '1 needs a look' }));
  await expect.poll(namesShown).toEqual(['broken.pdf']);
  expect(address()).toBe('/?sort=company&attention=any');
  expect(lastQuery()).toMatchObject({ attention: 'any', sort: 'company' });
  expect(screen.getByText('1 found')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: '1 needs a look', pressed: true }));
  await expect.poll(() => namesShown().length).toBe(2);
  // The number is of the decks that fit the other filters.
  expect(callsOf('GET /decks').find(isCount)?.query).toEqual({ attention: 'any', limit: '1' });
});

it('A search begins with a key, is searched while somebody types and keeps the focus', async () => {
  const { user, address } = await openPage('/', { answers: answers(heart) });
  await findRow('broken.pdf');
  await user.keyboard('/cardio');
  await expect.poll(namesShown).toEqual(['CardioSense']);
  expect(address()).toBe('/?q=cardio');
  expect(lastQuery()?.['q']).toBe('cardio');
  const box = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search decks' });
  expect([document.activeElement, box.value]).toEqual([box, 'cardio']);
  await user.clear(box);
  await user.type(box, 'nothing like this{Enter}');
  await screen.findByRole('heading', { name: 'No deck fits' });
  await user.click(screen.getByRole('button', { name: 'Clear search and filters' }));
  await expect.poll(() => namesShown().length).toBe(2);
  expect([address(), box.value]).toEqual(['/', '']);
});

it('A search is left by Escape or its button, and one of the address stands in the box', async () => {
  const { user, address } = await openPage('/?q=cardio', { answers: answers(heart) });
  const box = await screen.findByRole<HTMLInputElement>('searchbox');
  expect(box.value).toBe('cardio');
  await user.click(screen.getByRole('button', { name: 'Clear the search' }));
  await expect.poll(address).toBe('/');
  expect(document.activeElement).toBe(box);
  await user.type(box, 'pump{Enter}');
  await expect.poll(address).toBe('/?q=pump');
  await user.keyboard('{Escape}');
  await expect.poll(address).toBe('/');
  expect(box.value).toBe('');
});

it('A filter is set by values with their numbers, stands as a chip, and is a step of the history', async () => {
  const facets = { ...documents.facets(), statuses: [{ value: 'failed', count: 1234 }] };
  const { user, address } = await openPage('/', { answers: { ...answers(), 'GET /decks/facets': facets } });
  const panel = await openFilter(user, 'Status');
  await user.click(await within(panel).findByRole('checkbox', { name: /^Failed\s*1,234$/u }));
  await expect.poll(namesShown).toEqual(['broken.pdf']);
  expect(address()).toBe('/?status=failed');
  await user.click(within(panel).getByRole('button', { name: 'All filters' }));
  expect(within(panel).getByRole('button', { name: 'Coverage' })).toBeTruthy();
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: /^Status\s*Failed$/u }));
  const chip = await screen.findByRole('dialog', { name: 'Status' });
  expect(await within(chip).findByRole('checkbox', { name: /^Failed/u, checked: true })).toBeTruthy();
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Remove the filter Status' }));
  await expect.poll(() => namesShown().length).toBe(2);
  window.history.back();
  await expect.poll(namesShown).toEqual(['broken.pdf']);
  expect(address()).toBe('/?status=failed');
});

it('Values are counted among the decks that fit the other filters', async () => {
  const { user, address } = await openPage('/?q=heart&tag=cardiology&sort=score', { answers: answers() });
  const panel = await openFilter(user, 'Needs a look');
  expect(await within(panel).findByRole('checkbox', { name: 'For any reason' })).toBeTruthy();
  expect(callsOf('GET /decks/facets').at(-1)?.query).toEqual({ q: 'heart', tag: 'cardiology' });
  await user.click(within(panel).getByRole('checkbox', { name: /^Text that tries to steer the score/u }));
  await user.click(within(panel).getByRole('checkbox', { name: /^The deck contradicts itself/u }));
  await expect.poll(address).toContain('attention=steering%2Ccontradictions');
  await user.click(within(panel).getByRole('checkbox', { name: /^Text that tries to steer the score/u }));
  await expect.poll(() => lastQuery()?.['attention']).toBe('contradictions');
});

it('A filter without a value says so', async () => {
  const facets = { ...documents.facets(), assignees: [] };
  const { user } = await openPage('/', { answers: { ...answers(), 'GET /decks/facets': facets } });
  await openFilter(user, 'Assignee');
  expect(await screen.findByText('No deck has one.')).toBeTruthy();
});

it('A range of scores takes numbers that fit and leaves others out', async () => {
  const { user, address } = await openPage('/', { answers: answers() });
  const panel = await openFilter(user, 'Score');
  const from = await within(panel).findByLabelText('From');
  await user.type(from, '0.5');
  await expect.poll(address).toBe('/?minScore=0.5');
  await user.type(within(panel).getByLabelText('To'), '9');
  expect(address()).toBe('/?minScore=0.5');
  await user.clear(within(panel).getByLabelText('To'));
  await user.type(within(panel).getByLabelText('To'), '6');
  await expect.poll(() => lastQuery()).toMatchObject({ minScore: '0.5', maxScore: '6' });
  expect(screen.getByText('0.5 to 6')).toBeTruthy();
  await user.clear(from);
  await expect.poll(address).toBe('/?maxScore=6');
  expect(screen.getByText('up to 6')).toBeTruthy();
});

it('Coverage is a percentage and days are dates', async () => {
  const { user, address } = await openPage('/', { answers: answers() });
  const panel = await openFilter(user, 'Coverage');
  await user.type(await within(panel).findByLabelText('At least (%)'), '80');
  await expect.poll(address).toBe('/?minCoverage=0.8');
  expect(screen.getByText('from 80 %')).toBeTruthy();
  await user.click(within(panel).getByRole('button', { name: 'All filters' }));
  await user.click(within(panel).getByRole('button', { name: 'Added' }));
  await user.type(await within(panel).findByLabelText('From'), '2026-03-14');
  await expect.poll(() => lastQuery()?.['since']).toBe('2026-03-14');
  expect(screen.getByText('from 14 Mar 2026')).toBeTruthy();
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Clear' }));
  await expect.poll(address).toBe('/');
});

it('The filters of an address stand as chips, in German', async () => {
  const address = '/?company=c1&decision=none&sector=telemedicine,fintech&maxScore=3';
  const { user } = await openPage(address, { answers: answers(), language: 'de' });
  expect(await screen.findByRole('button', { name: /^Entscheidung\s*Noch keine$/u })).toBeTruthy();
  // A sector that an operator added has no words of its own.
  expect(screen.getByRole('button', { name: /^Branche\s*Telemedizin, fintech$/u })).toBeTruthy();
  expect(screen.getByRole('button', { name: /^Bewertung\s*bis 3$/u })).toBeTruthy();
  expect(await screen.findByText('1 gefunden')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Filter Eine Firma entfernen' }));
  await waitFor(() => expect(lastQuery()?.['company']).toBeUndefined());
  expect(lastQuery()).toMatchObject({ decision: 'none', sector: 'telemedicine,fintech', maxScore: '3' });
});

it('Decks are filtered by whether enough of their quotes answer', async () => {
  const { user, address } = await openPage('/', { answers: answers(heart) });
  const panel = await openFilter(user, 'Answering');
  expect((await within(panel).findAllByRole('checkbox')).length).toBe(3);
  await user.click(within(panel).getByRole('checkbox', { name: 'Not judged' }));
  await expect.poll(namesShown).toEqual(['CardioSense']);
  expect(lastQuery()?.['answering']).toBe('not_judged');
  expect(address()).toBe('/?answering=not_judged');
});
