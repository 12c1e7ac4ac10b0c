/** Where people and the machine differ: by question, the newest differences, and how the page begins. */
import { beforeAll, expect, it } from 'vitest';
import { plainSlides } from '../../testing/plain-deck.ts';
import { type Reviewed, reviewSlides } from './support/reviewed.ts';
import { checkPage, LOOKS, workspacePerFile } from './support/workspace.ts';

const workspace = workspacePerFile('pages-calibration');

let review: Reviewed;

beforeAll(async () => {
  const { client } = workspace;
  review = await reviewSlides(workspace, 'cardiovera.pdf', plainSlides('Cardiovera'));
  const { deckId, analysisId } = review;
  const score = async (slug: string, reason: string | null): Promise<void> => {
    await client.addVerdict(deckId, { kind: 'score', subject: `question/${slug}`, score: 7, reason, analysisId });
  };
  await score('paying_customers', 'Fourteen hospitals, none has left.');
  await score('churn_analysis', null);
  await client.addVerdict(deckId, { kind: 'value', subject: 'value/company_name', text: 'Cardiovera AG', analysisId });
});

it.each(LOOKS)('shows the differences in $language at the width of a $width', async (look) => {
  const page = await workspace.open('/calibration', look);
  const isGerman = look.language === 'de';
  await page.getByText(isGerman ? /im Mittel bewerten Menschen um/iu : /On average people score/u).waitFor();
  const [questions, values] = await page.getByRole('table').all();
  await questions?.getByRole('row', { name: /^Are there paying customers/u }).waitFor();
  expect(await values?.getByRole('row').allInnerTexts()).toEqual([
    expect.anything(),
    expect.stringMatching(/\t1\t0\t0$/u),
  ]);
  await page.getByText('Fourteen hospitals, none has left.').waitFor();
  await checkPage(page, look.language);
});

it('leads from a difference to the claim', async () => {
  const page = await workspace.open('/calibration');
  const difference = page.getByRole('listitem').filter({ hasText: 'Fourteen hospitals' });
  await difference.getByText(/^Machine \d, person 7$/u).waitFor();
  await difference.getByRole('link').click();
  await page.waitForURL(/\/decks\//u);
  const { pathname, searchParams } = new URL(page.url());
  expect([pathname, searchParams.get('claim')]).toEqual([`/decks/${review.deckId}`, 'question/paying_customers']);
});

it('counts what one person said, since some time, as the address says', async () => {
  const page = await workspace.open('/calibration');
  await page.getByLabel('Said by').selectOption('Ann Archer');
  await page.getByLabel('Said since').selectOption('The last 30 days');
  await page.waitForURL(`${workspace.url}/calibration?author=Ann+Archer&since=30d`);
  await page.getByRole('row', { name: /^Are there paying customers/u }).waitFor();
  await page.goto(`${workspace.url}/calibration?author=Nobody`);
  await page.getByRole('heading', { name: 'Nobody gave a score that fits these filters.' }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('row', { name: /^Are there paying customers/u }).waitFor();
});

it('explains how it fills where nobody gave a score', async () => {
  const page = await workspace.open('/calibration', { key: await workspace.emptyTenant() });
  await page.getByRole('heading', { name: 'Nothing to compare yet' }).waitFor();
  await page.getByText(/fills when people give scores/u).waitFor();
  await checkPage(page);
});

it('says that Deckhand does not answer, and goes on once it does', async () => {
  const page = await workspace.open('/companies');
  await page.route('**/api/v1/calibration*', (route) => route.abort());
  await page.getByRole('link', { name: 'Calibration' }).click();
  await page
    .getByRole('alert')
    .getByText(/does not answer/u)
    .waitFor();
  await page.unroute('**/api/v1/calibration*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('row', { name: /^Are there paying customers/u }).waitFor();
});
