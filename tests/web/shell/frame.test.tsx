/** The frame around every page: pages, account, language, appearance, and what stands in place of a page. */
import { screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { setTheme } from '../../../web/shell/theme.ts';
import { answerApi, callsOf, problem } from '../support/api.ts';
import { documents } from '../support/documents.ts';
import { watchLocation } from '../support/location.ts';
import { openPage } from '../support/open-page.tsx';

const SESSION = { tenantId: 'acme', keyId: 'key-1', name: 'Ann Archer', role: 'analyst', expiresAt: null } as const;

it('The bar names the pages in German and marks the one that is open', async () => {
  const { user, address } = await openPage('/companies?q=pulsara', { language: 'de' });
  const pages = within(screen.getByRole('navigation', { name: 'Seiten' }));
  expect(pages.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'Decks',
    'Portfolio',
    'Firmen',
    'Abgleich',
  ]);
  expect(pages.getByRole('link', { name: 'Firmen' }).getAttribute('aria-current')).toBe('page');
  expect(pages.getByRole('link', { name: 'Decks' }).getAttribute('aria-current')).toBeNull();
  expect(screen.getByRole('link', { name: 'Zum Inhalt' }).getAttribute('href')).toBe(`#${screen.getByRole('main').id}`);
  await user.click(pages.getByRole('link', { name: 'Abgleich' }));
  await screen.findByRole('heading', { level: 1, name: 'Abgleich' });
  expect(address()).toBe('/calibration');
});

it('On a phone the pages are in a menu', async () => {
  const { user, address } = await openPage('/companies', { width: 'phone' });
  await user.click(screen.getByRole('button', { name: 'Menu' }));
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
    'Decks',
    'Portfolio',
    'Companies',
    'Calibration',
  ]);
  await user.click(screen.getByRole('menuitem', { name: 'Portfolio' }));
  await expect.poll(address).toBe('/portfolio');
  await expect.poll(() => screen.queryByRole('menu')).toBeNull();
});

it('Language and appearance change at once while the menu stays open, and are kept', async () => {
  const { user } = await openPage('/companies');
  await user.click(await screen.findByRole('button', { name: 'Signed in as Ann Archer' }));
  const check = (name: string) => screen.findByRole('menuitemcheckbox', { name });
  expect((await check('English')).getAttribute('aria-checked')).toBe('true');
  await user.click(await check('Deutsch'));
  expect(screen.getByRole('link', { name: 'Firmen', hidden: true })).toBeTruthy();
  expect(document.documentElement.lang).toBe('de');
  expect((await check('Wie das System')).getAttribute('aria-checked')).toBe('true');
  await user.click(await check('Dunkel'));
  expect(document.documentElement.dataset['theme']).toBe('dark');
  expect((await check('Dunkel')).getAttribute('aria-checked')).toBe('true');
  expect([localStorage.getItem('deckhand.language'), localStorage.getItem('deckhand.theme')]).toEqual(['de', 'dark']);
  await user.click(await check('Hell'));
  expect(document.documentElement.dataset['theme']).toBe('light');
  setTheme('system');
});

it('The account menu signs out to the login page', async () => {
  const left = watchLocation();
  const { user } = await openPage('/companies', { answers: { 'DELETE /session': null } });
  await user.click(await screen.findByRole('button', { name: 'Signed in as Ann Archer' }));
  expect((await screen.findByRole('menuitem', { name: 'Costs' })).getAttribute('href')).toBe(
    '/api/v1/costs?format=html',
  );
  // Alerts are for operators.
  expect(screen.queryByRole('menuitem', { name: 'Alerts and targets' })).toBeNull();
  await user.click(screen.getByRole('menuitem', { name: 'Sign out' }));
  await expect.poll(() => left.to.mock.calls).toEqual([['/api/v1/session']]);
  expect(callsOf('DELETE /session')).toHaveLength(1);
});

it('An operator has the alerts, and a machine without keys no sign-out', async () => {
  const { user, queries } = await openPage('/companies', {
    answers: { 'GET /session': { ...SESSION, role: 'operator' } },
  });
  await user.click(await screen.findByRole('button', { name: 'Signed in as Ann Archer' }));
  expect((await screen.findByRole('menuitem', { name: 'Alerts and targets' })).getAttribute('href')).toBe(
    '/api/v1/alerts?format=html',
  );
  answerApi({ 'GET /session': { ...SESSION, keyId: null } });
  await queries.invalidateQueries({ queryKey: ['session'] });
  expect((await screen.findAllByText('No sign-in needed on this machine')).length).toBeGreaterThan(0);
  expect(screen.queryByRole('menuitem', { name: 'Sign out' })).toBeNull();
});

it('A browser without a session is led to the login and back to its page', async () => {
  const left = watchLocation();
  await openPage('/portfolio?status=completed', {
    answers: { 'GET /decks/portfolio': problem(401, 'unauthorized', 'Sign in first.') },
  });
  await expect
    .poll(() => left.to.mock.calls)
    .toEqual([[`/api/v1/session?next=${encodeURIComponent('/portfolio?status=completed')}`]]);
});

it('A page that does not exist is named, and leads to the decks', async () => {
  const { user, address } = await openPage('/companies/none/at/all');
  await screen.findByRole('heading', { name: 'There is no such page.' });
  await user.click(screen.getByRole('link', { name: 'To the decks' }));
  await expect.poll(address).toBe('/');
});

it('A page that breaks is said inside the frame, and loaded again on request', async () => {
  const left = watchLocation();
  // React and the router report what a component throws.
  const reported = (['error', 'warn'] as const).map((kind) =>
    vi.spyOn(console, kind).mockImplementation(() => undefined),
  );
  const broken = { ...documents.portfolio(), sectors: null } as unknown as ReturnType<typeof documents.portfolio>;
  const { user } = await openPage('/portfolio', { answers: { 'GET /decks/portfolio': broken } });
  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText(/null/u)).toBeTruthy();
  expect(screen.getByRole('navigation', { name: 'Pages' })).toBeTruthy();
  await user.click(alert.getByRole('button', { name: 'Try again' }));
  expect(left.again.mock.calls).toHaveLength(1);
  for (const each of reported) each.mockRestore();
});
