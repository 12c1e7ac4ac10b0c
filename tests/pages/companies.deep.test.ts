/** The companies and the page of each. */
import { beforeAll, expect, it } from 'vitest';
import { plainSlides } from '../../testing/plain-deck.ts';
import { laterSlides, reviewSlides } from './support/reviewed.ts';
import { checkPage, LOOKS, workspacePerFile } from './support/workspace.ts';

const workspace = workspacePerFile('pages-companies');

beforeAll(async () => {
  const first = await reviewSlides(workspace, 'spring.pdf', plainSlides('Cardiovera'));
  const [second, other] = await Promise.all([
    reviewSlides(workspace, 'autumn.pdf', laterSlides('Cardiovera')),
    reviewSlides(workspace, 'pulsavent.pdf', plainSlides('Pulsavent').slice(0, 2)),
  ]);
  const { client } = workspace;
  await client.putDeck(other.deckId, { name: 'Pulsavent' });
  const { id } = await client.putDeck(first.deckId, { name: 'Cardiovera' });
  await client.putDeck(second.deckId, { companyId: id });
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
