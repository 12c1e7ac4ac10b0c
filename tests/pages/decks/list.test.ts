/** The list on the start page: what it shows, how it is searched, filtered, sorted and read on, and its keys. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import { checkPage, LOOKS, workspacePerFile } from '../support/workspace.ts';
import { brokenFile, ended, storeFile } from './files.ts';

const TENANT = 'pages-list';
const workspace = workspacePerFile(TENANT);
/** More than the first page, and more than rows that are in sight. */
const MANY = 130;

let cardiosense: string;

beforeAll(async () => {
  [{ deckId: cardiosense }] = await Promise.all([workspace.review('cardiosense'), workspace.review('lumbalis', 'de')]);
  const broken = await storeFile(workspace, brokenFile('broken.pdf'));
  const { analysisId } = await workspace.client.startAnalysis(broken);
  await ended(workspace, analysisId);
});

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** Names of the decks that are shown, in their order. */
const names = (page: Page): Promise<string[]> => page.getByRole('rowheader').getByRole('link').allInnerTexts();

it.each(LOOKS)('shows what reviews found, in $language at the width of a $width', async (look) => {
  const page = await workspace.open('/', look);
  const isGerman = look.language === 'de';
  const deck = page.getByRole(look.width === 'phone' ? 'listitem' : 'row').filter({ hasText: 'cardiosense.pdf' });
  await deck.getByRole('link', { name: 'CardioSense' }).waitFor();
  await deck.getByText(isGerman ? '4,2 Mio. €' : '€4.2m').waitFor();
  const broken = page.getByRole(look.width === 'phone' ? 'listitem' : 'row').filter({ hasText: 'broken.pdf' });
  await broken.getByText(isGerman ? 'Die PDF-Datei ist beschädigt' : 'The PDF is damaged').waitFor();
  await broken
    .getByText(isGerman ? 'Die Prüfung ist fehlgeschlagen' : 'The review failed')
    .first()
    .waitFor();
  await checkPage(page, look.language);
});

it('says how many decks need a look, and shows only those', async () => {
  const page = await workspace.open('/');
  await page.getByRole('button', { name: '1 needs a look' }).click();
  await page.waitForURL(/[?&]attention=any/u);
  await until(() => names(page)).is(['broken.pdf']);
  await page.getByRole('button', { name: '1 needs a look', pressed: true }).click();
  await until(async () => (await names(page)).length).is(3);
});

it('searches while somebody types, keeps the focus, and has the search in its address', async () => {
  const page = await workspace.open('/');
  await row(page, 'broken.pdf').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('cardio');
  await page.waitForURL(/[?&]q=cardio/u);
  await until(() => names(page)).is(['CardioSense']);
  expect(await page.evaluate<string>('document.activeElement.id')).toBe('deck-search');
  await page.reload();
  await until(() => names(page)).is(['CardioSense']);
  await page.getByRole('searchbox', { name: 'Search decks' }).fill('nothing like this');
  await page.getByRole('heading', { name: 'No deck fits' }).waitFor();
  await checkPage(page);
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await until(async () => (await names(page)).length).is(3);
});

it('filters by values with their numbers, one chip for each filter', async () => {
  const page = await workspace.open('/');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('button', { name: 'Status' }).last().click();
  await page.getByRole('checkbox', { name: /^Failed 1$/u }).check();
  await page.waitForURL(/[?&]status=failed/u);
  await until(() => names(page)).is(['broken.pdf']);
  await checkPage(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Status Failed$/u }).waitFor();
  await page.getByRole('button', { name: 'Remove the filter Status' }).click();
  await until(async () => (await names(page)).length).is(3);
  await page.goBack();
  await until(() => names(page)).is(['broken.pdf']);
});

it('filters by a range of scores', async () => {
  const page = await workspace.open('/');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('button', { name: 'Score' }).last().click();
  await page.getByLabel('From').fill('0.5');
  await page.waitForURL(/[?&]minScore=0\.5$/u);
  await until(async () => (await names(page)).toSorted()).is(['CardioSense', 'Lumbalis']);
});

it('sorts by the head of a column, and says so', async () => {
  const page = await workspace.open('/');
  const head = page.getByRole('columnheader', { name: 'Deck' });
  await head.getByRole('button').click();
  await until(() => head.getAttribute('aria-sort')).is('ascending');
  await until(() => names(page)).is(['CardioSense', 'Lumbalis', 'broken.pdf']);
  await head.getByRole('button').click();
  await until(() => head.getAttribute('aria-sort')).is('descending');
  await page.waitForURL(/[?&]sort=-company/u);
});

it('saves what is set as a view, and brings it back', async () => {
  const page = await workspace.open('/?status=failed&sort=company');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByLabel('Name of the view').fill('Failed ones');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('View “Failed ones” saved').first().waitFor();
  await page.goto(`${workspace.url}/`);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'Failed ones', exact: true }).click();
  await page.waitForURL(/status=failed/u);
  await until(() => names(page)).is(['broken.pdf']);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'Delete the view Failed ones' }).click();
  await page.getByText('No saved views yet.').waitFor();
});

it('keeps the chosen columns for the next visit', async () => {
  const page = await workspace.open('/');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Deck date' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Sector' }).click();
  await page.reload();
  await page.getByRole('columnheader', { name: 'Deck date' }).waitFor();
  expect(await page.getByRole('columnheader', { name: 'Sector' }).count()).toBe(0);
});

it('moves between decks by keys, selects and opens them', async () => {
  const page = await workspace.open('/?sort=company');
  await row(page, 'broken.pdf').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByRole('checkbox', { name: 'Select Lumbalis', checked: true }).waitFor();
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${workspace.url}/decks/${cardiosense}`);
});

it('shows the progress of a running review as it comes', async () => {
  const page = await workspace.open('/portfolio');
  const progress = { [cardiosense]: { stage: 'slides', done: 7, total: 30, failed: 0 } };
  await page.route('**/api/v1/events*', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: `event: progress\ndata: ${JSON.stringify(progress)}\n\n` }),
  );
  await page.route('**/api/v1/decks?*', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(/"status":"completed(?:_with_gaps)?"/gu, '"status":"running"');
    await route.fulfill({ response, body });
  });
  await page.goto(`${workspace.url}/`);
  const bar = row(page, 'cardiosense.pdf').getByRole('progressbar', { name: 'Slide 7 of 30' });
  expect(await bar.getAttribute('aria-valuenow')).toBe('23');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

it('says why the list cannot be read, and reads it when asked again', async () => {
  const page = await workspace.open('/portfolio');
  const problem = { code: 'service_unavailable', detail: 'The database does not answer.', hint: 'Wait a moment.' };
  // The event stream would have it read again by itself.
  await page.route('**/api/v1/events*', (route) => route.abort());
  await page.route('**/api/v1/decks?*', (route) => route.fulfill({ status: 400, json: problem }));
  await page.goto(`${workspace.url}/`);
  await page.getByText('The database does not answer.').waitFor();
  await page.unroute('**/api/v1/decks?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await row(page, 'broken.pdf').waitFor();
});

it('loads at most 200 kB, compressed, for the first page', async () => {
  const page = await workspace.open('/portfolio');
  // What came over the network, with headers.
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  const files = new Set<string>();
  let bytes = 0;
  network.on('Network.responseReceived', ({ requestId, response }) => {
    if (!response.url.includes('/api/')) files.add(requestId);
  });
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (files.has(requestId)) bytes += encodedDataLength;
  });
  await page.goto(`${workspace.url}/`);
  await row(page, 'broken.pdf').waitFor();
  await page.waitForLoadState('networkidle');
  expect(files.size).toBeGreaterThan(2);
  expect(bytes).toBeLessThanOrEqual(200_000);
});

it.each(['desktop', 'phone'] as const)('reads on as somebody scrolls, at the width of a %s', async (width) => {
  const { rig } = workspace;
  await rig.db.deck.createMany({
    skipDuplicates: true,
    data: Array.from({ length: MANY }, (_, index) => {
      const id = `${TENANT}-${index}`;
      const createdAt = new Date(Date.UTC(2026, 0, 1, 0, index));
      return {
        id,
        tenantId: TENANT,
        sha256: id,
        fileName: `stored ${index}.pdf`,
        sizeBytes: 1,
        hazards: [],
        createdAt,
      };
    }),
  });
  const page = await workspace.open('/', { width });
  await page.getByText(`${MANY + 3} in all`).waitFor();
  await row(page, 'broken.pdf')
    .or(page.getByRole('listitem').filter({ hasText: 'broken.pdf' }))
    .first()
    .waitFor();
  const oldest = page.getByRole('link', { name: 'stored 0.pdf' });
  expect(await oldest.count()).toBe(0);
  await until(async () => {
    await page.mouse.move(200, 500);
    await page.mouse.wheel(0, 4000);
    return oldest.count();
  }).is(1);
  const rows = await page.locator('[data-row]').count();
  if (width === 'desktop') expect(rows).toBeLessThan(MANY / 2);
});
