/**
 * Maps what EC2 describes to the types of the provider port. Pure.
 */
import { entryOf, soldTypes, type InstanceContext } from '../mapping.ts';
import type { CloudInstance, CloudInstanceStatus, CloudInstanceType, CloudVolume } from '../provider.ts';
import type { InstanceTypeData, Offering, SpotPrice } from './calls/catalogue.ts';
import { ownTags, type InstanceData } from './calls/instances.ts';
import type { VolumeData } from './calls/volumes.ts';
import { writeId } from './settings.ts';

/** States of an instance; an unknown one is `starting`: wait and look again. A machine that is stopping is on its way as well. */
const INSTANCE_STATES: Readonly<Record<string, CloudInstanceStatus>> = {
  pending: 'starting',
  running: 'running',
  stopping: 'starting',
  stopped: 'stopped',
  'shutting-down': 'deleting',
  terminated: 'gone',
};

/** Reasons of a machine that was accepted and never ran. */
const NEVER_RAN: ReadonlySet<string> = new Set([
  'Server.InsufficientInstanceCapacity',
  'Server.InternalError',
  'Client.InternalError',
  'Client.VolumeLimitExceeded',
  'Client.InvalidSnapshot.NotFound',
]);

const VOLUME_STATES: Readonly<Record<string, CloudVolume['status']>> = {
  available: 'detached',
  error: 'detached',
  'in-use': 'attached',
  deleting: 'deleted',
  deleted: 'deleted',
};

/** Tag in which a simulator says where the model server of its machine is. */
const MODEL_URL_TAG = 'simulated-model-url';

export interface AwsInstanceContext extends InstanceContext {
  readonly region: string;
  /** A machine that never ran is shown as failed for so long after its launch, ms. */
  readonly failedForMs: number;
}

/** An instance. */
export function toInstance(data: InstanceData, context: AwsInstanceContext): CloudInstance {
  const { region, nowMs, trustModelUrl, priceOf } = context;
  const { [MODEL_URL_TAG]: modelUrl, ...tags } = ownTags(data.tagSet);
  const { availabilityZone: zone } = data.placement;
  const market = data.instanceLifecycle === 'spot' ? 'spot' : 'ondemand';
  const disks = data.blockDeviceMapping.filter(({ ebs }) => ebs.volumeId !== '');
  const osDisk = disks.find(({ deviceName }) => deviceName === data.rootDeviceName);
  const volumeId = (id: string): string => writeId({ region, id });
  return {
    id: writeId({ region, id: data.instanceId }),
    hostname: hostnameOf(data),
    status: instanceStatus(data, context),
    rawStatus: rawStatus(data),
    instanceType: data.instanceType,
    location: zone,
    market,
    priceUsdPerHour: priceOf(data.instanceType, zone, market),
    // A subnet without public addresses is reached from inside.
    ip: data.ipAddress ?? (data.instanceState.name === 'running' ? data.privateIpAddress : null),
    osVolumeId: osDisk === undefined ? null : volumeId(osDisk.ebs.volumeId),
    volumeIds: disks.map(({ ebs }) => volumeId(ebs.volumeId)),
    tags,
    createdAtMs: createdAtMs(data) ?? nowMs,
    simulatedModelUrl: trustModelUrl ? (modelUrl ?? null) : null,
  };
}

const OWN_NAME = 'dh-';

/**
 * The token of a create of ours is its host name, and unlike the tag no one can change it. A copy made in the console has the tag and another
 * token: it is not ours.
 */
function hostnameOf({ clientToken, tagSet }: InstanceData): string {
  if (clientToken.startsWith(OWN_NAME)) return clientToken;
  const name = tagSet['Name'] ?? '';
  return name.startsWith(OWN_NAME) ? '' : name;
}

/**
 * EC2 shows a machine that has ended for an hour. One that never ran is `failed` as long as a create without an answer may still be looked for by its
 * name, then `gone`.
 */
function instanceStatus(
  { instanceState, stateReason, launchTime }: InstanceData,
  { nowMs, failedForMs }: AwsInstanceContext,
): CloudInstanceStatus {
  const status = entryOf(INSTANCE_STATES, instanceState.name) ?? 'starting';
  if (!NEVER_RAN.has(stateReason.code)) return status;
  // It will never run, also while EC2 still clears it away.
  if (status === 'deleting') return 'failed';
  return status === 'gone' && nowMs - (launchTime ?? nowMs) < failedForMs ? 'failed' : status;
}

/** The state, with the code of its reason where there is one; a machine that starts has none, and the code `pending`. */
const rawStatus = ({ instanceState: { name }, stateReason: { code } }: InstanceData): string =>
  code === '' || code === name ? name : `${name} (${code})`;

/** The launch time is new after each start; what is attached since the create keeps the first one. */
function createdAtMs({ launchTime, networkInterfaceSet }: InstanceData): number | null {
  const times = [launchTime, ...networkInterfaceSet.map(({ attachment }) => attachment.attachTime)];
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** A volume. */
export function toVolume(
  data: VolumeData,
  {
    region,
    nowMs,
    usdPerGibMonth,
  }: { readonly region: string; readonly nowMs: number; readonly usdPerGibMonth: number },
): CloudVolume {
  const [attachment] = data.attachmentSet;
  const name = data.tagSet['Name'] ?? '';
  const isMoving = attachment?.status === 'attaching' || attachment?.status === 'detaching';
  const status = entryOf(VOLUME_STATES, data.status) ?? 'changing';
  return {
    id: writeId({ region, id: data.volumeId }),
    name,
    sizeGib: data.size,
    location: data.availabilityZone,
    status: status === 'attached' && isMoving ? 'changing' : status,
    rawStatus: data.status,
    isOsVolume: name.endsWith('-os') || ROOT_DEVICES.has(attachment?.device ?? ''),
    instanceId:
      attachment === undefined || attachment.instanceId === '' ? null : writeId({ region, id: attachment.instanceId }),
    usdPerMonth: data.size * usdPerGibMonth,
    tags: ownTags(data.tagSet),
    createdAtMs: data.createTime ?? nowMs,
  };
}

const ROOT_DEVICES: ReadonlySet<string> = new Set(['/dev/sda1', '/dev/xvda']);

/** What one region sells. */
export interface RegionCatalogue {
  /** Usable ones, see {@link isUsable}. */
  readonly types: readonly InstanceTypeData[];
  readonly offerings: readonly Offering[];
  /** USD per hour by type. */
  readonly onDemand: ReadonlyMap<string, number>;
  readonly spot: readonly SpotPrice[];
}

/** Of the public IPv4 address that a machine has while it runs, published for all regions alike. A machine without one is counted as well. */
const ADDRESS_USD_PER_HOUR = 0.005;
const withAddress = (usd: number | undefined): number | null => (usd === undefined ? null : usd + ADDRESS_USD_PER_HOUR);

/** GPUs older than the open kernel modules of the images: no driver would load. */
const TOO_OLD: ReadonlySet<string> = new Set(['K80', 'M60', 'P100', 'V100']);

/** Sold for a time that is booked beforehand, not by the second. */
const BOOKED = 'capacity-block';

/** True for a type that the images and the model server run on, and that is sold without a booking. */
export const isUsable = ({ gpuInfo, supportedUsageClasses }: InstanceTypeData): boolean =>
  gpuInfo !== null &&
  (supportedUsageClasses.length === 0 || supportedUsageClasses.some((usage) => usage !== BOOKED)) &&
  gpuInfo.gpus.length === 1 &&
  gpuInfo.gpus.every(({ name, manufacturer, count }) => manufacturer === 'NVIDIA' && count > 0 && !TOO_OLD.has(name));

/** The types of all regions with the prices of each zone, address included. Types without a price on demand are left out: nothing could be decided about them. */
export function toCatalogue(
  regions: readonly RegionCatalogue[],
  supportedImages: readonly string[],
): readonly CloudInstanceType[] {
  const offers = regions.flatMap(({ types, offerings, onDemand, spot }) => {
    const spotPrices = new Map(spot.map((price) => [`${price.instanceType} ${price.zone}`, price.usdPerHour]));
    const usable = new Map(types.map((data) => [data.instanceType, data]));
    return offerings.flatMap(({ instanceType: name, zone }) => {
      const data = usable.get(name);
      if (data === undefined) return [];
      const spotUsdPerHour = withAddress(spotPrices.get(`${name} ${zone}`));
      return [{ name, data, location: zone, onDemandUsdPerHour: withAddress(onDemand.get(name)), spotUsdPerHour }];
    });
  });
  return soldTypes(offers).flatMap(({ data, onDemandUsdPerHour, ...prices }) => {
    if (onDemandUsdPerHour === null) return [];
    return [
      {
        instanceType: data.instanceType,
        model: data.gpuInfo?.gpus[0]?.name ?? '',
        gpuCount: data.gpuInfo?.gpus[0]?.count ?? 0,
        vramGib: (data.gpuInfo?.totalGpuMemoryInMiB ?? 0) / 1024,
        vcpu: data.vCpuInfo.defaultVCpus,
        memoryGib: data.memoryInfo.sizeInMiB / 1024,
        onDemandUsdPerHour,
        ...prices,
        supportedImages,
      },
    ];
  });
}
