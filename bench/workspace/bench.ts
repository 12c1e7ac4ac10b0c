/**
 * `deckhand bench workspace`: the workspace with 5,000 decks in a real browser, on a whole Deckhand: size of the first page, time until the list
 * and a review of 30 slides can be used, the next page of the list, typing in the search, and the memory of the API with 200 open tabs.
 */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { readEvents } from '../../api/client/decks.ts';
import { REPOSITORY_DIR } from '../../platform/config.ts';
import { clientApiKey } from '../../platform/own-api-key.ts';
import { launchBrowser } from '../../testing/browser.ts';
import { drawPlainDeck, plainSlides } from '../../testing/plain-deck.ts';
import { startPostgres } from '../../testing/postgres-server.ts';
import { startRig, type Rig } from '../../testing/rig.ts';
import type { Figures } from '../figures.ts';
import { residentMiB } from '../list/api-process.ts';
import { DECKS, seedDecks } from '../list/seed.ts';
import { median } from '../pipeline/decks.ts';

const BUNDLE = path.join(REPOSITORY_DIR, 'generated/web');
const ROUNDS = 5;
const SLIDES = 30;
const TABS = 200;
/** Decks that change while the tabs are open. */
const CHANGES = 50;
/** Time in which the API's memory comes to rest. */
const REST_MS = 5000;
const SEARCH = 'quanten solar bericht';
const KEY_DELAY_MS = 60;

/** Runs the benchmark. */
export async function benchWorkspace(figures: Figures, tell: (line: string) => void): Promise<void> {
  figures.add('first page with scripts and styles, gzip', await firstPageKb(), 'kB', '<= 200');
  tell(`writing ${DECKS} decks and starting Deckhand`);
  const postgres = await startPostgres();
  const databaseUrl = await postgres.migratedDatabase();
  await seedDecks(databaseUrl);
  const rig = await startRig({ environment: { DATABASE_URL: databaseUrl } });
  const browser = await launchBrowser();
  try {
    const url = rig.runtime.apiUrl;
    const key = clientApiKey(rig.config) ?? '';
    tell(`reviewing a deck of ${SLIDES} slides`);
    const deckId = await rig.upload(await longDeck(), 'long deck.pdf');
    await rig.review(deckId);

    const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'en-GB' });
    await context.request.post(`${url}/api/v1/session`, { data: { key }, headers: { origin: url } });
    const page = await context.newPage();
    // The first visit fills the browser's cache and makes the entries of all decks.
    await page.goto(url);
    await firstRow(page).waitFor({ timeout: 120_000 });

    tell('opening the list and the review');
    const list = await repeat(() => timeOf(page, url, () => firstRow(page).waitFor()));
    figures.add(`deck list of ${DECKS} usable after, median of ${ROUNDS}`, median(list), 's', '<= 1');
    const review = await repeat(() => timeOf(page, `${url}/decks/${deckId}`, () => firstClaim(page).waitFor()));
    figures.add(`review of ${SLIDES} slides usable after, median of ${ROUNDS}`, median(review), 's', '<= 1');

    await page.goto(url);
    await firstRow(page).waitFor();
    const pages = await repeat(() => nextPageSeconds(page));
    figures.add(`next page of the list, median of ${ROUNDS}`, median(pages), 's', '<= 0.2');
    figures.add(
      'longest task of the page while typing in the search',
      await longestTaskWhileTyping(page),
      's',
      '<= 0.1',
    );

    tell(`opening ${TABS} event streams`);
    figures.add(`memory of the API for ${TABS} open tabs`, await memoryOfTabs(rig, key, deckId), 'MiB', '<= 100');
  } finally {
    await browser.close();
    await rig.stop();
    await postgres.stop();
  }
}

/** What the start page loads before it shows anything, as gzip sends it. */
async function firstPageKb(): Promise<number> {
  const document = await readFile(path.join(BUNDLE, 'index.html'), 'utf8');
  const files = new Set(
    [...document.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/gu)].map(([, file]) => file ?? ''),
  );
  let bytes = document.length;
  for (const file of files) bytes += (await stat(path.join(BUNDLE, `${file}.gz`))).size;
  return bytes / 1000;
}

/** A deck with text on each of its slides. */
function longDeck(): Promise<Buffer> {
  const slides = plainSlides('Longview');
  const more = Array.from({ length: SLIDES - slides.length }, (_, index) => ({
    title: `Region ${index + 1}`,
    lines: [`Longview serves ${index + 3} hospitals in region ${index + 1}.`, `They pay ${index + 20} euros a month.`],
  }));
  return drawPlainDeck([...slides, ...more]);
}

const firstRow = (page: Page) => page.locator('main a[href^="/decks/"]').first();
// By CSS: a search by role would take a share of the time that is measured.
const firstClaim = (page: Page) => page.locator('main article button').first();

async function repeat(measure: () => Promise<number>): Promise<number[]> {
  const values: number[] = [];
  for (let round = 0; round < ROUNDS; round++) values.push(await measure());
  return values;
}

/** Seconds from the request of a page until it can be used. */
async function timeOf(page: Page, address: string, ready: () => Promise<void>): Promise<number> {
  await page.goto('about:blank');
  const startedAt = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await ready();
  return (performance.now() - startedAt) / 1000;
}

/** Seconds from the request of the next page of the list until its rows are drawn. */
async function nextPageSeconds(page: Page): Promise<number> {
  const answered = page.waitForResponse((response) => response.url().includes('cursor='));
  const requested = page.waitForRequest((request) => request.url().includes('cursor='));
  await page.mouse.move(640, 500);
  await page.mouse.wheel(0, 1_000_000);
  await requested;
  const startedAt = performance.now();
  await (await answered).finished();
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  return (performance.now() - startedAt) / 1000;
}

/** The longest task of the page's thread while somebody types into the search, in seconds; 0 when none took 50 ms. */
async function longestTaskWhileTyping(page: Page): Promise<number> {
  await page.evaluate(`
    globalThis.longestTaskMs = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.longestTaskMs = Math.max(globalThis.longestTaskMs, duration);
    }).observe({ type: 'longtask' });`);
  const search = page.getByRole('searchbox');
  await search.click();
  await search.pressSequentially(SEARCH, { delay: KEY_DELAY_MS });
  await page.waitForLoadState('networkidle');
  return (await page.evaluate<number>('globalThis.longestTaskMs')) / 1000;
}

/** What the memory of the API process grows by when this many streams are open and told of changes, in MiB. */
async function memoryOfTabs(rig: Rig, key: string, deckId: string): Promise<number> {
  const pid = await rig.pidOf('api');
  const headers = { authorization: `Bearer ${key}` };
  const before = await residentMiB(pid);
  const ended = new AbortController();
  const told = new Set<number>();
  const streams = Array.from({ length: TABS }, async (_, tab) => {
    const response = await fetch(`${rig.runtime.apiUrl}/api/v1/events`, { headers, signal: ended.signal });
    // Read as a tab does, until the end of the measurement.
    for await (const { event } of readEvents(response.body)) if (event === 'deck') told.add(tab);
  });
  const done = Promise.allSettled(streams);
  for (let change = 0; change < CHANGES; change++) {
    const response = await fetch(`${rig.runtime.apiUrl}/api/v1/decks/${deckId}/verdicts`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'tag', text: `tag ${change}`, on: true }),
    });
    if (!response.ok) throw new Error(`a tag was refused: ${await response.text()}`);
  }
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  const after = await residentMiB(pid);
  if (told.size < TABS) throw new Error(`only ${told.size} of ${TABS} streams were told of a change`);
  ended.abort();
  await done;
  return after - before;
}
