/** The portfolio: figures over the decks of the list, under the same filters, each leading to the decks it counts. */
import { beforeAll, expect, it } from 'vitest';
import { plainSlides } from '../../testing/plain-deck.ts';
import { laterSlides, type Reviewed, reviewSlides } from './support/reviewed.ts';
import { checkPage, LOOKS, workspacePerFile } from './support/workspace.ts';

const workspace = workspacePerFile('pages-portfolio');

let first: Reviewed;

beforeAll(async () => {
  first = await reviewSlides(workspace, 'spring.pdf', plainSlides('Cardiovera'));
  await reviewSlides(workspace, 'autumn.pdf', laterSlides('Cardiovera'));
  await workspace.client.addVerdict(first.deckId, { kind: 'decision', decision: 'meet' });
});

it.each(LOOKS)('shows its charts in $language at the width of a $width', async (look) => {
  const page = await workspace.open('/portfolio', look);
  const isGerman = look.language === 'de';
  await page
    .getByText('2 decks', { exact: true })
    .or(page.getByText('2 Decks', { exact: true }))
    .waitFor();
  const decisions = page.getByRole('list', { name: isGerman ? 'Entscheidungen' : 'Decisions' });
  await decisions.getByRole('link', { name: isGerman ? /^Treffen\s+1/u : /^Meet\s+1/u }).waitFor();
  const asks = page.getByRole('list', { name: /: EUR$/u });
  expect(await asks.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/5[^]*1$/u),
    expect.stringMatching(/5[^]*10[^]*1$/u),
  ]);
  await checkPage(page, look.language);
});

it('leads from a bar to the decks it counts, in the list', async () => {
  const page = await workspace.open('/portfolio');
  await page.getByRole('link', { name: /^Meet\s+1/u }).click();
  await page.waitForURL(`${workspace.url}/?decision=meet`);
  await page.getByText('1 found', { exact: true }).waitFor();
  await page.goBack();
  await page.getByRole('list', { name: 'Over time' }).getByRole('link').click();
  await page.waitForURL(/since=\d{4}-\d\d-01&until=\d{4}-\d\d-\d\d$/u);
  await page.getByText('2 found', { exact: true }).waitFor();
});

it('is filtered like the list, by its address and on the page', async () => {
  const page = await workspace.open('/portfolio?decision=meet');
  await page.getByText('1 deck', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Show them as a list' }).click();
  await page.waitForURL(`${workspace.url}/?decision=meet`);
  await page.goBack();
  await page.getByRole('button', { name: /^Remove/u }).click();
  await page.getByText('2 decks', { exact: true }).waitFor();
  await page.getByRole('searchbox').fill('nothing like this');
  await page.getByRole('heading', { name: 'No deck fits' }).waitFor();
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await page.getByText('2 decks', { exact: true }).waitFor();
});

it('has the figures of each chart as a table, on demand', async () => {
  const page = await workspace.open('/portfolio');
  const sectors = page.getByRole('region', { name: 'Sectors' });
  expect(await sectors.getByRole('table').count()).toBe(0);
  await sectors.getByRole('button', { name: 'As a table' }).click();
  await sectors.getByRole('table').getByRole('columnheader', { name: 'Mean score' }).waitFor();
  const [, sector] = await sectors.getByRole('row').allInnerTexts();
  expect(sector).toMatch(/\t2\t\d\.\d$/u);
  await checkPage(page);
});

it('leads to the upload where there are no decks', async () => {
  const page = await workspace.open('/portfolio', { key: await workspace.emptyTenant() });
  await page.getByRole('heading', { name: 'No decks yet' }).waitFor();
  await checkPage(page);
  await page.getByRole('link', { name: 'Add decks' }).click();
  await page.waitForURL(`${workspace.url}/`);
});
