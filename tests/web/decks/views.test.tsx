/** Saved views of the list. */
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { answerApi, callsOf, problem } from '../support/api.ts';
import { documents } from '../support/documents.ts';
import { openPage } from '../support/open-page.tsx';
import { answersWith, deckWith, findRow } from './decks.ts';

const answers = answersWith([deckWith('one.pdf')]);
const seed = { id: 'v1', name: 'Seed rounds', query: 'sort=-score&tag=cardiology', createdBy: 'Ann', createdAt: '' };

async function openViews(user: UserEvent): Promise<HTMLElement> {
  await user.click(await screen.findByRole('button', { name: 'Views' }));
  return screen.findByRole('dialog', { name: 'Views' });
}

it('What is set is saved under a name, always written the same way', async () => {
  const { user } = await openPage('/?status=failed&q=heart&sort=company', {
    answers: { ...answers, 'GET /views': { items: [] }, 'POST /views': seed },
  });
  const panel = await openViews(user);
  expect(await within(panel).findByText('No saved views yet.')).toBeTruthy();
  const save = within(panel).getByRole<HTMLButtonElement>('button', { name: 'Save' });
  const name = within(panel).getByLabelText<HTMLInputElement>('Name of the view');
  await user.type(name, '  ');
  expect(save.disabled).toBe(true);
  await user.type(name, 'Failed ones ');
  answerApi({
    'GET /views': { items: [{ ...seed, name: 'Failed ones', query: 'q=heart&sort=company&status=failed' }] },
  });
  await user.click(save);
  expect(await screen.findByText('View “Failed ones” saved')).toBeTruthy();
  expect(callsOf('POST /views')[0]?.body).toEqual({
    name: 'Failed ones',
    query: 'q=heart&sort=company&status=failed',
  });
  // It is the one that is shown.
  const saved = await within(panel).findByRole('button', { name: 'Failed ones' });
  expect([saved.getAttribute('aria-current'), name.value]).toEqual(['true', '']);
});

it('A view brings back its filter and order, and closes the panel', async () => {
  const { user, address } = await openPage('/?q=heart', {
    answers: { ...answers, 'GET /views': { items: [seed] } },
  });
  const panel = await openViews(user);
  const view = await within(panel).findByRole('button', { name: 'Seed rounds' });
  expect(view.getAttribute('aria-current')).toBe('false');
  await user.click(view);
  await expect.poll(address).toBe('/?tag=cardiology&sort=-score');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('');
});

it('A view is deleted, and a refusal says why', async () => {
  const { user } = await openPage('/', {
    answers: {
      ...answers,
      'GET /views': { items: [{ ...seed, name: 'Old ones' }] },
      'DELETE /views/:view': problem(409, 'conflict', 'Somebody else uses it.'),
    },
  });
  await findRow('one.pdf');
  const panel = await openViews(user);
  const remove = await within(panel).findByRole('button', { name: 'Delete the view Old ones' });
  await user.click(remove);
  expect(await screen.findByText('Somebody else uses it.')).toBeTruthy();
  expect(within(panel).getByRole('button', { name: 'Old ones' })).toBeTruthy();
  answerApi({ 'DELETE /views/:view': null, 'GET /views': { items: [] } });
  await user.click(remove);
  expect(await screen.findByText('View “Old ones” deleted')).toBeTruthy();
  expect(callsOf('DELETE /views/:view').at(-1)?.params).toEqual({ view: 'v1' });
  expect(await within(panel).findByText('No saved views yet.')).toBeTruthy();
});

it('The panel of the views speaks German', async () => {
  const { user } = await openPage('/', {
    language: 'de',
    answers: { ...answers, 'GET /views': documents.views(), 'POST /views': problem(400, 'invalid', 'Kein Platz.') },
  });
  await user.click(await screen.findByRole('button', { name: 'Ansichten' }));
  const panel = await screen.findByRole('dialog', { name: 'Ansichten' });
  expect(await within(panel).findByRole('button', { name: 'Ansicht Seed rounds löschen' })).toBeTruthy();
  await user.type(within(panel).getByLabelText('Name der Ansicht'), 'Neue{Enter}');
  expect(await screen.findByText('Kein Platz.')).toBeTruthy();
  await waitFor(() => expect(callsOf('POST /views')[0]?.body).toEqual({ name: 'Neue', query: '' }));
});
