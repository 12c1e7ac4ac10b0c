/** The companies and the page of each: found by a search, named, merged, compared, and decks moved between them. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { plainSlides } from '../../testing/plain-deck.ts';
import { laterSlides, type Reviewed, reviewSlides } from './support/reviewed.ts';
import { checkPage, LOOKS, workspacePerFile } from './support/workspace.ts';

const workspace = workspacePerFile('pages-companies');

let first: Reviewed;
let second: Reviewed;
let other: Reviewed;

beforeAll(async () => {
  first = await reviewSlides(workspace, 'spring.pdf', plainSlides('Cardiovera'));
  [second, other] = await Promise.all([
    reviewSlides(workspace, 'autumn.pdf', laterSlides('Cardiovera')),
    reviewSlides(workspace, 'pulsavent.pdf', plainSlides('Pulsavent').slice(0, 2)),
  ]);
});

/** Ids of the two companies, made anew: a test may have merged them. */
let cardiovera: string;

beforeEach(async () => {
  const { client } = workspace;
  cardiovera = (await client.putDeck(other.deckId, { name: 'Pulsavent' })).id;
  const { id } = await client.putDeck(first.deckId, { name: 'Cardiovera' });
  await client.putDeck(second.deckId, { companyId: id });
  await client.nameCompany(id, 'Cardiovera');
  cardiovera = id;
});

it.each(LOOKS)('lists them in $language at the width of a $width', async (look) => {
  const page = await workspace.open('/companies', look);
  await page.getByRole('row', { name: /^Cardiovera/u }).waitFor();
  await page.getByRole('row', { name: /^Cardiovera.* 2 .*\d[.,]\d$/u }).waitFor();
  await checkPage(page, look.language);
  await page.getByRole('searchbox').fill('pulsa');
  await expect.poll(() => page.getByRole('row', { name: /^Cardiovera/u }).count()).toBe(0);
  await page.getByRole('link', { name: 'Pulsavent', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Pulsavent' }).waitFor();
  await checkPage(page, look.language);
});

it('compares the two newest decks of a company unless others are chosen', async () => {
  const page = await workspace.open(`/companies/${cardiovera}`);
  const rows = page.getByRole('row');
  await rows.nth(2).waitFor();
  const [, spring, autumn] = await rows.allInnerTexts();
  expect(spring).toMatch(/March 2026[^]*€4\.5m/u);
  expect(autumn).toMatch(/September 2026[^]*€6\.5m[^]*[+−]?\d\.\d/u);
  await page.getByLabel('Select spring.pdf to compare').uncheck();
  expect(await page.getByRole('button', { name: 'Compare versions' }).isDisabled()).toBe(true);
  await page.getByLabel('Select spring.pdf to compare').check();
  await page.getByRole('link', { name: 'Compare versions' }).click();
  await page.getByRole('heading', { level: 1, name: 'Cardiovera: March 2026 and September 2026' }).waitFor();
});

it('names a company, and takes it back', async () => {
  const page = await workspace.open(`/companies/${cardiovera}`);
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Cardiovera Health');
  await checkPage(page);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Cardiovera Health' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('heading', { level: 1, name: 'Cardiovera', exact: true }).waitFor();
});

it('says what a merge does before it does it, and leads on from the address that went', async () => {
  const { items } = await workspace.client.companies({ q: 'Pulsavent' });
  const page = await workspace.open(`/companies/${cardiovera}`);
  await page.getByRole('button', { name: 'Merge' }).click();
  await page.getByRole('combobox').fill('pulsa');
  await page.getByRole('option', { name: /Pulsavent/u }).click();
  await page.getByText('Pulsavent with 1 deck goes into Cardiovera. Cardiovera keeps its name.').waitFor();
  await checkPage(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
  await page.getByText('3 decks').waitFor();
  await page.goto(`${workspace.url}/companies/${items[0]?.id}`);
  await page.getByRole('heading', { level: 1, name: 'Cardiovera' }).waitFor();
  await page.waitForURL(`${workspace.url}/companies/${cardiovera}`);
});

it('moves a deck to a new company, and takes it back', async () => {
  const page = await workspace.open(`/companies/${cardiovera}`);
  await page.getByRole('button', { name: 'More for autumn.pdf' }).click();
  await page.getByRole('menuitem', { name: 'Move to another company' }).click();
  await page.getByLabel('To a new company').check();
  await page.getByLabel('Name of the new company').fill('Herzwerk');
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await page.getByText('1 deck', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('2 decks', { exact: true }).waitFor();
});

it('goes with the only deck of a company to the one it is moved to', async () => {
  const { items } = await workspace.client.companies({ q: 'Pulsavent' });
  const page = await workspace.open(`/companies/${items[0]?.id}`);
  await page.getByRole('button', { name: 'More for pulsavent.pdf' }).click();
  await page.getByRole('menuitem', { name: 'Move to another company' }).click();
  await page.getByRole('combobox').fill('cardio');
  await page.getByRole('option', { name: /Cardiovera/u }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${workspace.url}/companies/${cardiovera}`);
  await page.getByText('3 decks').waitFor();
});

it('says how companies come to be where there are none, and that one is not there', async () => {
  const page = await workspace.open('/companies', { key: await workspace.emptyTenant() });
  await page.getByRole('heading', { name: 'No companies yet' }).waitFor();
  await checkPage(page);
  await page.goto(`${workspace.url}/companies/0000`);
  await page.getByRole('alert').getByText('There is no such company.').waitFor();
});
