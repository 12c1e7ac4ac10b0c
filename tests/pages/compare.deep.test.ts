/** The page that compares reviews: decks, and versions of a company's deck. */
import { beforeAll, expect, it } from 'vitest';
import { plainSlides } from '../../testing/plain-deck.ts';
import { type Reviewed, laterSlides, reviewAgain, reviewSlides } from './support/reviewed.ts';
import { checkPage, LOOKS, workspacePerFile } from './support/workspace.ts';

const workspace = workspacePerFile('pages-compare', 'whole');

let first: Reviewed;
let second: Reviewed;
let other: Reviewed;

beforeAll(async () => {
  first = await reviewSlides(workspace, 'spring.pdf', plainSlides('Cardiovera'));
  [second, other] = await Promise.all([
    reviewSlides(workspace, 'autumn.pdf', laterSlides('Cardiovera')),
    reviewSlides(workspace, 'pulsavent.pdf', plainSlides('Pulsavent').slice(0, 3)),
  ]);
});

const compare = (...reviews: readonly Reviewed[]): string =>
  `/compare?analyses=${reviews.map(({ analysisId }) => analysisId).join(',')}`;

it.each(LOOKS)('shows decks side by side in $language at the width of a $width', async (look) => {
  const page = await workspace.open(compare(first, other), look);
  const isGerman = look.language === 'de';
  const heading = isGerman ? 'Cardiovera und Pulsavent' : 'Cardiovera and Pulsavent';
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  const summary = page.getByRole('table', { name: isGerman ? 'Zusammenfassung' : 'Summary' });
  const ask = summary.getByRole('row', { name: isGerman ? /^Kapitalbedarf/u : /^Ask\b/u });
  expect(await ask.getByRole('cell').allInnerTexts()).toEqual([expect.stringContaining('4'), expect.anything()]);
  await page
    .getByText(isGerman ? /belegt die meisten|Alle belegen/u : /evidence for the most|All have evidence/u)
    .waitFor();
  await checkPage(page, look.language);
});

it('says what changed from one version of a deck to the next, whichever was chosen first', async () => {
  const page = await workspace.open(compare(second, first));
  await page.getByRole('heading', { level: 1, name: 'Cardiovera: March 2026 and September 2026' }).waitFor();
  await page.getByText(/claims changed/u).waitFor();
  const summary = page.getByRole('table', { name: 'Summary' });
  expect(await summary.getByRole('row', { name: /^Ask Changed/u }).innerText()).toMatch(/€4\.5m[^]*€6\.5m/u);
  const payer = page.getByRole('row', { name: /^Who pays for the product/u });
  await payer.getByText('Figures changed').waitFor();
  expect(await payer.locator('del').allInnerTexts()).toContain('14');
  expect(await payer.locator('ins').allInnerTexts()).toContain('31');
  const cycle = page.getByRole('row', { name: /How long does it take/u });
  await cycle.getByText('New', { exact: true }).waitFor();
  await cycle.getByText('not found in the deck').waitFor();
  await checkPage(page);
});

it('The reasons why two reviews of a deck differ are accessible', async () => {
  const page = await workspace.open(compare(first, await reviewAgain(workspace, first.deckId, 'de')));
  await page.getByRole('button', { name: 'Why they may differ' }).click();
  await page.getByText('language: en → de').waitFor();
  await page.getByRole('button', { name: 'How the reviews were made' }).click();
  await page.getByRole('row', { name: /^Language English German/u }).waitFor();
  await checkPage(page);
});

it('The search of a comparison where nothing was chosen is accessible', async () => {
  const page = await workspace.open('/compare');
  await page.getByRole('heading', { name: 'Nothing to compare yet' }).waitFor();
  await checkPage(page);
});
