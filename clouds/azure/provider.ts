/**
 * Azure's virtual machines behind the provider port, by its public APIs. A location is one of Azure's, such as `westeurope`; machines are made
 * without a zone, so that Azure may take any.
 *
 * A machine is five resources: itself, its disk, its network interface, its address, and the network that all of a location share. Interface
 * and address are made before it and go with it when it ends. Where a create stops half way they are left without a machine; a refused create
 * removes them at once, and the reaper finds the others (`leftovers`). They are not shown as a machine that failed: a create whose answer
 * was lost is looked for among the machines, and one that never was would be taken for it.
 */
import { DeckhandError } from '../../domain/errors.ts';
import { goneIsDone, isProviderError, nullIfGone, providerError } from '../errors.ts';
import { checkHostname, known, lookUp, purge, trustsModelUrl, type OpeningOptions } from '../opening.ts';
import { defineProvider, type ProviderFacts } from '../parts.ts';
import type { CloudInstance, CloudLeftover, CreateInstanceRequest, MachineMaker, ProviderCore } from '../provider.ts';
import { listLocations } from './calls/catalogue.ts';
import { getDisk, listDisks, removeDisk } from './calls/disks.ts';
import { taggedAs } from './calls/fields.ts';
import {
  deallocateMachine,
  getMachine,
  listMachines,
  makeMachine,
  markDiskForEnd,
  removeMachine,
  resizeMachine,
  startMachine,
  type MachineData,
} from './calls/machines.ts';
import {
  addressNameOf,
  ensureGroup,
  ensureSecurityGroup,
  ensureSubnet,
  getAddress,
  listAddresses,
  listInterfaces,
  machineOfPiece,
  makeMachineNetwork,
  removeMachineNetwork,
  removePiece,
} from './calls/network.ts';
import { AzureCatalogue } from './catalogue.ts';
import type { AzureCredentials } from './credentials.ts';
import { createAzureTransport, type AzureTransport } from './http/transport.ts';
import { toInstance, toVolume } from './mapping.ts';
import {
  countryOf,
  isImageName,
  namesOf,
  readId,
  readResourceId,
  writeId,
  type AzureSettings,
  type GroupedName,
} from './settings.ts';

/**
 * Azure: per second while a machine has a place on a host, a deallocated one costs its disk and its address. A premium disk of 100 GiB costs
 * 19.71 USD a month in eastus. A resource is visible as soon as it is accepted; lists may be a little behind.
 */
const FACTS: ProviderFacts = {
  billing: { quantumSec: 1, refundsUnused: true, from: 'running' },
  volumeUsdPerGibMonth: 0.2,
  visibilityWindowMs: 120_000,
  billsStopped: false,
  // Of its address. The price list says the same in every location.
  stoppedUsdPerHour: 0.005,
  volumePinsLocation: true,
  deletesWhileProvisioning: true,
  expectedBootMs: 150_000,
};

export type AzureProviderOptions = OpeningOptions<AzureSettings, AzureCredentials>;

const OWN_NAME = 'dh-';

/** Parts of an opened provider. */
interface Opened {
  readonly core: ProviderCore;
  readonly maker: MachineMaker;
  readonly http: AzureTransport;
}

function open(options: AzureProviderOptions, { volumeUsdPerGibMonth }: ProviderFacts): Opened {
  const { settings, installationId } = options;
  const { resourceGroup, networkName } = namesOf(settings, installationId);
  const now = options.now ?? Date.now;
  const http = createAzureTransport({ ...options, baseUrl: settings.baseUrl });
  const catalogue = new AzureCatalogue(http, settings.locations, settings.image, now);
  const trustModelUrl = trustsModelUrl(settings);
  const volumeContext = () => ({ nowMs: now(), usdPerGibMonth: volumeUsdPerGibMonth });

  const instanceOf = (data: MachineData, address: string | null): CloudInstance => {
    const ip = options.simulatedAccess === true ? null : address;
    return toInstance(data, { nowMs: now(), trustModelUrl, ip, priceOf: catalogue.priceOf });
  };

  const maker: MachineMaker = {
    async prepareCreate(request) {
      const { location, boot } = checkedRequest(request);
      const image = boot.kind === 'image' ? boot.image : '';
      if (boot.kind === 'image' && !isImageName(image))
        throw providerError('config', `"${image}" is neither publisher:offer:sku:version nor the id of an image`);
      const osDiskId = boot.kind === 'volume' ? await keptDisk(boot.osVolumeId, location) : '';
      await ensureGroup(http, resourceGroup, location);
      const name = `${networkName}-${location}`;
      const [subnetId, securityGroupId] = await Promise.all([
        settings.subnetIds[location] ?? ensureSubnet(http, { resourceGroup, name }, location),
        ensureSecurityGroup(http, { resourceGroup, name }, location),
      ]);
      return { image, osDiskId, subnetId, securityGroupId };
    },
    async createInstance(request, { image, osDiskId, subnetId, securityGroupId }) {
      const { location, hostname } = checkedRequest(request);
      if (image === undefined || osDiskId === undefined || !subnetId || !securityGroupId)
        throw providerError('config', 'the create was not prepared');
      const machine = { resourceGroup, name: hostname };
      const interfaceId = await makeMachineNetwork(http, {
        resourceGroup,
        machine: hostname,
        location,
        subnetId,
        securityGroupId,
        tags: taggedAs(request.tags),
      }).catch(async (error: unknown) => {
        await cleanUp(machine);
        // The machine itself was not asked for, so this is no unknown outcome.
        throw isProviderError(error, 'transient', 'gone')
          ? providerError('not_yet', `the network of ${hostname} could not be made`, { cause: error })
          : error;
      });
      const offer = {
        instanceType: request.instanceType,
        market: request.market,
        notSmaller: catalogue.notSmallerThan(request.instanceType),
      };
      const place = { resourceGroup, image, interfaceId, osDiskId: osDiskId === '' ? null : osDiskId };
      try {
        await makeMachine(http, request, place, offer);
      } catch (error) {
        if (!isProviderError(error, 'transient')) await cleanUp(machine);
        throw error;
      }
      return writeId(machine);
    },
  };
  const core: ProviderCore = {
    ...maker,
    listInstanceTypes: () => catalogue.types(),
    async listLocations() {
      const known = new Map((await listLocations(http)).map((one) => [one.name.toLowerCase(), one.displayName]));
      return settings.locations
        .filter((code) => known.has(code))
        .map((code) => ({ code, name: known.get(code) ?? code, countryCode: countryOf(code) }));
    },

    async listInstances() {
      const [machines, addresses] = await Promise.all([listMachines(http), listAddresses(http)]);
      const ipOf = new Map(addresses.map(({ id, properties }) => [id.toLowerCase(), properties.ipAddress]));
      return machines.map((data) => instanceOf(data, ipOf.get(addressIdOf(data.id)) ?? null));
    },
    async getInstance(id) {
      const at = readId(id);
      const data = await lookUp(at, (found) => getMachine(http, found));
      if (at === null || data === null) return null;
      const before = instanceOf(data, null);
      // Addresses of others' machines are under names that are not known.
      if (before.status !== 'running' || !data.name.startsWith(OWN_NAME)) return before;
      const address = await nullIfGone(() => getAddress(http, at));
      return instanceOf(data, address?.properties.ipAddress ?? null);
    },

    async deleteInstance(id, deleteVolumeIds) {
      const at = readId(id);
      const data = await lookUp(at, (found) => getMachine(http, found));
      if (at === null || data === null) return purge(core, deleteVolumeIds);
      const { osVolumeId, status, volumeIds } = instanceOf(data, null);
      const { deleteOption, createOption } = data.properties.storageProfile.osDisk;
      // A disk that the create still makes may be new to the caller, who then did not name it. There is nothing on it to keep.
      const isBeingMade =
        data.properties.provisioningState === 'Creating' && createOption.toLowerCase() === 'fromimage';
      const named = osVolumeId === null || isBeingMade || deleteVolumeIds.includes(osVolumeId);
      // The end of the machine is what counts: a disk that cannot be marked now is deleted by the caller's later rounds.
      if (named && deleteOption !== 'Delete' && status !== 'deleting')
        await markDiskForEnd(http, at).catch((error: unknown) => {
          if (!isProviderError(error, 'not_yet', 'gone', 'config', 'capacity', 'quota')) throw error;
        });
      if (status !== 'deleting') await removeMachine(http, at).catch(goneIsDone);
      await purge(core, deleteVolumeIds, volumeIds);
    },

    async listVolumes() {
      return (await listDisks(http)).map((data) => toVolume(data, volumeContext()));
    },
    getVolume: (id) => lookUp(readId(id), async (at) => toVolume(await getDisk(http, at), volumeContext())),
    async deleteVolume(id) {
      const at = readId(id);
      if (at !== null) await removeDisk(http, at).catch(goneIsDone);
    },
  };
  return { core, maker, http };

  /** Location and boot of a create. @throws DeckhandError `provider_config` for what Azure cannot do */
  function checkedRequest(request: CreateInstanceRequest): CreateInstanceRequest {
    const { hostname, location } = request;
    if (!settings.locations.includes(location))
      throw providerError('config', `"${location}" is not one of the locations that the fleet file names for azure`);
    checkHostname(hostname);
    return request;
  }

  /** Azure's own id of a kept disk. @throws DeckhandError `provider_config` for one that is not there, or elsewhere */
  async function keptDisk(id: string, location: string): Promise<string> {
    const at = readId(id);
    const disk = await lookUp(at, (found) => getDisk(http, found));
    if (disk === null) throw providerError('config', `there is no disk ${id}`);
    if (disk.location.toLowerCase() !== location)
      throw providerError('config', `the disk ${id} is in ${disk.location}, not in ${location}`);
    return disk.id;
  }

  /** After a refusal, which is what the caller is told: what Azure does not remove now is found by the reaper. */
  async function cleanUp(machine: GroupedName): Promise<void> {
    await removeMachineNetwork(http, machine).catch((error: unknown) => {
      // An answer of Azure; anything else is a mistake of ours.
      if (!(error instanceof DeckhandError)) throw error;
    });
  }
}

/**
 * Azure says what a location sells and never what is free, takes key and script with each create, and hibernates no machine with a whole GPU.
 * A report of the next day has the costs. Attaching is not built yet: a data disk is changed with the whole description of its machine.
 */
export const AZURE = defineProvider('azure', FACTS, open, {
  stopping: ({ http }) => ({
    // Deallocated, not only shut down.
    shutdown: async (id) => deallocateMachine(http, knownId(id)),
    start: async (id) => startMachine(http, knownId(id)),
  }),
  typeChange: ({ http }) => ({
    changeType: async (id, instanceType) => resizeMachine(http, knownId(id), instanceType),
  }),
  keptDisks: ({ maker }) => maker,
  leftovers: ({ http }) => ({
    async list() {
      const [interfaces, addresses] = await Promise.all([listInterfaces(http), listAddresses(http)]);
      // An address that hangs on an interface goes with it or after it, never before.
      const free = [
        ...interfaces.filter(({ properties }) => properties.virtualMachine === null),
        ...addresses.filter(({ properties }) => properties.ipConfiguration === null),
      ];
      return free.flatMap(({ id, name }): readonly CloudLeftover[] => {
        const hostname = machineOfPiece(name);
        const at = readResourceId(id);
        return hostname === null || at === null ? [] : [{ id: writeId(at), name, hostname }];
      });
    },
    async delete(id) {
      const at = readId(id);
      if (at !== null) await removePiece(http, at).catch(goneIsDone);
    },
  }),
});

/** Id of the address that a machine of ours has, from the id of the machine; in small letters. */
const addressIdOf = (machineId: string): string =>
  machineId
    .toLowerCase()
    .replace(/\/providers\/microsoft\.compute\/virtualmachines\/([^/]+)$/u, (_all, name: string) => {
      return `/providers/microsoft.network/publicipaddresses/${addressNameOf(name)}`;
    });

const knownId = (id: string): GroupedName => known(readId(id), id, 'Azure');
