/** What people do with decks of the list: one by its menu, many by a selection. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import { checkPage, LOOKS, workspacePerFile } from '../support/workspace.ts';
import { deckFile, ended, storeFile } from './files.ts';

const workspace = workspacePerFile('pages-actions');

beforeAll(async () => {
  await workspace.review('cardiosense');
  await workspace.review('lumbalis', 'de');
  for (const name of ['Marvello', 'Nordique', 'Ostrava']) await storeFile(workspace, await deckFile(name));
});

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** Selects decks by their boxes. */
async function select(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page.getByText(`${names.length} selected`).waitFor();
}

/** A command of the bar of the selection. */
const command = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Actions' }).getByRole('button', { name, exact: true });

const dialog = (page: Page) => page.getByRole('dialog');

it('selects one deck, a range, all that are loaded, and none', async () => {
  const page = await workspace.open('/?sort=created');
  await select(page, ['CardioSense']);
  await page.getByRole('checkbox', { name: 'Select Marvello.pdf' }).click({ modifiers: ['Shift'] });
  await page.getByText('3 selected').waitFor();
  await page.getByRole('checkbox', { name: 'Select all that are loaded' }).check();
  await page.getByText('5 selected').waitFor();
  await page.getByRole('button', { name: 'Clear the selection' }).click();
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
});

it('tags, assigns and decides for many decks, and shows it in their rows', async () => {
  const page = await workspace.open('/');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Tags' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Assignee' }).click();
  await page.keyboard.press('Escape');
  await select(page, ['CardioSense', 'Marvello.pdf']);
  await command(page, 'Tags').click();
  await dialog(page).getByLabel('New tag').fill('second look');
  await checkPage(page);
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved for 2 decks').first().waitFor();
  await command(page, 'Assign').click();
  await dialog(page).getByLabel('Name').fill('Ann Archer');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await command(page, 'Decide').click();
  await dialog(page).getByRole('radio', { name: 'Meet' }).check();
  await dialog(page).getByLabel('Reason').fill('Strong team.');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  for (const name of ['CardioSense', 'Marvello.pdf']) {
    for (const text of ['second look', 'Ann Archer', 'Meet'])
      await row(page, name).getByText(text, { exact: true }).waitFor();
  }
  expect(await row(page, 'Nordique.pdf').getByText('second look').count()).toBe(0);
});

it('takes a tag off again from the menu of a deck', async () => {
  const page = await workspace.open('/');
  await page.getByRole('button', { name: 'Actions for CardioSense' }).click();
  await page.getByRole('menuitem', { name: 'Tags …' }).click();
  await dialog(page).getByRole('checkbox', { name: 'second look', checked: true }).click();
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved for 1 deck', { exact: true }).first().waitFor();
  const said = await workspace.client.verdicts((await deckOf('cardiosense.pdf')).id);
  expect(said.filter(({ kind }) => kind === 'tag').map(({ withdrawn }) => withdrawn)).toEqual([false, true]);
});

it('reviews a deck again, everything anew', async () => {
  const page = await workspace.open('/');
  await page.getByRole('button', { name: 'Actions for CardioSense' }).click();
  await page.getByRole('menuitem', { name: 'Review again …' }).click();
  await dialog(page)
    .getByRole('radio', { name: /^Everything anew/u })
    .check();
  await checkPage(page);
  const asked = page.waitForRequest((request) => request.url().endsWith('/replay'));
  await dialog(page).getByRole('button', { name: 'Start the review' }).click();
  expect((await asked).postDataJSON()).toEqual({ kind: 'full', from: 'slides' });
  await page.getByText('Review of 1 deck started').first().waitFor();
});

it('changes the priority of a running review and cancels it', async () => {
  const { client } = workspace;
  const { id } = await deckOf('Nordique.pdf');
  const { analysisId } = await client.startAnalysis(id);
  // A paused review neither ends nor needs a model meanwhile.
  await client.hold(analysisId, 'pause');
  const page = await workspace.open('/');
  const name = /^Actions for Nordique/u;
  await page.getByRole('button', { name }).click();
  await page.getByRole('menuitem', { name: 'Priority …' }).click();
  await dialog(page).getByLabel('Priority').selectOption('1 – critical');
  await dialog(page).getByRole('button', { name: 'Change the priority' }).click();
  await until(async () => (await client.status(analysisId)).priority).is(1);
  await page.getByRole('button', { name }).click();
  await page.getByRole('menuitem', { name: 'Cancel the review' }).click();
  await ended(workspace, analysisId);
  await row(page, 'Nordique.pdf').getByText('Cancelled').waitFor();
});

it('deletes decks after it said what goes, and names those it could not delete', async () => {
  const page = await workspace.open('/');
  const kept = (await deckOf('Ostrava.pdf')).id;
  const problem = { code: 'service_unavailable', detail: 'Temporal does not answer.', hint: 'Try again later.' };
  await page.route(`**/api/v1/decks/${kept}`, (route) => route.fulfill({ status: 503, json: problem }));
  await select(page, ['Marvello.pdf', 'Ostrava.pdf']);
  await command(page, 'Delete').click();
  await dialog(page).getByText('It cannot be undone.').waitFor();
  await checkPage(page);
  await dialog(page).getByRole('button', { name: 'Delete 2 decks' }).click();
  await page.getByRole('heading', { name: 'Not done for 1 of 2 decks' }).waitFor();
  await dialog(page).getByText('Temporal does not answer.').waitFor();
  expect(await dialog(page).getByText('Ostrava.pdf').count()).toBe(1);
  await page.keyboard.press('Escape');
  await until(() => row(page, 'Marvello.pdf').count()).is(0);
  expect(await row(page, 'Ostrava.pdf').count()).toBe(1);
});

it('leads to the comparison of two decks with results', async () => {
  const page = await workspace.open('/');
  await select(page, ['CardioSense', 'Lumbalis']);
  await command(page, 'Compare').click();
  await page.waitForURL(/\/compare\?analyses=[\w-]+(?:,|%2C)[\w-]+/u);
});

it('exports the selected decks, and what fits', async () => {
  const page = await workspace.open('/?q=lumbalis');
  await select(page, ['Lumbalis']);
  for (const bar of [page.getByRole('region', { name: 'Actions' }), page]) {
    await bar.getByRole('button', { name: 'Export' }).first().click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Export as CSV' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    expect(text).toContain('Lumbalis');
    expect(text).not.toContain('CardioSense');
  }
});

it.each(LOOKS)('shows the commands of a selection in $language at the width of a $width', async (look) => {
  const page = await workspace.open('/', look);
  const isGerman = look.language === 'de';
  await page.getByRole('checkbox', { name: isGerman ? 'CardioSense auswählen' : 'Select CardioSense' }).check();
  const bar = page.getByRole('region', { name: isGerman ? 'Aktionen' : 'Actions' });
  const decide = isGerman ? 'Entscheiden' : 'Decide';
  await bar.waitFor();
  await checkPage(page, look.language);
  if (look.width === 'phone') {
    await bar.getByRole('button', { name: isGerman ? 'Aktionen' : 'Actions' }).click();
    await page.getByRole('menuitem', { name: decide }).click();
  } else await bar.getByRole('button', { name: decide }).click();
  await page.getByRole('dialog', { name: decide }).waitFor();
  await checkPage(page, look.language);
});

/** The entry of the deck with this file. */
async function deckOf(file: string): Promise<{ readonly id: string }> {
  return workspace.rig.db.deck.findFirstOrThrow({ where: { tenantId: 'pages-actions', fileName: file } });
}
