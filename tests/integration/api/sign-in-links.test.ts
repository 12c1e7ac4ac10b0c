/** Links that sign a browser in: once, for twelve hours, on this machine, with the role of the key that made them. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { CreatedApiKeyDocument } from '../../../api/keys/schemas.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { perFile } from '../../../testing/per-file.ts';
import { OTHER_TENANT, problem, send, serveApi, serveInTest, startTestApi } from './support.ts';

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const JSON_TYPE = { 'content-type': 'application/json' };

let analyst: CreatedApiKeyDocument;
const api = perFile(startTestApi);
beforeAll(async () => {
  analyst = await api.client.POST('/keys', { body: { name: 'Ann', role: 'analyst' } });
});

const byKey = (key: string) => ({ authorization: `Bearer ${key}` });
const follow = (url: string, headers: Record<string, string> = HTML, method = 'GET'): Promise<Response> =>
  fetch(url, { redirect: 'manual', headers, method });
const tokenOf = (url: string): string => new URL(url).searchParams.get('token') ?? '';
const cookieOf = (response: Response): string => response.headers.getSetCookie()[0]?.split(';')[0] ?? '';

async function makeLink(next?: string, key = analyst.key): Promise<{ url: string; expiresAt: string }> {
  const answer = await api.post('/session/links', { next }, byKey(key));
  expect(answer.status).toBe(201);
  return answer.body as { url: string; expiresAt: string };
}

it('a sign-in link begins a session of the key that made it and leads to its page', async () => {
  const askedAtMs = Date.now();
  const { url, expiresAt } = await makeLink('/decks/1?analysis=2');
  const twelveHoursMs = 12 * 3_600_000;
  expect(Date.parse(expiresAt)).toBeGreaterThanOrEqual(askedAtMs + twelveHoursMs);
  expect(Date.parse(expiresAt)).toBeLessThanOrEqual(Date.now() + twelveHoursMs);
  expect(url).toMatch(new RegExp(`^${api.url}/api/v1/session/open\\?token=[\\w-]{43}$`, 'u'));
  const answer = await follow(url);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/decks/1?analysis=2']);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  const session = await fetch(`${api.url}/api/v1/session`, { headers: { cookie: cookieOf(answer) } });
  expect(await session.json()).toMatchObject({ keyId: analyst.id, role: 'analyst', name: 'Ann', tenantId: 'default' });
});

it('a sign-in link leads to the start page unless another page of ours is named', async () => {
  expect((await follow((await makeLink()).url)).headers.get('location')).toBe('/');
  for (const next of ['https://evil.example/', '//evil.example/decks/1', '/elsewhere', 'javascript:alert(1)']) {
    expect(await api.post('/session/links', { next }), next).toMatchObject(problem(400, 'invalid_request'));
  }
});

it('a sign-in link is stored by its hash alone', async () => {
  const token = tokenOf((await makeLink()).url);
  const row = await api.db.signInLink.findUniqueOrThrow({ where: { tokenSha256: sha256Hex(token) } });
  expect(JSON.stringify(row)).not.toContain(token);
});

it('a sign-in link works once, also when several browsers follow it at the same time', async () => {
  const { url } = await makeLink();
  const answers = await Promise.all(Array.from({ length: 8 }, () => follow(url)));
  expect(answers.filter((answer) => cookieOf(answer) !== '')).toHaveLength(1);
  for (const answer of answers) {
    const expected = cookieOf(answer) === '' ? '/api/v1/session?problem=link_over' : '/';
    expect([answer.status, answer.headers.get('location')]).toEqual([303, expected]);
  }
});

describe('a sign-in link that is over', () => {
  it('leads to the sign-in page, which says so in the language of the browser', async () => {
    const { url } = await makeLink();
    await follow(url);
    const location = (await follow(url)).headers.get('location') ?? '';
    const inEnglish = await (
      await follow(`${api.url}${location}`, { ...HTML, 'accept-language': 'fr,en;q=0.5' })
    ).text();
    expect(inEnglish).toContain('<html lang="en">');
    expect(inEnglish).toContain('This sign-in link was used before, or it is too old.');
    const inGerman = await (
      await follow(`${api.url}${location}`, { ...HTML, 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' })
    ).text();
    expect(inGerman).toContain('<html lang="de">');
    expect(inGerman).toContain('Dieser Anmeldelink wurde schon benutzt');
    expect(inGerman).toContain('name="key"');
  });

  it('leads a browser that is signed in already to the start page', async () => {
    const { url } = await makeLink();
    const cookie = cookieOf(await follow(url));
    const again = await follow(url, { ...HTML, cookie });
    expect([again.status, again.headers.get('location')]).toEqual([303, '/']);
  });

  it('is refused for a program by its name', async () => {
    const answer = await api.call('GET', '/session/open?token=unknown', {
      headers: { authorization: 'Bearer dh_o_wrong' },
    });
    expect(answer).toMatchObject(problem(401, 'unauthenticated'));
  });

  it('is one of twelve hours ago, and goes when the next one is made', async () => {
    const { url } = await makeLink();
    const tokenSha256 = sha256Hex(tokenOf(url));
    await api.db.signInLink.update({ where: { tokenSha256 }, data: { expiresAt: new Date(Date.now() - 1) } });
    expect(cookieOf(await follow(url))).toBe('');
    await makeLink();
    expect(await api.db.signInLink.findUnique({ where: { tokenSha256 } })).toBeNull();
  });

  it('is one whose key was revoked', async () => {
    const short = await api.client.POST('/keys', { body: { name: 'Short', role: 'analyst' } });
    const { url } = await makeLink('/', short.key);
    await api.client.DELETE('/keys/{id}', { params: { path: { id: short.id } } });
    expect(await api.db.signInLink.count({ where: { apiKeyId: short.id } })).toBe(0);
    expect(cookieOf(await follow(url))).toBe('');
  });
});

it('a sign-in link stays in the tenant of its key', async () => {
  const other = await api.client.POST('/keys', { body: { name: 'Other', role: 'analyst', tenant: OTHER_TENANT } });
  const answer = await follow((await makeLink('/', other.key)).url);
  const session = await fetch(`${api.url}/api/v1/session`, { headers: { cookie: cookieOf(answer) } });
  expect(await session.json()).toMatchObject({ tenantId: OTHER_TENANT, role: 'analyst' });
});

it('a sign-in link is not used up by a look at it', async () => {
  const { url } = await makeLink();
  expect((await follow(url, HTML, 'HEAD')).status).toBe(204);
  expect(cookieOf(await follow(url))).not.toBe('');
});

it('a sign-in link is made by whoever is signed in, and nobody else', async () => {
  const make = (headers: Record<string, string>): Promise<Response> =>
    fetch(`${api.url}/api/v1/session/links`, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: '{}' });
  expect((await make({})).status).toBe(401);
  const cookie = cookieOf(await follow((await makeLink()).url));
  expect((await make({ cookie, origin: api.url })).status).toBe(201);
  expect((await make({ cookie, origin: 'http://evil.example' })).status).toBe(403);
});

it('a sign-in link works on this machine alone', async () => {
  const { url } = await makeLink();
  const links = `${api.url}/api/v1/session/links`;
  for (const headers of [
    // By another name of this machine, which another page may own (DNS rebinding).
    { host: 'deckhand.example' },
    // Through a proxy, which may stand before the whole world.
    { 'x-forwarded-for': '192.0.2.1' },
    { forwarded: 'for=192.0.2.1' },
    // From a page of another site.
    { 'sec-fetch-site': 'cross-site' },
  ]) {
    const opened = await send(url, headers);
    expect([opened.status, opened.headers['set-cookie']], JSON.stringify(headers)).toEqual([
      'host' in headers ? 400 : 403,
      undefined,
    ]);
  }
  for (const headers of [{ host: 'deckhand.example' }, { 'x-forwarded-for': '192.0.2.1' }]) {
    const made = await send(links, { ...api.authorization, ...JSON_TYPE, ...headers }, 'POST', '{}');
    expect(made.status).toBe(403);
    expect(made.body).toContain('works only on the machine that Deckhand runs on');
  }
  expect(cookieOf(await follow(url))).not.toBe('');
});

it('a sign-in link is refused behind https, where a browser would not keep its cookie', async () => {
  const secure = await serveInTest({ ...api, config: { ...api.config, publicUrl: 'https://deckhand.example' } });
  const headers = { ...api.authorization, ...JSON_TYPE };
  const answer = await fetch(`${secure.url}/api/v1/session/links`, { method: 'POST', headers, body: '{}' });
  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({
    hint: expect.stringContaining('https://deckhand.example/api/v1/session') as string,
  });
});

describe('an open API', () => {
  const open = perFile(() => serveApi({ ...api, config: { ...api.config, auth: 'open' } }));

  it('names the page itself, for it signs nobody in', async () => {
    const body = JSON.stringify({ next: '/decks/1' });
    const answer = await fetch(`${open.url}/api/v1/session/links`, { method: 'POST', headers: JSON_TYPE, body });
    expect(await answer.json()).toEqual({ url: `${open.url}/decks/1`, expiresAt: null });
  });

  it('leads a link of before to the start page', async () => {
    const answer = await follow(`${open.url}/api/v1/session/open?token=of-before`);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
  });
});

it('the command line prints a link and nothing else on stdout', async () => {
  const printed = await api.deckhand(['open', '/portfolio']);
  expect(printed).toMatchObject({ code: 0, stderr: 'It works once, within 12 hours.\n' });
  expect((await follow(printed.stdout.trim())).headers.get('location')).toBe('/portfolio');
  const elsewhere = await api.deckhand(['open', '/elsewhere']);
  expect(elsewhere).toMatchObject({ code: 2, stdout: '' });
  expect(elsewhere.stderr).toContain('not a page of this installation');
});
