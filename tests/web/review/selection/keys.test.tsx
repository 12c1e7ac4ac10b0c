/** Single keys of the review page: which statement is shown, the list of keys, and where keys do nothing. */
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { DECK, openReview, part, spoken } from '../deck-page.ts';

const rows = (): HTMLElement[] => within(part('Findings')).getAllByRole('article');
const focused = (): string | null | undefined => document.activeElement?.getAttribute('aria-label');

it('J and K walk through the statements with the focus, Esc lights nothing, and the address follows', async () => {
  const { user, address } = await openReview();
  const [first, second] = rows().map((row) => row.getAttribute('aria-label'));
  await user.keyboard('jj');
  expect(focused()).toBe(second);
  await user.keyboard('k');
  expect(focused()).toBe(first);
  await expect.poll(spoken).toBe('Slide 1, quote lit');
  expect(rows()[0]?.getAttribute('aria-current')).toBe('true');
  await expect.poll(address).toBe(`/decks/${DECK.id}?claim=${encodeURIComponent('value/offering')}&slide=1`);
  // There is nothing before the first one.
  await user.keyboard('k');
  expect(focused()).toBe(first);
  await user.keyboard('{Escape}');
  await expect.poll(spoken).toBe('Slide 1');
  expect(screen.queryByRole('article', { current: true })).toBeNull();
  await expect.poll(address).toBe(`/decks/${DECK.id}?slide=1`);
  // Without a statement K begins at the end.
  await user.keyboard('k');
  expect(focused()).toBe(rows().at(-1)?.getAttribute('aria-label'));
});

it('Keys with Ctrl, and keys in a field, are left to the browser', async () => {
  const { user } = await openReview();
  await user.keyboard('{Control>}j{/Control}');
  fireEvent.keyDown(document.body, { key: 'j', altKey: true });
  fireEvent.keyDown(document.body, { key: 'x' });
  expect(screen.queryByRole('article', { current: true })).toBeNull();
  await user.keyboard('jn');
  const field = await screen.findByRole('textbox');
  const before = spoken();
  await user.type(field, 'jk.');
  expect((field as HTMLTextAreaElement).value).toBe('jk.');
  expect(spoken()).toBe(before);
});

it('The list of keys opens by its key, and switches single keys off and on', async () => {
  const { user } = await openReview();
  await user.keyboard('?');
  const dialog = within(await screen.findByRole('dialog', { name: 'Keys' }));
  expect(dialog.getByText('next and previous claim')).toBeTruthy();
  expect(dialog.getByText(/is right, is wrong; again takes it back/u)).toBeTruthy();
  await user.click(dialog.getByLabelText('Single keys are on'));
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  await user.keyboard('j?');
  expect(screen.queryByRole('article', { current: true })).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
  // The menu opens the list without keys.
  await user.click(screen.getByRole('button', { name: 'More' }));
  await user.click(await screen.findByRole('menuitem', { name: /^Keys/u }));
  const box = (await screen.findByLabelText('Single keys are on')) as HTMLInputElement;
  expect(box.checked).toBe(false);
  await user.click(box);
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  await user.keyboard('j');
  expect(rows()[0]?.getAttribute('aria-current')).toBe('true');
});
