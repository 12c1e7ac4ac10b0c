/** Tokens, call limits, keys, scripts, tags and volumes of the simulated DataCrunch. */
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../simulators/clouds/core/clock.ts';
import { createSimulatedDataCrunch } from '../../../simulators/clouds/datacrunch/app.ts';
import { LOGIN, startRig } from './datacrunch-client.ts';

const BASE = 'http://datacrunch.simulated/v1';

describe('tokens of the simulated DataCrunch', () => {
  const post = async (body: string, type: string) => {
    const datacrunch = createSimulatedDataCrunch({ clock: new VirtualClock() });
    const response = await datacrunch.fetch(`${BASE}/oauth2/token`, {
      method: 'POST',
      body,
      headers: { 'content-type': type },
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  it('are given for JSON and for forms', async () => {
    const form = await post(new URLSearchParams(LOGIN).toString(), 'application/x-www-form-urlencoded');
    const json = await post(JSON.stringify(LOGIN), 'application/json');
    for (const { status, body } of [form, json]) {
      expect(status).toBe(200);
      expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'cloud-api-v1' });
    }
  });

  it.each([
    [{ ...LOGIN, client_secret: 'wrong' }, 401, 'unauthorized_request', 'Invalid client id or client secret'],
    [{ ...LOGIN, grant_type: 'password' }, 400, 'invalid_request', 'unsupported grant type'],
    [{ grant_type: 'client_credentials' }, 400, 'invalid_request', 'client_id was not specified'],
    [{ grant_type: 'refresh_token', refresh_token: 'x' }, 401, 'unauthorized_request', 'Invalid refresh token'],
  ])('are refused for %j', async (body, status, code, message) => {
    expect(await post(JSON.stringify(body), 'application/json')).toEqual({ status, body: { code, message } });
  });

  it('end after an hour and when revoked, and can be refreshed', async () => {
    const clock = new VirtualClock();
    const datacrunch = createSimulatedDataCrunch({ clock });
    const login = async (body: unknown) =>
      (await (
        await datacrunch.fetch(`${BASE}/oauth2/token`, { method: 'POST', body: JSON.stringify(body) })
      ).json()) as { access_token: string; refresh_token: string };
    const status = async (token: string): Promise<number> =>
      (await datacrunch.fetch(`${BASE}/balance`, { headers: { authorization: `Bearer ${token}` } })).status;
    const first = await login(LOGIN);
    expect(await status(first.access_token)).toBe(200);
    clock.advance(3_600_000);
    expect(await status(first.access_token)).toBe(401);
    const second = await login({ grant_type: 'refresh_token', refresh_token: first.refresh_token });
    expect(await status(second.access_token)).toBe(200);
    datacrunch.revokeTokens();
    expect(await status(second.access_token)).toBe(401);
  });

  it('are not asked for where the API is public, and reach documented paths only', async () => {
    const datacrunch = createSimulatedDataCrunch({ clock: new VirtualClock() });
    const status = async (path: string): Promise<number> => (await datacrunch.fetch(`${BASE}${path}`)).status;
    expect(await status('/instance-types')).toBe(200);
    expect(await status('/volume-types')).toBe(200);
    expect(await status('/container-types')).toBe(200);
    for (const path of ['/instance-availability', '/locations', '/images', '/instances'])
      expect(await status(path)).toBe(401);
    const rig = await startRig();
    const expected = { code: 'forbidden_action', message: 'Insufficient scope' };
    expect((await rig.call('GET', '/internal')).json()).toEqual(expected);
  });
});

it('call limits count by path, say so in headers, and refuse with Retry-After until the minute is over', async () => {
  const rig = await startRig({ rateLimits: { project: 500, endpoint: 3, list: 5 } });
  const first = await rig.call('GET', '/balance');
  expect(first.headers.get('ratelimit-policy')).toBe('"project";q=500;w=60, "endpoint";q=3;w=60');
  expect(first.headers.get('ratelimit')).toMatch(/"endpoint";r=2;t=60$/u);
  rig.clock.advance(20_000);
  await rig.call('GET', '/balance');
  await rig.call('GET', '/balance');
  const refused = await rig.call('GET', '/balance');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '40']);
  expect((await rig.call('GET', '/locations')).status).toBe(200);
  for (let i = 0; i < 5; i += 1) expect((await rig.call('GET', '/instances')).status).toBe(200);
  expect((await rig.call('GET', '/instances')).status).toBe(429);
  rig.clock.advance(40_000);
  expect((await rig.call('GET', '/balance')).status).toBe(200);
});

it('call limits count the whole project', async () => {
  const rig = await startRig({ rateLimits: { project: 3, endpoint: 60, list: 120 } });
  // The rig's key was the first call.
  expect((await rig.call('GET', '/balance')).status).toBe(200);
  expect((await rig.call('GET', '/locations')).status).toBe(200);
  expect((await rig.call('GET', '/images')).status).toBe(429);
});

it('keys and scripts share one store under both names; one key comes as a list', async () => {
  const rig = await startRig();
  const { status, text } = await rig.call('POST', '/sshkeys', {
    name: 'k',
    key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 me',
  });
  expect(status).toBe(201);
  expect((await rig.call('GET', `/ssh-keys/${text}`)).json()).toMatchObject([{ id: text, name: 'k' }]);
  expect((await rig.call('DELETE', '/ssh-keys', { keys: [text] })).status).toBe(200);
  expect((await rig.call('GET', `/sshkeys/${text}`)).status).toBe(404);
  expect((await rig.call('DELETE', `/sshkeys/${text}`)).status).toBe(200);
});

it('keys and scripts come ten to a page, newest first', async () => {
  const rig = await startRig();
  for (let i = 1; i <= 12; i += 1) {
    await rig.call('POST', '/scripts', { name: `script ${i}`, script: '#!/bin/sh' });
    rig.clock.advance(1000);
  }
  const names = async (query: string) => {
    const answer = await rig.call('GET', `/scripts${query}`);
    return [answer.headers.get('x-total-count'), ...answer.json<{ name: string }[]>().map((s) => s.name)];
  };
  expect((await names('')).slice(0, 3)).toEqual(['12', 'script 12', 'script 11']);
  expect(await names('')).toHaveLength(11);
  expect(await names('?page=2')).toEqual(['12', 'script 2', 'script 1']);
  const expected = ['4', 'script 1', 'script 10', 'script 11', 'script 12'];
  expect(await names('?pageSize=100&orderDirection=asc&name=script 1')).toEqual(expected);
  expect((await rig.call('GET', '/scripts?pageSize=101')).status).toBe(400);
});

it('keys and scripts stop at the quota', async () => {
  const rig = await startRig({ quotas: { scripts: 1 } });
  await rig.call('POST', '/scripts', { name: 'a', script: 'x' });
  expect((await rig.call('POST', '/scripts', { name: 'b', script: 'x' })).status).toBe(400);
});

it('tags have one id in the whole project, filter lists, and go by id or key', async () => {
  const rig = await startRig();
  const one = (await rig.create({ tags: [{ key: 'Owner', value: 'me' }, { key: 'free' }] })).text;
  const two = (await rig.create({ tags: [{ key: 'owner', value: 'me' }] })).text;
  const tags = async (id: string) =>
    (await rig.call('GET', `/instances/${id}`)).json<{ tags: { id: string; key: string; value: string }[] }>().tags;
  expect((await tags(one)).map((t) => `${t.key}=${t.value}`)).toEqual(['owner=me', 'free=']);
  expect((await tags(one))[0]?.id).toBe((await tags(two))[0]?.id);
  const found = async (query: string) => (await rig.call('GET', `/instances?${query}`)).json<unknown[]>().length;
  expect([await found('tag=owner=me'), await found('tag=owner&tag=free'), await found('tag=owner=you')]).toEqual([
    2, 1, 0,
  ]);
  expect((await rig.call('POST', `/instances/${two}/tags`, { key: 'owner', value: 'you' })).status).toBe(409);
  expect((await rig.call('DELETE', `/instances/${one}/tags/free`)).status).toBe(204);
  expect((await rig.call('DELETE', `/instances/${one}/tags/free`)).status).toBe(404);
});

it('volumes are cloned, grown, renamed and attached to a machine that is shut down', async () => {
  const rig = await startRig();
  const { text: id, status } = await rig.disk();
  expect(status).toBe(202);
  rig.clock.advance(5000);
  const put = (body: Record<string, unknown>) => rig.call('PUT', '/volumes', { id, ...body });
  const clone = (await put({ action: 'clone', name: 'copy', location_code: 'FIN-02' })).json<string[]>();
  expect(clone).toHaveLength(1);
  const expected = { status: 'cloning', location: 'FIN-02' };
  expect((await rig.call('GET', `/volumes/${clone[0]}`)).json()).toMatchObject(expected);
  expect((await put({ action: 'resize', size: 40 })).status).toBe(400);
  expect((await put({ action: 'resize', size: 60 })).status).toBe(202);
  expect((await put({ action: 'rename', name: 'w' })).status).toBe(202);
  const instance = await rig.running();
  expect((await put({ action: 'attach', instance_id: instance })).status).toBe(403);
  await rig.call('PUT', '/instances', { id: instance, action: 'shutdown' });
  rig.clock.advance(5000);
  expect((await put({ action: 'attach', instance_id: instance })).status).toBe(202);
  expect((await rig.call('GET', `/volumes/${id}`)).json()).toMatchObject({
    name: 'w',
    size: 60,
    status: 'attached',
    instance_id: instance,
  });
  expect((await rig.call('DELETE', `/volumes/${id}`)).status).toBe(403);
  expect((await put({ action: 'detach' })).status).toBe(202);
  expect((await rig.call('DELETE', `/volumes/${id}`)).status).toBe(202);
  expect((await rig.call('GET', '/volumes/trash')).json()).toMatchObject([{ id, is_permanently_deleted: false }]);
  expect((await put({ action: 'restore' })).status).toBe(202);
  expect((await rig.disk({ type: 'HDD' })).status).toBe(400);
});

it('volumes answer a clone with an object and a second purge with 400 where the dialect says so', async () => {
  const rig = await startRig({ dialect: { cloneAnswer: 'object', purgeTwice: '400', idAnswer: 'quoted' } });
  const { text } = await rig.disk();
  const id = JSON.parse(text) as string;
  rig.clock.advance(5000);
  expect((await rig.call('PUT', '/volumes', { id, action: 'clone' })).json()).toHaveProperty('id');
  await rig.call('DELETE', `/volumes/${id}`, { is_permanent: true });
  const again = await rig.call('DELETE', `/volumes/${id}`, { is_permanent: true });
  expect(again.json<{ message: string }>().message).toContain('already permanently deleted');
});
