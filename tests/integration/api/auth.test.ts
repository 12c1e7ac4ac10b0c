/** Who may do what: every route for every role, keys and what revoking them ends, tenants apart, a data directory's own key. */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { accessOf } from '../../../api/auth/access-rules.ts';
import { admitOwnKey } from '../../../api/auth/own-key.ts';
import { createDeckhandClient, type DeckhandClient } from '../../../api/client.ts';
import { createLogger } from '../../../platform/log.ts';
import { ownKeyPath } from '../../../platform/own-api-key.ts';
import { until } from '../../../testing/until.ts';
import { send, serveInTest, startTestApi } from './support.ts';
import { perFile, folderPerTest } from '../../../testing/per-file.ts';

const log = createLogger('api-test', { logLevel: 'silent' });

let analyst: string;
const api = perFile(startTestApi);
beforeAll(async () => {
  analyst = (await api.client.POST('/keys', { body: { name: 'Ann', role: 'analyst' } })).key;
});

const bearer = (key: string): { authorization: string } => ({ authorization: `Bearer ${key}` });
const clientOf = (key?: string): DeckhandClient => createDeckhandClient(api.url, { apiKey: key });

/** Every route of the document, with values in its path that nothing has. */
const everyRoute = () =>
  api.routes.map(({ method, template }) => ({
    method,
    template: template.replace('/api/v1', ''),
    path: template.replaceAll(/\{[^}]+\}/g, 'nothing-of-this-name'),
  }));

/** Status of a route for a caller; no body is sent, so that an allowed call does nothing. */
async function statusFor(method: string, path: string, key?: string): Promise<Response> {
  const response = await fetch(`${api.url}${path}`, {
    method,
    redirect: 'manual',
    headers: key === undefined ? {} : bearer(key),
  });
  await response.body?.cancel();
  return response;
}

it('every route needs a key, but for health and the sign-in page', async () => {
  const open: string[] = [];
  for (const { method, template, path } of everyRoute()) {
    const response = await statusFor(method, path);
    if (accessOf(method, template) === 'anyone') {
      open.push(`${method} ${template}`);
      continue;
    }
    expect(response.status, `${method} ${template}`).toBe(401);
    expect(response.headers.get('www-authenticate'), `${method} ${template}`).toMatch(/^Bearer/);
    expect((await statusFor(method, path, 'dh_o_wrong')).status, `${method} ${template}`).toBe(401);
  }
  expect(open.toSorted((a, b) => a.localeCompare(b))).toEqual([
    'DELETE /session',
    'GET /health',
    'GET /health/proof',
    'GET /session',
    'GET /session/open',
    'POST /session',
    'POST /session/end',
  ]);
});

it('every route lets an analyst do the daily work, and an operator everything', async () => {
  const refused = new Set<string>();
  const allowed: string[] = [];
  const areaOf = (path: string): string => path.split('/')[1] ?? '';
  const routes = everyRoute().filter(({ method, template }) => accessOf(method, template) !== 'anyone');
  for (const { method, template, path } of routes) {
    const { status } = await statusFor(method, path, analyst);
    expect(status, `${method} ${template}`).not.toBe(401);
    if (status === 403) refused.add(areaOf(template));
    else allowed.push(`${method} ${template}`);
    const forOperator = (await statusFor(method, path, api.apiKey)).status;
    expect([401, 403], `${method} ${template} answers an operator ${forOperator}`).not.toContain(forOperator);
  }
  expect([...refused].toSorted((a, b) => a.localeCompare(b))).toEqual([
    'alert-rules',
    'alerts',
    'budgets',
    'codec',
    'costs',
    'fleet',
    'keys',
    'metrics',
    'models',
    'performance',
    'rollouts',
    'schedules',
    'targets',
    'tenants',
    'webhooks',
  ]);
  // Of what is kept for operators, an analyst sees the models and the costs of the own tenant.
  expect(allowed.filter((route) => refused.has(areaOf(route))).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'GET /costs',
    'GET /costs/reports',
    'GET /costs/reports/{id}',
    'GET /models',
    'GET /models/catalog',
    'GET /models/probes',
  ]);
  expect(routes.length).toBeGreaterThan(25);
});

it('every route says in the document who may use it', async () => {
  const response = await fetch(`${api.url}/api/v1/openapi.json`, { headers: bearer(analyst) });
  const { paths, components } = (await response.json()) as {
    paths: Record<string, Record<string, { security?: unknown; responses: Record<string, unknown> }>>;
    components: { securitySchemes: Record<string, unknown> };
  };
  expect(Object.keys(components.securitySchemes)).toEqual(['key', 'session']);
  expect(paths['/api/v1/decks']?.['get']).toMatchObject({ security: [{ key: [] }, { session: [] }] });
  expect(paths['/api/v1/health']?.['get']?.security).toBeUndefined();
});

it('every route is refused when no role is declared for it, also to an operator, and has run nothing', async () => {
  let ran = 0;
  const server = await serveInTest({
    ...api,
    extend: (app) => {
      app.get('/api/v1/forgotten', (c) => c.json({ ran: (ran += 1) }));
      app.all('/api/v1/for-all-methods', (c) => c.json({ ran: (ran += 1) }));
      app.get('/outside', (c) => c.json({ ran: (ran += 1) }));
    },
  });
  const statusOf = async (path: string): Promise<number> =>
    (await fetch(`${server.url}${path}`, { headers: api.authorization })).status;
  expect(await statusOf('/api/v1/forgotten')).toBe(403);
  expect(await statusOf('/api/v1/for-all-methods')).toBe(404);
  expect(await statusOf('/outside')).toBe(404);
  expect(await statusOf('/api/v1/decks')).toBe(200);
  expect(ran).toBe(0);
});

it('every route says what to do in its refusal', async () => {
  await expect(clientOf().GET('/models')).rejects.toMatchObject({
    code: 'unauthenticated',
    hint: expect.stringContaining('keys create') as string,
  });
  await expect(clientOf(analyst).GET('/fleet')).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringMatching(/operator.*analyst/u) as string,
    hint: expect.stringContaining('--role operator') as string,
  });
  const other = await fetch(`${api.url}/api/v1/decks`, { headers: { authorization: 'Basic dXNlcjpwdw==' } });
  expect(await other.json()).toMatchObject({ status: 401, hint: expect.stringContaining('Bearer') as string });
});

it('keys are shown once, kept as a hash, and listed without it', async () => {
  const made = await api.client.POST('/keys', { body: { name: 'Bob', role: 'operator' } });
  expect(made.key.startsWith(made.prefix)).toBe(true);
  const row = await api.db.apiKey.findUniqueOrThrow({ where: { id: made.id } });
  expect(JSON.stringify(row)).not.toContain(made.key);
  const listed = (await api.client.GET('/keys')).items.find((key) => key.id === made.id);
  const { key, ...shown } = made;
  expect(listed).toEqual(shown);
  expect(JSON.stringify(listed)).not.toContain(key.slice(12));
  expect(JSON.stringify(listed)).not.toContain(row.keySha256);
  const session = await clientOf(key).GET('/session');
  expect(session).toEqual({ keyId: made.id, name: 'Bob', role: 'operator', tenantId: 'default', expiresAt: null });
});

it('keys remember when they were used, to the minute', async () => {
  const made = await api.client.POST('/keys', { body: { name: 'Clock', role: 'analyst' } });
  const usedAt = async (): Promise<Date | null> =>
    (await api.db.apiKey.findUniqueOrThrow({ where: { id: made.id } })).lastUsedAt;
  expect(await usedAt()).toBeNull();
  await clientOf(made.key).GET('/models');
  const first = await usedAt();
  expect(first).not.toBeNull();
  await clientOf(made.key).GET('/models');
  expect(await usedAt()).toEqual(first);
  const longAgo = new Date(Date.now() - 61_000);
  await api.db.apiKey.update({ where: { id: made.id }, data: { lastUsedAt: longAgo } });
  await clientOf(made.key).GET('/models');
  expect((await usedAt())?.getTime()).toBeGreaterThan(longAgo.getTime());
});

it('keys end at once when they are revoked, with the streams that they opened', async () => {
  const made = await api.client.POST('/keys', { body: { name: 'Gone', role: 'analyst' } });
  const row = await api.analysisRow({ status: 'running', stage: 'slides' });
  const events = await fetch(`${api.url}/api/v1/analyses/${row.id}/events`, { headers: bearer(made.key) });
  const reader = events.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  const revoked = await api.client.DELETE('/keys/{id}', { params: { path: { id: made.id } } });
  expect(revoked.revokedAt).not.toBeNull();
  await expect(clientOf(made.key).GET('/models')).rejects.toMatchObject({
    code: 'unauthenticated',
    message: expect.stringContaining('revoked') as string,
  });
  expect(await api.client.DELETE('/keys/{id}', { params: { path: { id: made.id } } })).toEqual(revoked);
  // The stream ends whatever news there are meanwhile.
  let ended = false;
  void (async () => {
    while ((await reader?.read())?.done === false);
    ended = true;
  })();
  const stages = ['extraction', 'slides'];
  await until(async () => {
    const stage = stages.reverse()[0] ?? null;
    await api.db.analysis.update({ where: { id: row.id }, data: { stage } });
    return ended;
  }).is(true);
});

it('the last operator’s key is not revoked unless forced; of two revoked at the same time one stays', async () => {
  const others = await api.db.apiKey.findMany({ where: { role: 'operator', revokedAt: null } });
  const own = others.find((key) => api.apiKey.startsWith(key.prefix));
  const second = await api.client.POST('/keys', { body: { name: 'Second', role: 'operator' } });
  for (const key of others) {
    if (key.id !== own?.id) await api.client.DELETE('/keys/{id}', { params: { path: { id: key.id } } });
  }
  const ids = [own?.id ?? '', second.id];
  const outcomes = await Promise.allSettled(
    ids.map((id) => clientOf(second.key).DELETE('/keys/{id}', { params: { path: { id } } })),
  );
  expect(outcomes.map((o) => o.status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await api.db.apiKey.count({ where: { role: 'operator', revokedAt: null } })).toBe(1);
  // Whichever it was: the tests go on with the own key.
  await api.db.apiKey.update({ where: { id: own?.id ?? '' }, data: { revokedAt: null } });
  await api.db.apiKey.updateMany({ where: { id: second.id, revokedAt: null }, data: { revokedAt: new Date() } });
  await expect(api.client.DELETE('/keys/{id}', { params: { path: { id: own?.id ?? '' } } })).rejects.toMatchObject({
    code: 'conflict',
  });
  await api.client.DELETE('/keys/{id}', { params: { path: { id: own?.id ?? '' }, query: { force: 'true' } } });
  await expect(api.client.GET('/keys')).rejects.toMatchObject({ code: 'unauthenticated' });
  await api.db.apiKey.update({ where: { id: own?.id ?? '' }, data: { revokedAt: null } });
});

it('keys are refused for a tenant that does not exist, without a name, and for a role that does not', async () => {
  await expect(
    api.client.POST('/keys', { body: { name: 'x', role: 'analyst', tenant: 'unknown' } }),
  ).rejects.toMatchObject({
    code: 'not_found',
  });
  expect((await api.post('/keys', { name: '  ', role: 'analyst' })).status).toBe(400);
  expect((await api.post('/keys', { name: 'x', role: 'root' })).status).toBe(400);
  expect((await api.call('DELETE', '/keys/nothing')).status).toBe(404);
});

it('tenants start with templates, prompts, sectors and models of their own, pinned to what the hosts hold', async () => {
  await api.db.modelConfiguration.updateMany({ where: { profile: 'reader' }, data: { pinnedDigest: 'abc' } });
  const tenant = await api.client.POST('/tenants', { body: { slug: 'fund-two', name: 'Fund Two', weight: 2.5 } });
  expect(tenant).toMatchObject({ slug: 'fund-two', name: 'Fund Two', weight: 2.5 });
  const counts = async (tenantId: string): Promise<number[]> =>
    Promise.all([
      api.db.question.count({ where: { tenantId } }),
      api.db.promptVersion.count({ where: { tenantId } }),
      api.db.sector.count({ where: { tenantId } }),
      api.db.modelConfiguration.count({ where: { tenantId } }),
      api.db.modelConfiguration.count({ where: { tenantId, pinnedDigest: 'abc' } }),
    ]);
  expect(await counts('fund-two')).toEqual(await counts('default'));
  expect((await counts('fund-two'))[0]).toBe(34);
});

it('tenants are made once, and changed by name', async () => {
  const made = await api.client.POST('/tenants', { body: { slug: 'fund-three' } });
  expect(made).toMatchObject({ name: 'fund-three', weight: 1 });
  expect(await api.client.POST('/tenants', { body: { slug: 'fund-three' } })).toEqual(made);
  await expect(api.client.POST('/tenants', { body: { slug: 'fund-three', weight: 2 } })).rejects.toMatchObject({
    code: 'conflict',
  });
  expect(
    await api.client.PATCH('/tenants/{slug}', { params: { path: { slug: 'fund-three' } }, body: { weight: 0.001 } }),
  ).toEqual({ ...made, weight: 0.001 });
  expect((await api.client.GET('/tenants')).items.map((tenant) => tenant.slug)).toContain('fund-three');
  await expect(
    api.client.PATCH('/tenants/{slug}', { params: { path: { slug: 'unknown' } }, body: { weight: 2 } }),
  ).rejects.toMatchObject({ code: 'not_found' });
  for (const weight of [0, 1000.1, -1]) {
    expect((await api.json('PATCH', '/tenants/fund-three', { weight })).status).toBe(400);
  }
  for (const slug of ['', 'A', 'a b', '-a', 'a-', 'a/b', 'x'.repeat(41)]) {
    expect((await api.post('/tenants', { slug })).status, slug).toBe(400);
  }
});

it('the own key of a data directory is known when the API starts, stays revoked, and is replaced when its file is deleted', async () => {
  const home = folderPerTest();
  const key = await admitOwnKey(api.db, home, log);
  expect(await admitOwnKey(api.db, home, log)).toBe(key);
  const { keyId, role } = await clientOf(key).GET('/session');
  expect(role).toBe('operator');
  await api.client.DELETE('/keys/{id}', { params: { path: { id: keyId ?? '' } } });
  expect(await admitOwnKey(api.db, home, log)).toBe(key);
  await expect(clientOf(key).GET('/session')).rejects.toMatchObject({
    code: 'unauthenticated',
    hint: expect.stringContaining('keys/operator.key') as string,
  });
  rmSync(ownKeyPath(home));
  const next = await admitOwnKey(api.db, home, log);
  expect(next).not.toBe(key);
  expect((await clientOf(next).GET('/session')).role).toBe('operator');
});

it('the own key of a data directory is the same for two that start at the same time', async () => {
  const home = folderPerTest();
  const keys = await Promise.all([1, 2, 3].map(() => admitOwnKey(api.db, home, log)));
  expect(new Set(keys).size).toBe(1);
});

it('a request from elsewhere is answered under any name when it shows a key, and without one only under a name of this machine', async () => {
  const url = `${api.url}/api/v1/decks`;
  expect((await send(url, { host: 'deckhand.example', ...bearer(analyst) })).status).toBe(200);
  expect((await send(url, { host: 'deckhand.example' })).status).toBe(400);
  expect((await send(url, { host: '127.0.0.1' })).status).toBe(401);
  const server = await serveInTest({ ...api, config: { ...api.config, publicUrl: 'https://deckhand.example' } });
  const health = `${server.url}/api/v1/health`;
  expect((await send(health, { host: 'deckhand.example' })).status).toBe(200);
  expect((await send(health, { host: 'evil.example' })).status).toBe(400);
  const wide = await serveInTest({ ...api, config: { ...api.config, apiHost: '0.0.0.0' } });
  expect((await send(`${wide.url}/api/v1/health`, { host: '10.0.0.7:8420' })).status).toBe(200);
  expect((await send(`${wide.url}/api/v1/decks`, { host: '10.0.0.7:8420' })).status).toBe(401);
});

it('the command line finds the key of its data directory, makes keys, lists and revokes them', async () => {
  const made = await api.deckhand(['keys', 'create', '--name', 'From the shell', '--role', 'operator']);
  expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('keys revoke') as string });
  const key = made.stdout.trim();
  expect(key).toMatch(/^dh_o_/);
  const { keyId } = await clientOf(key).GET('/session');
  const listed = await api.deckhand(['keys', 'list', '--json'], { DECKHAND_API_KEY: key });
  expect(JSON.parse(listed.stdout)).toContainEqual(expect.objectContaining({ id: keyId, name: 'From the shell' }));
  expect((await api.deckhand(['keys', 'list'])).stdout).toMatch(/^ID +KEY +ROLE +TENANT +STATE +NAME\n/);
  const revoked = await api.deckhand(['keys', 'revoke', keyId ?? '', '--json']);
  expect(JSON.parse(revoked.stdout)).toMatchObject({ id: keyId, revokedAt: expect.any(String) as string });
  const after = await api.deckhand(['keys', 'list'], { DECKHAND_API_KEY: key });
  expect(after).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('was revoked') as string });
});

it('the command line makes tenants and changes their weight', async () => {
  const made = await api.deckhand(['tenants', 'create', 'shell-fund', '--name', 'Shell', '--weight', '2', '--json']);
  expect(JSON.parse(made.stdout)).toMatchObject({ slug: 'shell-fund', name: 'Shell', weight: 2 });
  expect((await api.deckhand(['tenants', 'set', 'shell-fund', '--weight', '0.5'])).stdout).toMatch(
    /shell-fund +0\.5 +Shell/,
  );
  expect((await api.deckhand(['tenants', 'set', 'shell-fund', '--weight', 'much'])).code).toBe(2);
  expect((await api.deckhand(['tenants', 'list'])).stdout).toContain('shell-fund');
});

it('the command line never shows the key of this machine to another one', async () => {
  const seen: (string | undefined)[] = [];
  const elsewhere = createServer((incoming, response) => {
    seen.push(incoming.headers.authorization);
    response.writeHead(401, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify({ code: 'unauthenticated', detail: 'An API key is needed.', hint: 'Show one.' }));
  });
  elsewhere.listen(0, '0.0.0.0');
  onTestFinished(() => void elsewhere.close());
  await once(elsewhere, 'listening');
  const { port } = elsewhere.address() as AddressInfo;
  // A name of this machine that is not loopback stands for another one.
  const url = `http://0.0.0.0:${port}`;
  const answer = await api.deckhand(['keys', 'list'], { DECKHAND_API_URL: url });
  expect(answer).toMatchObject({ code: 3, stderr: expect.stringContaining('An API key is needed.') as string });
  await api.deckhand(['keys', 'list'], { DECKHAND_API_URL: url, DECKHAND_API_KEY: 'dh_a_for-there' });
  expect(seen).toEqual([undefined, 'Bearer dh_a_for-there']);
});
