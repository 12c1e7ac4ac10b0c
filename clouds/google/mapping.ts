/**
 * Maps what Compute Engine describes to the types of the provider port. Pure.
 */
import { entryOf, hasPrice, soldTypes, type InstanceContext, type SoldType, type TypeOffer } from '../mapping.ts';
import type { CloudInstance, CloudInstanceStatus, CloudInstanceType, CloudVolume } from '../provider.ts';
import type { AcceleratorData, MachineTypeData } from './calls/catalogue.ts';
import type { DiskData } from './calls/disks.ts';
import type { InstanceData } from './calls/instances.ts';
import { ownTags } from './labels.ts';
import type { PartPrices } from './prices.ts';
import { readId, regionOfZone, writeId } from './settings.ts';
import { gpuOf, whyNotRented, withAttached } from './types.ts';

/** Statuses of an instance; an unknown one is `starting`: wait and look again. One that is stopping is on its way as well. */
const INSTANCE_STATUSES: Readonly<Record<string, CloudInstanceStatus>> = {
  PENDING: 'starting',
  PROVISIONING: 'starting',
  STAGING: 'starting',
  REPAIRING: 'starting',
  RUNNING: 'running',
  PENDING_STOP: 'starting',
  STOPPING: 'starting',
  SUSPENDING: 'starting',
  SUSPENDED: 'stopped',
  STOPPED: 'stopped',
  TERMINATED: 'stopped',
  DEPROVISIONING: 'deleting',
};

const DISK_STATUSES: Readonly<Record<string, CloudVolume['status']>> = {
  READY: 'detached',
  FAILED: 'detached',
  DELETING: 'deleted',
};

/** Metadata in which a simulator says where the model server of its machine is. */
const MODEL_URL_KEY = 'simulated-model-url';

/** An instance. */
export function toInstance(data: InstanceData, { nowMs, trustModelUrl, priceOf }: InstanceContext): CloudInstance {
  const { name, zone, instanceType, status, statusMessage, scheduling, networkInterfaces } = data;
  const market = scheduling.provisioningModel === 'SPOT' || scheduling.preemptible ? 'spot' : 'ondemand';
  const disks = data.disks.flatMap(({ source, boot }) => {
    const id = diskIdOf(source);
    return id === null ? [] : [{ id, boot }];
  });
  const modelUrl = data.metadata.items.find(({ key }) => key === MODEL_URL_KEY)?.value ?? null;
  const [first] = networkInterfaces;
  const publicIp = first?.accessConfigs.find(({ natIP }) => natIP !== null)?.natIP ?? null;
  return {
    id: writeId({ zone, name }),
    hostname: name,
    status: entryOf(INSTANCE_STATUSES, status) ?? 'starting',
    rawStatus: statusMessage === '' ? status : `${status} (${statusMessage})`,
    instanceType,
    location: zone,
    market,
    priceUsdPerHour: priceOf(instanceType, zone, market),
    // A machine without a public address is reached from inside.
    ip: publicIp ?? (status === 'RUNNING' ? (first?.networkIP ?? null) : null),
    osVolumeId: disks.find(({ boot }) => boot)?.id ?? null,
    volumeIds: disks.map(({ id }) => id),
    tags: ownTags(data.labels),
    createdAtMs: data.creationTimestamp ?? nowMs,
    simulatedModelUrl: trustModelUrl ? modelUrl : null,
  };
}

/** Id of the disk or instance that a URL ends with: `…/zones/<zone>/disks/<name>`. Null for any other URL. */
function diskIdOf(url: string): string | null {
  const [name = '', , zone = ''] = url.split('/').toReversed();
  const id = writeId({ zone, name });
  return readId(id) === null ? null : id;
}

/** A machine that was accepted and never came to be: its name, where, and why. */
export interface FailedInsert {
  readonly zone: string;
  readonly name: string;
  readonly why: string;
  readonly atMs: number;
}

/** Such a machine, as the port shows it. */
export const toFailedInstance = ({ zone, name, why, atMs }: FailedInsert): CloudInstance => ({
  id: writeId({ zone, name }),
  hostname: name,
  status: 'failed',
  rawStatus: why,
  instanceType: '',
  location: zone,
  market: 'ondemand',
  priceUsdPerHour: 0,
  ip: null,
  osVolumeId: null,
  volumeIds: [],
  tags: {},
  createdAtMs: atMs,
  simulatedModelUrl: null,
});

/** A disk. */
export function toVolume(
  data: DiskData,
  { nowMs, usdPerGibMonth }: { readonly nowMs: number; readonly usdPerGibMonth: number },
): CloudVolume {
  const { name, zone, sizeGb, users } = data;
  const status = entryOf(DISK_STATUSES, data.status) ?? 'changing';
  const [user] = users;
  return {
    id: writeId({ zone, name }),
    name,
    sizeGib: sizeGb,
    location: zone,
    status: status === 'detached' && user !== undefined ? 'attached' : status,
    rawStatus: data.status,
    isOsVolume: name.endsWith('-os') || data.sourceImage !== null,
    instanceId: user === undefined ? null : diskIdOf(user),
    usdPerMonth: sizeGb * usdPerGibMonth,
    tags: ownTags(data.labels),
    createdAtMs: data.creationTimestamp ?? nowMs,
  };
}

/** What the project can rent. */
export interface ProjectCatalogue {
  readonly types: readonly MachineTypeData[];
  readonly accelerators: readonly AcceleratorData[];
  /** Of the regions that machines are rented in. */
  readonly zones: readonly string[];
  readonly prices: PartPrices;
}

/** Types with the prices of each zone, the cheapest first, and why others are left out, a sentence each. */
export function toCatalogue(
  { types, accelerators, zones, prices }: ProjectCatalogue,
  supportedImages: readonly string[],
): { readonly types: readonly CloudInstanceType[]; readonly unreadable: readonly string[] } {
  const here = new Set(zones);
  const gpusThere = new Set(accelerators.map(({ zone, name }) => `${zone} ${name}`));
  const offers: TypeOffer<MachineTypeData>[] = [];
  const attached = withAttached(
    types.filter(({ zone }) => here.has(zone)),
    accelerators.filter(({ zone }) => here.has(zone)),
  );
  const unreadable = new Set<string>(attached.refused);
  for (const data of attached.types) {
    const { name, zone } = data;
    const [gpu] = data.accelerators;
    if (gpu === undefined || data.deprecated?.state === 'DELETED' || data.deprecated?.state === 'OBSOLETE') continue;
    const why = whyNotRented(data);
    if (why !== null) {
      unreadable.add(`${name} ${why}`);
      continue;
    }
    if (!gpusThere.has(`${zone} ${gpu.guestAcceleratorType}`)) continue;
    const region = regionOfZone(zone) ?? '';
    const offer = {
      name,
      data,
      location: zone,
      onDemandUsdPerHour: prices.ofType(data, region, 'ondemand'),
      spotUsdPerHour: prices.ofType(data, region, 'spot'),
    };
    if (!hasPrice(offer)) unreadable.add(`${name}: the price list has no price of it in ${region}`);
    offers.push(offer);
  }
  const sold = soldTypes(offers).map((type) => toType(type, supportedImages));
  return {
    types: sold.toSorted(
      (a, b) => a.onDemandUsdPerHour - b.onDemandUsdPerHour || (a.instanceType < b.instanceType ? -1 : 1),
    ),
    unreadable: [...unreadable],
  };
}

function toType(
  { data, onDemandUsdPerHour, spotUsdPerHour, pricesByLocation }: SoldType<MachineTypeData>,
  supportedImages: readonly string[],
): CloudInstanceType {
  const [accelerator] = data.accelerators;
  const gpu = gpuOf(accelerator?.guestAcceleratorType ?? '');
  const gpuCount = accelerator?.guestAcceleratorCount ?? 0;
  return {
    instanceType: data.name,
    model: gpu?.model ?? '',
    gpuCount,
    vramGib: gpuCount * (gpu?.vramGib ?? 0),
    vcpu: data.guestCpus,
    memoryGib: data.memoryMb / 1024,
    // Of a type that is sold as spot only, no zone has a price on demand; this one is for comparisons.
    onDemandUsdPerHour: onDemandUsdPerHour ?? spotUsdPerHour ?? 0,
    spotUsdPerHour,
    pricesByLocation,
    supportedImages,
  };
}
