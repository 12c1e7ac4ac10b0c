/** The menu of a review: what can be done with it beside reading it. */
import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { callsOf, problem } from '../../support/api.ts';
import { ANALYSIS_ID, DECK, head, openReview } from '../deck-page.ts';

/** Opens the menu. */
const openMenu = (user: UserEvent, name = 'More'): Promise<void> => user.click(head().getByRole('button', { name }));

/** Opens the menu and chooses from it. */
async function choose(user: UserEvent, item: string): Promise<void> {
  await openMenu(user);
  await user.click(screen.getByRole('menuitem', { name: item }));
}

const items = (): (string | null)[] => screen.getAllByRole('menuitem').map(({ textContent }) => textContent);

/** Where an item leads, and the name of the file that is downloaded. */
function linkOf(name: string): (string | null)[] {
  const item = screen.getByRole('menuitem', { name });
  return [item.getAttribute('href'), item.getAttribute('download')];
}

it('The review is given as a document in each format, and the deck as it came', async () => {
  const { user } = await openReview();
  await openMenu(user);
  expect(items()).toEqual([
    'Review again …',
    'Runs and versions …',
    'All decks of the company',
    'Who said what, when',
    'How this review was made',
    'Keys',
    'Original PDF',
    'As a page (HTML)',
    'As Markdown',
    'As data (JSON)',
    'As PDF',
    'Print',
    'Delete …',
  ]);
  const report = `/api/v1/analyses/${ANALYSIS_ID}/report?format=`;
  expect(linkOf('As a page (HTML)')).toEqual([`${report}html`, 'Pulsara.html']);
  expect(linkOf('As Markdown')).toEqual([`${report}md`, 'Pulsara.md']);
  expect(linkOf('As data (JSON)')).toEqual([`${report}json`, 'Pulsara.json']);
  expect(linkOf('As PDF')).toEqual([`${report}pdf`, 'Pulsara.pdf']);
  expect(linkOf('Original PDF')).toEqual([`/api/v1/decks/${DECK.id}/pdf`, '']);
});

it('The menu leads to the company of the deck', async () => {
  const { user, address } = await openReview();
  await choose(user, 'All decks of the company');
  await expect.poll(address).toBe(`/companies/${DECK.company?.id}`);
});

it('A deck without a company has no link to one, and its documents are called by its file', async () => {
  const { user } = await openReview({ answers: { 'GET /decks/:deck': { ...DECK, company: null } } });
  await openMenu(user);
  expect(items()).not.toContain('All decks of the company');
  expect(linkOf('As Markdown')[1]).toBe('Pulsara 2026.pdf.md');
});

it('The review is printed once the menu has closed', async () => {
  const print = vi.fn(() => screen.queryByRole('menu'));
  vi.stubGlobal('print', print);
  const { user } = await openReview();
  await choose(user, 'Print');
  await expect.poll(() => print.mock.results).toEqual([{ type: 'return', value: null }]);
});

it('A review that is under way can be cancelled, and no other one started', async () => {
  const { user } = await openReview({
    answers: { 'GET /decks/:deck': { ...DECK, status: 'running' }, 'POST /analyses/:analysis/cancel': null },
  });
  await openMenu(user);
  expect(items()[0]).toBe('Cancel the review');
  await user.click(screen.getByRole('menuitem', { name: 'Cancel the review' }));
  await expect
    .poll(() => callsOf('POST /analyses/:analysis/cancel'))
    .toMatchObject([{ params: { analysis: ANALYSIS_ID } }]);
  expect((await screen.findAllByText('Review of 1 deck cancelled')).length).toBeGreaterThan(0);
});

it('Another review is started from its dialog', async () => {
  const { user } = await openReview({ answers: { 'POST /analyses/:analysis/replay': {} } });
  await choose(user, 'Review again …');
  const dialog = within(await screen.findByRole('dialog', { name: 'Review again' }));
  await user.click(dialog.getByRole('radio', { name: /^Only what is missing/u }));
  await user.click(dialog.getByRole('button', { name: 'Start the review' }));
  await expect
    .poll(() => callsOf('POST /analyses/:analysis/replay'))
    .toMatchObject([{ params: { analysis: ANALYSIS_ID }, body: { kind: 'gaps' } }]);
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

it('The deck is deleted after a question, and a refusal is told', async () => {
  const { user } = await openReview({
    answers: { 'DELETE /decks/:deck': problem(403, 'forbidden', 'Only an admin deletes decks.') },
  });
  await choose(user, 'Delete …');
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete 1 deck?' }));
  expect(callsOf('DELETE /decks/:deck')).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Delete 1 deck' }));
  await expect.poll(() => callsOf('DELETE /decks/:deck')).toMatchObject([{ params: { deck: DECK.id } }]);
  expect((await screen.findAllByText('Only an admin deletes decks.')).length).toBeGreaterThan(0);
});

it('Each panel opens over the review and closes again', async () => {
  const { user } = await openReview();
  const panels = {
    'Runs and versions …': 'Runs and versions',
    'How this review was made': 'How this review was made',
    Keys: 'Keys',
  };
  for (const [item, title] of Object.entries(panels)) {
    await choose(user, item);
    await screen.findByRole('dialog', { name: title });
    await user.keyboard('{Escape}');
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  }
  await user.keyboard('?');
  await screen.findByRole('dialog', { name: 'Keys' });
});

it('The menu is written in German', async () => {
  const { user } = await openReview({ language: 'de' });
  await openMenu(user, 'Mehr');
  expect(items()).toEqual([
    'Erneut prüfen …',
    'Läufe und Fassungen …',
    'Alle Decks der Firma',
    'Wer was wann gesagt hat',
    'Wie diese Prüfung entstand',
    'Tasten',
    'Original-PDF',
    'Als Seite (HTML)',
    'Als Markdown',
    'Als Daten (JSON)',
    'Als PDF',
    'Drucken',
    'Löschen …',
  ]);
});
