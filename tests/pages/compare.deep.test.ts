/** The page that compares reviews: decks, versions of a company's deck, analyses of one deck; and how a comparison is put together. */
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
  await page.getByText(isGerman ? /höchste Bewertung/u : /has the highest score/u).waitFor();
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

it('shows only what differs where asked, and only one kind of change', async () => {
  const page = await workspace.open(compare(first, second));
  const burn = page.getByRole('row', { name: /per month/u });
  const payer = page.getByRole('row', { name: /^Who pays for the product/u });
  await payer.waitFor();
  expect(await burn.count()).toBe(0);
  await page.getByLabel('Only differences').uncheck();
  await burn.first().waitFor();
  await page.reload();
  await burn.first().waitFor();
  await page.getByRole('button', { name: /^New \d/u }).click();
  await page.getByRole('row', { name: /How long does it take/u }).waitFor();
  expect(await payer.count()).toBe(0);
});

it('opens the review of a deck at the claim that a slide chip stands beside', async () => {
  const page = await workspace.open(compare(first, second));
  const payer = page.getByRole('row', { name: /^Who pays for the product/u });
  await payer.getByRole('link', { name: 'Open slide 4 of September 2026' }).first().click();
  await page.waitForURL(/\/decks\//u);
  const { pathname, searchParams } = new URL(page.url());
  expect(pathname).toBe(`/decks/${second.deckId}`);
  expect(searchParams.get('claim')).toBe('question/payer_identification');
  expect(searchParams.get('analysis')).toBe(second.analysisId);
  expect(searchParams.get('slide')).toBe('4');
});

it('says why two analyses of a deck may differ, on demand', async () => {
  const german = await reviewAgain(workspace, first.deckId, 'de');
  const page = await workspace.open(compare(first, german));
  await page.getByText('2 reviews of one deck').waitFor();
  await page.getByText(/values differ, \d+ are the same/u).waitFor();
  const reasons = page.getByText('language: en → de');
  expect(await reasons.count()).toBe(0);
  await page.getByRole('button', { name: 'Why they may differ' }).click();
  await reasons.waitFor();
  await page.getByRole('button', { name: 'How the reviews were made' }).click();
  await page.getByRole('row', { name: /^Language English German/u }).waitFor();
  await checkPage(page);
});

it('shows the score of a person beside the one of the machine', async () => {
  await workspace.client.addVerdict(other.deckId, {
    kind: 'score',
    subject: 'question/target_problem',
    score: 6,
    reason: 'The slide names who suffers and how often.',
    analysisId: other.analysisId,
  });
  const page = await workspace.open(compare(first, other));
  const problem = page.getByRole('row', { name: /Which problem/u });
  await problem.getByText(/^by Ann Archer · machine: \d$/u).waitFor();
  await problem.getByText('The slide names who suffers and how often.').waitFor();
});

it('takes decks in by a search and by what came before, and leaves them out again', async () => {
  const page = await workspace.open(compare(second));
  await page.getByText('One review so far').waitFor();
  await page.getByRole('button', { name: 'More for Cardiovera' }).click();
  await page.getByRole('menuitem', { name: 'Add the previous version' }).click();
  await page.getByRole('heading', { level: 1, name: 'Cardiovera: March 2026 and September 2026' }).waitFor();
  await page.getByRole('button', { name: 'Add a deck' }).click();
  await page.getByRole('combobox').fill('pulsav');
  await page.getByRole('option', { name: /Pulsavent/u }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('3 decks side by side').waitFor();
  await page.getByRole('button', { name: 'Remove Cardiovera (March 2026)' }).click();
  await page.getByRole('heading', { level: 1, name: 'Cardiovera and Pulsavent' }).waitFor();
});

it('leads from the old address of a comparison, and from one that names a review that is gone', async () => {
  const page = await workspace.open(`/api/v1/analyses/${first.analysisId}/compare/${second.analysisId}?format=html`);
  await page.getByRole('heading', { level: 1, name: 'Cardiovera: March 2026 and September 2026' }).waitFor();
  await page.goto(`${workspace.url}${compare(first, other)},0000`);
  await page.getByRole('button', { name: 'Leave it out' }).click();
  await page.getByRole('heading', { level: 1, name: 'Cardiovera and Pulsavent' }).waitFor();
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
});

it('begins with a search where nothing was chosen', async () => {
  const page = await workspace.open('/compare');
  await page.getByRole('heading', { name: 'Nothing to compare yet' }).waitFor();
  await checkPage(page);
  await page.getByRole('combobox').fill('nothing like this');
  await page.getByText('No deck found.').waitFor();
});
