/** The frame around the pages: sign-in, language, appearance, the connection, and pages that do not exist. */
import { expect, it } from 'vitest';
import { checkPage, LOOKS, workspacePerFile } from './support/workspace.ts';

const workspace = workspacePerFile('pages-shell');

it.each(LOOKS)('shows the frame in $language at the width of a $width', async (look) => {
  const page = await workspace.open('/', look);
  const names = { en: 'Portfolio', de: 'Portfolio' };
  if (look.width === 'phone')
    await page.getByRole('button', { name: look.language === 'de' ? 'Menü' : 'Menu' }).click();
  const role = look.width === 'phone' ? 'menuitem' : 'link';
  await page.getByRole(role, { name: names[look.language] }).waitFor();
  if (look.width === 'phone') await page.keyboard.press('Escape');
  await page.getByText('Live', { exact: true }).waitFor();
  await checkPage(page, look.language);
});

it('leads a browser without a session to the login and back to the page', async () => {
  const context = await workspace.newContext();
  try {
    const page = await context.newPage();
    await page.goto(`${workspace.url}/portfolio?status=completed`);
    await page.getByLabel('API key').fill(workspace.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${workspace.url}/portfolio?status=completed`);
  } finally {
    await context.close();
  }
});

it('says since when it has no connection, and becomes live again', async () => {
  const page = await workspace.open('/');
  await page.getByText('Live', { exact: true }).waitFor();
  await page.context().setOffline(true);
  await page.getByText(/^As of /u).waitFor();
  await page.context().setOffline(false);
  await page.getByText('Live', { exact: true }).waitFor();
});

it('reads one event stream for all tabs of a browser', async () => {
  const page = await workspace.open('/');
  await page.getByText('Live', { exact: true }).waitFor();
  const streams: string[] = [];
  page.context().on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/v1/events') streams.push(request.url());
  });
  const second = await page.context().newPage();
  await second.goto(workspace.url);
  await second.getByText('Live', { exact: true }).waitFor();
  expect(streams).toEqual([]);
  await page.close();
  // The second tab takes over.
  await expect.poll(() => streams.length).toBe(1);
  await second.getByText('Live', { exact: true }).waitFor();
});

it('A page that does not exist, in German and in the dark, is accessible', async () => {
  const page = await workspace.open('/companies/none/at/all', { language: 'de', theme: 'dark' });
  await page.getByRole('heading', { name: 'Diese Seite gibt es nicht.' }).waitFor();
  await checkPage(page, 'de');
});
