/** Order and columns of the table, and the order of the cards. */
import { renderHook, screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { callsOf } from '../support/api.ts';
import { openPage } from '../support/open-page.tsx';
import { answersWith, deckWith, findRow, isCount } from './decks.ts';

const answers = answersWith([deckWith('one.pdf', { tags: ['second look'], costUsd: 0.125, owner: 'Ann Archer' })]);

const heads = () => screen.getAllByRole('columnheader').map((head) => head.textContent);
const lastSort = () => callsOf('GET /decks').findLast((call) => !isCount(call))?.query['sort'];

it('The head of a column sorts by it, says so, and leads back to the newest first', async () => {
  const { user, address } = await openPage('/', { answers });
  const head = await screen.findByRole('columnheader', { name: 'Deck' });
  const added = screen.queryByRole('columnheader', { name: 'Added' });
  expect([head.getAttribute('aria-sort'), added]).toEqual(['none', null]);
  await user.click(within(head).getByRole('button'));
  await expect.poll(lastSort).toBe('company');
  expect([head.getAttribute('aria-sort'), address()]).toEqual(['ascending', '/?sort=company']);
  await user.click(within(head).getByRole('button'));
  await expect.poll(lastSort).toBe('-company');
  expect([head.getAttribute('aria-sort'), address()]).toEqual(['descending', '/?sort=-company']);
  await user.click(within(head).getByRole('button'));
  await expect.poll(address).toBe('/');
  const score = screen.getByRole('columnheader', { name: 'Score' });
  await user.click(within(score).getByRole('button'));
  // A document that is no pitch deck comes last, whatever its score is.
  await expect.poll(lastSort).toBe('-rank');
  expect(score.getAttribute('aria-sort')).toBe('descending');
  // What needs a look has no order.
  const reasons = screen.getByRole('columnheader', { name: 'Needs a look' });
  expect([reasons.getAttribute('aria-sort'), within(reasons).queryByRole('button')]).toEqual([null, null]);
});

it('The hint of a column is shown beside its name', async () => {
  const { user } = await openPage('/', { answers });
  const score = await screen.findByRole('columnheader', { name: 'Score' });
  await user.hover(within(score).getByRole('button'));
  const hint = await screen.findByRole('tooltip');
  expect(hint.textContent).toMatch(
    /^By a language model: .* from 0 to 7\. By rules: how many questions have evidence/u,
  );
});

it('The columns that fit are shown until a person chooses, and the choice stays for the next visit', async () => {
  const { user } = await openPage('/', { answers });
  await findRow('one.pdf');
  const fitting = heads();
  expect(fitting).toContain('Sector');
  expect(fitting).not.toContain('Deck date');
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  expect(screen.queryByRole('menuitem', { name: 'As many as fit' })).toBeNull();
  for (const name of ['Deck date', 'Tags', 'Cost', 'Added by', 'Added', 'Sector'])
    await user.click(screen.getByRole('menuitemcheckbox', { name }));
  expect(heads()).toEqual(expect.arrayContaining(['Deck date', 'Tags', 'Cost']));
  expect(heads()).not.toContain('Sector');
  expect(localStorage.getItem('deckhand.columns')?.split(',').toSorted()).toEqual(
    ['status', 'attention', 'score', 'verified', 'answering', 'ask', 'decision']
      .concat('date', 'tags', 'cost', 'owner', 'created')
      .toSorted(),
  );
  const row = await findRow('one.pdf');
  for (const text of ['March 2026', 'second look', 'Ann Archer', '28 Nov 2026']) {
    expect(within(row).getByText(text)).toBeTruthy();
  }
  expect(within(row).getByText('$0.13')).toBeTruthy();
  await user.click(screen.getByRole('menuitem', { name: 'As many as fit' }));
  expect(heads()).toEqual(fitting);
  expect(localStorage.getItem('deckhand.columns')).toBeNull();
});

it('The columns that were chosen on an earlier visit are shown, in the order of the table', async () => {
  localStorage.setItem('deckhand.columns', 'date,status,unknown');
  // They are read when the page is loaded.
  vi.resetModules();
  const { useColumns } = await import('../../../web/decks/list/columns.ts');
  const { result } = renderHook(() => useColumns(1280));
  expect(result.current.map(({ name }) => name)).toEqual(['status', 'date']);
});

it('The cards are sorted by a menu, in German', async () => {
  const { user, address } = await openPage('/', { answers, language: 'de', width: 'phone' });
  await user.click(await screen.findByRole('button', { name: 'Sortieren nach' }));
  const chosen = screen.getByRole('menuitemcheckbox', { checked: true });
  expect(chosen.textContent).toBe('Hinzugefügt');
  expect(within(chosen).getByLabelText('Absteigend')).toBeTruthy();
  await user.click(screen.getByRole('menuitemcheckbox', { name: 'Firma' }));
  await expect.poll(lastSort).toBe('company');
  expect(address()).toBe('/?sort=company');
  expect(within(screen.getByRole('menuitemcheckbox', { name: /^Firma/u })).getByLabelText('Aufsteigend')).toBeTruthy();
});
