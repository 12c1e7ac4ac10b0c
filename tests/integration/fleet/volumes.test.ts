/** Volumes over the API and the command, on a simulated account. */
import { partOf } from '../../../clouds/parts.ts';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { sightingOf } from '../../../activities/fleet/instance/look.ts';
import { nfsSources, sharing } from '../../../activities/fleet/instance/shared-filesystem.ts';
import { ownDisks } from '../../../activities/fleet/instance/own-disks.ts';
import { Selection } from '../../../activities/fleet/selection/selection.ts';
import { Accounts } from '../../../clouds/accounts.ts';
import { poolConfigSchema } from '../../../domain/fleet/pool/pool-config.ts';
import { offerKey } from '../../../domain/fleet/selection/offer.ts';
import { createLogger } from '../../../platform/log.ts';
import { itWithFreshDatabase as it } from '../../../testing/database.ts';
import { anInstance } from '../../../testing/make.ts';
import { folderPerTest } from '../../../testing/per-file.ts';
import {
  createRunning,
  eventually,
  orderFor,
  untilAccepted,
  untilStatus,
} from '../../../testing/provider-contract/acts.ts';
import { openDataCrunchRig } from '../../../testing/provider-contract/rigs/datacrunch.ts';
import { serveSelection } from './serve-selection.ts';

it('data volumes of the fleet file are attached to a stopped machine and detached, and no others', async ({ db }) => {
  const rig = openDataCrunchRig();
  const { provider, client } = rig;
  const machine = await createRunning(rig, await orderFor(rig, 'dh-contract-1'));
  const [data, foreign, shared] = [
    await client.volumes.create({ name: 'data', type: 'NVMe', size: 50, location_code: machine.location }),
    await client.volumes.create({ name: 'theirs', type: 'NVMe', size: 50, location_code: machine.location }),
    await client.volumes.create({ name: 'cache', type: 'NVMe_Shared', size: 50, location_code: machine.location }),
  ];
  for (const id of [data, foreign, shared]) {
    await eventually(
      rig,
      'it is there',
      () => provider.getVolume(id),
      (volume) => volume?.status === 'detached',
    );
  }
  const { instanceType, location, market } = machine;
  await anInstance(db, {
    name: 'gpu-1',
    phase: 'ready',
    provider: 'datacrunch',
    providerId: machine.id,
    osVolumeId: machine.osVolumeId,
    offerKey: offerKey({ provider: 'datacrunch', location, instanceType, market }),
  });
  const fleetFile = path.join(folderPerTest(), 'fleet.json');
  const baseUrl = 'http://127.0.0.1:9/v1';
  writeFileSync(
    fleetFile,
    JSON.stringify({ provider: 'datacrunch', baseUrl, installationId: 'test', dataVolumes: [data, shared] }),
  );
  const log = createLogger('volumes-test', { logLevel: 'silent' });
  const config = { models: 'reader', modelConcurrency: 4 } as const;
  const selection = new Selection({ db, accounts: new Accounts([provider]), config, log });
  await using served = await serveSelection(db, { selection, fleetFile });
  const { client: api, deckhand } = served;
  const attach = (volume: string, instance = 'gpu-1') =>
    api.POST('/fleet/volumes/attach', { body: { volume, instance } });
  const detach = (volume: string, instance: string | null = null) =>
    api.POST('/fleet/volumes/detach', { body: { volume, instance } });
  const owners = Object.fromEntries((await api.GET('/fleet/volumes')).items.map((volume) => [volume.id, volume.owner]));
  expect(owners).toEqual({
    [machine.osVolumeId ?? '']: 'system',
    [data]: 'data',
    [foreign]: 'foreign',
    [shared]: 'data',
  });

  // A disk waits until the machine is stopped; a shared filesystem does not.
  await expect(attach(data)).rejects.toMatchObject({
    code: 'conflict',
  });
  const mounted = await attach(shared);
  expect(mounted).toMatchObject({ status: 'attached', isShared: true, attachedTo: [{ instance: 'gpu-1' }] });
  expect((await provider.getVolume(shared))?.shared?.source).toMatch(/^nfs\.fin-\d+\.datacrunch\.io:\/share-/u);
  await untilAccepted(rig, 'the stop', () => partOf(provider, 'stopping').shutdown(machine.id));
  await untilStatus(rig, machine.id, 'stopped');
  await db.fleetInstance.update({ where: { name: 'gpu-1' }, data: { phase: 'suspended' } });
  expect(await deckhand('fleet', 'attach', data, 'gpu-1')).toMatchObject({ code: 0 });
  expect((await deckhand('fleet', 'volumes')).stdout).toMatch(new RegExp(`${data}.*data volume.*gpu-1`, 'u'));
  expect((await deckhand('fleet', 'detach', data)).stdout).toContain(`Volume ${data} is detached.`);
  expect(await detach(shared, 'gpu-1')).toMatchObject({
    status: 'detached',
  });

  for (const [volume, code] of [
    [machine.osVolumeId ?? '', 'conflict'],
    [foreign, 'forbidden'],
    [rig.unknownIds.volume, 'not_found'],
  ] as const) {
    await expect(attach(volume), volume).rejects.toMatchObject({ code });
    await expect(detach(volume), volume).rejects.toMatchObject({ code });
  }
  await expect(attach(data, 'gpu-9')).rejects.toMatchObject({
    code: 'not_found',
  });
  expect((await provider.getInstance(machine.id))?.volumeIds).toEqual([machine.osVolumeId]);
});

it('a data volume outlives the machine that it is attached to, and the system disk does not', async ({ db }) => {
  const rig = openDataCrunchRig();
  const { provider, client } = rig;
  const machine = await createRunning(rig, await orderFor(rig, 'dh-test-gpu-1-1'));
  const data = await client.volumes.create({ name: 'data', type: 'NVMe', size: 50, location_code: machine.location });
  await untilAccepted(rig, 'the stop', () => partOf(provider, 'stopping').shutdown(machine.id));
  await untilStatus(rig, machine.id, 'stopped');
  await untilAccepted(rig, 'the attach', () => partOf(provider, 'dataVolumes').attach(data, machine.id));
  const all = (await provider.getInstance(machine.id))?.volumeIds ?? [];
  expect(all).toContain(data);
  const deps = { db, installationId: 'test' };
  // By its name; the instance's row may be gone.
  expect(await ownDisks(deps, provider, all)).toEqual([machine.osVolumeId]);
  // By the row, whatever its name.
  await anInstance(db, { name: 'gpu-1', providerId: machine.id, osVolumeId: machine.osVolumeId });
  expect(await ownDisks({ ...deps, installationId: 'other' }, provider, all)).toEqual([machine.osVolumeId]);
  expect(await ownDisks(deps, provider, [rig.unknownIds.volume])).toEqual([rig.unknownIds.volume]);
  await rig.faults.refuse('read', 'transient');
  await expect(ownDisks({ ...deps, installationId: 'other' }, provider, [data])).rejects.toThrow();
});

it('a machine of a pool with a shared filesystem is let mount it when it runs, and a refusal stops nothing', async ({
  db,
}) => {
  const rig = openDataCrunchRig();
  const { provider, client } = rig;
  const machine = await createRunning(rig, await orderFor(rig, 'dh-test-gpu-1-1'));
  const shared = { name: 'cache', type: 'NVMe_Shared', size: 50 };
  const volumeId = await client.volumes.create({ ...shared, location_code: machine.location });
  await eventually(
    rig,
    'it is there',
    () => provider.getVolume(volumeId),
    (volume) => volume?.status === 'detached',
  );
  await anInstance(db, { name: 'gpu-1', pool: 'gpu', providerId: machine.id });
  const sharedFilesystem = { volumeId, mountPath: '/mnt/models' };
  const pools = [poolConfigSchema.parse({ name: 'gpu', classes: ['gpu-text'], sharedFilesystem })];
  const log = createLogger('volumes-test', { logLevel: 'silent' });
  const accounts = new Accounts([provider]);
  const share = sharing({ db, accounts, fleet: { installationId: 'test', pools }, log });
  await rig.faults.refuse('read', 'transient');
  await share(sightingOf(machine));
  await rig.faults.mend();
  expect((await provider.getInstance(machine.id))?.volumeIds).not.toContain(volumeId);
  await share(sightingOf(machine));
  expect((await provider.getInstance(machine.id))?.volumeIds).toContain(volumeId);

  const sourceOf = nfsSources({ accounts, log });
  expect(await sourceOf(volumeId)).toBe((await provider.getVolume(volumeId))?.shared?.source);
  expect(await sourceOf(machine.osVolumeId ?? '')).toBeNull();
});
