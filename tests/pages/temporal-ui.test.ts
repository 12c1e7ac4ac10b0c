/**
 * A run in the Temporal UI, as an operator's browser shows it: in clear for who is logged in at the API, and only for them.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import { loadConfig } from '../../platform/config.ts';
import { clientApiKey } from '../../platform/own-api-key.ts';
import { findOnPath } from '../../platform/runtime/find-executable.ts';
import { makeDeckWorkflowId } from '../../workflows/deck/contract.ts';
import { workflowPagePath } from '../../domain/story.ts';
import { plainDeck } from '../support/plain-deck.ts';
import { startRig, type Rig } from '../support/rig.ts';

let rig: Rig;
let browser: Browser;
let pageUrl: string;

beforeAll(async () => {
  rig = await startRig();
  const executablePath = findOnPath('chromium', loadConfig().environment);
  if (executablePath === undefined) throw new Error('chromium is not on the PATH');
  // The sandbox of its own needs rights that containers do not give; it sees our own pages only.
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const deckId = await rig.upload(await plainDeck('Pulsara'), 'Pulsara deck.pdf');
  const { analysisId } = await rig.review(deckId);
  const { temporalUiUrl, temporalNamespace } = rig.runtime;
  pageUrl = `${temporalUiUrl ?? ''}${workflowPagePath(temporalNamespace, makeDeckWorkflowId(analysisId))}`;
});
afterAll(async () => {
  await browser.close();
  await rig.stop();
});

/** Logs a browser in as the login page does, and has the UI use that login, as docs/operations.md says. */
async function logIn(context: BrowserContext): Promise<void> {
  // What the dialog "Codec Server" of the UI keeps; without it no cookie is sent along.
  const settings = { endpoint: `${rig.runtime.apiUrl}/api/v1/codec`, includeCredentials: true };
  await context.addInitScript(
    (kept) => {
      for (const [name, value] of Object.entries(kept)) globalThis.localStorage.setItem(name, JSON.stringify(value));
    },
    { ...settings, overrideRemoteCodecConfiguration: true },
  );
  const response = await context.request.post(`${rig.runtime.apiUrl}/api/v1/session`, {
    data: { key: clientApiKey(rig.config) },
  });
  expect(response.status()).toBe(200);
}

describe('the page of a run', () => {
  it('tells an operator in clear what the run is, how far it came and what each step did', async () => {
    const context = await browser.newContext();
    await logIn(context);
    const page = await context.newPage();
    await page.goto(pageUrl);
    await page.getByText('Review of Pulsara deck.pdf').first().waitFor();
    await page.getByText('questions answered').first().waitFor();
    await page.getByText('slide 2 of 5 · deckhand-reader').first().waitFor();
    await context.close();
  });

  it('tells nobody else', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const refused = page.waitForResponse((response) => response.url().includes('/codec/decode'));
    await page.goto(pageUrl);
    expect((await refused).status()).toBe(401);
    // Everything that the server itself has is there by now.
    await page.getByText('describeSlide').first().waitFor();
    expect(await page.locator('body').innerText()).not.toMatch(/Pulsara|slide 2 of 5|questions answered/u);
    await context.close();
  });
});
