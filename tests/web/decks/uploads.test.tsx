/** Adding decks: files become rows at once, some are sent at a time, and a review of each is started. */
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { answerApi, type Answers, callsOf, problem } from '../support/api.ts';
import { openPage } from '../support/open-page.tsx';
import { answersWith, deckWith, findRow, runningDeck } from './decks.ts';
import { chooseFiles, clearUploads, fileOf, filesSent, pdf, stored } from './uploads.ts';

const answers: Answers = {
  ...answersWith([deckWith('old.pdf')]),
  'POST /decks': (call) => stored(call),
  'POST /decks/:deck/analyses': {},
};

const reviewed = () => callsOf('POST /decks/:deck/analyses').map(({ params }) => params['deck']);

afterEach(clearUploads);

it('Three files are sent at a time, a review of each starts, and the list takes their place', async () => {
  const holding = Promise.withResolvers<undefined>();
  const { user } = await openPage('/', {
    answers: { ...answers, 'POST /decks': async (call) => (await holding.promise, stored(call)) },
  });
  await findRow('old.pdf');
  const names = ['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf', 'e.pdf'];
  await chooseFiles(user, ...names.map(pdf));
  await expect.poll(filesSent).toHaveLength(3);
  expect(filesSent().toSorted()).toEqual(['a.pdf', 'b.pdf', 'c.pdf']);
  expect(screen.getAllByText('Waiting')).toHaveLength(2);
  const uploads = screen.getByRole('rowgroup', { name: 'Uploads' });
  expect(within(uploads).getAllByRole('progressbar')).toHaveLength(3);
  expect(within(uploads).getByRole('progressbar', { name: 'Upload of a.pdf' })).toBeTruthy();
  expect(screen.getByText('5 files are being added')).toBeTruthy();
  expect(reviewed()).toEqual([]);
  answerApi(answersWith(names.map((name) => runningDeck(name))));
  holding.resolve(undefined);
  await expect.poll(() => reviewed().toSorted()).toEqual(names);
  expect(filesSent().toSorted()).toEqual(names);
  const texts = await Promise.all(callsOf('POST /decks').map((call) => fileOf(call).text()));
  expect(texts.toSorted()).toEqual(names.map((name) => `%PDF-1.7\n${name}`));
  expect(callsOf('POST /decks/:deck/analyses')[0]?.body).toEqual({ language: 'en', priority: 3 });
  expect(await screen.findByRole('checkbox', { name: 'Select e.pdf' })).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('rowgroup', { name: 'Uploads' })).toBeNull());
});

it('A row shows how much of its file is sent', async () => {
  // No upload of jsdom tells how far it is.
  const requests: XMLHttpRequest[] = [];
  const send = vi.spyOn(XMLHttpRequest.prototype, 'send').mockImplementation(function keep(this: XMLHttpRequest) {
    requests.push(this);
  });
  const { user } = await openPage('/', { answers });
  await findRow('old.pdf');
  await chooseFiles(user, pdf('slow.pdf'));
  const bar = await screen.findByRole('progressbar', { name: 'Upload of slow.pdf' });
  await expect.poll(() => requests).toHaveLength(1);
  const [request] = requests;
  const progress = (loaded: number) =>
    act(() => void request?.upload.dispatchEvent(new ProgressEvent('progress', { loaded, total: 800 })));
  progress(200);
  expect(screen.getByText('Uploading, 25 %')).toBeTruthy();
  expect(bar.getAttribute('aria-valuenow')).toBe('25');
  progress(800);
  expect(screen.getByText('Being stored')).toBeTruthy();
  send.mockRestore();
});

it('A file that is no deck says why, is not sent, and is dismissed', async () => {
  const gone = pdf('gone.pdf');
  gone.slice = () => {
    throw new DOMException('it was moved', 'NotFoundError');
  };
  const { user } = await openPage('/', {
    answers: { ...answers, 'POST /decks': problem(413, 'pdf_too_large', 'big') },
  });
  await findRow('old.pdf');
  await chooseFiles(user, new File(['This is a text.'], 'letter.pdf', { type: 'application/pdf' }), pdf('large.pdf'));
  await chooseFiles(user, gone, new File([], 'nothing.pdf', { type: 'application/pdf' }));
  expect(await screen.findByText('4 could not be taken')).toBeTruthy();
  const refusals = screen.getAllByRole('alert').map((alert) => alert.textContent);
  expect(refusals.toSorted()).toEqual([
    'Not a PDF Export the deck as PDF and add it again.',
    'The file can no longer be read It was moved or deleted. Add it again.',
    'The file is empty Export the deck again.',
    'The file is too large Export the deck with smaller pictures.',
  ]);
  expect(filesSent()).toEqual(['large.pdf']);
  // Sending them again would not help.
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Dismiss letter.pdf' }));
  expect(screen.queryByText('letter.pdf')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Dismiss finished' }));
  expect(screen.queryByRole('alert')).toBeNull();
});

it('An upload that could not be stored is sent again when asked to', async () => {
  const { user } = await openPage('/', {
    answers: { ...answers, 'POST /decks': problem(507, 'storage_full', 'The disk is full.') },
  });
  await findRow('old.pdf');
  await chooseFiles(user, pdf('full.pdf'));
  const row = await findRow('full.pdf');
  expect(await within(row).findByText('No space is left for the file')).toBeTruthy();
  answerApi({ 'POST /decks': problem(500, 'internal', 'Something broke.', 'Ask somebody.') });
  await user.click(within(row).getByRole('button', { name: 'Try again' }));
  expect((await within(row).findByText(/Something broke/u)).textContent).toBe('Could not be taken: Something broke.');
  expect(within(row).getByText('Ask somebody.')).toBeTruthy();
  answerApi({ 'POST /decks': (call) => stored(call) });
  await user.click(within(row).getByRole('button', { name: 'Try again' }));
  expect(await within(row).findByText('Review started')).toBeTruthy();
  expect(within(row).getByRole('link', { name: 'Open full.pdf' }).getAttribute('href')).toBe('/decks/full.pdf');
});

it('A review that could not be started is asked for again without the file', async () => {
  const { user } = await openPage('/', {
    answers: { ...answers, 'POST /decks/:deck/analyses': problem(503, 'service_unavailable', 'Temporal is away.') },
  });
  await findRow('old.pdf');
  await chooseFiles(user, pdf('idle.pdf'));
  const row = await findRow('idle.pdf');
  expect(await within(row).findByText('Deckhand is not ready')).toBeTruthy();
  answerApi({ 'POST /decks/:deck/analyses': {} });
  await user.click(within(row).getByRole('button', { name: 'Try again' }));
  expect(await within(row).findByText('Review started')).toBeTruthy();
  expect(filesSent()).toEqual(['idle.pdf']);
  expect(reviewed()).toEqual(['idle.pdf', 'idle.pdf']);
});

it('An upload that is stopped makes room for the next one, and the tab asks before it is closed', async () => {
  const holding = Promise.withResolvers<Response>();
  const { user } = await openPage('/', { answers: { ...answers, 'POST /decks': () => holding.promise } });
  const asks = (): boolean => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  await findRow('old.pdf');
  expect(asks()).toBe(false);
  await chooseFiles(user, ...['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf'].map(pdf));
  await expect.poll(filesSent).toHaveLength(3);
  expect(asks()).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Stop the upload of b.pdf' }));
  await expect.poll(filesSent).toHaveLength(4);
  expect(screen.queryByText('b.pdf')).toBeNull();
  expect(screen.getByText('3 files are being added')).toBeTruthy();
  for (const name of ['a.pdf', 'c.pdf', 'd.pdf'])
    await user.click(screen.getByRole('button', { name: `Stop the upload of ${name}` }));
  expect(asks()).toBe(false);
  holding.resolve(problem(503, 'service_unavailable', 'too late'));
});

it('Uploads are cards on a phone, in German', async () => {
  const { user } = await openPage('/', {
    answers: { ...answers, 'POST /decks/:deck/analyses': () => new Promise(() => undefined) },
    language: 'de',
    width: 'phone',
  });
  await screen.findByRole('link', { name: 'old.pdf' });
  await chooseFiles(user, pdf('neu.pdf'), new File(['Text'], 'brief.pdf', { type: 'application/pdf' }));
  const uploads = await screen.findByRole('list', { name: 'Uploads' });
  expect(await within(uploads).findByText('Prüfung wird gestartet')).toBeTruthy();
  expect(await within(uploads).findByText('Keine PDF-Datei')).toBeTruthy();
  expect(screen.getByText('1 Datei wird hinzugefügt · 1 wurde nicht angenommen')).toBeTruthy();
  expect(within(uploads).getByRole('button', { name: 'Upload von neu.pdf abbrechen' })).toBeTruthy();
  await user.click(within(uploads).getByRole('button', { name: 'brief.pdf ausblenden' }));
  expect(screen.getByText('1 Datei wird hinzugefügt')).toBeTruthy();
});
