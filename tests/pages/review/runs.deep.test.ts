/** What the page of a deck says of its runs: while one goes on, with gaps, and one that failed. */
import PDFDocument from 'pdfkit';
import { expect, it } from 'vitest';
import { plainSlides } from '../../../testing/plain-deck.ts';
import { brokenFile, deckFile, storeFile } from '../decks/files.ts';
import { reviewAgain, reviewSlides } from '../support/reviewed.ts';
import { checkPage, workspacePerFile } from '../support/workspace.ts';

const workspace = workspacePerFile('pages-runs');

/** A deck with a last page that is a drawing without a word. */
function deckWithDrawing(company: string): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const deck = new PDFDocument({ size: [960, 540], margin: 40, autoFirstPage: false });
  const chunks: Buffer[] = [];
  deck.on('data', (chunk: Buffer) => chunks.push(chunk));
  deck.on('end', () => resolve(Buffer.concat(chunks)));
  deck.on('error', reject);
  for (const { title, lines } of plainSlides(company)) {
    deck.addPage().fontSize(30).text(title, 40, 40).fontSize(18);
    lines.forEach((line, index) => deck.text(line, 40, 120 + index * 40));
  }
  deck.addPage().lineWidth(3);
  for (let at = 0; at < 40; at++) {
    deck
      .moveTo(100 + at * 18, 100)
      .bezierCurveTo(200 + at * 7, 300, 50 + at * 12, 400, 150 + at * 16, 480)
      .stroke();
  }
  deck.end();
  return promise;
}

it('fills the page while it goes on', async () => {
  const id = await storeFile(workspace, await deckFile('Quendora'));
  const page = await workspace.open(`/decks/${id}`);
  await page.getByRole('heading', { name: 'This deck is not reviewed yet' }).waitFor();
  await checkPage(page);
  await page.getByRole('button', { name: 'Review it' }).click();
  await page.getByRole('button', { name: 'Start the review' }).click();
  await page.getByText(/^The review (?:is running|waits)/u).waitFor();
  await page.getByRole('heading', { name: 'Quendora' }).waitFor();
  await page.getByText('14 of 14 questions scored').waitFor();
  await expect.poll(() => page.getByText(/^The review (?:is running|waits)/u).count()).toBe(0);
  expect(await page.getByRole('img', { name: /^Slide 1/u }).count()).toBe(1);
});

it('with gaps says which slides they are of, and computes only what is missing', async () => {
  const id = await storeFile(workspace, {
    name: 'Vantora deck.pdf',
    mimeType: 'application/pdf',
    buffer: await deckWithDrawing('Vantora'),
  });
  const { analysisId: first } = await reviewAgain(workspace, id);
  const page = await workspace.open(`/decks/${id}`);
  const gap = page.getByRole('listitem').filter({ hasText: 'Nothing could be read' });
  await gap.getByRole('button', { name: 'Slide 6' }).click();
  await expect
    .poll(() => page.getByRole('region', { name: 'Slides', exact: true }).getByRole('status').textContent())
    .toBe('Slide 6');
  await page.getByText('No text of this page could be read.').waitFor();
  await checkPage(page);
  await page.getByRole('button', { name: 'Compute what is missing' }).click();
  await page.getByText('A run that fills the gaps is started.').first().waitFor();
  const runs = await workspace.client.analysesOf(id);
  expect(runs).toContainEqual(expect.objectContaining({ replayOf: first, replayKind: 'gaps' }));
});

it('that failed says why and what to do, without empty sections', async () => {
  const id = await storeFile(workspace, brokenFile('Broken.pdf'));
  await reviewAgain(workspace, id);
  const page = await workspace.open(`/decks/${id}`);
  await page.getByText('The review failed').waitFor();
  await page.getByText('The PDF is damaged. Export the deck again and add it.').waitFor();
  expect(await page.getByRole('heading', { level: 2 }).count()).toBe(0);
  await checkPage(page);
});

it('How a review was made and the other runs of a deck are accessible', async () => {
  const { deckId } = await reviewSlides(workspace, 'Tessera deck.pdf', plainSlides('Tessera').slice(0, 2));
  const page = await workspace.open(`/decks/${deckId}`);
  const open = async (name: string) => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await open('How this review was made');
  await page.getByRole('cell', { name: 'reader-text:1' }).first().waitFor();
  await checkPage(page);
  await page.keyboard.press('Escape');
  await open('Runs and versions …');
  await page.getByRole('dialog').getByText('shown').waitFor();
  await checkPage(page);
});
