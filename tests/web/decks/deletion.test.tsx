/** Deleting decks, and what is said of those that could not be deleted. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { answerApi, callsOf, problem } from '../support/api.ts';
import { openPage } from '../support/open-page.tsx';
import { textsOf } from '../support/texts.ts';
import { answersWith, chooseFor, deckWith, findDialog, findRow, press, select } from './decks.ts';

const decks = ['a.pdf', 'b.pdf', 'c.pdf'].map((name) => deckWith(name));
const deleted = () => callsOf('DELETE /decks/:deck').map(({ params }) => params['deck']);

it('Decks are deleted after the dialog said what goes, and those that stay are named with the reason', async () => {
  const { user } = await openPage('/', {
    answers: {
      ...answersWith(decks),
      'DELETE /decks/:deck': ({ params }) => {
        if (params['deck'] === 'b.pdf')
          return problem(503, 'service_unavailable', 'Temporal does not answer.', 'Try again later.');
        answerApi(answersWith(decks.slice(1)));
        return {};
      },
    },
  });
  await select(user, ['a.pdf', 'b.pdf']);
  await press(user, 'Delete');
  const dialog = await findDialog('Delete 2 decks?');
  expect(within(dialog).getByText(/It cannot be undone\.$/u)).toBeTruthy();
  expect(deleted()).toEqual([]);
  await user.click(within(dialog).getByRole('button', { name: 'Delete 2 decks' }));
  const failures = await findDialog('Not done for 1 of 2 decks');
  expect(within(failures).getByText('It was done for the others.')).toBeTruthy();
  expect(textsOf(within(failures).getAllByRole('listitem'))).toEqual([
    'b.pdfTemporal does not answer.Try again later.',
  ]);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(screen.queryByText('a.pdf')).toBeNull());
  // What is gone is no longer selected; what stays can be tried again.
  expect(screen.getByText('1 selected')).toBeTruthy();
  expect(screen.getByRole('checkbox', { name: 'Select b.pdf', checked: true })).toBeTruthy();
  expect(deleted().toSorted()).toEqual(['a.pdf', 'b.pdf']);
});

it('One deck is deleted by its menu, and a dialog that is left deletes nothing', async () => {
  const { user } = await openPage('/', { answers: { ...answersWith(decks), 'DELETE /decks/:deck': {} } });
  await chooseFor(user, 'c.pdf', 'Delete …');
  const dialog = await findDialog('Delete 1 deck?');
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(deleted()).toEqual([]);
  await chooseFor(user, 'c.pdf', 'Delete …');
  await user.click(within(await findDialog()).getByRole('button', { name: 'Delete 1 deck' }));
  expect(await screen.findByText('1 deck deleted')).toBeTruthy();
  expect(deleted()).toEqual(['c.pdf']);
});

it('Many decks are deleted a few at a time, and the button rests meanwhile', async () => {
  const many = Array.from({ length: 6 }, (_, index) => deckWith(`deck ${index}.pdf`));
  const holding = Promise.withResolvers<object>();
  const { user } = await openPage('/', {
    answers: { ...answersWith(many), 'DELETE /decks/:deck': () => holding.promise },
  });
  await user.click(await screen.findByRole('checkbox', { name: 'Select all that are loaded' }));
  await press(user, 'Delete');
  const button = within(await findDialog()).getByRole<HTMLButtonElement>('button', { name: 'Delete 6 decks' });
  await user.click(button);
  await expect.poll(() => deleted()).toHaveLength(4);
  expect(button.disabled).toBe(true);
  holding.resolve({});
  expect(await screen.findByText('6 decks deleted')).toBeTruthy();
  expect(deleted()).toHaveLength(6);
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Actions' })).toBeNull());
});

it('The dialog speaks German, and a lost connection is told', async () => {
  const { user } = await openPage('/', {
    language: 'de',
    answers: { ...answersWith(decks), 'DELETE /decks/:deck': Response.error() },
  });
  await findRow('a.pdf');
  await user.click(screen.getByRole('button', { name: 'Aktionen für a.pdf' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Löschen …' }));
  const dialog = await findDialog('1 Deck löschen?');
  await user.click(within(dialog).getByRole('button', { name: '1 Deck löschen' }));
  expect(await screen.findByText(/^Deckhand antwortet nicht\./u)).toBeTruthy();
});
