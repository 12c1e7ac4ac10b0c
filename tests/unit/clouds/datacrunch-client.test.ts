/**
 * What DataCrunch can do beyond the provider port, through its client over its simulator, in one process on one virtual clock. The port
 * itself is in the contract (tests/unit/clouds/contract.test.ts).
 */
import { partOf } from '../../../clouds/parts.ts';
import { expect, it } from 'vitest';
import { openDataCrunchRig } from '../../../testing/provider-contract/rigs/datacrunch.ts';

it('what is out of stock is not available', async () => {
  const { provider, simulator } = openDataCrunchRig();
  simulator.core.setStock([{ types: '*', count: 0 }]);
  expect(Object.values((await partOf(provider, 'stock').availability('ondemand')).typesByLocation).flat()).toEqual([]);
});

it('the client of the provider takes and gives back tags, clones, standalone disks', async () => {
  const { client, clock } = openDataCrunchRig();
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
  const { client, clock } = openDataCrunchRig();
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
  const { client, provider } = openDataCrunchRig();
  expect((await client.catalogue.images('1H100.80S.30V')).length).toBeGreaterThan(0);
  await expect(client.catalogue.images('9X999.1V')).rejects.toMatchObject({ code: 'provider_gone' });
  expect(await client.catalogue.isAvailable('1H100.80S.30V', { isSpot: false })).toBe(true);
  expect(await client.catalogue.isAvailable('CPU.4V', { isSpot: false, location: 'FIN-03' })).toBe(false);
  const volumeTypes = await client.catalogue.volumeTypes();
  expect(volumeTypes.find((t) => t.type === 'NVMe')?.price?.price_per_month_per_gb).toBe(0.2);
  expect((await client.catalogue.containerTypes()).every((t) => t.serverless_price !== null)).toBe(true);
  expect((await provider.listLocations()).map((l) => l.code)).toContain('FIN-03');
});
