/** What people say of decks: tags, who works on them, and what to do with them. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { answerApi, type Answers, problem } from '../support/api.ts';
import { documents } from '../support/documents.ts';
import { openPage } from '../support/open-page.tsx';
import { textsOf } from '../support/texts.ts';
import { answersWith, chooseFor, deckWith, findDialog, findRow, press, select, sent } from './decks.ts';

const [verdict] = documents.verdicts().items;
if (verdict === undefined) throw new Error('no verdict is recorded');

const decks = [
  deckWith('a.pdf', { tags: ['seed', 'both'], decision: 'later', assignee: 'Ben Baker' }),
  deckWith('b.pdf', { tags: ['both'], decision: 'later' }),
  deckWith('c.pdf'),
];
const answers: Answers = { ...answersWith(decks), 'POST /decks/:deck/verdicts': verdict };

/** What was sent, by deck. */
const said = () => sent('POST /decks/:deck/verdicts', 'deck');

const gone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

it('A new tag is put on every selected deck, and the list is read again', async () => {
  const { user } = await openPage('/', { answers });
  await select(user, ['b.pdf', 'c.pdf']);
  await press(user, 'Tags');
  const dialog = await findDialog('Tags');
  expect(textsOf(within(dialog).getAllByRole('listitem'))).toEqual(['b.pdf', 'c.pdf']);
  const save = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Save' });
  expect(save.disabled).toBe(true);
  await user.type(within(dialog).getByLabelText('New tag'), ' second look , , warm');
  answerApi(answersWith([deckWith('b.pdf', { tags: ['second look'], company: { id: 'c', name: 'Bolt' } })]));
  await user.click(save);
  expect(await screen.findByText('Saved for 2 decks')).toBeTruthy();
  await gone();
  for (const deck of ['b.pdf', 'c.pdf']) {
    const ofDeck = said().filter(([of]) => of === deck);
    expect(ofDeck.map(([, body]) => body)).toEqual([
      { kind: 'tag', text: 'second look', on: true },
      { kind: 'tag', text: 'warm', on: true },
    ]);
  }
  expect(await screen.findByRole('link', { name: 'Bolt' })).toBeTruthy();
});

it('A tag that only some decks have stays as it is until it is pressed', async () => {
  const { user } = await openPage('/', { answers });
  await select(user, ['a.pdf', 'b.pdf']);
  await press(user, 'Tags');
  const dialog = await findDialog('Tags');
  const states = () =>
    within(dialog)
      .getAllByRole('checkbox')
      .map((box) => [box.textContent, box.getAttribute('aria-checked')]);
  await within(dialog).findByRole('checkbox', { name: 'cardiology' });
  expect(states()).toEqual([
    ['both', 'true'],
    ['cardiology', 'false'],
    ['seed', 'mixed'],
  ]);
  await user.click(within(dialog).getByRole('checkbox', { name: 'both' }));
  await user.type(within(dialog).getByLabelText('New tag'), 'late{Enter}');
  expect(states()).toEqual([
    ['both', 'false'],
    ['cardiology', 'false'],
    ['late', 'true'],
    ['seed', 'mixed'],
  ]);
  await user.type(within(dialog).getByLabelText('New tag'), 'early');
  await user.click(within(dialog).getByRole('button', { name: 'Add' }));
  await user.click(within(dialog).getByRole('checkbox', { name: 'late' }));
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await gone();
  expect(
    said()
      .filter(([deck]) => deck === 'a.pdf')
      .map(([, body]) => body),
  ).toEqual([
    { kind: 'tag', text: 'both', on: false },
    { kind: 'tag', text: 'late', on: false },
    { kind: 'tag', text: 'early', on: true },
  ]);
});

it('A tag is taken off by the menu of a deck', async () => {
  const { user } = await openPage('/', { answers });
  await chooseFor(user, 'a.pdf', 'Tags …');
  const dialog = await findDialog('Tags');
  await user.click(await within(dialog).findByRole('checkbox', { name: 'seed', checked: true }));
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved for 1 deck')).toBeTruthy();
  expect(said()).toEqual([['a.pdf', { kind: 'tag', text: 'seed', on: false }]]);
});

it('Decks are assigned to a person, to another name, or to nobody', async () => {
  const { user } = await openPage('/', { answers });
  await chooseFor(user, 'a.pdf', 'Assign …');
  const dialog = await findDialog('Assign');
  const name = within(dialog).getByLabelText<HTMLInputElement>('Name');
  await within(dialog).findByRole('radio', { name: 'Ben Baker', checked: true });
  expect(name.value).toBe('Ben Baker');
  await user.clear(name);
  expect(within(dialog).getByRole('radio', { name: 'Nobody', checked: true })).toBeTruthy();
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await gone();
  await select(user, ['b.pdf', 'c.pdf']);
  await press(user, 'Assign');
  await user.click(await screen.findByRole('radio', { name: 'Ann Archer' }));
  const typed = screen.getByLabelText<HTMLInputElement>('Name');
  expect(typed.value).toBe('Ann Archer');
  await user.clear(typed);
  await user.type(typed, ' Cleo Carter ');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await gone();
  expect(said()).toEqual([
    ['a.pdf', { kind: 'assignee', text: null }],
    ['b.pdf', { kind: 'assignee', text: 'Cleo Carter' }],
    ['c.pdf', { kind: 'assignee', text: 'Cleo Carter' }],
  ]);
});

it('A decision begins with the one that all have, and takes a reason', async () => {
  const { user } = await openPage('/', { answers });
  await select(user, ['a.pdf', 'b.pdf']);
  await press(user, 'Decide');
  expect(await screen.findByRole('radio', { name: 'Later', checked: true })).toBeTruthy();
  await user.click(screen.getByRole('radio', { name: 'Meet' }));
  await user.type(screen.getByLabelText(/^Reason/u), ' Strong team. ');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await gone();
  await user.click(screen.getByRole('checkbox', { name: 'Select c.pdf' }));
  await press(user, 'Decide');
  expect(await screen.findByRole('radio', { name: 'None yet', checked: true })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await gone();
  const meet = { kind: 'decision', decision: 'meet', reason: 'Strong team.' };
  const none = { kind: 'decision', decision: null, reason: null };
  expect(said()).toEqual([
    ['a.pdf', meet],
    ['a.pdf', none],
    ['b.pdf', meet],
    ['b.pdf', none],
    ['c.pdf', none],
  ]);
});

it('A dialog names the first decks and how many more there are, and is left without a request', async () => {
  const many = Array.from({ length: 7 }, (_, index) => deckWith(`deck ${index}.pdf`));
  const { user } = await openPage('/', { answers: answersWith(many) });
  await user.click(await screen.findByRole('checkbox', { name: 'Select all that are loaded' }));
  await press(user, 'Decide');
  const dialog = await findDialog('Decide');
  const items = within(dialog).getAllByRole('listitem');
  expect(items.map((item) => item.textContent).slice(-2)).toEqual(['deck 4.pdf', 'and 2 more']);
  await user.keyboard('{Escape}');
  await gone();
  expect(said()).toEqual([]);
});

it('A refusal for one deck is told, in German', async () => {
  const { user } = await openPage('/', {
    language: 'de',
    answers: {
      ...answers,
      'POST /decks/:deck/verdicts': problem(409, 'conflict', 'Das Deck wird gelöscht.', 'Neu laden.'),
    },
  });
  await findRow('c.pdf');
  await user.click(screen.getByRole('button', { name: 'Aktionen für c.pdf' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Zuweisen …' }));
  const dialog = await findDialog('Zuweisen');
  expect(await within(dialog).findByRole('radio', { name: 'Niemand', checked: true })).toBeTruthy();
  await user.click(within(dialog).getByRole('button', { name: 'Speichern' }));
  expect(await screen.findByText('Das Deck wird gelöscht.')).toBeTruthy();
  expect(screen.getByText('Neu laden.')).toBeTruthy();
});
