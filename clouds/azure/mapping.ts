/**
 * Maps what Azure describes to the types of the provider port. Pure.
 */
import { entryOf, soldTypes, type InstanceContext } from '../mapping.ts';
import { quoted } from '../errors.ts';
import type { CloudInstance, CloudInstanceStatus, CloudInstanceType, CloudVolume } from '../provider.ts';
import type { Size } from './calls/catalogue.ts';
import type { DiskData } from './calls/disks.ts';
import { ownTags } from './calls/fields.ts';
import type { MachineData } from './calls/machines.ts';
import type { SizePrices } from './calls/prices.ts';
import { readResourceId, writeId } from './settings.ts';

/** Tag in which a simulator says where the model server of its machine is. */
const MODEL_URL_TAG = 'simulated-model-url';

export interface AzureInstanceContext extends InstanceContext {
  /** Its public address; null where it has none. */
  readonly ip: string | null;
}

/** A machine. @throws RangeError for an id that is not Azure's: a defect */
export function toInstance(
  data: MachineData,
  { nowMs, trustModelUrl, ip, priceOf }: AzureInstanceContext,
): CloudInstance {
  const { [MODEL_URL_TAG]: modelUrl, ...tags } = ownTags(data.tags);
  const { hardwareProfile, priority, timeCreated, storageProfile } = data.properties;
  const market = priority === 'Spot' ? 'spot' : 'ondemand';
  const location = data.location.toLowerCase();
  const osVolumeId = volumeIdOf(storageProfile.osDisk.managedDisk);
  const others = storageProfile.dataDisks.map(({ managedDisk }) => volumeIdOf(managedDisk));
  return {
    id: idOf(data.id),
    hostname: data.name,
    status: instanceStatus(data),
    rawStatus: rawStatus(data),
    instanceType: hardwareProfile.vmSize,
    location,
    market,
    priceUsdPerHour: priceOf(hardwareProfile.vmSize, location, market),
    ip,
    osVolumeId,
    volumeIds: [osVolumeId, ...others].filter((id) => id !== null),
    tags,
    createdAtMs: timeCreated ?? nowMs,
    simulatedModelUrl: trustModelUrl ? (modelUrl ?? null) : null,
  };
}

function idOf(resourceId: string): string {
  const at = readResourceId(resourceId);
  if (at === null) throw new RangeError(`"${resourceId}" is not the id of a resource`);
  return writeId(at);
}

const volumeIdOf = (resourceId: string | null): string | null => (resourceId === null ? null : idOf(resourceId));

/** The word after `PowerState/`; '' where it was not said, as of a machine that never got a place. */
const powerOf = ({ properties: { instanceView } }: MachineData): string =>
  instanceView.statuses.find(({ code }) => code.startsWith('PowerState/'))?.code.slice('PowerState/'.length) ?? '';

/**
 * A machine has a state of its last change and a state of its power. Of one whose last change failed the power tells what is left: nothing of a
 * create that got no place, the stopped machine of a start.
 */
function instanceStatus(data: MachineData): CloudInstanceStatus {
  const state = data.properties.provisioningState;
  const power = powerOf(data);
  if (state === 'Deleting') return 'deleting';
  if (state === 'Creating') return 'starting';
  switch (power) {
    case 'running':
    // It shut itself down and keeps its place, which costs as before: only a deallocated one is asleep.
    case 'stopped':
      return 'running';
    case 'deallocated':
      return 'stopped';
    default:
      return state === 'Failed' && power === '' ? 'failed' : 'starting';
  }
}

/** Both states, with the reason of a failure: `Failed (AllocationFailed: …)`, `Succeeded, deallocated`. */
function rawStatus(data: MachineData): string {
  const { provisioningState: state, instanceView } = data.properties;
  const power = powerOf(data);
  const failure = instanceView.statuses.find(({ code }) => code.startsWith('ProvisioningState/failed/'));
  const why =
    failure === undefined ? '' : ` (${failure.code.split('/').slice(2).join('/')}: ${quoted(failure.message)})`;
  return `${state}${power === '' ? '' : `, ${power}`}${why}`;
}

/** States of a disk; one that no one knows is `changing`. A machine that is stopped reserves its disks. */
const DISK_STATES: Readonly<Record<string, CloudVolume['status']>> = {
  Attached: 'attached',
  Reserved: 'attached',
  Unattached: 'detached',
};

/** Largest size in GiB of each kind of premium disk, and its price, USD per month in eastus: a disk costs as the next larger kind. */
const PREMIUM_DISKS: readonly (readonly [number, number])[] = [
  [4, 0.6],
  [8, 1.2],
  [16, 2.4],
  [32, 5.28],
  [64, 10.21],
  [128, 19.71],
  [256, 38.01],
  [512, 73.22],
  [1024, 135.17],
  [2048, 259.05],
  [4096, 495.57],
];

/** Price of a premium disk, USD per month. */
const diskUsdPerMonth = (sizeGib: number, usdPerGibMonth: number): number =>
  PREMIUM_DISKS.find(([largest]) => sizeGib <= largest)?.[1] ?? sizeGib * usdPerGibMonth;

/** A disk. */
export function toVolume(
  data: DiskData,
  { nowMs, usdPerGibMonth }: { readonly nowMs: number; readonly usdPerGibMonth: number },
): CloudVolume {
  const { diskSizeGB: sizeGib, diskState, osType, timeCreated, provisioningState } = data.properties;
  return {
    id: idOf(data.id),
    name: data.name,
    sizeGib,
    location: data.location.toLowerCase(),
    status: provisioningState === 'Deleting' ? 'deleted' : (entryOf(DISK_STATES, diskState) ?? 'changing'),
    rawStatus: diskState,
    isOsVolume: osType !== null || data.name.endsWith('-os'),
    instanceId: volumeIdOf(data.managedBy),
    usdPerMonth: diskUsdPerMonth(sizeGib, usdPerGibMonth),
    tags: ownTags(data.tags),
    createdAtMs: timeCreated ?? nowMs,
  };
}

/** What one location sells. */
export interface LocationCatalogue {
  readonly location: string;
  readonly sizes: readonly Size[];
  readonly prices: ReadonlyMap<string, SizePrices>;
  /** Of the public address that every machine has. */
  readonly addressUsdPerHour: number;
}

/** The sizes of all locations with the prices of each, address included. Sizes without a price on demand are left out: nothing could be decided about them. */
export function toCatalogue(
  locations: readonly LocationCatalogue[],
  supportedImages: readonly string[],
): readonly CloudInstanceType[] {
  const offers = locations.flatMap(({ location, sizes, prices, addressUsdPerHour }) => {
    const withAddress = (usd: number | null = null): number | null => (usd === null ? null : usd + addressUsdPerHour);
    return sizes.map((data) => {
      const price = prices.get(data.name);
      const spotUsdPerHour = data.hasSpot ? withAddress(price?.spotUsdPerHour) : null;
      return {
        name: data.name,
        data,
        location,
        onDemandUsdPerHour: withAddress(price?.onDemandUsdPerHour),
        spotUsdPerHour,
      };
    });
  });
  return soldTypes(offers).flatMap(({ data, onDemandUsdPerHour, ...prices }) => {
    if (onDemandUsdPerHour === null) return [];
    const { name: instanceType, model, gpuCount, vramGib, vcpu, memoryGib } = data;
    const size = { instanceType, model, gpuCount, vramGib, vcpu, memoryGib };
    return [{ ...size, onDemandUsdPerHour, ...prices, supportedImages }];
  });
}
