/** Clusters of the simulated DataCrunch, and the groups of its API that are not simulated. */
import { describe, expect, it } from 'vitest';
import { startRig, type Rig } from './datacrunch-client.ts';

const order = (rig: Rig, fields: Record<string, unknown> = {}) =>
  rig.call('POST', '/clusters', {
    cluster_type: '16H200',
    image: 'ubuntu-22.04-cuda-12.9-cluster',
    hostname: 'cluster',
    location_code: 'FIN-01',
    shared_volume: { name: 'shared', size: 1000 },
    ...fields,
  });

const idOf = (answer: { json<T>(): T }): string => answer.json<{ id: string }>().id;

describe('a simulated cluster', () => {
  it('lives from order to end, takes stock and costs what its type says, with its shared volume', async () => {
    const rig = await startRig({ stock: [{ types: '16H200', locations: ['FIN-01'], count: 1 }] });
    const answer = await order(rig, { description: 'd', ssh_key_ids: null, tags: [{ key: 'a' }] });
    expect(answer.status).toBe(202);
    const id = idOf(answer);
    const read = async () => (await rig.call('GET', `/clusters/${id}`)).json();
    expect(await read()).toMatchObject({ status: 'ordered', ip: null, worker_nodes: [], cluster_type: '16H200' });
    expect((await rig.call('GET', '/cluster-availability/16H200')).json()).toBe(false);
    expect((await order(rig)).status).toBe(503);
    rig.clock.advance(10_000);
    expect(await read()).toMatchObject({ status: 'provisioning' });
    const refused = await rig.call('PUT', '/clusters', { actions: [{ action: 'discontinue', id }] });
    expect(refused.json()).toMatchObject({ message: "Can't discontinue a provisioning instance" });
    rig.clock.advance(50_000);
    const running = await read();
    expect(running).toMatchObject({
      status: 'running',
      ip: expect.any(String),
      gpu: { number_of_gpus: 16 },
      image: 'ubuntu-22.04-cuda-12.9-cluster',
      shared_volumes: [{ name: 'shared', size_in_gigabytes: 1000 }],
      tags: [{ key: 'a', value: '' }],
    });
    const nodes = running['worker_nodes'] as { id: string; hostname: string; status: string }[];
    expect(nodes.map((n) => [n.hostname, n.status])).toEqual([
      ['cluster-1', 'running'],
      ['cluster-2', 'running'],
    ]);
    expect(new Set(nodes.map((n) => n.id)).size).toBe(2);
    const { meters } = rig.datacrunch.core.ledger();
    expect(meters.map((m) => [m.resource, m.usdPerHour])).toEqual([
      ['instance', running['price_per_hour']],
      ['volume', (1000 * 0.2) / 730],
    ]);
    expect(meters[0]?.usdPerHour).toBeCloseTo(16 * 4.827, 6);

    const ended = await rig.call('PUT', '/clusters', { actions: [{ action: 'discontinue', id }] });
    expect(ended.status).toBe(202);
    rig.clock.advance(5000);
    expect(await read()).toMatchObject({ status: 'discontinued', worker_nodes: [], shared_volumes: [] });
    expect((await rig.call('GET', '/clusters')).json()).toEqual([]);
    expect((await rig.call('GET', '/clusters?status=discontinued')).json()).toMatchObject([{ id }]);
    expect((await rig.call('GET', '/volumes')).json()).toMatchObject([
      { name: 'shared', type: 'NVMe_Shared', status: 'detached', is_os_volume: false },
    ]);
    expect((await rig.call('GET', '/cluster-availability/16H200?location_code=FIN-01')).json()).toBe(true);
  });

  it('is no machine, and a machine is no cluster', async () => {
    const rig = await startRig();
    const cluster = idOf(await order(rig));
    const machine = await rig.running();
    expect((await rig.call('GET', '/instances')).json<{ id: string }[]>().map((i) => i.id)).toEqual([machine]);
    expect((await rig.call('GET', '/clusters')).json<{ id: string }[]>().map((i) => i.id)).toEqual([cluster]);
    expect((await rig.call('GET', `/instances/${cluster}`)).json()).toMatchObject({ message: 'Invalid instance id' });
    expect((await rig.call('PUT', '/instances', { id: cluster, action: 'delete' })).status).toBe(400);
    expect((await rig.call('GET', `/clusters/${machine}`)).status).toBe(404);
    const end = await rig.call('PUT', '/clusters', { actions: [{ action: 'discontinue', id: machine }] });
    expect(end.status).toBe(404);
  });

  it('is refused with what is wrong about it', async () => {
    const rig = await startRig();
    const { text: disk } = await rig.disk();
    rig.clock.advance(5000);
    for (const [fields, words] of [
      [{ cluster_type: '1L40S.20V' }, 'Invalid cluster type'],
      [{ image: 'ubuntu-24.04' }, 'Operating system is not valid'],
      [{ hostname: 'no name' }, 'hostname'],
      [{ shared_volume: null }, 'shared_volume'],
      [{ location_code: 'ICE-01' }, 'Invalid location code'],
      [{ existing_volumes: [{ id: disk }] }, 'existing_volumes'],
      [{ ssh_key_ids: ['nonsense'] }, 'Invalid ssh-key ID'],
    ] as const) {
      const answer = await order(rig, fields);
      expect([answer.status, answer.json<{ message: string }>().message]).toEqual([
        400,
        expect.stringContaining(words),
      ]);
    }
    expect((await rig.call('GET', '/clusters')).json()).toEqual([]);
  });

  it('has types, images and availability by location', async () => {
    const rig = await startRig({ stock: [{ types: '16*', locations: ['FIN-02'], count: 1 }] });
    const types = (await rig.call('GET', '/cluster-types')).json<{ cluster_type: string }[]>();
    expect(types.map((t) => t.cluster_type)).toContain('64B200');
    const images = (await rig.call('GET', '/images/cluster?instance_type=16B200')).json();
    expect(images).toMatchObject([{ image_type: 'ubuntu-22.04-cuda-12.9-cluster', is_cluster: true }]);
    expect((await rig.call('GET', '/images/cluster?instance_type=9X')).status).toBe(404);
    expect((await rig.call('GET', '/images')).json<{ is_cluster: boolean }[]>().some((i) => i.is_cluster)).toBe(false);
    expect((await rig.call('GET', '/cluster-availability')).json()).toEqual([
      { location_code: 'FIN-01', availabilities: [] },
      { location_code: 'FIN-02', availabilities: ['16B300', '16B200', '16H200'] },
      { location_code: 'FIN-03', availabilities: [] },
    ]);
  });
});

describe('what the simulated DataCrunch does not carry out', () => {
  it.each(['job-deployments', 'secrets', 'file-secrets', 'container-registry-credentials', 'instance-groups'])(
    'is an empty list of %s, and a create that says so',
    async (group) => {
      const rig = await startRig();
      expect((await rig.call('GET', `/${group}`)).json()).toEqual([]);
      const made = await rig.call('POST', `/${group}`, { name: 'x' });
      const expected = { code: 'not_implemented', message: `not simulated: ${group.replaceAll('-', ' ')}` };
      expect([made.status, made.json()]).toEqual([501, expected]);
      for (const method of ['GET', 'PATCH', 'DELETE'])
        expect((await rig.call(method, `/${group}/x`)).json()).toMatchObject({ code: 'not_found' });
    },
  );

  it('is told apart from what the provider does not have', async () => {
    const rig = await startRig();
    const { text: id } = await rig.call('POST', '/clusters/x/nodes/y/actions', { action: 'boot' });
    expect(JSON.parse(id)).toMatchObject({ code: 'not_implemented' });
    expect((await rig.call('GET', '/audit/log')).status).toBe(501);
    expect((await rig.call('GET', '/internal')).status).toBe(403);
  });
});
