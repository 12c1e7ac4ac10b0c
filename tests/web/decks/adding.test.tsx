/** Ways to add decks: files and folders that are dropped, and how what is added is reviewed. */
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { type Answers, callsOf } from '../support/api.ts';
import { openPage } from '../support/open-page.tsx';
import { answersWith, deckWith, findRow } from './decks.ts';
import {
  chooseFiles,
  clearUploads,
  drop,
  fileEntry,
  filesSent,
  folder,
  leave,
  pdf,
  stored,
  transferOf,
} from './uploads.ts';

afterEach(clearUploads);

const answers: Answers = {
  ...answersWith([deckWith('old.pdf')]),
  'POST /decks': (call) => stored(call),
  'POST /decks/:deck/analyses': {},
};

it('Files that are held over the page show where to drop them, and are added by a drop', async () => {
  await openPage('/', { answers });
  await findRow('old.pdf');
  const dataTransfer = transferOf([pdf('a.pdf'), pdf('b.pdf')]);
  // A browser that is not told otherwise opens the file in place of the page.
  expect(fireEvent.dragOver(document.body, { dataTransfer })).toBe(false);
  expect(await screen.findByText('Drop the decks here')).toBeTruthy();
  leave(document.body);
  expect(screen.getByText('Drop the decks here')).toBeTruthy();
  leave(null);
  expect(screen.queryByText('Drop the decks here')).toBeNull();
  fireEvent.dragOver(document.body, { dataTransfer });
  expect(drop(dataTransfer)).toBe(false);
  expect(screen.queryByText('Drop the decks here')).toBeNull();
  expect(await screen.findAllByText('Review started')).toHaveLength(2);
  expect(filesSent().toSorted()).toEqual(['a.pdf', 'b.pdf']);
});

it('Text that is dragged is left to the browser', async () => {
  await openPage('/', { answers });
  await findRow('old.pdf');
  const dataTransfer = { types: ['text/plain'], files: [], items: [] };
  expect(fireEvent.dragOver(document.body, { dataTransfer })).toBe(true);
  expect(screen.queryByText('Drop the decks here')).toBeNull();
  expect(drop(dataTransfer)).toBe(true);
});

it('The PDFs of a dropped folder and of folders inside it are added', async () => {
  await openPage('/', { answers });
  await findRow('old.pdf');
  const [a, b, c] = [pdf('a.pdf'), pdf('B.PDF'), pdf('c.txt')];
  const inside = folder('2026', fileEntry(b), fileEntry(pdf('._b.pdf')), fileEntry(pdf('notes.txt')));
  drop(transferOf([], [folder('decks', fileEntry(a), inside), fileEntry(c)]));
  // A file that was dropped itself is taken as it is.
  expect(await screen.findAllByText('Review started')).toHaveLength(3);
  expect(filesSent().toSorted()).toEqual(['B.PDF', 'a.pdf', 'c.txt']);
});

it('A folder that cannot be read says so', async () => {
  await openPage('/', { answers });
  await findRow('old.pdf');
  const broken = {
    isDirectory: true,
    isFile: false,
    name: 'broken',
    createReader: () => ({ readEntries: (_: unknown, fail: (error: Error) => void) => fail(new Error('No access.')) }),
  };
  drop(transferOf([], [broken]));
  expect(await screen.findByText('No access.')).toBeTruthy();
});

it('The button opens the dialog of the browser', async () => {
  const { user } = await openPage('/', { answers });
  const open = vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(() => undefined);
  await user.click(await screen.findByRole('button', { name: 'Add decks' }));
  expect(open.mock.contexts).toEqual([document.querySelector('input[type=file]')]);
  open.mockRestore();
});

it('Decks are reviewed in the language and with the priority that were chosen when they were added', async () => {
  const { user } = await openPage('/', { answers });
  await user.click(await screen.findByRole('button', { name: 'How added decks are reviewed: EN' }));
  const panel = await screen.findByRole('dialog', { name: 'How added decks are reviewed' });
  await user.selectOptions(within(panel).getByLabelText('Language of the review'), 'German');
  await user.selectOptions(within(panel).getByLabelText('Priority'), '2 – high');
  await user.keyboard('{Escape}');
  expect(screen.getByRole('button', { name: 'How added decks are reviewed: DE' })).toBeTruthy();
  await chooseFiles(user, pdf('urgent.pdf'));
  expect(await screen.findByText('Review started')).toBeTruthy();
  expect(callsOf('POST /decks/:deck/analyses')[0]?.body).toEqual({ language: 'de', priority: 2 });
});
