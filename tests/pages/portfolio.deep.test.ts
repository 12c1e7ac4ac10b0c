/** The portfolio: figures over the decks of the list, under the same filters, each leading to the decks it counts. */
import { beforeAll, expect, it } from 'vitest';
import { plainSlides } from '../../testing/plain-deck.ts';
import { laterSlides, reviewSlides } from './support/reviewed.ts';
import { checkPage, LOOKS, workspacePerFile } from './support/workspace.ts';

const workspace = workspacePerFile('pages-portfolio');

beforeAll(async () => {
  const first = await reviewSlides(workspace, 'spring.pdf', plainSlides('Cardiovera'));
  await reviewSlides(workspace, 'autumn.pdf', laterSlides('Cardiovera'));
  await workspace.client.POST('/decks/{id}/verdicts', {
    params: { path: { id: first.deckId } },
    body: { kind: 'decision', decision: 'meet' },
  });
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

it('The figures of a chart as a table, and a portfolio without decks, are accessible', async () => {
  const page = await workspace.open('/portfolio');
  const sectors = page.getByRole('region', { name: 'Sectors' });
  await sectors.getByRole('button', { name: 'As a table' }).click();
  await sectors.getByRole('table').getByRole('columnheader', { name: 'Mean share with evidence' }).waitFor();
  await checkPage(page);
  const empty = await workspace.open('/portfolio', { key: await workspace.emptyTenant() });
  await empty.getByRole('heading', { name: 'No decks yet' }).waitFor();
  await checkPage(empty);
});
