/** Decks for the tests of the list, and what a person finds in it. */
import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import type { DeckEntry, DeckEntryPage } from '../../../domain/decks/list/entry.ts';
import { type ApiCall, type Answers, callsOf, type Route } from '../support/api.ts';
import { deckNamed } from '../support/documents.ts';
import { textsOf } from '../support/texts.ts';

/** A deck whose review is complete, with what a test is about. Its id is its file name. */
export const deckWith = (fileName: string, changes: Partial<DeckEntry> = {}): DeckEntry => ({
  ...deckNamed('cardiosense.pdf'),
  id: fileName,
  fileName,
  company: null,
  ...changes,
});

type Run = NonNullable<DeckEntry['analysis']>;

/** The run of a deck, with what a test is about. */
export function runWith(changes: Partial<Run> = {}): Run {
  const { analysis } = deckNamed('cardiosense.pdf');
  if (analysis === null) throw new Error('the recorded deck has no run');
  return { ...analysis, ...changes };
}

/** A deck whose review is running. */
export const runningDeck = (fileName: string, changes: Partial<Run> = {}): DeckEntry =>
  deckWith(fileName, {
    status: 'running',
    analysis: runWith({ id: `run of ${fileName}`, finishedAt: null, ...changes }),
  });

/** Decks as the only page of a list. */
export const pageOf = (items: readonly DeckEntry[], more: Partial<DeckEntryPage> = {}): DeckEntryPage => ({
  items: [...items],
  total: items.length,
  nextCursor: null,
  eventId: '1',
  ...more,
});

/** Answers with these decks in the list, none of which needs a look, and the recorded documents elsewhere. */
export const answersWith = (items: readonly DeckEntry[]): Answers => ({
  'GET /decks': (call) => (isCount(call) ? pageOf([]) : pageOf(items)),
});

/** Whether a reading of the list only asks how many decks need a look. */
export const isCount = ({ query }: ApiCall): boolean => query['limit'] === '1';

/** The row of a deck, by a text in it. */
export async function findRow(text: string): Promise<HTMLElement> {
  const row = (await screen.findByText(text)).closest('tr');
  if (row === null) throw new Error(`${text} is not in a row`);
  return row;
}

/** Names of the decks that are shown, in their order. */
export const namesShown = (): (string | null)[] =>
  screen.queryAllByRole('rowheader').flatMap((head) => textsOf(within(head).queryAllByRole('link')));

/** Opens the menu of a deck and chooses an item. */
export async function chooseFor(user: UserEvent, deck: string, item: string): Promise<void> {
  await user.click(await screen.findByRole('button', { name: `Actions for ${deck}` }));
  await user.click(await screen.findByRole('menuitem', { name: item }));
}

/** Selects decks by their boxes. */
export async function select(user: UserEvent, names: readonly string[]): Promise<void> {
  for (const name of names) await user.click(await screen.findByRole('checkbox', { name: `Select ${name}` }));
  await screen.findByText(`${names.length} selected`);
}

/** Presses a command of the bar of the selection. */
export async function press(user: UserEvent, name: string): Promise<void> {
  const bar = await screen.findByRole('region', { name: 'Actions' });
  await user.click(within(bar).getByRole('button', { name }));
}

/** The open dialog. */
export const findDialog = (name?: string): Promise<HTMLElement> =>
  screen.findByRole('dialog', name === undefined ? {} : { name });

/** Bodies of the requests to a route by what they are about. Decks are done side by side, so their order among each other is not checked. */
export const sent = (route: Route, name: string): [string | undefined, unknown][] =>
  callsOf(route)
    .map(({ params, body }): [string | undefined, unknown] => [params[name], body])
    .toSorted(([a = ''], [b = '']) => a.localeCompare(b));
