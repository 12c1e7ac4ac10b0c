/** What of the review only a browser with a layout shows: colours, places, sizes, print, keys and downloads. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { checkPage, LOOKS, workspacePerFile } from '../support/workspace.ts';
import { answered, reviewPerFile, rows, spoken } from './shared.ts';

const workspace = workspacePerFile('pages-review-layout', 'whole');
const review = reviewPerFile(workspace);

/** Whether the middle of an element can be seen. */
const isInView = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate<boolean>(`(() => {
    const element = document.querySelector(${JSON.stringify(selector)});
    const { left, top, width } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + width / 2, top + 10));
  })()`);

it('shows in the dark what it shows in the light', async () => {
  const page = await workspace.open(`/decks/${review().deckId}`, { theme: 'dark' });
  await rows(page).first().getByRole('button').first().click();
  await expect.poll(() => spoken(page).textContent()).toMatch(/quote lit$/u);
  await checkPage(page);
});

it('opens exactly where its address was copied', async () => {
  const { question, quote } = await answered(workspace, review().analysisId);
  const page = await workspace.open(`/decks/${review().deckId}`);
  await rows(page).getByRole('heading', { name: question.text }).click();
  await page.waitForURL(/claim=question/u);
  const second = await page.context().newPage();
  await second.goto(page.url());
  await expect.poll(() => spoken(second).textContent()).toBe(`Slide ${quote.slide}, quote lit`);
  const current = second.locator('article[aria-current=true]');
  expect(await current.getAttribute('aria-label')).toBe(question.text);
  await expect.poll(() => isInView(second, 'article[aria-current=true]')).toBe(true);
  // The findings scroll on their own: the page around them does not.
  expect(await second.evaluate<number>('document.documentElement.scrollHeight - innerHeight')).toBe(0);
});

it('walks through statements and slides with single keys, and the focus goes with it', async () => {
  const page = await workspace.open(`/decks/${review().deckId}`);
  await rows(page).first().waitFor();
  const labels = await rows(page).evaluateAll((all) => all.map((row) => row.getAttribute('aria-label')));
  const focused = () => page.evaluate<string | null>('document.activeElement.getAttribute("aria-label")');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  expect(await focused()).toBe(labels[1]);
  await page.keyboard.press('k');
  expect(await focused()).toBe(labels[0]);
  await expect.poll(() => spoken(page).textContent()).toMatch(/quote lit$/u);
  await page.keyboard.press('Escape');
  await expect.poll(() => spoken(page).textContent()).toMatch(/^Slide \d+$/u);
  const before = Number((await spoken(page).textContent())?.replace(/\D/gu, ''));
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => spoken(page).textContent()).toBe(`Slide ${before + 1}`);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await checkPage(page);
});

it('zooms in and fits again', async () => {
  const page = await workspace.open(`/decks/${review().deckId}`);
  const picture = page.getByRole('img', { name: /^Slide 1/u });
  const width = async () => (await picture.boundingBox())?.width ?? 0;
  await picture.waitFor();
  const fitted = await width();
  await page.keyboard.press('+');
  await expect.poll(width).toBeGreaterThan(fitted);
  await page.getByRole('button', { name: 'Fit (F)' }).click();
  await expect.poll(width).toBe(fitted);
});

it('prints the findings in one column without controls', async () => {
  const page = await workspace.open(`/decks/${review().deckId}`);
  await rows(page).first().waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('button', { name: 'Meet', exact: true }).isVisible()).toBe(false);
  expect(await page.getByRole('region', { name: 'Slides', exact: true }).isVisible()).toBe(false);
  expect(await rows(page).last().isVisible()).toBe(true);
  // Nothing of it is behind a scroll bar.
  expect(
    await page
      .getByRole('region', { name: 'Findings' })
      .evaluate((findings) => findings.scrollHeight - findings.clientHeight),
  ).toBeLessThan(2);
});

it('The review is given as a document', async () => {
  const page = await workspace.open(`/decks/${review().deckId}`);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'As Markdown' }).click();
  expect((await download).suggestedFilename()).toBe('Pulsara.md');
});

it('A review without scores is accessible', async () => {
  const page = await workspace.open(`/decks/${review().deckId}`);
  const findings = page.getByRole('region', { name: 'Findings' });
  await findings.getByRole('heading', { name: 'Strengths' }).waitFor();
  await findings.getByLabel('Only what the deck says').check();
  expect(await findings.getByRole('heading', { level: 2 }).allInnerTexts()).not.toContain('Strengths');
  await checkPage(page);
});

it('The history of a corrected value is accessible', async () => {
  const { client } = workspace;
  const { funding } = await client.report(review().analysisId);
  const page = await workspace.open(`/decks/${review().deckId}`);
  const row = page.getByRole('article', { name: 'Funding sought' }).first();
  await row.hover();
  await row.getByRole('button', { name: 'Correct: Funding sought' }).click();
  await page.getByLabel('In words').fill('€3M');
  await page.getByLabel('Amount').fill('3000000');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await row.getByText(`machine: ${funding.raw}`).waitFor();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Who said what, when' }).click();
  await page.getByRole('dialog', { name: 'Who said what, when' }).getByText('€3M').waitFor();
  await checkPage(page);
});

it.each(LOOKS)('judges a statement with a key in $language at the width of a $width', async (look) => {
  const { question } = await answered(workspace, review().analysisId);
  const page = await workspace.open(`/decks/${review().deckId}`, look);
  const row = rows(page).filter({ has: page.getByRole('heading', { name: question.text }) });
  await row.focus();
  await page.keyboard.press('w');
  const judged = row.getByText(look.language === 'de' ? 'Falsch, sagt Ann Archer' : 'Wrong, says Ann Archer');
  await judged.waitFor();
  await checkPage(page, look.language);
  await row.getByRole('button', { name: look.language === 'de' ? /^Falsch/u : /^Wrong/u, pressed: true }).click();
  await judged.waitFor({ state: 'detached' });
});
