/** Selecting decks, and the bar with what can be done with them. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { answerApi, callsOf, problem } from '../support/api.ts';
import { documents } from '../support/documents.ts';
import { openPage } from '../support/open-page.tsx';
import { sendEvent } from '../support/stream.ts';
import { answersWith, deckWith, findRow, isCount, pageOf, press, runningDeck, select } from './decks.ts';

const names = ['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf', 'e.pdf'];
const decks = names.map((name) => deckWith(name));
const answers = answersWith(decks);

const checked = () =>
  screen
    .queryAllByRole('checkbox', { checked: true })
    .map((box) => box.getAttribute('aria-label'))
    .filter((label) => label !== 'Select all that are loaded');

const barButton = (name: string) =>
  within(screen.getByRole('region', { name: 'Actions' })).getByRole<HTMLButtonElement>('button', { name });

it('Decks are selected one by one, as a range, all at once, and not any more', async () => {
  const { user } = await openPage('/', { answers });
  await select(user, ['b.pdf']);
  await user.keyboard('{Shift>}');
  await user.click(screen.getByRole('checkbox', { name: 'Select d.pdf' }));
  await user.keyboard('{/Shift}');
  expect(checked()).toEqual(['Select b.pdf', 'Select c.pdf', 'Select d.pdf']);
  expect(screen.getByText('3 selected')).toBeTruthy();
  const all = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all that are loaded' });
  expect([all.checked, all.indeterminate]).toEqual([false, true]);
  await user.click(screen.getByRole('checkbox', { name: 'Select c.pdf' }));
  expect(checked()).toEqual(['Select b.pdf', 'Select d.pdf']);
  await user.click(all);
  expect([checked().length, all.checked, all.indeterminate]).toEqual([5, true, false]);
  expect(screen.getByText('5 selected')).toBeTruthy();
  await press(user, 'Clear the selection');
  expect(checked()).toEqual([]);
  expect(screen.queryByRole('region', { name: 'Actions' })).toBeNull();
  await user.click(all);
  await user.click(all);
  expect(checked()).toEqual([]);
  // Upwards as well.
  await select(user, ['e.pdf']);
  await user.keyboard('{Shift>}');
  await user.click(screen.getByRole('checkbox', { name: 'Select c.pdf' }));
  await user.keyboard('{/Shift}');
  expect(checked()).toEqual(['Select c.pdf', 'Select d.pdf', 'Select e.pdf']);
});

it('A range without a beginning is one deck', async () => {
  const { user } = await openPage('/', { answers });
  await findRow('c.pdf');
  await user.keyboard('{Shift>}');
  await user.click(screen.getByRole('checkbox', { name: 'Select c.pdf' }));
  await user.keyboard('{/Shift}');
  expect(checked()).toEqual(['Select c.pdf']);
});

it('All decks that fit are read page by page and selected', async () => {
  const { user } = await openPage('/?q=deck', {
    answers: {
      ...answers,
      'GET /decks': (call) => {
        if (isCount(call)) return pageOf([]);
        const isFirst = call.query['cursor'] === undefined;
        return pageOf(isFirst ? decks.slice(0, 2) : decks.slice(2), { total: 5, nextCursor: isFirst ? 'two' : null });
      },
    },
  });
  await select(user, ['a.pdf']);
  await findRow('e.pdf');
  await press(user, 'Select all 5');
  expect(await screen.findByText('5 selected')).toBeTruthy();
  const readings = callsOf('GET /decks').filter((call) => !isCount(call));
  // The list has its pages already; they are read again, because decks may have come since.
  expect(readings.map(({ query }) => query)).toEqual(
    [1, 2].flatMap(() => [
      { q: 'deck', limit: '50' },
      { q: 'deck', limit: '200', cursor: 'two' },
    ]),
  );
  expect(screen.queryByRole('button', { name: 'Select all 5' })).toBeNull();
});

it('A filter forgets the selection, because what is not shown must not be changed', async () => {
  const { user, address } = await openPage('/', { answers });
  await select(user, ['a.pdf', 'b.pdf']);
  await user.click(within(screen.getByRole('columnheader', { name: 'Deck' })).getByRole('button'));
  await expect.poll(address).toBe('/?sort=company');
  expect(checked()).toHaveLength(2);
  await user.type(screen.getByRole('searchbox'), 'pdf{Enter}');
  await waitFor(() => expect(checked()).toEqual([]));
});

it('Two to five decks with results lead to their comparison', async () => {
  const [first, second] = [documents.report().analysisId, documents.laterReport().analysisId];
  const reviewed = decks.map((deck, index) => ({ ...deck, resultAnalysisId: [first, second][index] ?? deck.id }));
  const unread = deckWith('unread.pdf', { status: 'uploaded', analysis: null, resultAnalysisId: null });
  const { user, address } = await openPage('/', { answers: answersWith([...reviewed, unread, deckWith('f.pdf')]) });
  await select(user, ['b.pdf']);
  await screen.findByRole('region', { name: 'Actions' });
  expect([barButton('Compare').disabled, barButton('Compare').title]).toEqual([
    true,
    'Select two to five decks with results',
  ]);
  await user.click(screen.getByRole('checkbox', { name: 'Select unread.pdf' }));
  expect(barButton('Compare').disabled).toBe(true);
  await user.click(screen.getByRole('checkbox', { name: 'Select unread.pdf' }));
  for (const name of ['a.pdf', 'c.pdf', 'd.pdf', 'e.pdf', 'f.pdf'])
    await user.click(screen.getByRole('checkbox', { name: `Select ${name}` }));
  expect(barButton('Compare').disabled).toBe(true);
  for (const name of ['c.pdf', 'd.pdf', 'e.pdf', 'f.pdf'])
    await user.click(screen.getByRole('checkbox', { name: `Select ${name}` }));
  expect(barButton('Compare').disabled).toBe(false);
  await press(user, 'Compare');
  // In the order in which they were selected.
  await expect.poll(address).toBe(`/compare?analyses=${second}%2C${first}`);
});

it('Commands about running reviews are there for a selection that has some, and follow the list', async () => {
  const { user } = await openPage('/', { answers: answersWith([runningDeck('busy.pdf'), deckWith('done.pdf')]) });
  await select(user, ['done.pdf']);
  await screen.findByRole('region', { name: 'Actions' });
  expect(screen.queryByRole('button', { name: 'Cancel the review' })).toBeNull();
  await user.click(screen.getByRole('checkbox', { name: 'Select busy.pdf' }));
  expect([barButton('Cancel the review').disabled, barButton('Review again').disabled]).toEqual([false, false]);
  await user.click(screen.getByRole('checkbox', { name: 'Select done.pdf' }));
  expect(barButton('Review again').disabled).toBe(true);
  sendEvent({ type: 'deck', id: '2', data: deckWith('busy.pdf') });
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Cancel the review' })).toBeNull());
  expect(barButton('Review again').disabled).toBe(false);
});

it('The selected decks, all that fit, or what the list shows is exported', async () => {
  const { user } = await openPage('/?q=pdf', { answers });
  await select(user, ['b.pdf', 'd.pdf']);
  const hrefOf = (item: string) => screen.getByRole('menuitem', { name: item }).getAttribute('href');
  await press(user, 'Export');
  expect(hrefOf('Export as CSV')).toBe('/api/v1/decks/export?format=csv&language=en&ids=b.pdf%2Cd.pdf');
  expect(hrefOf('Export as Excel')).toBe('/api/v1/decks/export?format=xlsx&language=en&ids=b.pdf%2Cd.pdf');
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('checkbox', { name: 'Select all that are loaded' }));
  await press(user, 'Export');
  expect(hrefOf('Export as CSV')).toBe('/api/v1/decks/export?q=pdf&format=csv&language=en');
  await user.keyboard('{Escape}');
  const [ofList] = screen.getAllByRole('button', { name: 'Export' });
  if (ofList !== undefined) await user.click(ofList);
  expect(hrefOf('Export as Excel')).toBe('/api/v1/decks/export?q=pdf&format=xlsx&language=en');
});

it('More decks than an address can name are not exported by name', async () => {
  const many = Array.from({ length: 201 }, (_, index) => deckWith(`deck ${index}.pdf`));
  const { user } = await openPage('/', {
    answers: { 'GET /decks': (call) => (isCount(call) ? pageOf([]) : pageOf(many, { total: 300 })) },
  });
  await user.click(await screen.findByRole('checkbox', { name: 'Select all that are loaded' }));
  await press(user, 'Export');
  const item = screen.getByRole('menuitem', { name: 'Select at most 200 decks, or all that fit' });
  expect(item.getAttribute('aria-disabled')).toBe('true');
});

it('The commands are a menu on a phone, in German', async () => {
  const { user } = await openPage('/', { answers: answersWith(decks), language: 'de', width: 'phone' });
  await user.click(await screen.findByRole('checkbox', { name: 'a.pdf auswählen' }));
  const bar = await screen.findByRole('region', { name: 'Aktionen' });
  expect(within(bar).getByText('1 ausgewählt')).toBeTruthy();
  expect(within(bar).getByRole('button', { name: 'Alle 5 auswählen' })).toBeTruthy();
  await user.click(within(bar).getByRole('button', { name: 'Aktionen' }));
  const items = await screen.findAllByRole('menuitem');
  expect(items.map((item) => item.textContent)).toEqual([
    'Entscheiden …',
    'Schlagwörter …',
    'Zuweisen …',
    'Erneut prüfen …',
    'Vergleichen',
    'Löschen …',
    'Als CSV exportieren',
    'Als Excel exportieren',
  ]);
  await user.click(screen.getByRole('menuitem', { name: 'Entscheiden …' }));
  const dialog = await screen.findByRole('dialog', { name: 'Entscheiden' });
  await user.click(within(dialog).getByRole('button', { name: 'Abbrechen' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  answerApi({ 'GET /decks': problem(503, 'service_unavailable', 'Keine Antwort.') });
  await user.click(within(bar).getByRole('button', { name: 'Alle 5 auswählen' }));
  expect(await screen.findByText('Keine Antwort.')).toBeTruthy();
  expect(within(bar).getByText('1 ausgewählt')).toBeTruthy();
});
