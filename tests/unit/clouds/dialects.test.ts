/**
 * Where documents, clients and the live service contradict each other: the provider port gives the same for each dialect.
 */
import { describe, expect, it } from 'vitest';
import { DATACRUNCH } from '../../../clouds/datacrunch/provider.ts';
import { partOf } from '../../../clouds/parts.ts';
import type { CloudProvider } from '../../../clouds/provider.ts';
import type { DataCrunchClient } from '../../../clouds/datacrunch/client.ts';
import { makeImageRequest } from '../../../testing/image-request.ts';
import { clientOf, scriptedApi, virtualClock, type Script, type ScriptedApi } from './scripted-api.ts';

interface Rig {
  readonly api: ScriptedApi;
  readonly client: DataCrunchClient;
  readonly provider: CloudProvider;
}

async function start(script: Script): Promise<Rig> {
  const api = await scriptedApi(script);
  const clock = virtualClock();
  const client = clientOf(api, clock);
  return { api, client, provider: DATACRUNCH.open({ client, now: clock.now }) };
}

const ID = '8a4ec0f8-1111-4222-8333-444444444444';
const instance = {
  id: ID,
  hostname: 'dh-abc',
  status: 'running',
  instance_type: '1H100.80S.30V',
  location: 'FIN-03',
  ip: '10.0.0.1',
  is_spot: false,
  price_per_hour: 3.7,
  os_volume_id: 'os-1',
  volume_ids: ['os-1', 'data-1'],
  tags: [{ id: 'tag_1', key: 'deckhand', value: 'l1' }],
  created_at: '2026-10-01T10:00:00.000Z',
};
const ended = { code: 'forbidden_action', message: "Can't discontinue a discontinued instance" };
const provisioning = { code: 'forbidden_action', message: "Can't discontinue a provisioning instance" };
const unknown = { code: 'invalid_request', message: 'Invalid instance id' };
/** An answer of its own for one instance. */
const inside = ({ message }: { readonly message: string }) => [
  { instanceId: ID, action: 'delete', status: 'error', statusCode: 403, error: message },
];
const first =
  (bodies: readonly unknown[]): Script =>
  (_request, nth) => ({ body: bodies[nth - 1] });
const json = (body: string | undefined): Record<string, unknown> => JSON.parse(body ?? '{}') as Record<string, unknown>;

describe('instances of DataCrunch', () => {
  it('are read with all that is known of them', async () => {
    const { provider } = await start(() => ({ body: [instance] }));
    expect(await provider.listInstances()).toEqual([
      {
        id: ID,
        hostname: 'dh-abc',
        status: 'running',
        rawStatus: 'running',
        instanceType: '1H100.80S.30V',
        location: 'FIN-03',
        market: 'ondemand',
        priceUsdPerHour: 3.7,
        ip: '10.0.0.1',
        osVolumeId: 'os-1',
        volumeIds: ['os-1', 'data-1'],
        tags: { deckhand: 'l1' },
        createdAtMs: Date.parse('2026-10-01T10:00:00.000Z'),
        simulatedModelUrl: null,
      },
    ]);
  });

  it.each([
    ['ordered', 'starting'],
    ['new', 'starting'],
    ['validating', 'starting'],
    ['provisioning', 'starting'],
    ['unknown', 'starting'],
    ['a_status_of_next_year', 'starting'],
    ['constructor', 'starting'],
    ['running', 'running'],
    ['offline', 'stopped'],
    ['deleting', 'deleting'],
    ['discontinued', 'gone'],
    ['notfound', 'gone'],
    ['error', 'failed'],
    ['no_capacity', 'failed'],
    ['installation_failed', 'failed'],
  ])('in status %s are %s', async (status, expected) => {
    const { provider } = await start(() => ({ body: { ...instance, status } }));
    expect(await provider.getInstance(ID)).toMatchObject({ status: expected, rawStatus: status });
  });

  it('may have nulls, wrong kinds and missing fields everywhere but in the id and the name', async () => {
    const nulls = { status: null, ip: null, tags: null, volume_ids: null };
    const odd = { id: ID, hostname: 'dh-abc', ...nulls, price_per_hour: '3.70', created_at: 'soon', extra: 1 };
    const { provider } = await start(() => ({ body: [odd] }));
    const [found] = await provider.listInstances();
    const expected = { id: ID, status: 'starting', ip: null, volumeIds: [], tags: {}, priceUsdPerHour: 3.7 };
    expect(found).toMatchObject(expected);
    // Of unknown age is too young for any cleaning up.
    expect(found?.createdAtMs).toBe(virtualClock().nowMs);
  });

  it('come alone or in a list of one', async () => {
    const { provider } = await start(first([instance, [instance]]));
    expect(await provider.getInstance(ID)).toEqual(await provider.getInstance(ID));
  });

  it('are not taken for gone because something in between answers 404', async () => {
    const { provider } = await start(() => ({ status: 404, body: '<html>not here</html>' }));
    await expect(provider.getInstance(ID)).rejects.toMatchObject({ code: 'provider_config' });
  });

  it('that have ended are left out of the list but found by id', async () => {
    const ended = { ...instance, status: 'discontinued' };
    const { provider } = await start((request) => ({ body: request.path === '/instances' ? [ended] : ended }));
    expect(await provider.listInstances()).toEqual([]);
    expect(await provider.getInstance(ID)).toMatchObject({ status: 'gone' });
  });

  it.each([
    ['an id', { hostname: 'dh-abc', status: 'running' }],
    ['a name', { id: ID, hostname: null, status: 'running' }],
  ])(
    'are not listed at all where one has not %s: it would count as gone, or as somebody else’s',
    async (_what, row) => {
      const { provider } = await start(() => ({ body: [instance, row] }));
      await expect(provider.listInstances()).rejects.toMatchObject({
        code: 'provider_transient',
        message: expect.stringMatching(
          /^DataCrunch answered GET \/v1\/instances with JSON that cannot be read at 1\./u,
        ),
      });
    },
  );

  it('have no price where it is stated in another currency', async () => {
    const { provider } = await start(first(['eur', 'USD', ''].map((currency) => ({ ...instance, currency }))));
    const prices = [await provider.getInstance(ID), await provider.getInstance(ID), await provider.getInstance(ID)];
    expect(prices.map((found) => found?.priceUsdPerHour)).toEqual([0, 3.7, 3.7]);
  });

  it('are never counted from half a list', async () => {
    const { provider } = await start(() => ({ body: [instance], headers: { 'x-total-count': '2' } }));
    await expect(provider.listInstances()).rejects.toMatchObject({ code: 'provider_transient' });
  });

  it('say where their model server is only when they run on this machine', async () => {
    const simulated = { ...instance, simulated_model_url: 'http://127.0.0.1:4000' };
    const { provider } = await start(() => ({ body: simulated }));
    expect((await provider.getInstance(ID))?.simulatedModelUrl).toBe('http://127.0.0.1:4000');
    const clock = virtualClock();
    const remote = clientOf({ baseUrl: 'https://api.verda.com/v1' }, clock, {
      fetch: (url) =>
        Promise.resolve(
          Response.json(url.endsWith('token') ? { access_token: 't-123456', expires_in: 60 } : simulated),
        ),
    });
    expect((await DATACRUNCH.open({ client: remote }).getInstance(ID))?.simulatedModelUrl).toBeNull();
  });
});

describe('a create at DataCrunch', () => {
  const request = makeImageRequest({
    hostname: 'dh-abc',
    description: 'deckhand',
    instanceType: '1H100.80S.30V',
    location: 'FIN-03',
    boot: {
      image: 'ubuntu-24.04-cuda-13.0-open',
      sshKey: { id: 'key-1', text: 'ssh-ed25519 AAAA' },
      startupScript: { id: 'script-1', text: '#!/bin/sh' },
    },
    tags: { deckhand: 'l1' },
  });

  it('from an image names location, disk, keys and script', async () => {
    const { provider, api } = await start(() => ({ status: 202, body: ID }));
    await provider.createInstance(request, {});
    expect(json(api.seen[0]?.body)).toEqual({
      instance_type: '1H100.80S.30V',
      image: 'ubuntu-24.04-cuda-13.0-open',
      hostname: 'dh-abc',
      description: 'deckhand',
      location_code: 'FIN-03',
      os_volume: { name: 'dh-abc-os', size: 100 },
      ssh_key_ids: ['key-1'],
      startup_script_id: 'script-1',
      is_spot: false,
      contract: 'PAY_AS_YOU_GO',
      tags: [{ key: 'deckhand', value: 'l1' }],
    });
  });

  it('from a kept volume sends neither disk, key nor script', async () => {
    const { provider, api } = await start(() => ({ status: 202, body: ID }));
    const boot = { kind: 'volume', osVolumeId: 'os-1' } as const;
    await partOf(provider, 'keptDisks').createInstance({ ...request, market: 'spot', boot }, {});
    const body = json(api.seen[0]?.body);
    expect(body).toMatchObject({ image: 'os-1', is_spot: true, contract: 'SPOT' });
    for (const field of ['os_volume', 'ssh_key_ids', 'startup_script_id']) expect(body).not.toHaveProperty(field);
  });

  it('refuses a name that the provider would cut, before it is sent', async () => {
    const { provider, api } = await start(() => ({ status: 202, body: ID }));
    const tooLong = { ...request, hostname: 'a'.repeat(61) };
    await expect(provider.createInstance(tooLong, {})).rejects.toMatchObject({ code: 'provider_config' });
    expect(api.seen).toEqual([]);
  });
});

describe('ending an instance at DataCrunch', () => {
  const accepted = [{ instanceId: ID, action: 'delete', status: 'success' }];

  it('always says what becomes of its volumes', async () => {
    const { provider, api } = await start(() => ({ status: 202, body: accepted }));
    await provider.deleteInstance(ID, ['os-1']);
    await provider.deleteInstance(ID, []);
    expect(api.seen.map((r) => json(r.body))).toEqual([
      { action: 'delete', id: [ID], volume_ids: ['os-1'], delete_permanently: true },
      { action: 'delete', id: [ID], volume_ids: [] },
    ]);
  });

  it.each([
    ['202 with results', { status: 202, body: accepted }],
    ['202 without a body', { status: 202, body: '' }],
    ['204', { status: 204, body: '' }],
    ['403 because it has ended', { status: 403, body: ended }],
    ['400 because it is unknown', { status: 400, body: unknown }],
    ['404', { status: 404, body: { code: 'not_found', message: 'Instance not found' } }],
    ['207 with the same inside', { status: 207, body: inside(ended) }],
  ])('succeeds on %s', async (_name, answer) => {
    const { provider } = await start(() => answer);
    await expect(provider.deleteInstance(ID, [])).resolves.toBeUndefined();
  });

  it.each([
    [403, provisioning],
    [207, inside(provisioning)],
  ])('is not possible yet while it is provisioned (%i)', async (status, body) => {
    const { provider } = await start(() => ({ status, body }));
    await expect(provider.deleteInstance(ID, [])).rejects.toMatchObject({ code: 'provider_not_yet' });
  });
});

describe('volumes of DataCrunch', () => {
  it.each([
    ['attached', 'attached'],
    ['exported', 'attached'],
    ['detached', 'detached'],
    ['deleted', 'deleted'],
    ['ordered', 'changing'],
    ['detaching', 'changing'],
    ['a_status_of_next_year', 'changing'],
  ])('in status %s are %s', async (status, expected) => {
    const { provider } = await start(() => ({ body: { id: 'v', status } }));
    expect(await provider.getVolume('v')).toMatchObject({ status: expected, rawStatus: status });
  });

  it('are on the instance that the list of instances names; the single field can be stale', async () => {
    const volumes = [
      { id: 'a', status: 'attached', instance_id: 'old', instances: [{ id: 'new', status: 'running' }] },
      { id: 'b', status: 'attached', instance_id: 'old', instances: ['new'] },
      { id: 'c', status: 'detached', instance_id: 'old', instances: [] },
      { id: 'd', status: 'attached', instance_id: 'only' },
    ].map((volume) => ({ ...volume, name: `disk-${volume.id}` }));
    const { provider } = await start(() => ({ body: volumes }));
    const found = await provider.listVolumes();
    expect(found.map((v) => v.instanceId)).toEqual(['new', 'new', null, 'only']);
  });

  it('in the trash are trashed, those purged from it deleted', async () => {
    const trash = [
      { id: 'a', name: 'a', status: 'deleted', deleted_at: '2026-10-01T10:00:00Z', is_permanently_deleted: false },
      { id: 'b', name: 'b', status: 'deleted', deleted_at: '2026-10-01T10:00:00Z', is_permanently_deleted: true },
    ];
    const { provider } = await start((request) => ({ body: request.path === '/volumes/trash' ? trash : trash[0] }));
    expect((await partOf(provider, 'trash').listVolumes()).map((v) => v.status)).toEqual(['trashed', 'deleted']);
    expect(await provider.getVolume('a')).toMatchObject({ status: 'trashed' });
  });

  it.each([
    ['202', { status: 202, body: '' }],
    ['204', { status: 204, body: '' }],
    [
      '400 because it is purged',
      { status: 400, body: { code: 'invalid_request', message: 'Volume is already permanently deleted' } },
    ],
    ['404', { status: 404, body: { code: 'not_found', message: 'Volume not found' } }],
  ])('are deleted for good, and twice is as good as once: %s', async (_name, answer) => {
    const { provider, api } = await start(() => answer);
    await provider.deleteVolume('v');
    expect(json(api.seen[0]?.body)).toEqual({ is_permanent: true });
  });

  it.each(['"copy"', '{"id":"copy"}', '["copy"]', 'copy'])('are cloned to the id in %s', async (body) => {
    const { client } = await start(() => ({ status: 202, body }));
    expect(await client.volumes.clone('v', { name: 'n', location_code: 'FIN-01' })).toBe('copy');
  });
});

it('keys and scripts of DataCrunch come alone or in a list of one', async () => {
  const key = { id: 'k', name: 'n', key: 'ssh-ed25519 AAAA', fingerprint: null };
  const { client } = await start(first([key, [key]]));
  expect(await client.sshKeys.get('k')).toEqual(await client.sshKeys.get('k'));
});

it('all pages of scripts are read, also without a total', async () => {
  const all = Array.from({ length: 230 }, (_, n) => ({ id: `s${n}`, name: `n${n}`, script: '' }));
  const { provider, api } = await start((request) => {
    const query = new URL(request.path, 'http://x').searchParams;
    const size = Number(query.get('pageSize') ?? 10);
    const page = Number(query.get('page') ?? 1);
    return { body: all.slice((page - 1) * size, page * size) };
  });
  expect(await partOf(provider, 'scripts').list()).toHaveLength(230);
  expect(api.seen).toHaveLength(3);
});

it('a list of scripts that knows no pages ends', async () => {
  const all = Array.from({ length: 100 }, (_, n) => ({ id: `s${n}` }));
  const { provider } = await start(() => ({ body: all }));
  expect(await partOf(provider, 'scripts').list()).toHaveLength(100);
});

describe('the catalogue of DataCrunch', () => {
  it('is asked for one market at a time, by name', async () => {
    const { provider, api } = await start(() => ({
      body: [
        { location_code: 'FIN-01', availabilities: ['1H100.80S.30V'] },
        { location_code: 'FIN-03', availabilities: null },
      ],
    }));
    const expected = { 'FIN-01': ['1H100.80S.30V'], 'FIN-03': [] };
    expect((await partOf(provider, 'stock').availability('spot')).typesByLocation).toEqual(expected);
    await partOf(provider, 'stock').availability('ondemand');
    expect(api.seen.map((r) => r.path)).toEqual([
      '/instance-availability?is_spot=true',
      '/instance-availability?is_spot=false',
    ]);
  });

  it('answers for one type with true or false', async () => {
    const { client } = await start(first([true, false, 'false']));
    const asked = { isSpot: false, location: 'FIN-03' };
    expect(await client.catalogue.isAvailable('1H100.80S.30V', asked)).toBe(true);
    expect(await client.catalogue.isAvailable('CPU.4V', asked)).toBe(false);
    expect(await client.catalogue.isAvailable('CPU.4V', asked)).toBe(false);
  });
});

it('container deployments have an image as text or object, disabled parts as null, any status', async () => {
  const deployment = {
    name: 'd',
    containers: [
      {
        name: 'd-0',
        image: { image: 'r/x:1' },
        exposed_port: 80,
        entrypoint_overrides: { enabled: false, entrypoint: null },
      },
      { name: 'd-1', image: 'r/y:2' },
    ],
    endpoint_base_url: 'https://containers.datacrunch.io/d',
    compute: { name: 'H100', size: 1 },
    is_spot: false,
  };
  const { client } = await start((request) => {
    if (request.path.endsWith('/status')) return { body: { status: 'version_updating' } };
    if (request.path.endsWith('/replicas'))
      return { body: { list: [{ id: 'r', status: 'imagepulling', started_at: null }] } };
    if (request.path.endsWith('/scaling'))
      return {
        body: {
          min_replica_count: 0,
          scaling_triggers: { queue_load: { threshold: 1 }, cpu_utilization: { enabled: false, threshold: null } },
        },
      };
    return { status: 201, body: request.method === 'POST' && request.path.endsWith('/restart') ? '' : deployment };
  });
  const found = await client.containers.get('d');
  expect(found.containers.map((c) => c.image.image)).toEqual(['r/x:1', 'r/y:2']);
  expect(await client.containers.status('d')).toBe('version_updating');
  expect(await client.containers.replicas('d')).toMatchObject([{ id: 'r', status: 'imagepulling' }]);
  expect((await client.containers.scaling('d')).scaling_triggers?.cpu_utilization?.threshold).toBeNull();
  await expect(client.containers.restart('d')).resolves.toBeUndefined();
});

it.each([12.5, '12.5'])('the balance is read from %j', async (amount) => {
  const { provider } = await start(() => ({ body: { amount, currency: 'usd' } }));
  expect(await partOf(provider, 'account').balance()).toEqual({ amount: 12.5, currency: 'usd' });
});

it.each([null, '', false, undefined])('the balance is an error where %j stands for it, never zero', async (amount) => {
  const { provider } = await start(() => ({ body: { amount, currency: 'usd' } }));
  await expect(partOf(provider, 'account').balance()).rejects.toMatchObject({ code: 'provider_transient' });
});
