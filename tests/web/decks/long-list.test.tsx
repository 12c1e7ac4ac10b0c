/** A list of more decks than one page, and more rows than are in sight. */
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import { answerApi, type ApiCall, type Answers, callsOf, problem } from '../support/api.ts';
import { openPage } from '../support/open-page.tsx';
import { deckWith, isCount, namesShown, pageOf } from './decks.ts';

const ALL = 100;
const decks: readonly DeckEntry[] = Array.from({ length: ALL }, (_, index) => deckWith(`deck ${index}.pdf`));

/** More than the rows in sight of jsdom, where every element is as high as the window. */
const PER_PAGE = 60;

/** Pages of the list; a cursor is the number of decks before it. */
const paged = (call: ApiCall) => {
  if (isCount(call)) return pageOf([]);
  const from = Number(call.query['cursor'] ?? 0);
  const limit = from === 0 ? PER_PAGE : ALL;
  // The last deck of a page is there again: one was added above meanwhile.
  const items = decks.slice(Math.max(0, from - 1), from + limit);
  return pageOf(items, { total: ALL, nextCursor: from + limit < ALL ? String(from + limit) : null });
};
const answers: Answers = { 'GET /decks': paged };

const pagesRead = () =>
  callsOf('GET /decks')
    .filter((call) => !isCount(call))
    .map(({ query }) => [query['cursor'] ?? null, query['limit']]);

/** What the table scrolls in. */
function scroller(): HTMLElement {
  const element = screen.getByRole('table', { name: 'Decks' }).parentElement;
  if (element === null) throw new Error('the table stands in nothing');
  return element;
}

/** Scrolls the table to a row. */
function scrollTo(row: number): void {
  scroller().scrollTop = row * 56;
  fireEvent.scroll(scroller());
}

it('The table has only the rows in sight in the document, and reads on as somebody scrolls', async () => {
  await openPage('/', { answers });
  await screen.findByText('100 in all');
  expect(namesShown()[0]).toBe('deck 0.pdf');
  expect(namesShown().length).toBeLessThan(ALL / 2);
  expect(screen.getByText('60 of 100')).toBeTruthy();
  expect(pagesRead()).toEqual([[null, '50']]);
  scrollTo(40);
  await waitFor(() => expect(screen.queryByText('60 of 100')).toBeNull());
  expect(pagesRead()).toEqual([
    [null, '50'],
    ['60', '200'],
  ]);
  expect(screen.queryByRole('link', { name: 'deck 0.pdf' })).toBeNull();
  scrollTo(ALL);
  expect(namesShown().at(-1)).toBe('deck 99.pdf');
  // A deck that two pages have is one row.
  scrollTo(45);
  expect(namesShown().filter((name) => name === 'deck 59.pdf')).toHaveLength(1);
  const rows = screen.getAllByRole('row').map((row) => row.getAttribute('aria-rowindex'));
  expect(rows).toContain('51');
});

it('The keys reach rows that are not in the document', async () => {
  const { user } = await openPage('/', { answers });
  await screen.findByText('100 in all');
  await user.keyboard('j');
  scrollTo(30);
  await user.keyboard('jj');
  // jsdom says nothing of an element that a script scrolled.
  fireEvent.scroll(scroller());
  await expect.poll(() => document.activeElement?.textContent).toBe('deck 2.pdf');
});

it('Another search begins at the top', async () => {
  const { user } = await openPage('/', { answers });
  await screen.findByText('100 in all');
  scrollTo(30);
  expect(screen.queryByRole('link', { name: 'deck 0.pdf' })).toBeNull();
  await user.type(screen.getByRole('searchbox'), 'deck{Enter}');
  await expect.poll(() => scroller().scrollTop).toBe(0);
});

it('A page that cannot be read is asked for by hand', async () => {
  const { user } = await openPage('/', {
    answers: {
      ...answers,
      'GET /decks': (call) =>
        call.query['cursor'] === undefined ? paged(call) : problem(503, 'service_unavailable', 'No answer.'),
    },
  });
  await screen.findByText('100 in all');
  await user.click(screen.getByRole('button', { name: 'Load more' }));
  expect((await screen.findByRole('alert')).textContent).toContain('No answer.');
  const before = pagesRead().length;
  scrollTo(45);
  expect(pagesRead()).toHaveLength(before);
  answerApi(answers);
  await user.click(screen.getByRole('button', { name: 'Load more' }));
  await waitFor(() => expect(screen.queryByText('60 of 100')).toBeNull());
  expect(screen.queryByRole('alert')).toBeNull();
});

it('The cards grow as their end comes near, and keep their number for somebody who comes back', async () => {
  const { user } = await openPage('/', { answers, width: 'phone' });
  expect(await screen.findByRole('link', { name: 'deck 99.pdf' })).toBeTruthy();
  expect(pagesRead()).toEqual([
    [null, '50'],
    ['60', '200'],
  ]);
  await user.click(screen.getByRole('link', { name: 'deck 99.pdf' }));
  await waitFor(() => expect(screen.queryByRole('link', { name: 'deck 0.pdf' })).toBeNull());
  act(() => window.history.back());
  expect(await screen.findByRole('link', { name: 'deck 99.pdf' })).toBeTruthy();
});
