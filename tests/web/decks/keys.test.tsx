/** Keys of the list: moving between decks, selecting and opening them. */
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openPage } from '../support/open-page.tsx';
import { answersWith, deckWith, findRow } from './decks.ts';

const names = ['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf'];
const answers = answersWith(names.map((name) => deckWith(name)));

const focused = () => document.activeElement?.textContent;
const checked = () => screen.queryAllByRole('checkbox', { checked: true }).map((box) => box.getAttribute('aria-label'));

it('J and k move between decks, x selects one, and Enter opens it', async () => {
  const { user, address } = await openPage('/', { answers });
  await findRow('a.pdf');
  await user.keyboard('j');
  expect(focused()).toBe('a.pdf');
  await user.keyboard('jx');
  expect([focused(), checked()]).toEqual(['b.pdf', ['Select b.pdf']]);
  await user.keyboard('jj{Shift>}x{/Shift}');
  expect(checked()).toEqual(['Select b.pdf', 'Select c.pdf', 'Select d.pdf']);
  await user.keyboard('j');
  expect(focused()).toBe('d.pdf');
  await user.keyboard('kkkkk');
  expect(focused()).toBe('a.pdf');
  await user.keyboard('{Enter}');
  await expect.poll(address).toBe('/decks/a.pdf');
});

it('The arrows move from the row that has the focus, and scroll without one', async () => {
  const { user } = await openPage('/', { answers });
  await findRow('a.pdf');
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(document.body);
  await user.click(screen.getByRole('checkbox', { name: 'Select b.pdf' }));
  await user.keyboard('{ArrowDown}');
  expect(focused()).toBe('c.pdf');
  await user.keyboard('{ArrowUp}{ArrowUp}');
  expect(focused()).toBe('a.pdf');
});

it('Keys are text in the search box, and commands of the browser with Control', async () => {
  const { user } = await openPage('/', { answers });
  await findRow('a.pdf');
  await user.keyboard('{Control>}j{/Control}');
  expect(document.activeElement).toBe(document.body);
  await user.keyboard('x');
  expect(checked()).toEqual([]);
  const box = screen.getByRole<HTMLInputElement>('searchbox');
  await user.type(box, 'jx/');
  expect([box.value, document.activeElement]).toEqual(['jx/', box]);
});

it('Somebody who left the rows goes on from the last one', async () => {
  const { user } = await openPage('/', { answers, width: 'phone' });
  await screen.findByRole('link', { name: 'a.pdf' });
  await user.keyboard('jjj');
  expect(focused()).toBe('c.pdf');
  screen.getByRole('link', { name: 'c.pdf' }).blur();
  await user.keyboard('k');
  expect(focused()).toBe('b.pdf');
});
