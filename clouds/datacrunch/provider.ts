/**
 * DataCrunch behind the provider port.
 */
import type { ProviderCapabilities } from '../../domain/fleet/provider/billing.ts';
import { goneIsDone, isProviderError, nullIfGone, providerError } from '../errors.ts';
import { checkHostname, trustsModelUrl, type OpeningOptions } from '../opening.ts';
import { defineProvider, type ProviderFacts } from '../parts.ts';
import type { CloudInstance, CloudVolume, CreateInstanceRequest, MachineMaker, ProviderCore } from '../provider.ts';
import type { DataCrunchClient } from './client.ts';
import type { InstanceActionRequest, InstanceActionResult, NewInstance } from './calls/instances.ts';
import { billOfMachine, billOfVolume } from './bill.ts';
import { toInstance, toInstanceType, toVolume } from './mapping.ts';
import type { InstanceData } from './schemas/instances.ts';
import type { VolumeData } from './schemas/volumes.ts';

/** DataCrunch: 10 minutes prepaid with the rest refunded, stopped machines billed in full, NVMe at 0.20 USD per GiB-month. */
const FACTS: ProviderFacts = {
  billing: { quantumSec: 600, refundsUnused: true },
  volumeUsdPerGibMonth: 0.2,
  visibilityWindowMs: 60_000,
  billsStopped: true,
  volumePinsLocation: true,
  deletesWhileProvisioning: false,
  expectedBootMs: 300_000,
};

export interface DataCrunchProviderOptions extends Pick<
  OpeningOptions<unknown, unknown>,
  'capabilities' | 'now' | 'simulatedAccess'
> {
  readonly client: DataCrunchClient;
}

const MOST_TAGS = 10;

/** Parts of an opened provider. */
interface Opened {
  readonly core: ProviderCore;
  readonly maker: MachineMaker;
  readonly client: DataCrunchClient;
  readonly capabilities: ProviderCapabilities;
  readonly now: () => number;
  readonly volumeOf: (data: VolumeData, inTrash?: boolean) => CloudVolume;
}

function open(options: DataCrunchProviderOptions, capabilities: ProviderCapabilities): Opened {
  const { client } = options;
  const now = options.now ?? Date.now;
  const trustModelUrl = trustsModelUrl(client);
  const instanceOf = (data: InstanceData): CloudInstance => {
    const instance = toInstance(data, { nowMs: now(), trustModelUrl });
    return options.simulatedAccess === true ? { ...instance, ip: null } : instance;
  };
  const volumeOf = (data: VolumeData, inTrash = false): CloudVolume =>
    toVolume(data, now(), capabilities.volumeUsdPerGibMonth, inTrash);

  /** Deletes volumes of an instance that had ended before. Volumes that are still being detached are left to the caller's next round. */
  const purgeLeftovers = async (volumeIds: readonly string[]): Promise<void> => {
    for (const volumeId of volumeIds) {
      const volume = await core.getVolume(volumeId);
      if (volume?.status === 'detached' || volume?.status === 'trashed') await core.deleteVolume(volumeId);
    }
  };

  const maker: MachineMaker = {
    prepareCreate: () => Promise.resolve({}),
    createInstance: async (request) => client.instances.create(newInstance(request)),
  };
  const core: ProviderCore = {
    ...maker,
    async listInstanceTypes() {
      const types = await client.catalogue.instanceTypes('usd');
      return types.map(toInstanceType);
    },
    async listLocations() {
      const locations = await client.catalogue.locations();
      return locations.map(({ code, name, country_code: countryCode }) => ({ code, name, countryCode }));
    },

    async listInstances() {
      const instances = await client.instances.list();
      return instances.map(instanceOf).filter(({ status }) => status !== 'gone');
    },
    getInstance: (id) => nullIfGone(async () => instanceOf(await client.instances.get(id))),
    async deleteInstance(id, deleteVolumeIds) {
      // The list is always sent: without one the provider may keep the OS volume, and its bill.
      const request = {
        action: 'delete',
        volumeIds: deleteVolumeIds,
        ...(deleteVolumeIds.length === 0 ? {} : { deletePermanently: true }),
      } as const;
      const result = await act(client, id, request).catch(goneIsDone);
      if (result?.outcome !== 'accepted') await purgeLeftovers(deleteVolumeIds);
    },

    listVolumes: async () => (await client.volumes.list()).map((data) => volumeOf(data)),
    getVolume: (id) => nullIfGone(async () => volumeOf(await client.volumes.get(id))),
    async deleteVolume(id) {
      await client.volumes.delete(id, { permanently: true }).catch(goneIsDone);
    },
  };
  return { core, maker, client, capabilities, now, volumeOf };
}

/** DataCrunch changes no type of a machine. */
export const DATACRUNCH = defineProvider('datacrunch', FACTS, open, {
  stock: ({ client, now }) => ({
    async availability(market) {
      const rows = await client.catalogue.availability({ isSpot: market === 'spot' });
      const typesByLocation = Object.fromEntries(rows.map((row) => [row.location_code, row.availabilities]));
      return { market, atMs: now(), typesByLocation };
    },
  }),
  account: ({ client }) => ({
    async balance() {
      const { amount, currency } = await client.catalogue.balance();
      return { amount, currency };
    },
  }),
  stopping: ({ client }) => ({
    async shutdown(id) {
      await act(client, id, { action: 'shutdown' });
    },
    async start(id) {
      await act(client, id, { action: 'start' });
    },
  }),
  hibernation: ({ client }) => ({
    async hibernate(id) {
      await act(client, id, { action: 'hibernate' });
    },
  }),
  keptDisks: ({ maker }) => maker,
  dataVolumes: ({ client }) => ({
    async attach(volumeId, instanceId) {
      if (isAttachedTo(await client.volumes.get(volumeId), instanceId)) return;
      await client.volumes.act([volumeId], { action: 'attach', instance_ids: [instanceId] });
    },
    async detach(volumeId, instanceId) {
      if (!isAttachedTo(await client.volumes.get(volumeId), instanceId)) return;
      await client.volumes.act([volumeId], { action: 'detach', instance_ids: [instanceId] });
    },
  }),
  trash: ({ client, volumeOf }) => ({
    listVolumes: async () => (await client.volumes.listTrash()).map((data) => volumeOf(data, true)),
  }),
  bills: ({ client, capabilities: { billing, billsStopped } }) => ({
    async billOf(resource, id) {
      const events = await nullIfNoRecord(() => client.journal.of(resource === 'instance' ? 'compute' : 'volume', id));
      if (events === null) return null;
      return resource === 'volume'
        ? billOfVolume(events)
        : billOfMachine(events, billing.from ?? 'created', billsStopped);
    },
    async madeSince(sinceMs) {
      const events = await nullIfNoRecord(() => client.journal.createsSince(sinceMs));
      if (events === null) return null;
      return events.flatMap(({ object_id: objectId, object_type: type }) => {
        if (objectId === null || (type !== 'compute' && type !== 'volume')) return [];
        return [{ resource: type === 'compute' ? 'instance' : 'volume', id: objectId } as const];
      });
    },
  }),
  sshKeys: ({ client: { sshKeys } }) => ({
    list: async () => (await sshKeys.list()).map(({ id, name, key }) => ({ id, name, publicKey: key })),
    add: (name, publicKey) => sshKeys.create(name, publicKey),
    async delete(id) {
      await sshKeys.delete(id).catch(goneIsDone);
    },
  }),
  scripts: ({ client: { scripts }, now }) => ({
    async list() {
      const all = await scripts.list();
      return all.map(({ id, name, created_at: createdAtMs }) => ({ id, name, createdAtMs: createdAtMs ?? now() }));
    },
    add: (name, script) => scripts.create(name, script),
    async delete(id) {
      await scripts.delete(id).catch(goneIsDone);
    },
  }),
});

/** One action on one instance; a refusal is thrown. */
async function act(
  { instances }: DataCrunchClient,
  id: string,
  request: Omit<InstanceActionRequest, 'ids'>,
): Promise<InstanceActionResult | undefined> {
  const [result] = await instances.act({ ...request, ids: [id] });
  if (result?.error) throw result.error;
  return result;
}

/** The list of instances is right where there is one; `instance_id` can be stale. */
const isAttachedTo = (data: VolumeData, instanceId: string): boolean => data.instances.includes(instanceId);

/** The journal is young at this provider: credentials may not reach it, and it may be gone again. */
async function nullIfNoRecord<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (isProviderError(error, 'auth', 'config', 'gone')) return null;
    throw error;
  }
}

/** Body of a create. @throws DeckhandError `provider_config` for what the provider would refuse or cut */
function newInstance(request: CreateInstanceRequest): NewInstance {
  const { boot, market } = request;
  checkHostname(request.hostname);
  const tags = Object.entries(request.tags).map(([key, value]) => ({ key, value }));
  if (tags.length > MOST_TAGS) throw providerError('config', `${tags.length} tags; DataCrunch takes ${MOST_TAGS}`);
  const common = {
    instance_type: request.instanceType,
    hostname: request.hostname,
    description: request.description,
    location_code: request.location,
    is_spot: market === 'spot',
    contract: market === 'spot' ? 'SPOT' : 'PAY_AS_YOU_GO',
    tags,
  } as const;
  if (boot.kind === 'volume') return { ...common, image: boot.osVolumeId };
  return {
    ...common,
    image: boot.image,
    os_volume: { name: boot.osVolumeName, size: boot.osVolumeGib },
    ssh_key_ids: boot.sshKey.id === null ? [] : [boot.sshKey.id],
    ...(boot.startupScript === null || boot.startupScript.id === null
      ? {}
      : { startup_script_id: boot.startupScript.id }),
  };
}
