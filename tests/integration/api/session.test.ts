/** Sessions of browsers: a key for a cookie, what the cookie is good for and what pages from elsewhere cannot do with it. */
import { beforeAll, expect, it } from 'vitest';
import type { CreatedApiKeyDocument } from '../../../api/keys/schemas.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { perFile } from '../../../testing/per-file.ts';
import { send, serveApi, serveInTest, startTestApi } from './support.ts';

const UI = 'http://127.0.0.1:8233';
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'content-type': 'application/json' };

let made: CreatedApiKeyDocument;
const api = perFile(startTestApi);
const server = perFile(() => serveApi({ ...api, config: { ...api.config, temporalUiUrl: UI } }));
beforeAll(async () => {
  made = await api.client.POST('/keys', { body: { name: 'Browser <b>', role: 'operator' } });
});

const at = (path: string): string => `${server.url}/api/v1${path}`;
const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(at(path), { redirect: 'manual', ...init });

/** `name=value` of the session's cookie. */
function cookieOf(response: Response): string {
  const [cookie = ''] = response.headers.getSetCookie();
  return cookie.split(';')[0] ?? '';
}

async function login(key = made.key): Promise<string> {
  const response = await ask('/session', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ key }) });
  expect(response.status).toBe(200);
  return cookieOf(response);
}

it('POST /session exchanges a key for a cookie that scripts cannot read and only its hash is kept of', async () => {
  const askedAtMs = Date.now();
  const answer = await api.post('/session', { key: made.key });
  const answeredAtMs = Date.now();
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ keyId: made.id, role: 'operator', tenantId: 'default' });
  const [cookie = ''] = answer.headers.getSetCookie();
  expect(cookie).toMatch(/^deckhand_session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const token = cookie.split(/[=;]/)[1] ?? '';
  const row = await api.db.apiSession.findUniqueOrThrow({ where: { tokenSha256: sha256Hex(token) } });
  expect(JSON.stringify(row)).not.toContain(token);
  const twelveHoursMs = 12 * 3_600_000;
  expect(row.expiresAt.getTime()).toBeGreaterThanOrEqual(askedAtMs + twelveHoursMs);
  expect(row.expiresAt.getTime()).toBeLessThanOrEqual(answeredAtMs + twelveHoursMs);
  expect((await ask('/decks', { headers: { cookie: `deckhand_session=${token}` } })).status).toBe(200);
});

it('POST /session gives behind https a cookie that is never sent in clear and that no other host can set', async () => {
  const secure = await serveInTest({ ...api, config: { ...api.config, publicUrl: 'https://deckhand.example' } });
  const body = JSON.stringify({ key: made.key });
  const response = await fetch(`${secure.url}/api/v1/session`, { method: 'POST', headers: JSON_TYPE, body });
  const [cookie = ''] = response.headers.getSetCookie();
  expect(cookie).toMatch(/^__Host-deckhand_session=/);
  expect(cookie).toContain('; Secure');
  const url = `${secure.url}/api/v1/session/end`;
  const host = 'deckhand.example';
  const headers = { host, cookie: cookie.split(';')[0] ?? '' };
  // The same name without https is not ours.
  expect((await send(url, { ...headers, origin: 'http://deckhand.example' }, 'POST')).status).toBe(403);
  expect((await send(url, { ...headers, origin: 'https://deckhand.example' }, 'POST')).status).toBe(303);
});

it('POST /session 401: not for a wrong or revoked key; 400: not without one', async () => {
  expect((await api.post('/session', { key: 'dh_o_wrong' })).status).toBe(401);
  expect((await api.post('/session', {})).status).toBe(400);
  expect((await ask('/session', { method: 'POST', headers: JSON_TYPE, body: '{' })).status).toBe(400);
  const plain = { 'content-type': 'text/plain' };
  const body = JSON.stringify({ key: made.key });
  expect((await ask('/session', { method: 'POST', headers: plain, body })).status).toBe(400);
  const large = await ask('/session', { method: 'POST', headers: FORM, body: `key=${'x'.repeat(20_000)}` });
  expect(large.status).toBe(400);
});

it('POST /session 403: no page from elsewhere signs a browser in (login CSRF) or out', async () => {
  const cookie = await login();
  const body = `key=${made.key}`;
  for (const origin of ['http://evil.example', 'null', 'http://127.0.0.1:9', server.url.replace('http:', 'https:')]) {
    const isOurs = new URL(server.url).host === URL.parse(origin)?.host;
    const headers = { ...FORM, origin };
    const answer = await ask('/session', { method: 'POST', headers, body });
    expect(answer.status, origin).toBe(isOurs ? 303 : 403);
    if (!isOurs) expect(answer.headers.getSetCookie(), origin).toEqual([]);
  }
  const crossSite = { ...FORM, 'sec-fetch-site': 'cross-site' };
  expect((await ask('/session', { method: 'POST', headers: crossSite, body })).status).toBe(403);
  const foreign = { cookie, origin: 'http://evil.example' };
  expect((await ask('/session', { method: 'DELETE', headers: foreign })).status).toBe(403);
  expect((await ask('/session/end', { method: 'POST', headers: foreign })).status).toBe(403);
  expect((await ask('/decks', { headers: { cookie } })).status).toBe(200);
});

it('the cookie of a session reads for any page, which cannot see the answer, and changes things for our own pages alone', async () => {
  const cookie = await login();
  const own = { cookie, origin: server.url };
  expect((await ask('/keys', { headers: { cookie, origin: 'http://evil.example' } })).status).toBe(200);
  const body = JSON.stringify({ slug: 'by-cookie' });
  for (const origin of ['http://evil.example', 'null', UI]) {
    const headers = { ...JSON_TYPE, cookie, origin };
    const answer = await ask('/tenants', { method: 'POST', headers, body });
    expect(answer.status, origin).toBe(403);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  }
  expect((await ask('/tenants', { method: 'POST', headers: { ...JSON_TYPE, cookie }, body })).status).toBe(403);
  expect((await ask('/tenants', { method: 'POST', headers: { ...JSON_TYPE, ...own }, body })).status).toBe(201);
});

it('a key that is shown goes before the cookie of a session', async () => {
  const cookie = await login();
  const body = JSON.stringify({ slug: 'by-key' });
  const headers = { ...JSON_TYPE, cookie, ...api.authorization, origin: 'http://evil.example' };
  expect((await ask('/tenants', { method: 'POST', headers, body })).status).toBe(201);
  expect((await ask('/decks', { headers: { cookie, authorization: 'Bearer dh_o_wrong' } })).status).toBe(401);
});

it('the cookie of a session lets the Temporal UI, and no other page, ask the codec server', async () => {
  const cookie = await login();
  const body = JSON.stringify({ payloads: [] });
  const decode = (origin: string, headers: Record<string, string> = {}): Promise<Response> =>
    ask('/codec/decode', { method: 'POST', headers: { ...JSON_TYPE, origin, ...headers }, body });
  const answer = await decode(UI, { cookie });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('access-control-allow-origin')).toBe(UI);
  expect(answer.headers.get('access-control-allow-credentials')).toBe('true');
  expect((await decode(UI)).status).toBe(401);
  expect((await decode('http://evil.example', { cookie })).status).toBe(403);
});

it('the cookie of a session ends with DELETE /session, after twelve hours, and with its key', async () => {
  const works = async (cookie: string): Promise<boolean> =>
    (await ask('/decks', { headers: { cookie } })).status === 200;
  const left = await login();
  const out = await ask('/session', { method: 'DELETE', headers: { cookie: left, origin: server.url } });
  expect(out.status).toBe(204);
  expect(out.headers.getSetCookie()[0]).toContain('Max-Age=0');
  expect(await works(left)).toBe(false);

  const first = await login();
  const headers = { ...JSON_TYPE, cookie: first };
  await ask('/session', { method: 'POST', headers, body: JSON.stringify({ key: made.key }) });
  expect(await works(first)).toBe(false);

  const old = await login();
  const tokenSha256 = sha256Hex(old.split('=')[1] ?? '');
  await api.db.apiSession.update({ where: { tokenSha256 }, data: { expiresAt: new Date(Date.now() - 1) } });
  expect(await works(old)).toBe(false);
  await login();
  expect(await api.db.apiSession.findUnique({ where: { tokenSha256 } })).toBeNull();

  const key = await api.client.POST('/keys', { body: { name: 'Short', role: 'analyst' } });
  const revoked = await login(key.key);
  expect(await works(revoked)).toBe(true);
  await api.client.DELETE('/keys/{id}', { params: { path: { id: key.id } } });
  expect(await works(revoked)).toBe(false);
});

it('the sign-in page is where a browser without a key is sent, and leads back', async () => {
  const report = '/analyses/some/report?format=html';
  const sent = await ask(report, { headers: HTML });
  expect(sent.status).toBe(303);
  const location = sent.headers.get('location') ?? '';
  expect(location).toBe(`/api/v1/session?next=${encodeURIComponent(`/api/v1${report}`)}`);
  const page = await (await fetch(`${server.url}${location}`, { headers: HTML })).text();
  expect(page).toContain('value="/api/v1/analyses/some/report?format=html"');
  const body = new URLSearchParams({ key: made.key, next: `/api/v1${report}` });
  const back = await ask('/session', { method: 'POST', headers: { ...FORM, origin: server.url }, body });
  expect([back.status, back.headers.get('location')]).toEqual([303, `/api/v1${report}`]);
  const cookie = cookieOf(back);
  expect((await ask(report, { headers: { ...HTML, cookie } })).status).toBe(404);
  // A browser that is signed in by then goes straight on.
  const again = await fetch(`${server.url}${location}`, { redirect: 'manual', headers: { ...HTML, cookie } });
  expect([again.status, again.headers.get('location')]).toEqual([303, `/api/v1${report}`]);
  // Programs are told, not sent.
  expect((await ask(report, { headers: { accept: 'application/json' } })).status).toBe(401);
  expect((await ask('/decks', { method: 'POST', headers: HTML })).status).toBe(401);
});

it('the sign-in page leads nowhere else', async () => {
  for (const next of [
    'https://evil.example/',
    '//evil.example/api/v1/decks',
    '/\\evil.example/api/v1/',
    'javascript:alert(1)',
  ]) {
    const body = new URLSearchParams({ key: made.key, next });
    const back = await ask('/session', { method: 'POST', headers: { ...FORM, origin: server.url }, body });
    expect(back.headers.get('location'), next).toBe('/');
    const page = await (await ask(`/session?next=${encodeURIComponent(next)}`, { headers: HTML })).text();
    expect(page).not.toContain('evil.example');
  }
});

it('the sign-in page shows why a key was refused, and who is signed in, with nothing that runs', async () => {
  const wrong = await ask('/session', {
    method: 'POST',
    headers: { ...FORM, ...HTML, origin: server.url },
    body: 'key=dh_o_x',
  });
  expect(wrong.status).toBe(401);
  expect(await wrong.text()).toMatch(/key.*not known/u);
  const cookie = await login();
  const page = await ask('/session', { headers: { ...HTML, cookie } });
  // With `no-referrer` a browser would send `Origin: null` with our own form.
  expect(page.headers.get('referrer-policy')).toBe('same-origin');
  const text = await page.text();
  expect(text).toContain('Browser &lt;b&gt;');
  expect(text).not.toContain('<script');
  const end = await ask('/session/end', { method: 'POST', headers: { cookie, origin: server.url } });
  expect([end.status, end.headers.get('location')]).toEqual([303, '/api/v1/session']);
  expect((await ask('/decks', { headers: { cookie } })).status).toBe(401);
});

it('the sign-in page says who a program is', async () => {
  const cookie = await login();
  const answer = await api.call('GET', '/session');
  expect(answer.body).toMatchObject({ role: 'operator', expiresAt: null });
  const session = (await (await ask('/session', { headers: { cookie } })).json()) as { expiresAt: string };
  expect(Date.parse(session.expiresAt)).toBeGreaterThan(Date.now());
  expect((await ask('/session')).status).toBe(401);
});

it('pages of another origin may ask for nothing but the codec server and the session, and only the Temporal UI may', async () => {
  const preflight = (path: string, origin: string): Promise<Response> =>
    ask(path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    });
  for (const path of ['/session', '/codec/decode']) {
    const allowed = await preflight(path, UI);
    expect(allowed.status, path).toBe(204);
    expect(allowed.headers.get('access-control-allow-origin')).toBe(UI);
    expect(allowed.headers.get('access-control-allow-credentials')).toBe('true');
    expect((await preflight(path, 'http://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
  }
  expect((await preflight('/decks', UI)).headers.get('access-control-allow-origin')).toBeNull();
  const login = await ask('/session', {
    method: 'POST',
    headers: { ...JSON_TYPE, origin: UI, 'sec-fetch-site': 'same-site' },
    body: JSON.stringify({ key: made.key }),
  });
  expect(login.status).toBe(200);
  expect(login.headers.get('access-control-allow-origin')).toBe(UI);
});

it('an open API needs no sign-in, and says so', async () => {
  const open = await serveInTest({ ...api, config: { ...api.config, auth: 'open' } });
  const page = await (await fetch(`${open.url}/api/v1/session`, { headers: HTML })).text();
  expect(page).toContain('asks for no keys');
  expect((await fetch(`${open.url}/api/v1/keys`)).status).toBe(200);
  const anything = await fetch(`${open.url}/api/v1/session`, {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify({ key: 'anything' }),
  });
  expect(anything.headers.getSetCookie()).toEqual([]);
  expect(await anything.json()).toMatchObject({ keyId: null, expiresAt: null });
});
