/** Adding decks on the start page: files become rows at once, and the rows of the list once they are stored. */
import type { Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import { checkPage, LOOKS, workspacePerFile } from '../support/workspace.ts';
import { chooseFiles, deckFile, dropFiles, textFile } from './files.ts';

const workspace = workspacePerFile('pages-uploads');

const UPLOADS = '**/api/v1/decks';
/** Address of a request that starts a review. */
const STARTED = /\/decks\/[\w-]+\/analyses$/u;

/** A row of the table by what it shows. */
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** Waits for the row of a stored deck in place of its upload. */
const stored = (page: Page, file: string): Promise<void> => row(page, file).getByRole('checkbox').waitFor();

/** Lets requests other than uploads through. */
const onUpload =
  (handle: (route: Route) => Promise<void>) =>
  (route: Route): Promise<void> =>
    route.request().method() === 'POST' ? handle(route) : route.continue();

it.each(LOOKS)('an empty list offers the samples, in $language at the width of a $width', async (look) => {
  const page = await workspace.open('/', look);
  await page.getByRole('heading', { name: look.language === 'de' ? 'Noch keine Decks' : 'No decks yet' }).waitFor();
  await page.getByRole('button', { name: /cardiosense\.pdf/u }).waitFor();
  await checkPage(page, look.language);
});

it('reviews a sample at a press, and shows its review in the list by itself', async () => {
  const page = await workspace.open('/');
  await page.getByRole('button', { name: /cardiosense\.pdf/u }).click();
  const deck = row(page, 'cardiosense.pdf');
  await deck.getByText('CardioSense').waitFor();
  await deck.getByText(/^Complete/u).waitFor();
  await deck.getByRole('link', { name: 'CardioSense' }).click();
  await page.waitForURL(/\/decks\/[\w-]+$/u);
});

it('makes a row of every dropped file at once, and says why one is no deck', async () => {
  const page = await workspace.open('/');
  const files = [await deckFile('Avenor'), textFile('letter.pdf'), await deckFile('Belvora')];
  await dropFiles(page, files, 'hold');
  await page.getByText('Drop the decks here').waitFor();
  await page.route(
    UPLOADS,
    onUpload(() => Promise.resolve()),
  );
  await dropFiles(page, files);
  await row(page, 'Avenor.pdf').getByRole('progressbar').waitFor();
  await row(page, 'Belvora.pdf').getByRole('progressbar').waitFor();
  await row(page, 'letter.pdf').getByText('Not a PDF').waitFor();
  await page.getByText('2 files are being added · 1 could not be taken').waitFor();
  await checkPage(page);
  await row(page, 'letter.pdf').getByRole('button', { name: 'Dismiss letter.pdf' }).click();
  expect(await row(page, 'letter.pdf').count()).toBe(0);
});

it('sends three files at a time, and starts a review of each', async () => {
  const page = await workspace.open('/');
  const started: string[] = [];
  page.on('response', (response) => {
    if (STARTED.test(response.url()) && response.status() === 202) started.push(response.url());
  });
  const held: Route[] = [];
  let isHeld = true;
  await page.route(
    UPLOADS,
    onUpload(async (route) => {
      if (isHeld) held.push(route);
      else await route.continue();
    }),
  );
  const names = ['Corvanta', 'Deltria', 'Elvano', 'Fenwara', 'Galdora'];
  await chooseFiles(page, await Promise.all(names.map((name) => deckFile(name))));
  await until(() => held.length).is(3);
  expect(await page.getByText('Waiting', { exact: true }).count()).toBe(2);
  isHeld = false;
  await Promise.all(held.map((route) => route.continue()));
  for (const name of names) await stored(page, `${name}.pdf`);
  await until(() => started.length).is(names.length);
});

it('tries an upload again that could not be stored', async () => {
  const page = await workspace.open('/');
  const problem = { code: 'storage_full', detail: 'No space is left.', hint: null };
  await page.route(
    UPLOADS,
    onUpload((route) => route.fulfill({ status: 507, json: problem })),
  );
  await chooseFiles(page, [await deckFile('Ilmaren')]);
  await row(page, 'Ilmaren.pdf').getByText('No space is left for the file').waitFor();
  await page.unroute(UPLOADS);
  await row(page, 'Ilmaren.pdf').getByRole('button', { name: 'Try again' }).click();
  await stored(page, 'Ilmaren.pdf');
});

it('lets uploads wait while there is no connection, and goes on with them by itself', async () => {
  const page = await workspace.open('/');
  await page.getByText('Live', { exact: true }).waitFor();
  await page.context().setOffline(true);
  await chooseFiles(page, [await deckFile('Jorvika')]);
  await row(page, 'Jorvika.pdf').getByText('Waits until Deckhand answers again').waitFor();
  await page.context().setOffline(false);
  await stored(page, 'Jorvika.pdf');
});

it('asks before a tab is closed whose files are not sent', async () => {
  const page = await workspace.open('/');
  await page.route(
    UPLOADS,
    onUpload(() => Promise.resolve()),
  );
  await chooseFiles(page, [await deckFile('Kelsana')]);
  await row(page, 'Kelsana.pdf').getByRole('progressbar').waitFor();
  // A browser asks only people who did something on the page.
  await page.getByRole('heading', { name: 'Decks' }).click();
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
});

it('reviews added decks in the language and with the priority that were chosen', async () => {
  const page = await workspace.open('/');
  await page.getByRole('button', { name: 'How added decks are reviewed' }).click();
  await page.getByLabel('Language of the review').selectOption('German');
  await page.getByLabel('Priority').selectOption('2 – high');
  await page.keyboard.press('Escape');
  const started = page.waitForRequest((request) => STARTED.test(request.url()));
  await chooseFiles(page, [await deckFile('Lumira')]);
  expect((await started).postDataJSON()).toEqual({ language: 'de', priority: 2 });
  await stored(page, 'Lumira.pdf');
});
