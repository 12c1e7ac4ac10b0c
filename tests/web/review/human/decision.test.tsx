/** What to do with the deck, who works on it, and its tags. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { answerApi, callsOf, offline, problem } from '../../support/api.ts';
import { documents } from '../../support/documents.ts';
import { textsOf } from '../../support/texts.ts';
import { head, type Inside, openReview, said, sentVerdicts } from '../deck-page.ts';

const button = (name: string | RegExp): HTMLElement => head().getByRole('button', { name });

const isPressed = (name: string): boolean => button(name).getAttribute('aria-pressed') === 'true';

/** The panel that is open. */
const panel = (): Inside => within(screen.getByRole('dialog'));

it('One press decides, another one decides otherwise, and the same again takes it back', async () => {
  const { user } = await openReview();
  expect(['Meet', 'Later', 'Pass'].map(isPressed)).toEqual([false, false, false]);
  await user.click(button('Meet'));
  await expect.poll(() => isPressed('Meet')).toBe(true);
  expect(button('Meet').title).toBe('by Ann Archer');
  await user.click(button('Pass'));
  await expect.poll(() => ['Meet', 'Later', 'Pass'].map(isPressed)).toEqual([false, false, true]);
  await user.click(button('Pass'));
  await expect.poll(() => isPressed('Pass')).toBe(false);
  expect(head().queryByRole('button', { name: 'Reason of the decision' })).toBeNull();
  expect(sentVerdicts()).toEqual([
    { kind: 'decision', decision: 'meet' },
    { kind: 'decision', decision: 'pass' },
    { kind: 'decision', decision: null },
  ]);
});

it('A decision is given a reason, which can be changed and taken away', async () => {
  const { user } = await openReview({ history: documents.verdicts().items });
  const reason = (): HTMLTextAreaElement => panel().getByRole('textbox', { name: 'Reason of the decision' });
  await user.click(button('Reason of the decision'));
  expect(reason().value).toBe('The pilot is convincing.');
  await user.type(reason(), ' So is the team.');
  await user.click(panel().getByRole('button', { name: 'Save' }));
  await expect
    .poll(sentVerdicts)
    .toEqual([{ kind: 'decision', decision: 'meet', reason: 'The pilot is convincing. So is the team.' }]);
  expect(isPressed('Meet')).toBe(true);
  await user.click(button('Reason of the decision'));
  await user.clear(reason());
  await user.click(panel().getByRole('button', { name: 'Save' }));
  await expect.poll(() => sentVerdicts().at(-1)).toEqual({ kind: 'decision', decision: 'meet', reason: null });
  await user.click(button('Reason of the decision'));
  await user.click(panel().getByRole('button', { name: 'Cancel' }));
  expect(sentVerdicts()).toHaveLength(2);
});

it('The deck is assigned to somebody who is known, to somebody else, and to nobody', async () => {
  const { user } = await openReview();
  await user.click(button('Assign'));
  await user.click(await panel().findByRole('button', { name: 'Ann Archer' }));
  await user.click(await head().findByRole('button', { name: /^Assignee: ?Ann Archer$/u }));
  // Who has it already is not assigned again.
  expect(panel().getByRole('button', { name: 'Ann Archer' }).getAttribute('aria-pressed')).toBe('true');
  await user.click(panel().getByRole('button', { name: 'Ann Archer' }));
  await user.click(button(/^Assignee: ?Ann Archer$/u));
  expect(panel().getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
  await user.type(panel().getByRole('textbox', { name: 'Name' }), ' Cleo Carver {Enter}');
  await user.click(await head().findByRole('button', { name: /^Assignee: ?Cleo Carver$/u }));
  expect(textsOf(panel().getAllByRole('listitem'))).toEqual(['Cleo Carver', 'Ann Archer', 'Ben Baker', 'Nobody']);
  await user.click(panel().getByRole('button', { name: 'Nobody' }));
  await head().findByRole('button', { name: 'Assign' });
  expect(sentVerdicts()).toEqual([
    { kind: 'assignee', text: 'Ann Archer' },
    { kind: 'assignee', text: 'Cleo Carver' },
    { kind: 'assignee', text: null },
  ]);
});

it('Tags are added, several at once by commas, and taken off', async () => {
  const facets = { ...documents.facets(), tags: ['cardiology', 'seed'].map((value) => ({ value, count: 1 })) };
  const { user } = await openReview({ history: documents.verdicts().items, answers: { 'GET /decks/facets': facets } });
  expect(head().getByText('cardiology')).toBeTruthy();
  await user.click(button('Add a tag'));
  // What it has already is not offered.
  await expect
    .poll(() => [...document.querySelectorAll<HTMLOptionElement>('datalist option')].map(({ value }) => value))
    .toEqual(['seed']);
  const field = panel().getByRole('combobox', { name: 'New tag' });
  expect(panel().getByRole<HTMLButtonElement>('button', { name: 'Add' }).disabled).toBe(true);
  await user.type(field, 'Series A, cardiology, , Berlin');
  await user.click(panel().getByRole('button', { name: 'Add' }));
  await head().findByRole('button', { name: 'Remove the tag Series A' });
  await user.click(await head().findByRole('button', { name: 'Remove the tag cardiology' }));
  await expect.poll(() => head().queryByText('cardiology')).toBeNull();
  expect(head().getByText('Berlin')).toBeTruthy();
  expect(sentVerdicts()).toEqual([
    { kind: 'tag', text: 'Series A', on: true },
    { kind: 'tag', text: 'Berlin', on: true },
    { kind: 'tag', text: 'cardiology', on: false },
  ]);
});

it('What could not be stored is taken back, and the decision before stands again', async () => {
  const { user } = await openReview({ history: said({ kind: 'decision', text: 'meet' }) });
  answerApi({ 'POST /decks/:deck/verdicts': offline() });
  await user.click(button('Pass'));
  await expect.poll(() => callsOf('POST /decks/:deck/verdicts')).toHaveLength(1);
  expect((await screen.findAllByText(/^Deckhand does not answer\./u)).length).toBeGreaterThan(0);
  expect(['Meet', 'Later', 'Pass'].map(isPressed)).toEqual([true, false, false]);
  answerApi({ 'POST /decks/:deck/verdicts': problem(409, 'conflict', 'This deck is being deleted.') });
  await user.click(button('Tags'));
  await user.type(panel().getByRole('combobox'), 'late{Enter}');
  expect((await screen.findAllByText('This deck is being deleted.')).length).toBeGreaterThan(0);
  expect(head().queryByText('late')).toBeNull();
});

it('What is pressed stands on the page before it is stored', async () => {
  const { user } = await openReview({
    answers: { 'POST /decks/:deck/verdicts': () => new Promise<never>(() => undefined) },
  });
  await user.click(button('Later'));
  await expect.poll(() => isPressed('Later')).toBe(true);
});

it('Decision, assignee and tags are written in German, and once more for paper', async () => {
  await openReview({ history: documents.verdicts().items, language: 'de' });
  expect(['Treffen', 'Später', 'Absage'].map(isPressed)).toEqual([true, false, false]);
  expect(button(/^Zuständig: ?Ben Baker$/u)).toBeTruthy();
  expect(button('Schlagwort cardiology entfernen')).toBeTruthy();
  expect(head().getByText('Entscheidung: Treffen · Zuständig: Ben Baker · Schlagwörter: cardiology')).toBeTruthy();
});
