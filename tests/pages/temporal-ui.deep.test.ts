/**
 * A run in the Temporal UI, as an operator's browser shows it: in clear for who is logged in at the API, and only for them.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { clientApiKey } from '../../platform/own-api-key.ts';
import { makeDeckWorkflowId } from '../../contracts/decks.ts';
import { workflowUrl } from '../../domain/temporal/run-details.ts';
import { plainDeck } from '../../testing/plain-deck.ts';
import { startRig } from '../../testing/rig.ts';
import { until } from '../../testing/until.ts';
import { perFile } from '../../testing/per-file.ts';
import { launchBrowser } from '../../testing/browser.ts';

let browser: Browser;
let pageUrl: string;

const rig = perFile(startRig);
beforeAll(async () => {
  browser = await launchBrowser();
  const deckId = await rig.upload(await plainDeck('Pulsara'), 'Pulsara deck.pdf');
  const { analysisId } = await rig.review(deckId);
  const { temporalUiUrl, temporalNamespace } = rig.runtime;
  const place = { uiUrl: temporalUiUrl ?? undefined, namespace: temporalNamespace };
  pageUrl = workflowUrl(place, makeDeckWorkflowId(analysisId)) ?? '';
});
afterAll(() => browser.close());

/** Logs a browser in as the login page does. */
async function logIn(context: BrowserContext): Promise<void> {
  const response = await context.request.post(`${rig.runtime.apiUrl}/api/v1/session`, {
    data: { key: clientApiKey(rig.config) },
  });
  expect(response.status()).toBe(200);
}

/** Everything that can be read on a page; the UI shows Markdown in frames, and replaces them as it likes. */
async function readable(page: Page): Promise<string> {
  const texts = await Promise.all(
    page.frames().map((frame) =>
      frame
        .locator('body')
        .innerText({ timeout: 5000 })
        .catch(() => ''),
    ),
  );
  return texts.join('\n');
}

const reads = (page: Page, text: string): Promise<string> =>
  until(() => readable(page)).is((all) => all.includes(text));

it('the page of a run tells an operator in clear what the run is, how far it came and what each step did', async () => {
  const context = await browser.newContext();
  await logIn(context);
  const page = await context.newPage();
  await page.goto(pageUrl);
  // The latest events come first, and not all of them at once.
  await reads(page, 'store the result: finished');
  await page.getByText('User Metadata').click();
  await reads(page, 'Review of Pulsara deck.pdf');
  await reads(page, 'slide 2 of 5 · reader-vision:1');
  // The details of a run that has ended are shown when they are asked for.
  await page.keyboard.press('r');
  await reads(page, 'questions answered');
  await context.close();
});

it('the page of a run shows others nothing in clear', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const refused = page.waitForResponse((response) => response.url().includes('/codec/decode'));
  await page.goto(pageUrl);
  expect((await refused).status()).toBe(401);
  // Everything that the server itself has is there by now.
  expect(await reads(page, 'finishAnalysis')).not.toMatch(/Pulsara|slide 2 of 5|store the result/u);
  await context.close();
});
