/** Who may use what, and where a sign-in leads: the decisions without a server. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ACCESS_RULES, accessOf, accessOfRequest, roleReaches, ROOT_RULES } from '../../../api/auth/access-rules.ts';
import { signInPath, safeNext } from '../../../api/auth/next-page.ts';
import { forAll } from '../../../testing/property.ts';

it('access rules let anyone ask for health and sign in, and nothing else', () => {
  const open = ACCESS_RULES.filter((rule) => rule.access === 'anyone').map((rule) => rule.path);
  expect(open).toEqual(['/health', '/session']);
  expect(accessOf('GET', '/health')).toBe('anyone');
  expect(accessOf('DELETE', '/health')).toBeUndefined();
});

it('access rules keep for operators what concerns the installation', () => {
  for (const [method, path] of [
    ['GET', '/fleet'],
    ['POST', '/fleet/instances/visual-1/destroy'],
    ['POST', '/fleet/reap'],
    ['DELETE', '/models/ollama/pins'],
    ['GET', '/keys'],
    ['DELETE', '/keys/1'],
    ['PATCH', '/tenants/default'],
    ['POST', '/webhooks'],
    ['POST', '/codec/decode'],
  ] as const)
    expect(accessOf(method, path), `${method} ${path}`).toBe('operator');
  expect(roleReaches('analyst', 'operator')).toBe(false);
  expect(roleReaches('operator', 'operator')).toBe(true);
});

it('access rules open the daily work to analysts', () => {
  for (const [method, path] of [
    ['POST', '/decks'],
    ['DELETE', '/decks/1'],
    ['GET', '/analyses/1/report'],
    ['HEAD', '/analyses/1/report'],
    ['GET', '/models'],
  ] as const)
    expect(accessOf(method, path), `${method} ${path}`).toBe('analyst');
  expect(roleReaches('analyst', 'analyst') && roleReaches('operator', 'analyst')).toBe(true);
});

it('access rules outside the prefix open the bundle to anyone, and the pages to whoever is signed in', () => {
  const open = ROOT_RULES.filter((rule) => rule.access === 'anyone').map((rule) => rule.path);
  expect(open).toEqual(['/assets', '/favicon.ico', '/favicon.svg']);
  for (const page of ['/', '/decks/1', '/compare', '/portfolio', '/calibration', '/companies', '/companies/1']) {
    expect(accessOfRequest('GET', page), page).toBe('analyst');
    expect(accessOfRequest('HEAD', page), page).toBe('analyst');
    expect(accessOfRequest('POST', page), page).toBeUndefined();
  }
  expect(accessOfRequest('GET', '/metrics')).toBe('operator');
  for (const path of ['/deck', '//', '/portfolios', '/api/v1', '/index.html', '/.env', '/assetsx'])
    expect(accessOfRequest('GET', path), path).toBeUndefined();
});

it('access rules let nobody make a sign-in link who is not signed in', () => {
  expect(accessOf('POST', '/session/links')).toBe('analyst');
  expect(accessOf('GET', '/session/open')).toBe('anyone');
});

it('access rules name no path that only begins like one of them', () => {
  for (const path of ['/healthy', '/session2', '/decksx', '/', '', '/.', '/nothing'])
    expect(accessOf('GET', path), path).toBeUndefined();
});

it('the page after a sign-in is the page that was asked for', () => {
  for (const page of [
    '/api/v1/analyses/1/report?format=html',
    '/',
    '/?q=robots&sort=-score',
    '/decks/1?analysis=2',
    '/compare?analyses=a,b',
    '/portfolio',
    '/calibration',
    '/companies/1',
  ])
    expect(safeNext(page)).toBe(page);
  const next = '/api/v1/analyses/1/report?format=html&x=%20';
  expect(safeNext(new URL(signInPath(next), 'http://h').searchParams.get('next') ?? '')).toBe(next);
});

it('the page after a sign-in is never on another site', () => {
  for (const next of [
    undefined,
    '',
    'https://evil.example/api/v1/decks',
    '//evil.example/api/v1/decks',
    '/\\evil.example/api/v1/decks',
    '\\\\evil.example/api/v1/decks',
    '/\t/evil.example/api/v1/decks',
    ' //evil.example/api/v1/decks',
    'javascript:alert(1)//api/v1/',
    'data:text/html,x',
    '/api/v1',
    '/elsewhere',
    '/metrics',
    '/decksx',
    '/assets/index.js',
    '/api/v1/../../elsewhere',
    'http://here.invalid.evil.example/api/v1/decks',
    'http://here.invalid@evil.example/api/v1/decks',
  ])
    expect(safeNext(next), String(next)).toBe('/');
});

it('the page after a sign-in stays on this origin whatever it is made of', async () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    'api/v1',
    'decks',
    '..',
    '//',
    'evil.example',
    ':',
    '@',
    '?',
    '#',
    '%2f',
    '\n',
    'http',
  );
  await forAll(
    [
      fc.oneof(
        fc.string(),
        fc.array(piece).map((parts) => parts.join('')),
      ),
    ],
    (text) => {
      const next = safeNext(text);
      const url = new URL(next, 'https://deckhand.example');
      expect(url.origin).toBe('https://deckhand.example');
      expect(url.pathname).toMatch(/^\/(?:$|api\/v1\/|(?:decks|compare|portfolio|calibration|companies)(?:$|\/))/u);
      expect(next).not.toMatch(/[\r\n]/);
    },
  );
});
