/** Short messages at the edge of the page, and what stands in place of content. */
import { act, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { RequestError } from '../../../web/request.ts';
import { Failed } from '../../../web/ui/states.tsx';
import { tell, tellError, Toasts } from '../../../web/ui/toast.tsx';
import { setLanguage } from '../../../web/words/language.ts';

const refusal = (code: string, hint: string | null): RequestError =>
  new RequestError('It was refused.', { code, status: 409, hint });
const message = (text: string): HTMLElement => screen.getByText(text).closest('li') ?? document.body;

it('A message can be undone once, or closed', async () => {
  setLanguage('en');
  const user = userEvent.setup();
  const undo = vi.fn<() => void>();
  render(<Toasts />);
  act(() => tell('The company is renamed.', { label: 'Undo', run: undo }));
  act(() => tell('The note is saved.'));
  expect(within(message('The note is saved.')).queryByRole('button', { name: 'Undo' })).toBeNull();
  await user.click(within(message('The note is saved.')).getByRole('button', { name: 'Close' }));
  await expect.poll(() => screen.queryByText('The note is saved.')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(undo).toHaveBeenCalledOnce();
  await expect.poll(() => screen.queryByText('The company is renamed.')).toBeNull();
});

it('A refusal is told with its hint, and a missing network in the language of the page', async () => {
  setLanguage('de');
  const user = userEvent.setup();
  render(<Toasts />);
  act(() => tellError(refusal('conflict', 'Take another name.')));
  expect(within(message('It was refused.')).getByText('Take another name.')).toBeTruthy();
  act(() => tellError(refusal('offline', null)));
  expect(screen.getByText(/^Deckhand antwortet nicht\./u)).toBeTruthy();
  act(() => tellError(new Error('A plain error.')));
  for (const close of screen.getAllByRole('button', { name: 'Schließen' })) await user.click(close);
  await expect.poll(() => screen.queryByText('A plain error.')).toBeNull();
});

it('What could not be read says why and what to do, and is tried again where that is possible', async () => {
  setLanguage('en');
  const retry = vi.fn<() => void>();
  const { rerender } = render(<Failed error={refusal('conflict', 'Wait a minute.')} onRetry={retry} />);
  const alert = within(screen.getByRole('alert'));
  expect(alert.getByText('It was refused.')).toBeTruthy();
  expect(alert.getByText('Wait a minute.')).toBeTruthy();
  await userEvent.setup().click(alert.getByRole('button', { name: 'Try again' }));
  expect(retry).toHaveBeenCalledOnce();
  rerender(<Failed error={new Error('Broken.')} />);
  expect(screen.queryByRole('button')).toBeNull();
});
