/**
 * What the tests of the provider contract do with a provider: order a machine, wait for something, empty the account.
 */
import { expect } from 'vitest';
import { isProviderError } from '../../clouds/errors.ts';
import { makerOf } from '../../clouds/parts.ts';
import type {
  CloudInstance,
  CloudInstanceType,
  CloudProvider,
  CloudVolume,
  CreateInstanceRequest,
  ImageRequest,
} from '../../clouds/provider.ts';
import type { Market } from '../../domain/fleet/selection/offer.ts';
import { makeImageRequest } from '../image-request.ts';
import type { ContractRig } from './rig.ts';

const MOST_LOOKS = 600;
const SSH_KEY = {
  name: 'dh-contract-key',
  text: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKLKmweyRh8EQsUBcpNzFXtTSv33EV+K0g1k2nXENtLq contract',
};
const SCRIPT = { name: 'dh-contract-script', text: '#!/bin/sh\ntrue\n' };

/** Looks until it is right. @throws Error when it never is */
export async function eventually<T>(
  rig: ContractRig,
  what: string,
  look: () => Promise<T>,
  isRight: (seen: T) => boolean,
): Promise<T> {
  let seen = await look();
  for (let n = 0; n < MOST_LOOKS; n += 1) {
    if (isRight(seen)) return seen;
    await rig.pass();
    seen = await look();
  }
  throw new Error(`never came true: ${what}; last seen ${JSON.stringify(seen)}`);
}

/** Waits until an instance has this status. */
export async function untilStatus(
  rig: ContractRig,
  id: string,
  status: CloudInstance['status'],
): Promise<CloudInstance> {
  const seen = await eventually(
    rig,
    `${id} is ${status}`,
    () => rig.provider.getInstance(id),
    (instance) => instance?.status === status,
  );
  if (seen === null) throw new Error(`${id} is unknown`);
  return seen;
}

/** Waits until an instance has ended: its provider says so, or knows it no more. */
export const untilGone = (rig: ContractRig, id: string): Promise<CloudInstance | null> =>
  eventually(
    rig,
    `${id} is gone`,
    () => rig.provider.getInstance(id),
    (instance) => instance === null || instance.status === 'gone',
  );

/** Waits until a volume hangs on no machine. */
export const untilDetached = (rig: ContractRig, id: string): Promise<CloudVolume | null> =>
  eventually(
    rig,
    `volume ${id} is detached`,
    () => rig.provider.getVolume(id),
    (volume) => volume?.status === 'detached',
  );

/** Waits until a volume no longer exists. */
export const untilPurged = (rig: ContractRig, id: string): Promise<CloudVolume | null> =>
  eventually(
    rig,
    `volume ${id} is deleted`,
    () => rig.provider.getVolume(id),
    (volume) => volume === null || volume.status === 'deleted',
  );

/** Asks until the provider accepts: what is on its way from one state to another cannot be changed yet. */
export async function untilAccepted(rig: ContractRig, what: string, ask: () => Promise<void>): Promise<void> {
  const attempt = async (): Promise<boolean> => {
    try {
      await ask();
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'provider_not_yet' });
      return false;
    }
  };
  await eventually(rig, what, attempt, (accepted) => accepted);
}

export const end = (rig: ContractRig, id: string, deleteVolumeIds: readonly string[]): Promise<void> =>
  untilAccepted(rig, `the end of ${id}`, () => rig.provider.deleteInstance(id, deleteVolumeIds));

/** Prepares and creates. @returns the id */
export async function create({ provider }: ContractRig, order: CreateInstanceRequest): Promise<string> {
  const maker = makerOf(provider, order);
  return maker.createInstance(order, await maker.prepareCreate(order));
}

/** Creates and waits until it runs. */
export const createRunning = async (rig: ContractRig, order: CreateInstanceRequest): Promise<CloudInstance> =>
  untilStatus(rig, await create(rig, order), 'running');

/** The OS volume of an instance that runs. @throws Error when it has none */
export function osVolumeOf({ id, osVolumeId }: CloudInstance): string {
  if (osVolumeId === null) throw new Error(`${id} runs without an OS volume`);
  return osVolumeId;
}

/** Instances of that host name in the list, once at least one shows. */
export const listedAs = (rig: ContractRig, hostname: string): Promise<readonly CloudInstance[]> =>
  eventually(
    rig,
    `${hostname} is listed`,
    async () => (await rig.provider.listInstances()).filter((instance) => instance.hostname === hostname),
    (found) => found.length > 0,
  );

/** Types by location as far as the provider knows: what is there now, or where it does not say that, what is sold there. */
export async function soldAt(
  provider: CloudProvider,
  types: readonly CloudInstanceType[],
  market: Market,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const typesByLocation = (await provider.stock?.availability(market))?.typesByLocation ?? {};
  const locations = (await provider.listLocations()).map(({ code }) => code);
  return Object.fromEntries(
    locations.map((location) => {
      const sold = types.filter(
        ({ pricesByLocation }) => pricesByLocation === undefined || location in pricesByLocation,
      );
      return [location, typesByLocation[location] ?? sold.map(({ instanceType }) => instanceType)];
    }),
  );
}

/** An order for the cheapest type with one GPU that is to be had, with key and script. */
export async function orderFor(
  { provider }: ContractRig,
  hostname: string,
  change: Partial<ImageRequest> = {},
): Promise<ImageRequest> {
  const types = await provider.listInstanceTypes();
  const sold = await soldAt(provider, types, 'ondemand');
  const [type] = types
    .filter((t) => t.gpuCount === 1 && t.supportedImages.length > 0)
    .filter((t) => Object.values(sold).some((there) => there.includes(t.instanceType)))
    .toSorted((a, b) => a.onDemandUsdPerHour - b.onDemandUsdPerHour);
  if (type === undefined) throw new Error('no type with a GPU is to be had');
  const { instanceType, supportedImages } = type;
  const [location = ''] = Object.keys(sold).filter((l) => sold[l]?.includes(instanceType));
  return makeImageRequest({
    hostname,
    description: 'contract of the provider port',
    instanceType,
    location,
    boot: {
      image: supportedImages[0] ?? '',
      sshKey: { id: await sshKeyId(provider), text: SSH_KEY.text },
      startupScript: { id: await scriptId(provider), text: SCRIPT.text },
    },
    tags: { deckhand: 'lcontract' },
    ...change,
  });
}

/** Finds the key by its name, or adds it. Null where the provider stores none. */
export async function sshKeyId(provider: CloudProvider): Promise<string | null> {
  const known = (await provider.sshKeys?.list())?.find((key) => key.name === SSH_KEY.name);
  return known?.id ?? (await provider.sshKeys?.add(SSH_KEY.name, SSH_KEY.text)) ?? null;
}

/** Finds the script by its name, or adds it. Null where the provider stores none. */
export async function scriptId(provider: CloudProvider): Promise<string | null> {
  const known = (await provider.scripts?.list())?.find((script) => script.name === SCRIPT.name);
  return known?.id ?? (await provider.scripts?.add(SCRIPT.name, SCRIPT.text)) ?? null;
}

/** Ends and deletes everything of the account through the port, and checks that nothing is left, seen from either side. */
export async function emptyAccount(rig: ContractRig): Promise<void> {
  const { provider, faults } = rig;
  await faults.mend();
  const living = await rig.livingHostnames();
  await eventually(
    rig,
    'every machine is listed',
    () => provider.listInstances(),
    (listed) => listed.length >= living.length,
  );
  for (const { id } of await provider.listInstances()) {
    await untilAccepted(rig, `the end of ${id}`, async () => {
      // Its disks are known once it is made.
      const now = await provider.getInstance(id);
      await provider.deleteInstance(id, now?.volumeIds ?? []);
    });
    await untilGone(rig, id);
  }
  for (const volume of [...(await provider.listVolumes()), ...((await provider.trash?.listVolumes()) ?? [])]) {
    await untilAccepted(rig, `the end of volume ${volume.id}`, async () => {
      const now = await provider.getVolume(volume.id);
      // Of a disk that is being detached or deleted, the provider says when that is done.
      if (now !== null && now.status !== 'deleted') await provider.deleteVolume(volume.id);
    });
    await untilPurged(rig, volume.id);
  }
  await eventually(
    rig,
    'no part of a machine is left',
    () => sweepLeftovers(provider),
    (left) => left === 0,
  );
  for (const store of [provider.sshKeys, provider.scripts])
    for (const { id } of (await store?.list()) ?? []) await store?.delete(id);
  await expectEmpty(rig);
}

/** Deletes parts of machines that are there without their machine, as the reaper does. @returns how many there were */
export async function sweepLeftovers(provider: CloudProvider): Promise<number> {
  const leftovers = (await provider.leftovers?.list()) ?? [];
  for (const { id } of leftovers)
    await provider.leftovers?.delete(id).catch((error: unknown) => {
      if (!isProviderError(error, 'not_yet')) throw error;
    });
  return leftovers.length;
}

/** Nothing that costs is there, seen from either side. */
export async function expectEmpty(rig: ContractRig): Promise<void> {
  const { provider } = rig;
  expect(await rig.livingHostnames()).toEqual([]);
  expect(await provider.listInstances()).toEqual([]);
  expect((await provider.listVolumes()).filter((volume) => volume.status !== 'deleted')).toEqual([]);
  expect(((await provider.trash?.listVolumes()) ?? []).filter((volume) => volume.status === 'trashed')).toEqual([]);
  expect((await provider.sshKeys?.list()) ?? []).toEqual([]);
  expect((await provider.scripts?.list()) ?? []).toEqual([]);
}

/** The error of a call that is refused. @throws Error when it is not */
export async function refusalOf(call: () => Promise<unknown>): Promise<Error> {
  try {
    await call();
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error('the call was not refused');
}

/** True when the error says that what was asked for does not exist, or not in a state that allows it. */
export const isNoLonger = (error: Error): boolean => isProviderError(error, 'gone', 'not_yet');
