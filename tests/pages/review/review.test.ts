/** The review beside the slide: from a statement to its words on the slide, and another score. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { quoteKey } from '../../../domain/decks/review/proof.ts';
import { checkPage, LOOKS, workspacePerFile } from '../support/workspace.ts';
import { answered, LABELS, reviewPerFile, rows, spoken } from './shared.ts';

const workspace = workspacePerFile('pages-review');
const review = reviewPerFile(workspace);

/** The words of the slide that lie in the lit boxes, as they are drawn. */
const litWords = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
    const boxes = [...document.querySelectorAll('[data-lit] > g[opacity] rect')].map((box) => box.getBoundingClientRect());
    return [...document.querySelectorAll('[data-text-layer] span')]
      .filter((word) => {
        const { left, right, top, bottom } = word.getBoundingClientRect();
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        return boxes.some((box) => x > box.left && x < box.right && y > box.top && y < box.bottom);
      })
      .map((word) => word.textContent.trim())
      .join(' ');
  })()`);

it.each(LOOKS)('lights the words of a statement in $language at the width of a $width', async (look) => {
  const { question, quote } = await answered(workspace, review().analysisId);
  const page = await workspace.open(`/decks/${review().deckId}`, look);
  await rows(page).getByRole('heading', { name: question.text }).click();
  await expect.poll(() => spoken(page, look.language).textContent()).toBe(LABELS[look.language].lit(quote.slide));
  await page.getByText(LABELS[look.language].verified).waitFor();
  // The words of a slide are laid out after its boxes.
  await expect
    .poll(async () => quoteKey({ slide: 0, quote: await litWords(page) }))
    .toContain(quoteKey({ slide: 0, quote: quote.quote }));
  await checkPage(page, look.language);
});

it('People give another score: chapter and deck follow at once, and the machine stays beside it', async () => {
  const { question } = await answered(workspace, review().analysisId);
  const page = await workspace.open(`/decks/${review().deckId}`);
  // Other answers name the question whose evidence they share.
  const row = rows(page).filter({ has: page.getByRole('heading', { name: question.text }) });
  const score = question.score === 7 ? 6 : 7;
  await row.getByRole('button', { name: /score/iu }).click();
  const form = page.getByRole('dialog', { name: new RegExp(`^Score`, 'u') });
  await form.getByText(String(score), { exact: true }).click();
  await form.getByRole('textbox', { name: 'Reason' }).fill('They showed signed contracts.');
  await checkPage(page);
  await form.getByRole('button', { name: 'Save' }).click();
  await row.getByText(`machine: ${question.score}`).waitFor();
  await row.getByText('They showed signed contracts.').waitFor();
  await page.getByText(/^Score \d\.\d of 7, machine: \d\.\d/u).waitFor();
  // It is there for everybody else as well.
  await expect
    .poll(async () =>
      (await workspace.client.GET('/decks/{id}/verdicts', { params: { path: { id: review().deckId } } })).items.at(-1),
    )
    .toMatchObject({ kind: 'score', score, author: 'Ann Archer', machine: { score: question.score } });
  await row.getByRole('button', { name: /score/iu }).click();
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await expect.poll(() => row.getByText(/^machine:/u).count()).toBe(0);
});
