/**
 * AWS EC2 behind the provider port, by its public APIs. A location is an availability zone; the regions come from the settings.
 *
 * Lists go over all regions and fail as a whole when one does not answer: nothing may be concluded from half a list.
 */
import { makeSshKeyName } from '../../domain/fleet/provider/names.ts';
import { goneIsDone, isProviderError, providerError } from '../errors.ts';
import { checkHostname, known, lookUp, purge, trustsModelUrl, type OpeningOptions } from '../opening.ts';
import { defineProvider, type ProviderFacts } from '../parts.ts';
import type { ImageRequest, ProviderCore } from '../provider.ts';
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
import { AwsCatalogue } from './catalogue.ts';
import { refusalCode } from '../http/refused.ts';
import type { AwsCredentials } from './http/sign.ts';
import { createAwsTransport, type AwsTransport } from './http/transport.ts';
import { toInstance, toVolume } from './mapping.ts';
import { countryOf, readId, regionOfZone, writeId, type AwsSettings, type RegionalId } from './settings.ts';

/**
 * AWS: per second while a machine runs (at least a minute per start, which is not told apart here), stopped machines cost their disks only,
 * gp3 at 0.08 USD per GiB-month. AWS asks clients to look for some minutes before they take a resource for missing.
 */
const FACTS: ProviderFacts = {
  billing: { quantumSec: 1, refundsUnused: true, from: 'running' },
  volumeUsdPerGibMonth: 0.08,
  visibilityWindowMs: 300_000,
  billsStopped: false,
  volumePinsLocation: true,
  deletesWhileProvisioning: true,
  expectedBootMs: 120_000,
};

export type AwsProviderOptions = OpeningOptions<AwsSettings, AwsCredentials>;

/** Parts of an opened provider. */
interface Opened {
  readonly core: ProviderCore;
  readonly http: AwsTransport;
  readonly regions: readonly string[];
  readonly installationId: string;
  readonly now: () => number;
  /** When each key was last known to be in all regions: one that was imported a moment ago is not visible everywhere yet. */
  readonly keyThereAtMs: Map<string, number>;
}

function open(options: AwsProviderOptions, { visibilityWindowMs, volumeUsdPerGibMonth }: ProviderFacts): Opened {
  const { settings, installationId } = options;
  const { regions } = settings;
  const now = options.now ?? Date.now;
  const http = createAwsTransport({ ...options, baseUrl: settings.baseUrl });
  const catalogue = new AwsCatalogue(http, regions, now);
  const trustModelUrl = trustsModelUrl(settings);
  /** Machines whose end this process ordered: one that never ran can be ended no further, and the next offer need not wait for it. */
  const ended = new Set<string>();
  const keyThereAtMs = new Map<string, number>();

  /** A create that misses a key that was there a moment ago is tried again later. */
  const notYetForKey = (request: ImageRequest, error: unknown): unknown => {
    if (refusalCode(error) !== 'InvalidKeyPair.NotFound') return error;
    const thereAtMs = keyThereAtMs.get(request.boot.sshKey.id ?? '') ?? -Infinity;
    if (now() - thereAtMs >= visibilityWindowMs) return error;
    return providerError('not_yet', `${request.location} does not show the SSH key yet`, { cause: error });
  };

  const instanceOf = (data: InstanceData, region: string): ReturnType<typeof toInstance> => {
    const context = {
      region,
      nowMs: now(),
      failedForMs: visibilityWindowMs,
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
    usdPerGibMonth: volumeUsdPerGibMonth,
  });

  /** Asks every region. */
  const everywhere = async <T>(ask: (region: string) => Promise<readonly T[]>): Promise<readonly T[]> =>
    (await Promise.all(regions.map(ask))).flat();

  const core: ProviderCore = {
    listInstanceTypes: () => catalogue.types(),
    listLocations: () =>
      everywhere(async (region) => {
        const zones = await listZones(http, region);
        return zones.map((zone) => ({ code: zone, name: zone, countryCode: countryOf(region) }));
      }),

    listInstances: () =>
      everywhere(async (region) => {
        const found = await listInstances(http, region);
        // One that never ran is shown for a while: its create may have had no answer.
        return found.map((data) => instanceOf(data, region)).filter(({ status }) => status !== 'gone');
      }),
    getInstance: (id) => lookUp(readId(id), async (at) => instanceOf(await describeInstance(http, at), at.region)),

    async prepareCreate(request) {
      const { boot } = request;
      const region = regionOf(request);
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
      const region = regionOf(request);
      const { imageId, rootDeviceName, osVolumeGib, subnetId, securityGroupId } = preparation;
      if (!imageId || !rootDeviceName || !osVolumeGib || !subnetId || !securityGroupId)
        throw providerError('config', 'the create was not prepared');
      const place = { region, imageId, rootDeviceName, osVolumeGib: Number(osVolumeGib), subnetId, securityGroupId };
      try {
        return writeId({ region, id: await runInstance(http, request, place) });
      } catch (error) {
        throw notYetForKey(request, error);
      }
    },

    async deleteInstance(id, deleteVolumeIds) {
      const at = readId(id);
      const data = await lookUp(at, (found) => describeInstance(http, found));
      if (at === null || data === null || data.instanceState.name === 'terminated') {
        if (data !== null) ended.add(id);
        return purge(core, deleteVolumeIds);
      }
      await chooseVolumes(at, data, deleteVolumeIds);
      await terminateInstance(http, at).catch(goneIsDone);
      ended.add(id);
      await purge(core, deleteVolumeIds, instanceOf(data, at.region).volumeIds);
    },

    listVolumes: () =>
      everywhere(async (region) => {
        const found = await listVolumes(http, region);
        return found.map((data) => toVolume(data, volumeContext(region)));
      }),
    getVolume: (id) =>
      lookUp(readId(id), async (at) => toVolume(await describeVolume(http, at), volumeContext(at.region))),
    async deleteVolume(id) {
      const at = readId(id);
      if (at !== null) await removeVolume(http, at).catch(goneIsDone);
    },
  };
  return { core, http, regions, installationId, now, keyThereAtMs };

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

/** EC2 says what a zone sells and never what is free, boots images only, and what it remembers of a machine is gone an hour after it. */
export const AWS = defineProvider('aws', FACTS, open, {
  stopping: ({ http }) => ({
    shutdown: async (id) => stopInstance(http, knownId(id)),
    start: async (id) => startInstance(http, knownId(id)),
  }),
  typeChange: ({ http }) => ({
    changeType: async (id, instanceType) => modifyInstanceType(http, knownId(id), instanceType),
  }),
  dataVolumes: ({ http }) => ({
    async attach(volumeId, instanceId) {
      const [at, to] = [knownId(volumeId), knownId(instanceId)];
      const { attachmentSet } = await describeVolume(http, at);
      if (attachmentSet.some((attachment) => attachment.instanceId === to.id)) return;
      const { blockDeviceMapping } = await describeInstance(http, to);
      const used = blockDeviceMapping.map(({ deviceName }) => deviceName);
      await attachVolume(http, at, to.id, used);
    },
    async detach(volumeId, instanceId) {
      const [at, from] = [knownId(volumeId), knownId(instanceId)];
      const { attachmentSet } = await describeVolume(http, at);
      const attachment = attachmentSet.find((each) => each.instanceId === from.id);
      if (attachment === undefined || attachment.status === 'detaching') return;
      await detachVolume(http, at, from.id);
    },
  }),
  sshKeys: ({ http, regions, installationId, now, keyThereAtMs }) => ({
    async list() {
      const keys = await listKeysEverywhere(http, regions);
      for (const { id } of keys) keyThereAtMs.set(id, now());
      return keys;
    },
    async add(name, publicKey) {
      const ours = makeSshKeyName(installationId);
      for (const region of regions) await ensureKeyPair(http, region, { name, publicKey, mayReplace: name === ours });
      keyThereAtMs.set(name, now());
      return name;
    },
    async delete(id) {
      for (const region of regions) await removeKeyPair(http, region, id).catch(goneIsDone);
      keyThereAtMs.delete(id);
    },
  }),
});

/** Region of a create. @throws DeckhandError `provider_config` for what EC2 cannot do */
function regionOf({ hostname, location }: ImageRequest): string {
  const region = regionOfZone(location);
  if (region === null) throw providerError('config', `"${location}" is not a zone of AWS such as eu-west-1a`);
  checkHostname(hostname);
  return region;
}

const knownId = (id: string): RegionalId => known(readId(id), id, 'AWS');
