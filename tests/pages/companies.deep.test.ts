/** The companies and the page of each. */
import { beforeAll, expect, it } from 'vitest';
import { plainSlides } from '../../testing/plain-deck.ts';
import { laterSlides, reviewSlides } from './support/reviewed.ts';
import { checkPage, LOOKS, workspacePerFile } from './support/workspace.ts';

const workspace = workspacePerFile('pages-companies');

let cardiovera: string;

beforeAll(async () => {
  const first = await reviewSlides(workspace, 'spring.pdf', plainSlides('Cardiovera'));
  const [second, other] = await Promise.all([
    reviewSlides(workspace, 'autumn.pdf', laterSlides('Cardiovera')),
    reviewSlides(workspace, 'pulsavent.pdf', plainSlides('Pulsavent').slice(0, 2)),
  ]);
  const { client } = workspace;
  await client.PUT('/decks/{id}/company', { params: { path: { id: other.deckId } }, body: { name: 'Pulsavent' } });
  cardiovera = (
    await client.PUT('/decks/{id}/company', { params: { path: { id: first.deckId } }, body: { name: 'Cardiovera' } })
  ).id;
  await client.PUT('/decks/{id}/company', { params: { path: { id: second.deckId } }, body: { companyId: cardiovera } });
});

it.each(LOOKS)('lists them in $language at the width of a $width', async (look) => {
  const page = await workspace.open('/companies', look);
  await page.getByRole('row', { name: /^Cardiovera/u }).waitFor();
  await page.getByRole('row', { name: /^Cardiovera.* 2 .*(?:\d[.,]\d|\d (?:of|von) \d+)$/u }).waitFor();
  await checkPage(page, look.language);
  await page.getByRole('searchbox').fill('pulsa');
  await expect.poll(() => page.getByRole('row', { name: /^Cardiovera/u }).count()).toBe(0);
  await page.getByRole('link', { name: 'Pulsavent', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Pulsavent' }).waitFor();
  await checkPage(page, look.language);
});

it('The dialogs that name and merge a company are accessible', async () => {
  const page = await workspace.open(`/companies/${cardiovera}`);
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Cardiovera Health');
  await checkPage(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Merge' }).click();
  await page.getByRole('combobox').fill('pulsa');
  await page.getByRole('option', { name: /Pulsavent/u }).click();
  await page.getByText('Pulsavent with 1 deck goes into Cardiovera. Cardiovera keeps its name.').waitFor();
  await checkPage(page);
});

it('The list without companies is accessible', async () => {
  const page = await workspace.open('/companies', { key: await workspace.emptyTenant() });
  await page.getByRole('heading', { name: 'No companies yet' }).waitFor();
  await checkPage(page);
});
