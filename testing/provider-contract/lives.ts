/** The contract's part about machines and disks from create to end. */
import { expect, it } from 'vitest';
import { isProviderError } from '../../clouds/errors.ts';
import { partOf } from '../../clouds/parts.ts';
import type { CloudInstance, CloudInstanceType } from '../../clouds/provider.ts';
import {
  create,
  createRunning,
  end,
  eventually,
  expectEmpty,
  isNoLonger,
  listedAs,
  orderFor,
  osVolumeOf,
  refusalOf,
  soldAt,
  untilAccepted,
  untilDetached,
  untilGone,
  untilPurged,
  untilStatus,
} from './acts.ts';
import type { ContractTest } from './rig.ts';

export function testLives(test: ContractTest): void {
  it('makes exactly one machine of a create, as it was ordered, which comes to run', async () => {
    const { rig } = test;
    const order = await orderFor(rig, 'dh-contract-one');
    const id = await create(rig, order);
    // A create resolves with the id, whatever the machine is at.
    const listed = await listedAs(rig, order.hostname);
    expect(listed.map((instance) => instance.id)).toEqual([id]);
    const statuses = new Set<CloudInstance['status']>();
    const running = await eventually(
      rig,
      'it runs',
      () => rig.provider.getInstance(id),
      (instance) => {
        if (instance !== null) statuses.add(instance.status);
        return instance?.status === 'running';
      },
    );
    statuses.delete('starting');
    expect([...statuses]).toEqual(['running']);
    expect(running).toMatchObject({
      id,
      hostname: order.hostname,
      instanceType: order.instanceType,
      location: order.location,
      market: 'ondemand',
      tags: order.tags,
      ip: expect.stringMatching(/^[\d.]+$|^[\da-f:]+$/iu),
    });
    const osVolumeId = running === null ? '' : osVolumeOf(running);
    expect(running?.volumeIds).toContain(osVolumeId);
    expect(await rig.provider.getVolume(osVolumeId)).toMatchObject({
      id: osVolumeId,
      name: 'dh-contract-one-os',
      sizeGib: 100,
      location: order.location,
      status: 'attached',
      isOsVolume: true,
      instanceId: id,
    });
    expect(await rig.livingHostnames()).toEqual([order.hostname]);
    await end(rig, id, [osVolumeId]);
    await untilGone(rig, id);
  });

  it('lets a machine be ended while it is being made, or says not yet', async ({ skip }) => {
    const { rig } = test;
    test.needs(skip, 'slow boot');
    const id = await create(rig, await orderFor(rig, 'dh-contract-young'));
    const { deletesWhileProvisioning } = rig.provider.capabilities;
    const asked = rig.provider.deleteInstance(id, []);
    if (deletesWhileProvisioning) await asked;
    else expect(await refusalOf(() => asked)).toMatchObject({ code: 'provider_not_yet' });
  });

  it('stops and starts a machine under the same id and on the same disk', async () => {
    const { rig } = test;
    const { id, ...before } = await createRunning(rig, await orderFor(rig, 'dh-contract-stop'));
    await untilAccepted(rig, 'the stop', () => partOf(rig.provider, 'stopping').shutdown(id));
    await untilStatus(rig, id, 'stopped');
    expect((await rig.provider.listInstances()).map((instance) => [instance.id, instance.status])).toEqual([
      [id, 'stopped'],
    ]);
    await untilAccepted(rig, 'the start', () => partOf(rig.provider, 'stopping').start(id));
    const again = await untilStatus(rig, id, 'running');
    expect(again).toMatchObject({ hostname: before.hostname, osVolumeId: before.osVolumeId });
    expect(await rig.livingHostnames()).toEqual([before.hostname]);
  });

  it('gives a stopped machine another type where it can, and refuses it elsewhere', async () => {
    const { rig } = test;
    const { provider } = rig;
    const order = await orderFor(rig, 'dh-contract-type');
    const types = await provider.listInstanceTypes();
    const there = new Set((await soldAt(provider, types, 'ondemand'))[order.location]);
    const own = types.find((type) => type.instanceType === order.instanceType);
    const others = types.filter(
      (type) => type.gpuCount > 0 && type.instanceType !== order.instanceType && there.has(type.instanceType),
    );
    // Attached GPUs stay with a machine.
    const isSameGpu = (type: CloudInstanceType): boolean => type.model === own?.model && type.gpuCount === own.gpuCount;
    const other = others.find(isSameGpu) ?? others[0];
    const { id, osVolumeId } = await createRunning(rig, order);
    const change = async (): Promise<void> => partOf(provider, 'typeChange').changeType(id, other?.instanceType ?? '');
    if (!provider.capabilities.changesTypeWhileStopped) {
      expect(await refusalOf(change)).toMatchObject({ code: 'provider_config' });
      return;
    }
    await untilAccepted(rig, 'the stop', () => partOf(provider, 'stopping').shutdown(id));
    await untilStatus(rig, id, 'stopped');
    await change();
    await partOf(provider, 'stopping').start(id);
    expect(await untilStatus(rig, id, 'running')).toMatchObject({ instanceType: other?.instanceType, osVolumeId });
  });

  it('deletes with a machine the volumes that are named, and keeps the others', async ({ skip }) => {
    skip(!test.rig.provider.capabilities.bootsVolumes, 'a system disk that nothing boots goes with its machine');
    const { rig } = test;
    const named = await createRunning(rig, await orderFor(rig, 'dh-contract-named'));
    const kept = await createRunning(rig, await orderFor(rig, 'dh-contract-kept'));
    await end(rig, named.id, named.volumeIds);
    await end(rig, kept.id, []);
    await untilGone(rig, named.id);
    await untilGone(rig, kept.id);
    await untilPurged(rig, osVolumeOf(named));
    const keptId = osVolumeOf(kept);
    const volume = await untilDetached(rig, keptId);
    expect(volume).toMatchObject({ id: keptId, instanceId: null, name: 'dh-contract-kept-os' });
    expect((await rig.provider.listVolumes()).filter((v) => v.status !== 'deleted').map((v) => v.id)).toEqual([keptId]);
    await rig.provider.deleteVolume(keptId);
    await untilPurged(rig, keptId);
    await rig.provider.deleteVolume(keptId);
    expect((await rig.provider.trash?.listVolumes()) ?? []).toEqual([]);
  });

  it('does not delete a volume that a machine uses', async () => {
    const { rig } = test;
    const running = await createRunning(rig, await orderFor(rig, 'dh-contract-used'));
    const osVolumeId = osVolumeOf(running);
    expect(await refusalOf(() => rig.provider.deleteVolume(osVolumeId))).toMatchObject({ code: 'provider_not_yet' });
    expect(await rig.provider.getVolume(osVolumeId)).toMatchObject({ status: 'attached' });
  });

  it('ends a machine twice, also with its volumes, and then starts it no more', async () => {
    const { rig } = test;
    const running = await createRunning(rig, await orderFor(rig, 'dh-contract-twice'));
    await end(rig, running.id, []);
    await end(rig, running.id, []);
    await untilGone(rig, running.id);
    // What was kept the first time can still be named the second time.
    if (rig.provider.capabilities.bootsVolumes) await untilDetached(rig, osVolumeOf(running));
    await end(rig, running.id, running.volumeIds);
    await untilPurged(rig, osVolumeOf(running));
    await end(rig, running.id, running.volumeIds);
    expect(await refusalOf(() => partOf(rig.provider, 'stopping').start(running.id))).toSatisfy(isNoLonger);
    expect(await rig.provider.listInstances()).toEqual([]);
    await expectNoMachine(test);
  });

  it('wakes a machine from a kept volume where it can, and refuses such an order elsewhere', async () => {
    const { rig } = test;
    const { provider } = rig;
    const order = await orderFor(rig, 'dh-contract-asleep');
    const first = await createRunning(rig, order);
    const osVolumeId = osVolumeOf(first);
    await untilAccepted(rig, 'the stop', () => partOf(provider, 'stopping').shutdown(first.id));
    await untilStatus(rig, first.id, 'stopped');
    await end(rig, first.id, []);
    await untilGone(rig, first.id);
    const wake = { ...order, hostname: 'dh-contract-awake', boot: { kind: 'volume', osVolumeId } } as const;
    if (!provider.capabilities.bootsVolumes) {
      await untilPurged(rig, osVolumeId);
      expect(await refusalOf(() => create(rig, wake))).toMatchObject({ code: 'provider_config' });
      await expectNoMachine(test);
      return;
    }
    await untilDetached(rig, osVolumeId);
    const woken = await createRunning(rig, wake);
    expect(woken.id).not.toBe(first.id);
    expect(woken.osVolumeId).toBe(osVolumeId);
    await end(rig, woken.id, [osVolumeId]);
    await untilGone(rig, woken.id);
    await untilPurged(rig, osVolumeId);
  });

  it('knows nothing of unknown ids, ends them without an error, and does nothing else with them', async () => {
    const { provider, unknownIds } = test.rig;
    expect(await provider.getInstance(unknownIds.instance)).toBeNull();
    expect(await provider.getVolume(unknownIds.volume)).toBeNull();
    await provider.deleteInstance(unknownIds.instance, [unknownIds.volume]);
    await provider.deleteVolume(unknownIds.volume);
    for (const act of [
      () => partOf(provider, 'stopping').start(unknownIds.instance),
      () => partOf(provider, 'stopping').shutdown(unknownIds.instance),
    ])
      expect(await refusalOf(act)).toMatchObject({ code: 'provider_gone' });
    expect((await provider.bills?.billOf('instance', unknownIds.instance)) ?? null).toBeNull();
    await expectEmpty(test.rig);
  });

  it('lists what others made in the account, and nothing that is gone', async () => {
    const { rig } = test;
    const foreignId = await rig.makeForeignInstance('dh-contract-lookalike.example');
    const ours = await createRunning(rig, await orderFor(rig, 'dh-contract-lookalike'));
    const foreign = await untilStatus(rig, foreignId, 'running');
    expect(foreign.hostname).not.toBe(ours.hostname);
    expect((await rig.provider.listInstances()).map(({ id }) => id).toSorted()).toEqual(
      [foreignId, ours.id].toSorted(),
    );
    await end(rig, ours.id, ours.volumeIds);
    await untilGone(rig, ours.id);
    expect((await rig.provider.listInstances()).map(({ id }) => id)).toEqual([foreignId]);
  });

  it('gives names from outside without control characters', async () => {
    const { rig } = test;
    const foreignId = await rig.makeForeignInstance('other\u009B31m\nbox');
    await untilStatus(rig, foreignId, 'running');
    expect(JSON.stringify(await rig.provider.listInstances())).not.toMatch(/\\[bfnrt]|\\u00|[\u007F-\u009F]/u);
    expect(JSON.stringify(await rig.provider.listVolumes())).not.toMatch(/\\[bfnrt]|\\u00|[\u007F-\u009F]/u);
  });

  it('tells the bill of a machine and of its disk, where it keeps a record', async ({ skip }) => {
    const { rig } = test;
    test.needs(skip, 'bill');
    const { provider } = rig;
    const order = await orderFor(rig, 'dh-contract-bill');
    const running = await createRunning(rig, order);
    const osVolumeId = osVolumeOf(running);
    expect(await partOf(provider, 'bills').billOf('instance', running.id)).toMatchObject({
      state: 'billed',
      untilMs: null,
    });
    expect(await partOf(provider, 'bills').billOf('volume', osVolumeId)).toMatchObject({
      state: 'billed',
      untilMs: null,
    });
    await end(rig, running.id, [osVolumeId]);
    await untilGone(rig, running.id);
    await untilPurged(rig, osVolumeId);
    for (const [resource, id] of [
      ['instance', running.id],
      ['volume', osVolumeId],
    ] as const) {
      const bill = await partOf(provider, 'bills').billOf(resource, id);
      expect(bill).toMatchObject({ state: 'billed', untilMs: expect.any(Number) });
      if (bill?.state === 'billed') expect(bill.untilMs).toBeGreaterThan(bill.fromMs);
    }
    const made = await partOf(provider, 'bills').madeSince(running.createdAtMs - 60_000);
    expect(made).toContainEqual({ resource: 'instance', id: running.id });
    expect(made).toContainEqual({ resource: 'volume', id: osVolumeId });
  });

  it('refuses what is wrong in an order, before anything is made', async () => {
    const { rig } = test;
    const order = await orderFor(rig, 'dh-contract-wrong');
    const wrong = [
      { location: 'MARS-01' },
      { instanceType: '9x999.huge' },
      { hostname: 'No Host_Name' },
      { boot: { kind: 'volume', osVolumeId: rig.unknownIds.volume } },
    ] as const;
    for (const change of wrong) {
      const error = await refusalOf(() => create(rig, { ...order, ...change }));
      expect(isProviderError(error, 'config'), `${JSON.stringify(change)}: ${String(error)}`).toBe(true);
    }
    await expectNoMachine(test);
  });
}

/** No machine exists, whatever lists show. */
export async function expectNoMachine({ rig }: ContractTest): Promise<void> {
  expect(await rig.livingHostnames()).toEqual([]);
}
