/**
 * AWS EC2 behind the provider port, by its public APIs. A location is an availability zone; the regions come from the settings.
 *
 * Lists go over all regions and fail as a whole when one does not answer: nothing may be concluded from half a list.
 */
import { makeSshKeyName } from '../../domain/fleet/provider/names.ts';
import type { ProviderCapabilities } from '../../domain/fleet/provider/billing.ts';
import { isLoopbackUrl } from '../../platform/loopback.ts';
import { pause as realPause } from '../../platform/pause.ts';
import { createMemoryRateLimit, type CallRateLimit, type Pause } from '../call-rate-limit.ts';
import { goneIsDone, isProviderError, nullIfGone, providerError } from '../errors.ts';
import type { CloudProvider, CreateInstanceRequest } from '../provider.ts';
import { listZones } from './calls/catalogue.ts';
import {
  describeInstance,
  listInstances,
  modifyInstanceType,
  runInstance,
  setDeleteOnTermination,
  startInstance,
  stopInstance,
  terminateInstance,
  type InstanceData,
} from './calls/instances.ts';
import { ensureKeyPair, listKeysEverywhere, removeKeyPair } from './calls/keys.ts';
import { ensureSecurityGroup, findImage, findSubnet } from './calls/place.ts';
import { attachVolume, describeVolume, detachVolume, listVolumes, removeVolume } from './calls/volumes.ts';
import { AWS_IMAGES, AwsCatalogue } from './catalogue.ts';
import { refusalCode } from './http/refusal.ts';
import type { AwsCredentials } from './http/sign.ts';
import type { Fetch } from '../http/wire.ts';
import { createAwsTransport } from './http/transport.ts';
import { toInstance, toVolume } from './mapping.ts';
import { countryOf, readId, regionOfZone, writeId, type AwsSettings, type RegionalId } from './settings.ts';

/**
 * AWS: per second while a machine runs (at least a minute per start, which is not told apart here), stopped machines cost their disks only,
 * gp3 at 0.08 USD per GiB-month. AWS asks clients to look for some minutes before they take a resource for missing.
 */
export const AWS_CAPABILITIES: ProviderCapabilities = {
  billing: { quantumSec: 1, refundsUnused: true, from: 'running' },
  volumeUsdPerGibMonth: 0.08,
  visibilityWindowMs: 300_000,
  billsStopped: false,
  volumePinsLocation: true,
  // RunInstances boots images only.
  bootsVolumes: false,
  deletesWhileProvisioning: true,
  suspendStrategies: ['shutdown', 'delete'],
  expectedBootMs: 120_000,
  storesScripts: false,
  storesKeys: true,
  changesTypeWhileStopped: true,
  attachesVolumes: true,
};

export interface AwsProviderOptions {
  readonly settings: AwsSettings;
  readonly credentials: AwsCredentials;
  /** Stands in the names of the security group and the key. */
  readonly installationId: string;
  /** Shared by all who use the account; one of this provider's own where left out. */
  readonly rateLimit?: CallRateLimit;
  /** Ends every wait and call when it fires. */
  readonly signal?: AbortSignal;
  /** Overrides of {@link AWS_CAPABILITIES}, as under a simulator's scenario. */
  readonly capabilities?: Partial<ProviderCapabilities>;
  /** Machines are reached at the model server that a simulator publishes; they have no address before that. */
  readonly simulatedAccess?: boolean;
  /** Replaced by tests that run on a virtual clock. */
  readonly fetch?: Fetch;
  readonly pause?: Pause;
  readonly now?: () => number;
  readonly random?: () => number;
}

/** EC2 takes 64 characters as a token; ours are host names. */
const HOSTNAME = /^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/u;

/** The provider. It sends nothing before the first call. */
export function createAwsProvider(options: AwsProviderOptions): CloudProvider {
  const { settings, installationId } = options;
  const { regions } = settings;
  const now = options.now ?? Date.now;
  const pause = options.pause ?? realPause;
  const http = createAwsTransport({
    baseUrl: settings.baseUrl ?? undefined,
    credentials: options.credentials,
    rateLimit: options.rateLimit ?? createMemoryRateLimit({ now, pause }),
    fetch: options.fetch ?? fetch,
    pause,
    now,
    signal: options.signal,
    random: options.random,
  });
  const capabilities = { ...AWS_CAPABILITIES, ...options.capabilities };
  const catalogue = new AwsCatalogue(http, regions, now);
  const trustModelUrl = settings.baseUrl !== null && isLoopbackUrl(settings.baseUrl);
  /** Machines whose end this process ordered: one that never ran can be ended no further, and the next offer need not wait for it. */
  const ended = new Set<string>();
  /** When each key was last known to be in all regions: one that was imported a moment ago is not visible everywhere yet. */
  const keyThereAtMs = new Map<string, number>();

  /** A create that misses a key that was there a moment ago is tried again later. */
  const notYetForKey = (request: CreateInstanceRequest, error: unknown): unknown => {
    if (refusalCode(error) !== 'InvalidKeyPair.NotFound' || request.boot.kind !== 'image') return error;
    const thereAtMs = keyThereAtMs.get(request.boot.sshKey.id ?? '') ?? -Infinity;
    if (now() - thereAtMs >= capabilities.visibilityWindowMs) return error;
    return providerError('not_yet', `${request.location} does not show the SSH key yet`, { cause: error });
  };

  const instanceOf = (data: InstanceData, region: string): ReturnType<typeof toInstance> => {
    const context = {
      region,
      nowMs: now(),
      failedForMs: capabilities.visibilityWindowMs,
      trustModelUrl,
      priceOf: catalogue.priceOf,
    };
    const instance = toInstance(data, context);
    const over = data.instanceState.name === 'terminated' ? 'gone' : 'deleting';
    const status = instance.status === 'failed' && ended.has(instance.id) ? over : instance.status;
    return { ...instance, status, ip: options.simulatedAccess === true ? null : instance.ip };
  };
  const volumeContext = (region: string) => ({
    region,
    nowMs: now(),
    usdPerGibMonth: capabilities.volumeUsdPerGibMonth,
  });

  /** Asks every region. */
  const everywhere = async <T>(ask: (region: string) => Promise<readonly T[]>): Promise<readonly T[]> =>
    (await Promise.all(regions.map(ask))).flat();

  /** Deletes disks of a machine that has ended. Those that are still being detached are left to the caller's next round. */
  const purge = async (volumeIds: readonly string[]): Promise<void> => {
    for (const volumeId of volumeIds)
      await provider.deleteVolume(volumeId).catch((error: unknown) => {
        if (!isProviderError(error, 'not_yet')) throw error;
      });
  };

  const provider: CloudProvider = {
    name: 'aws',
    capabilities,

    listInstanceTypes: () => catalogue.types(),
    listLocations: () =>
      everywhere(async (region) => {
        const zones = await listZones(http, region);
        return zones.map((zone) => ({ code: zone, name: zone, countryCode: countryOf(region) }));
      }),
    // EC2 says what a zone sells, which is in the catalogue, and never what is free.
    availability: (market) => Promise.resolve({ market, atMs: now(), typesByLocation: {} }),
    balance: () => Promise.resolve(null),
    listImages: () => Promise.resolve(AWS_IMAGES.map((name) => ({ id: name, slug: name, name }))),

    listInstances: () =>
      everywhere(async (region) => {
        const found = await listInstances(http, region);
        // One that never ran is shown for a while: its create may have had no answer.
        return found.map((data) => instanceOf(data, region)).filter(({ status }) => status !== 'gone');
      }),
    async getInstance(id) {
      const at = readId(id);
      if (at === null) return null;
      return nullIfGone(async () => instanceOf(await describeInstance(http, at), at.region));
    },

    async prepareCreate(request) {
      const { region, boot } = launchOf(request);
      const [image, subnet] = await Promise.all([
        findImage(http, region, boot.image),
        findSubnet(http, region, request.location, settings.subnetIds[request.location] ?? null),
      ]);
      const securityGroupId = await ensureSecurityGroup(http, region, subnet.vpcId, `dh-${installationId}`);
      return {
        imageId: image.imageId,
        rootDeviceName: image.rootDeviceName,
        osVolumeGib: String(Math.max(boot.osVolumeGib, image.sizeGib)),
        subnetId: subnet.subnetId,
        securityGroupId,
      };
    },
    async createInstance(request, preparation) {
      const { region, boot } = launchOf(request);
      const { imageId, rootDeviceName, osVolumeGib, subnetId, securityGroupId } = preparation;
      if (!imageId || !rootDeviceName || !osVolumeGib || !subnetId || !securityGroupId)
        throw providerError('config', 'the create was not prepared');
      const place = { region, imageId, rootDeviceName, osVolumeGib: Number(osVolumeGib), subnetId, securityGroupId };
      try {
        return writeId({ region, id: await runInstance(http, request, boot, place) });
      } catch (error) {
        throw notYetForKey(request, error);
      }
    },

    shutdownInstance: async (id) => stopInstance(http, knownId(id)),
    startInstance: async (id) => startInstance(http, knownId(id)),
    changeInstanceType: async (id, instanceType) => modifyInstanceType(http, knownId(id), instanceType),
    hibernateInstance: () => Promise.reject(providerError('config', 'EC2 hibernates no machine with a GPU')),
    async deleteInstance(id, deleteVolumeIds) {
      const at = readId(id);
      const data = at === null ? null : await nullIfGone(() => describeInstance(http, at));
      if (at === null || data === null || data.instanceState.name === 'terminated') {
        if (data !== null) ended.add(id);
        return purge(deleteVolumeIds);
      }
      await chooseVolumes(at, data, deleteVolumeIds);
      await terminateInstance(http, at).catch(goneIsDone);
      ended.add(id);
      const attached = instanceOf(data, at.region).volumeIds;
      await purge(deleteVolumeIds.filter((volumeId) => !attached.includes(volumeId)));
    },

    listVolumes: () =>
      everywhere(async (region) => {
        const found = await listVolumes(http, region);
        return found.map((data) => toVolume(data, volumeContext(region)));
      }),
    // EC2 has a recycle bin for snapshots and images, not for volumes.
    listTrashedVolumes: () => Promise.resolve([]),
    async getVolume(id) {
      const at = readId(id);
      if (at === null) return null;
      return nullIfGone(async () => toVolume(await describeVolume(http, at), volumeContext(at.region)));
    },
    async attachVolume(id, instanceId) {
      const [at, to] = [knownId(id), knownId(instanceId)];
      const { attachmentSet } = await describeVolume(http, at);
      if (attachmentSet.some((attachment) => attachment.instanceId === to.id)) return;
      const { blockDeviceMapping } = await describeInstance(http, to);
      const used = blockDeviceMapping.map(({ deviceName }) => deviceName);
      await attachVolume(http, at, to.id, used);
    },
    async detachVolume(id, instanceId) {
      const [at, from] = [knownId(id), knownId(instanceId)];
      const { attachmentSet } = await describeVolume(http, at);
      const attachment = attachmentSet.find((each) => each.instanceId === from.id);
      if (attachment === undefined || attachment.status === 'detaching') return;
      await detachVolume(http, at, from.id);
    },
    async deleteVolume(id) {
      const at = readId(id);
      if (at !== null) await removeVolume(http, at).catch(goneIsDone);
    },

    // What EC2 remembers of a machine is gone an hour after it.
    billOf: () => Promise.resolve(null),
    madeSince: () => Promise.resolve(null),

    async listSshKeys() {
      const keys = await listKeysEverywhere(http, regions);
      for (const { id } of keys) keyThereAtMs.set(id, now());
      return keys;
    },
    async addSshKey(name, publicKey) {
      const ours = makeSshKeyName(installationId);
      for (const region of regions) await ensureKeyPair(http, region, { name, publicKey, mayReplace: name === ours });
      keyThereAtMs.set(name, now());
      return name;
    },
    async deleteSshKey(id) {
      for (const region of regions) await removeKeyPair(http, region, id).catch(goneIsDone);
      keyThereAtMs.delete(id);
    },
    listScripts: () => Promise.resolve([]),
    addScript: () => Promise.reject(providerError('config', 'EC2 stores no scripts; it takes them with each create')),
    deleteScript: () => Promise.resolve(),
  };
  return provider;

  /** Marks which disks go with the machine: its system disk always, because EC2 boots no kept one. Ending it is what counts: disks that cannot be marked now are deleted by the caller's later rounds. */
  async function chooseVolumes(at: RegionalId, data: InstanceData, deleteIds: readonly string[]): Promise<void> {
    const wrong = data.blockDeviceMapping
      .filter(({ ebs }) => ebs.volumeId !== '')
      .map(({ deviceName, ebs }) => ({
        deviceName,
        deleted:
          deviceName === data.rootDeviceName || deleteIds.includes(writeId({ region: at.region, id: ebs.volumeId })),
        before: ebs.deleteOnTermination,
      }))
      .filter(({ deleted, before }) => deleted !== before);
    if (wrong.length === 0) return;
    await setDeleteOnTermination(http, at, wrong).catch((error: unknown) => {
      // A disk that is to be kept must not go with the machine.
      const wouldLose = wrong.some(({ deleted }) => !deleted);
      if (wouldLose || !isProviderError(error, 'not_yet', 'gone', 'config')) throw error;
    });
  }
}

/** Region and image of a create. @throws DeckhandError `provider_config` for what EC2 cannot do */
function launchOf(request: CreateInstanceRequest): {
  readonly region: string;
  readonly boot: Extract<CreateInstanceRequest['boot'], { kind: 'image' }>;
} {
  const { hostname, location, boot } = request;
  const region = regionOfZone(location);
  if (region === null) throw providerError('config', `"${location}" is not a zone of AWS such as eu-west-1a`);
  if (boot.kind === 'volume') throw providerError('config', 'EC2 boots images only, not a kept disk');
  if (!HOSTNAME.test(hostname)) {
    const rule = 'a host name of at most 60 lower-case letters, digits and dashes';
    throw providerError('config', `"${hostname}" is not ${rule}`);
  }
  return { region, boot };
}

/** @throws DeckhandError `provider_gone` for what is no id of AWS */
function knownId(id: string): RegionalId {
  const at = readId(id);
  if (at === null) throw providerError('gone', `"${id}" is not the id of a machine or disk at AWS`);
  return at;
}
