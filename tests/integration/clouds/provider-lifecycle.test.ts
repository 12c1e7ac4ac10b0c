/**
 * The provider port over the simulated DataCrunch, in one process on one virtual clock: a whole life of an instance, in every dialect.
 */
import { expect, it } from 'vitest';
import { createDataCrunchClient, type DataCrunchClient } from '../../../clouds/datacrunch/client.ts';
import { createDataCrunchProvider } from '../../../clouds/datacrunch/provider.ts';
import type { CloudInstance, CloudProvider, CreateInstanceRequest } from '../../../clouds/provider.ts';
import { VirtualClock } from '../../../simulators/clouds/core/clock.ts';
import type { ScenarioInput } from '../../../simulators/clouds/core/scenario.ts';
import { createSimulatedDataCrunch, type SimulatedDataCrunch } from '../../../simulators/clouds/datacrunch/app.ts';

interface Rig {
  readonly simulator: SimulatedDataCrunch;
  readonly client: DataCrunchClient;
  readonly provider: CloudProvider;
  readonly clock: VirtualClock;
}

function rig(scenario: ScenarioInput = {}): Rig {
  const clock = new VirtualClock();
  const simulator = createSimulatedDataCrunch({ scenario, clock });
  const now = (): number => clock.nowMs();
  const client = createDataCrunchClient({
    baseUrl: 'http://127.0.0.1/v1',
    credentials: { clientId: simulator.clientId, clientSecret: simulator.clientSecret },
    fetch: (input, init) => simulator.fetch(input, init),
    now,
    pause: (ms) => {
      clock.advance(ms);
      return Promise.resolve();
    },
  });
  return { simulator, client, provider: createDataCrunchProvider({ client, now }), clock };
}

const POLL_MS = 5_000;
const MOST_POLLS = 500;

/** Looks every five simulated seconds until it is so. */
async function eventually<T>({ clock }: Rig, look: () => Promise<T>, right: (seen: T) => boolean): Promise<T> {
  for (let n = 0; n < MOST_POLLS; n += 1) {
    const seen = await look();
    if (right(seen)) return seen;
    clock.advance(POLL_MS);
  }
  throw new Error('never came true');
}

const inStatus = (on: Rig, id: string, status: CloudInstance['status']): Promise<CloudInstance | null> =>
  eventually(
    on,
    () => on.provider.getInstance(id),
    (instance) => instance?.status === status,
  );

/** An order for the first type with a GPU that is in stock, with a key and a script of its own. */
async function orderFor({ provider }: Rig): Promise<CreateInstanceRequest> {
  const { typesByLocation } = await provider.availability('ondemand');
  const types = await provider.listInstanceTypes();
  const type = types.find((t) => t.gpuCount === 1 && t.model.includes('H100'));
  const location = Object.keys(typesByLocation).find((l) => typesByLocation[l]?.includes(type?.instanceType ?? ''));
  if (type === undefined || location === undefined) throw new Error('nothing in stock');
  return {
    hostname: 'dh-test-1',
    description: 'deckhand test',
    instanceType: type.instanceType,
    location,
    market: 'ondemand',
    boot: {
      kind: 'image',
      image: type.supportedImages[0] ?? '',
      osVolumeName: 'dh-test-1-os',
      osVolumeGib: 100,
      sshKey: {
        id: await provider.addSshKey('dh-key', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 test'),
        text: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 test',
      },
      startupScript: { id: await provider.addScript('dh-script', '#!/bin/sh\n'), text: '#!/bin/sh\n' },
    },
    tags: { deckhand: 'l123456' },
  };
}

/** Asks until it is accepted: what is being prepared or detached cannot be ended yet. */
const untilAccepted = (on: Rig, ask: () => Promise<void>): Promise<boolean> =>
  eventually(
    on,
    async () => {
      try {
        await ask();
        return true;
      } catch (error) {
        expect(error).toMatchObject({ code: 'provider_not_yet' });
        return false;
      }
    },
    (accepted) => accepted,
  );
const endWith = (on: Rig, id: string, volumeIds: readonly string[]): Promise<boolean> =>
  untilAccepted(on, () => on.provider.deleteInstance(id, volumeIds));

const DIALECTS: readonly ScenarioInput[] = [
  {},
  {
    dialect: {
      doubleDelete: '204',
      purgeTwice: '400',
      idAnswer: 'quoted',
      cloneAnswer: 'object',
      deleteWithoutVolumeIds: 'leave_detached',
    },
    boot: { rareStatuses: true },
    visibility: { listLagSec: [0, 30] },
  },
  {
    faults: [
      { effect: 'html_502', match: { method: 'GET', everyN: 7 } },
      { effect: 'rate_limit', match: { method: 'GET', everyN: 11 }, retryAfterSec: 3 },
      { effect: 'drop_answer', match: { method: 'PUT', nth: 1 } },
      { effect: 'error', match: { method: 'DELETE', nth: 1 }, status: 500 },
      { effect: 'timeout', match: { path: '/oauth2/token', nth: 1 } },
    ],
  },
];

it.each(DIALECTS)(
  'a life at the simulated provider, dialect %#, boots, runs, sleeps on its kept disk, wakes from it and is gone without a trace',
  async (scenario) => {
    const on = rig(scenario);
    const { provider, simulator } = on;
    const order = await orderFor(on);

    const id = await provider.createInstance(order, {});
    const first = await inStatus(on, id, 'running');
    expect(first).toMatchObject({
      hostname: order.hostname,
      instanceType: order.instanceType,
      location: order.location,
      market: 'ondemand',
      tags: { deckhand: 'l123456' },
    });
    const osVolumeId = first?.osVolumeId ?? '';
    expect(await provider.getVolume(osVolumeId)).toMatchObject({
      name: 'dh-test-1-os',
      sizeGib: 100,
      status: 'attached',
      isOsVolume: true,
      instanceId: id,
    });

    await provider.shutdownInstance(id);
    await inStatus(on, id, 'stopped');
    await endWith(on, id, []);
    await inStatus(on, id, 'gone');
    await eventually(
      on,
      () => provider.getVolume(osVolumeId),
      (volume) => volume?.status === 'detached',
    );
    expect(await provider.listInstances()).toEqual([]);

    const wokenId = await provider.createInstance(
      {
        ...order,
        hostname: 'dh-test-2',
        boot: { kind: 'volume', osVolumeId },
      },
      {},
    );
    expect(wokenId).not.toBe(id);
    const woken = await inStatus(on, wokenId, 'running');
    expect(woken?.osVolumeId).toBe(osVolumeId);
    await endWith(on, wokenId, [osVolumeId]);
    await inStatus(on, wokenId, 'gone');
    await endWith(on, wokenId, [osVolumeId]);
    await untilAccepted(on, () => provider.deleteVolume(osVolumeId));
    await eventually(
      on,
      () => provider.getVolume(osVolumeId),
      (volume) => volume === null || volume.status === 'deleted',
    );

    for (const key of await provider.listSshKeys()) await provider.deleteSshKey(key.id);
    for (const script of await provider.listScripts()) await provider.deleteScript(script.id);
    expect(await provider.listSshKeys()).toEqual([]);
    expect(await provider.listScripts()).toEqual([]);
    expect(await provider.listInstances()).toEqual([]);
    expect(await provider.listVolumes()).toEqual([]);
    expect((await provider.listTrashedVolumes()).filter((v) => v.status === 'trashed')).toEqual([]);
    expect(simulator.core.allInstances()).toHaveLength(2);
  },
);

it.each<[string, (core: SimulatedDataCrunch['core']) => void, string]>([
  ['that is out of stock', (core) => core.setStock([{ types: '*', count: 0 }]), 'provider_capacity'],
  ['over a quota', (core) => core.setQuotas({ gpus: 0 }), 'provider_quota'],
  ['that cannot be paid', (core) => core.setBalance(0), 'provider_billing'],
])('an order %s is refused at the create', async (_which, change, code) => {
  const on = rig();
  const order = await orderFor(on);
  change(on.simulator.core);
  await expect(on.provider.createInstance(order, {})).rejects.toMatchObject({ code });
  if (code !== 'provider_capacity') return;
  expect(Object.values((await on.provider.availability('ondemand')).typesByLocation).flat()).toEqual([]);
});

it('an order is out of stock after the create', async () => {
  const on = rig({ faults: [{ effect: 'no_capacity_later', match: { method: 'POST', path: '/instances' } }] });
  const id = await on.provider.createInstance(await orderFor(on), {});
  expect(await inStatus(on, id, 'failed')).toMatchObject({ rawStatus: 'no_capacity' });
});

it.each([
  [{ location: 'MARS-01' }, 'provider_config'],
  [{ instanceType: '9X999.1V' }, 'provider_config'],
] as const)('an order that is wrong is refused: %j', async (change, code) => {
  const on = rig();
  await expect(on.provider.createInstance({ ...(await orderFor(on)), ...change }, {})).rejects.toMatchObject({ code });
});

it('an order from a kept disk that is no more, or elsewhere, is refused', async () => {
  const on = rig();
  const order = {
    ...(await orderFor(on)),
    boot: { kind: 'volume', osVolumeId: '8a4ec0f8-1111-4222-8333-444444444444' },
  } as const;
  await expect(on.provider.createInstance(order, {})).rejects.toMatchObject({ code: 'provider_config' });
});

it('an order is made although the answer is lost: one create, one instance, an unknown outcome', async () => {
  const on = rig({ faults: [{ effect: 'drop_answer', match: { method: 'POST', path: '/instances' } }] });
  await expect(on.provider.createInstance(await orderFor(on), {})).rejects.toMatchObject({
    code: 'provider_transient',
  });
  expect(on.simulator.core.allInstances()).toHaveLength(1);
  expect((await on.provider.listInstances()).map((i) => i.hostname)).toEqual(['dh-test-1']);
});

it('a token that was taken back is refused: the next call gets a new one', async () => {
  const on = rig();
  await on.provider.balance();
  on.simulator.revokeTokens();
  expect(await on.provider.balance()).toMatchObject({ currency: 'usd' });
});

it('the client of the provider takes and gives back tags, clones, standalone disks', async () => {
  const { client, clock } = rig();
  const volumeId = await client.volumes.create({ name: 'data', type: 'NVMe', size: 60, location_code: 'FIN-01' });
  clock.advance(60_000);
  const tag = await client.volumes.addTag(volumeId, 'owner', 'me');
  expect((await client.volumes.get(volumeId)).tags).toMatchObject([{ key: 'owner', value: 'me' }]);
  await client.volumes.removeTag(volumeId, tag.id);
  const copyId = await client.volumes.clone(volumeId, { name: 'copy' });
  await client.volumes.act([volumeId], { action: 'rename', name: 'renamed' });
  clock.advance(600_000);
  expect((await client.volumes.list()).map((v) => v.name).toSorted()).toEqual(['copy', 'renamed']);
  await client.volumes.delete(copyId, { permanently: false });
  expect((await client.volumes.listTrash()).map((v) => v.id)).toEqual([copyId]);
});

it('the client of the provider runs a container deployment from create to delete', async () => {
  const { client, clock } = rig();
  const deployment = {
    name: 'reader',
    container_registry_settings: { is_private: false, credentials: null },
    compute: { name: 'H100', size: 1 },
    containers: [
      {
        image: 'ollama/ollama:0.24.0',
        exposed_port: 11434,
        env: [{ name: 'TOKEN', value_or_reference_to_secret: 'token', type: 'secret' }],
      },
    ],
    scaling: {
      min_replica_count: 1,
      max_replica_count: 2,
      scale_down_policy: { delay_seconds: 300 },
      scale_up_policy: { delay_seconds: 0 },
      queue_message_ttl_seconds: 600,
      concurrent_requests_per_replica: 4,
      scaling_triggers: { queue_load: { threshold: 1 } },
    },
  } as const;
  const floating = { ...deployment, containers: [{ image: 'ollama/ollama:latest', exposed_port: 1 }] };
  await expect(client.containers.create(floating)).rejects.toMatchObject({ code: 'provider_config' });
  const { name } = await client.containers.create(deployment);
  await expect(client.containers.create(deployment)).rejects.toMatchObject({ code: 'provider_config' });
  expect(await client.containers.status(name)).toBe('image_pulling');
  clock.advance(30_000);
  expect(await client.containers.status(name)).toBe('healthy');
  expect(await client.containers.replicas(name)).toHaveLength(1);
  expect((await client.containers.updateScaling(name, { max_replica_count: 3 })).max_replica_count).toBe(3);
  await client.containers.addEnvironment(name, 'reader-0', [
    { name: 'A', value_or_reference_to_secret: 'b', type: 'plain' },
  ]);
  const [environment] = await client.containers.environment(name);
  expect(environment?.env.map((e) => e.name)).toEqual(['TOKEN', 'A']);
  await client.containers.removeEnvironment(name, 'reader-0', ['A']);
  await client.containers.pause(name);
  expect(await client.containers.status(name)).toBe('paused');
  expect(await client.containers.replicas(name)).toEqual([]);
  await client.containers.resume(name);
  await client.containers.purgeQueue(name);
  await client.containers.restart(name);
  expect(await client.containers.logs(name, { since: '15m', limit: 10 })).toEqual([]);
  const scheduled = await client.containers.systemLogs(name, { order: 'asc' });
  expect(scheduled.map((line) => line.reason).slice(0, 2)).toEqual(['Pulled', 'Started']);
  expect((await client.containers.computeResources()).some((r) => r.name === 'H100' && r.is_available)).toBe(true);
  await client.containers.delete(name, 1_000);
  expect(await client.containers.list()).toEqual([]);
  await expect(client.containers.get(name)).rejects.toMatchObject({ code: 'provider_gone' });
});

it('the client of the provider names images, prices and what is available', async () => {
  const { client, provider } = rig();
  expect((await provider.listImages('1H100.80S.30V')).length).toBeGreaterThan(0);
  await expect(provider.listImages('9X999.1V')).rejects.toMatchObject({ code: 'provider_gone' });
  expect(await client.catalogue.isAvailable('1H100.80S.30V', { isSpot: false })).toBe(true);
  expect(await client.catalogue.isAvailable('CPU.4V', { isSpot: false, location: 'FIN-03' })).toBe(false);
  const volumeTypes = await client.catalogue.volumeTypes();
  expect(volumeTypes.find((t) => t.type === 'NVMe')?.price?.price_per_month_per_gb).toBe(0.2);
  expect((await client.catalogue.containerTypes()).every((t) => t.serverless_price !== null)).toBe(true);
  expect((await provider.listLocations()).map((l) => l.code)).toContain('FIN-03');
});
