/** What people do with decks of the list: one by its menu, many by a selection. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { checkPage, LOOKS, workspacePerFile } from '../support/workspace.ts';
import { deckFile, storeFile } from './files.ts';

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

it('The dialogs that review a deck again and delete decks are accessible', async () => {
  const page = await workspace.open('/');
  await page.getByRole('button', { name: 'Actions for CardioSense' }).click();
  await page.getByRole('menuitem', { name: 'Review again …' }).click();
  await dialog(page)
    .getByRole('radio', { name: /^Everything anew/u })
    .check();
  await checkPage(page);
  await page.keyboard.press('Escape');
  await select(page, ['Marvello.pdf', 'Ostrava.pdf']);
  await command(page, 'Delete').click();
  await dialog(page).getByText('It cannot be undone.').waitFor();
  await checkPage(page);
});
