/** Adding decks on the start page: files become rows at once, and the rows of the list once they are stored. */
import type { Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { checkPage, LOOKS, workspacePerFile } from '../support/workspace.ts';
import { deckFile, dropFiles, textFile } from './files.ts';

const workspace = workspacePerFile('pages-uploads');

const UPLOADS = '**/api/v1/decks';

/** A row of the table by what it shows. */
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

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
