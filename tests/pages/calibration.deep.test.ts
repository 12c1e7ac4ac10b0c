/** Where people and the machine differ: by question, the newest differences, and how the page begins. */
import { beforeAll, expect, it } from 'vitest';
import { plainSlides } from '../../testing/plain-deck.ts';
import { reviewSlides } from './support/reviewed.ts';
import { checkPage, LOOKS, workspacePerFile } from './support/workspace.ts';

const workspace = workspacePerFile('pages-calibration');

beforeAll(async () => {
  const { client } = workspace;
  const review = await reviewSlides(workspace, 'cardiovera.pdf', plainSlides('Cardiovera'));
  const { deckId, analysisId } = review;
  const score = async (slug: string, reason: string | null): Promise<void> => {
    await client.POST('/decks/{id}/verdicts', {
      params: { path: { id: deckId } },
      body: { kind: 'score', subject: `question/${slug}`, score: 7, reason, analysisId },
    });
  };
  await score('paying_customers', 'Fourteen hospitals, none has left.');
  await score('churn_analysis', null);
  await client.POST('/decks/{id}/verdicts', {
    params: { path: { id: deckId } },
    body: { kind: 'value', subject: 'value/company_name', text: 'Cardiovera AG', analysisId },
  });
});

it.each(LOOKS)('shows the differences in $language at the width of a $width', async (look) => {
  const page = await workspace.open('/calibration', look);
  const isGerman = look.language === 'de';
  await page.getByText(isGerman ? /im Mittel bewerten Menschen um/iu : /On average people score/u).waitFor();
  // A corrected value is a line that a person judged, too.
  const [curve, questions, values] = await page.getByRole('table').all();
  expect(await curve?.getByRole('row').count()).toBe(2);
  await questions?.getByRole('row', { name: /^Are there paying customers/u }).waitFor();
  expect(await values?.getByRole('row').allInnerTexts()).toEqual([
    expect.anything(),
    expect.stringMatching(/\t1\t0\t0$/u),
  ]);
  await page.getByText('Fourteen hospitals, none has left.').waitFor();
  await checkPage(page, look.language);
});

it('A calibration without scores of people is accessible', async () => {
  const page = await workspace.open('/calibration', { key: await workspace.emptyTenant() });
  await page.getByRole('heading', { name: 'Nothing to compare yet' }).waitFor();
  await checkPage(page);
});
