/** A PDF that is there already, under another name. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { workspacePerFile } from '../support/workspace.ts';
import { chooseFiles, deckFile, storeFile } from './files.ts';

const workspace = workspacePerFile('pages-known');

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

it('knows a PDF that was reviewed before, shows both names, and reviews it again when asked to', async () => {
  const page = await workspace.open('/');
  await chooseFiles(page, [await deckFile('Hesparo')]);
  await row(page, 'Hesparo.pdf')
    .getByText(/^Complete/u)
    .waitFor();
  await chooseFiles(page, [await deckFile('Hesparo', 'second name.pdf')]);
  const upload = row(page, 'known as Hesparo.pdf');
  await upload.getByText(/^Known, reviewed on/u).waitFor();
  await row(page, 'also second name.pdf').getByText('Hesparo.pdf').waitFor();
  const started = page.waitForResponse((response) => response.url().endsWith('/analyses'));
  await upload.getByRole('button', { name: 'Review again' }).click();
  expect((await started).status()).toBe(202);
  await expect.poll(() => upload.count()).toBe(0);
});

it('says of a known PDF whose review is running when that review ends', async () => {
  const { client } = workspace;
  const deckId = await storeFile(workspace, await deckFile('Calandra'));
  const { analysisId } = await client.startAnalysis(deckId, { models: 'reader' });
  await client.hold(analysisId, 'pause');
  const page = await workspace.open('/');
  await chooseFiles(page, [await deckFile('Calandra', 'copy.pdf')]);
  const upload = row(page, 'known as Calandra.pdf');
  await upload.getByText('Known, its review is running').waitFor();
  await client.hold(analysisId, 'resume');
  await upload.getByText(/^Known, reviewed on/u).waitFor();
});
