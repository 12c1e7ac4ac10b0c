/**
 * Google Compute Engine behind the provider port, by its public APIs. A location is a zone; the regions come from the settings.
 *
 * Lists go over the whole project and fail as a whole when a zone does not answer: nothing may be concluded from half a list. Instances and
 * disks are all that a machine leaves behind: its address is given back with it.
 */
import { goneIsDone, isProviderError, nullIfGone, providerError } from '../errors.ts';
import { checkHostname, known, lookUp, purge, trustsModelUrl, type OpeningOptions } from '../opening.ts';
import { defineProvider, type ProviderFacts } from '../parts.ts';
import type { CloudInstance, CreateInstanceRequest, MachineMaker, ProviderCore } from '../provider.ts';
import { listZones } from './calls/catalogue.ts';
import { deleteDisk, getDisk, listDisks } from './calls/disks.ts';
import {
  deleteInstance,
  getInstance,
  insertInstance,
  listInstances,
  requestIdOf,
  setDiskAutoDelete,
  setMachineType,
  startInstance,
  stopInstance,
  type InstanceData,
} from './calls/instances.ts';
import { lastInsert } from './calls/operations.ts';
import { ensureFirewall, findImage } from './calls/place.ts';
import { GoogleCatalogue } from './catalogue.ts';
import type { GoogleCredentials } from './credentials.ts';
import { classifyRefusal, ERROR_TABLE } from './http/classify.ts';
import { refusalCode } from '../http/refused.ts';
import { isEndOfOperation, readOperationError } from './http/refusal.ts';
import { createGoogleTransport, type GoogleTransport } from './http/transport.ts';
import { toFailedInstance, toInstance, toVolume } from './mapping.ts';
import { countryOf, readId, regionOfZone, writeId, type GoogleSettings, type ZonalId } from './settings.ts';
import { bootsDisk, keptBySize } from './types.ts';

/**
 * Google: per second while a machine runs (at least a minute per start, which is not told apart here), stopped machines cost their disks only,
 * balanced disks at 0.10 USD per GiB-month. A kept disk boots in its zone.
 */
const FACTS: ProviderFacts = {
  billing: { quantumSec: 1, refundsUnused: true, from: 'running' },
  volumeUsdPerGibMonth: 0.1,
  visibilityWindowMs: 120_000,
  billsStopped: false,
  volumePinsLocation: true,
  deletesWhileProvisioning: true,
  expectedBootMs: 90_000,
};

export interface GoogleProviderOptions extends OpeningOptions<GoogleSettings, GoogleCredentials> {
  readonly project: string;
}

const HOSTNAME = /^[a-z](?:[-a-z0-9]{0,58}[a-z0-9])?$/u;

/** So many creates of an offer in a row may end in words that are not known; the next one is taken for a lack of capacity, which blocks it. */
const MOST_UNKNOWN = 2;

/** Parts of an opened provider. */
interface Opened {
  readonly core: ProviderCore;
  readonly maker: MachineMaker;
  readonly http: GoogleTransport;
}

function open(options: GoogleProviderOptions, { visibilityWindowMs, volumeUsdPerGibMonth }: ProviderFacts): Opened {
  const { settings, installationId } = options;
  const now = options.now ?? Date.now;
  const http = createGoogleTransport({ ...options, baseUrl: settings.baseUrl });
  const catalogue = new GoogleCatalogue(http, settings.regions);
  const trustModelUrl = trustsModelUrl(settings);
  const firewallName = `dh-${installationId}`;
  /** Machines whose end this process ordered. */
  const ended = new Set<string>();
  /** Creates that certainly came to nothing, by host name. */
  const refusals = new Map<string, number>();
  /** Creates in a row that ended in unknown words, by offer. */
  const unknownEnds = new Map<string, number>();

  const instanceOf = (data: InstanceData): CloudInstance => {
    const instance = toInstance(data, { nowMs: now(), trustModelUrl, priceOf: catalogue.priceOf });
    const isEnding = data.status === 'STOPPING' && ended.has(instance.id);
    return {
      ...instance,
      status: isEnding ? 'deleting' : instance.status,
      ip: options.simulatedAccess === true ? null : instance.ip,
    };
  };
  const volumeContext = () => ({ nowMs: now(), usdPerGibMonth: volumeUsdPerGibMonth });

  /** A machine whose insert was accepted and failed lately: Compute Engine shows none, its operation says why. */
  async function failedInsert(at: ZonalId): Promise<CloudInstance | null> {
    if (ended.has(writeId(at))) return null;
    const operation = await lastInsert(http, at);
    const atMs = operation?.endTime ?? operation?.insertTime ?? null;
    if (operation === null || operation.error === null || atMs === null) return null;
    // As long as a create without an answer may still be looked for.
    if (now() - atMs >= visibilityWindowMs) return null;
    const refusal = readOperationError(operation.error, http.clean);
    const { errorClass } = classifyRefusal('create', 200, refusal, null);
    return toFailedInstance({ ...at, why: `${errorClass}: ${refusal.code ?? ''} ${refusal.message}`.trim(), atMs });
  }

  /** The error of a create: one in unknown words is `provider_transient` at first, and then blocks the offer. */
  function boundUnknown(offer: string, error: unknown): unknown {
    const code = refusalCode(error);
    const isUnknown = code === null || !Object.hasOwn(ERROR_TABLE, code);
    if (!isUnknown || !isEndOfOperation(error) || !(error instanceof Error)) return error;
    const times = (unknownEnds.get(offer) ?? 0) + 1;
    unknownEnds.set(offer, times);
    return times > MOST_UNKNOWN ? providerError('capacity', error.message, { cause: error }) : error;
  }

  const maker: MachineMaker = {
    async prepareCreate(request) {
      const { boot } = request;
      const region = checkedRegion(request);
      const [image, disk] = await Promise.all([
        boot.kind === 'image' ? findImage(http, boot.image) : null,
        boot.kind === 'volume' ? knownDisk(boot.osVolumeId, request) : null,
        ensureFirewall(http, settings.network, firewallName),
      ]);
      const subnetwork = settings.subnetworks[region];
      return {
        network: `global/networks/${settings.network}`,
        subnetwork: subnetwork === undefined ? '' : `regions/${region}/subnetworks/${subnetwork}`,
        networkTag: firewallName,
        image: image?.url ?? '',
        osVolumeGib: String(Math.max(boot.kind === 'image' ? boot.osVolumeGib : 0, image?.sizeGib ?? 0)),
        disk: disk ?? '',
      };
    },
    async createInstance(request, preparation) {
      checkedRegion(request);
      const { network, subnetwork, networkTag, image, osVolumeGib, disk } = preparation;
      if (!network || !networkTag || !(image || disk)) throw providerError('config', 'the create was not prepared');
      const { location: zone, instanceType, market, hostname } = request;
      const offer = `${zone} ${instanceType} ${market}`;
      const boots = { image: image ?? '', osVolumeGib: Number(osVolumeGib), disk: disk ?? '' };
      const place = { zone, network, subnetwork: subnetwork ?? '', networkTag, ...boots };
      const refused = refusals.get(hostname) ?? 0;
      try {
        await insertInstance(http, request, place, requestIdOf(hostname, refused));
      } catch (error) {
        if (!isProviderError(error, 'transient')) refusals.set(hostname, refused + 1);
        throw boundUnknown(offer, error);
      }
      refusals.delete(hostname);
      unknownEnds.delete(offer);
      return writeId({ zone, name: hostname });
    },
  };
  const core: ProviderCore = {
    ...maker,
    listInstanceTypes: () => catalogue.types(),
    async listLocations() {
      const zones = await listZones(http, settings.regions);
      return zones.map((zone) => ({ code: zone, name: zone, countryCode: countryOf(regionOfZone(zone) ?? '') }));
    },

    listInstances: async () => (await listInstances(http)).map(instanceOf),
    async getInstance(id) {
      const at = readId(id);
      if (at === null) return null;
      const data = await nullIfGone(() => getInstance(http, at));
      return data === null ? failedInsert(at) : instanceOf(data);
    },

    async deleteInstance(id, deleteVolumeIds) {
      const at = readId(id);
      const data = await lookUp(at, (found) => getInstance(http, found));
      if (at === null || data === null) {
        ended.add(id);
        return purge(core, deleteVolumeIds);
      }
      await chooseDisks(at, data, deleteVolumeIds);
      await deleteInstance(http, at).catch(goneIsDone);
      ended.add(id);
      await purge(core, deleteVolumeIds, instanceOf(data).volumeIds);
    },

    listVolumes: async () => (await listDisks(http)).map((data) => toVolume(data, volumeContext())),
    getVolume: (id) => lookUp(readId(id), async (at) => toVolume(await getDisk(http, at), volumeContext())),
    async deleteVolume(id) {
      const at = readId(id);
      if (at !== null) await deleteDisk(http, at).catch(goneIsDone);
    },
  };
  return { core, maker, http };

  /** Marks which disks go with the machine. */
  async function chooseDisks(at: ZonalId, data: InstanceData, deleteIds: readonly string[]): Promise<void> {
    for (const { source, deviceName, autoDelete } of data.disks) {
      const [name = ''] = source.split('/').toReversed();
      const isDeleted = deleteIds.includes(writeId({ zone: at.zone, name }));
      if (isDeleted !== autoDelete) await setDiskAutoDelete(http, at, deviceName, isDeleted).catch(goneIsDone);
    }
  }

  /** Name of a kept disk for this machine. @throws DeckhandError `provider_config` when there is none, `provider_capacity` for one that it cannot boot */
  async function knownDisk(id: string, { location: zone, instanceType }: CreateInstanceRequest): Promise<string> {
    const at = readId(id);
    const data = await lookUp(at, (found) => getDisk(http, found));
    if (at === null || data === null) throw providerError('config', `there is no disk ${id}`);
    if (at.zone !== zone) throw providerError('config', `the disk ${id} is not in ${zone}`);
    // Another offer may be able to, and this one may boot other disks.
    if (!bootsDisk(instanceType, data.type))
      throw providerError('capacity', `${instanceType} does not boot the disk ${id}, which is a ${data.type}`, {
        block: null,
      });
    return at.name;
  }
}

/**
 * Compute Engine says what a zone sells and never what is free, takes key and script with each create, and suspends no machine with a GPU.
 * Costs are in an export to BigQuery only, a day later. Attaching data volumes is not built yet.
 */
export const GOOGLE = defineProvider('google', FACTS, open, {
  stopping: ({ http }) => ({
    shutdown: async (id) => stopInstance(http, knownId(id)),
    start: async (id) => startInstance(http, knownId(id)),
  }),
  typeChange: ({ http }) => ({
    async changeType(id, instanceType) {
      const at = knownId(id);
      const own = (await getInstance(http, at)).instanceType;
      if (keptBySize(own) !== keptBySize(instanceType))
        throw providerError('config', `${id} is a ${own}: it can become another size only, not ${instanceType}`);
      await setMachineType(http, at, instanceType);
    },
  }),
  keptDisks: ({ maker }) => maker,
});

/** Region of a create. @throws DeckhandError `provider_config` for what Compute Engine cannot do */
function checkedRegion({ hostname, location }: CreateInstanceRequest): string {
  const region = regionOfZone(location);
  if (region === null) throw providerError('config', `"${location}" is not a zone of Google such as europe-west4-a`);
  checkHostname(hostname, HOSTNAME, ', a letter first');
  return region;
}

const knownId = (id: string): ZonalId => known(readId(id), id, 'Google');
