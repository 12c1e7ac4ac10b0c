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

beforeAll(async () => {
  await workspace.review('cardiosense');
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
  await until(async () => (await names(page)).length).is(2);
  await page.goBack();
  await until(() => names(page)).is(['broken.pdf']);
});

it('A list in which nothing fits the search is accessible', async () => {
  const page = await workspace.open('/?q=nothing+like+this');
  await page.getByRole('heading', { name: 'No deck fits' }).waitFor();
  await checkPage(page);
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
  await page.getByText(`${MANY + 2} in all`).waitFor();
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
