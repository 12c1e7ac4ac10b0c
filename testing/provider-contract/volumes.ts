/** The contract's part about data volumes: attached to a machine, and detached from it. */
import { expect, it } from 'vitest';
import { isProviderError } from '../../clouds/errors.ts';
import { partOf } from '../../clouds/parts.ts';
import type { CloudVolume } from '../../clouds/provider.ts';
import { createRunning, eventually, orderFor, refusalOf, untilAccepted, untilDetached, untilStatus } from './acts.ts';
import type { ContractTest } from './rig.ts';

export function testVolumes(test: ContractTest): void {
  it('attaches a data volume to a machine of its location and detaches it, where it can', async ({ skip }) => {
    const { rig } = test;
    const { provider } = rig;
    skip(rig.makeDataVolume === undefined, 'the double makes no data volumes');
    const machine = await createRunning(rig, await orderFor(rig, 'dh-contract-data'));
    const id = (await rig.makeDataVolume?.('foreign data', machine.location)) ?? '';
    const untilVolume = (what: string, is: (volume: CloudVolume | null) => boolean) =>
      eventually(rig, what, () => provider.getVolume(id), is);
    await untilVolume('the volume is there', (volume) => volume?.status === 'detached');
    const attach = async (): Promise<void> => partOf(provider, 'dataVolumes').attach(id, machine.id);
    if (provider.dataVolumes === undefined) {
      expect(await refusalOf(attach)).toMatchObject({ code: 'provider_config' });
      return;
    }
    // Some providers attach only to a machine that is stopped.
    await attach().catch(async (error: unknown) => {
      if (!isProviderError(error, 'not_yet')) throw error;
      await untilAccepted(rig, 'the stop', () => partOf(provider, 'stopping').shutdown(machine.id));
      await untilStatus(rig, machine.id, 'stopped');
      await attach();
    });
    await untilVolume('it is attached', (volume) => volume?.status === 'attached');
    expect(await provider.getVolume(id)).toMatchObject({ instanceId: machine.id, isOsVolume: false });
    expect((await provider.getInstance(machine.id))?.volumeIds).toContain(id);
    expect((await provider.getInstance(machine.id))?.osVolumeId).toBe(machine.osVolumeId);
    // Both may be repeated.
    await attach();
    await partOf(provider, 'dataVolumes').detach(id, machine.id);
    await untilVolume('it is detached', (volume) => volume?.status === 'detached');
    await partOf(provider, 'dataVolumes').detach(id, machine.id);
    expect((await provider.getInstance(machine.id))?.volumeIds).not.toContain(id);
  });

  it('refuses to attach what is in another location or does not exist', async ({ skip }) => {
    const { rig } = test;
    const { provider } = rig;
    skip(rig.makeDataVolume === undefined || provider.dataVolumes === undefined, 'it attaches no data volumes');
    const machine = await createRunning(rig, await orderFor(rig, 'dh-contract-far'));
    expect(
      await refusalOf(() => partOf(provider, 'dataVolumes').attach(rig.unknownIds.volume, machine.id)),
    ).toMatchObject({
      code: 'provider_gone',
    });
    const elsewhere = (await provider.listLocations()).find(({ code }) => code !== machine.location);
    const id = (await rig.makeDataVolume?.('foreign data', elsewhere?.code ?? '')) ?? '';
    await untilDetached(rig, id);
    const refusal = await refusalOf(() => partOf(provider, 'dataVolumes').attach(id, machine.id));
    expect(isProviderError(refusal, 'config', 'not_yet')).toBe(true);
    expect((await provider.getVolume(id))?.status).toBe('detached');
  });
}
