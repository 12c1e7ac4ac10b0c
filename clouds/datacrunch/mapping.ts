/**
 * Maps DataCrunch's payloads to the types of the provider port. Pure.
 */
import { entryOf, type InstanceContext } from '../mapping.ts';
import type { CloudInstance, CloudInstanceStatus, CloudInstanceType, CloudVolume } from '../provider.ts';
import type { InstanceTypeData } from './schemas/catalogue.ts';
import type { InstanceData } from './schemas/instances.ts';
import { tagRecord } from './schemas/lenient.ts';
import type { VolumeData } from './schemas/volumes.ts';

/** The provider's statuses; an unknown status is `starting`: wait and look again. */
const INSTANCE_STATUSES: Readonly<Record<string, CloudInstanceStatus>> = {
  running: 'running',
  offline: 'stopped',
  deleting: 'deleting',
  // Hibernation at this provider ends the instance.
  hibernating: 'deleting',
  starting_hibernation: 'deleting',
  'starting hibernation': 'deleting',
  discontinued: 'gone',
  deleted: 'gone',
  notfound: 'gone',
  error: 'failed',
  installation_failed: 'failed',
  no_capacity: 'failed',
};

const VOLUME_STATUSES: Readonly<Record<string, CloudVolume['status']>> = {
  attached: 'attached',
  // What a shared filesystem in use is called.
  exported: 'attached',
  detached: 'detached',
  deleted: 'deleted',
  canceled: 'deleted',
};

/** True for a price that is in USD, or whose currency is not stated. */
const isInUsd = ({ currency }: { readonly currency: string }): boolean => /^(?:usd)?$/iu.test(currency);

/** An instance. A price in another currency counts as none: the ledger takes the one it was bought at. */
export function toInstance(
  data: InstanceData,
  { nowMs, trustModelUrl }: Omit<InstanceContext, 'priceOf'>,
): CloudInstance {
  return {
    id: data.id,
    hostname: data.hostname,
    status: entryOf(INSTANCE_STATUSES, data.status) ?? 'starting',
    rawStatus: data.status,
    instanceType: data.instance_type,
    location: data.location ?? data.location_code ?? '',
    market: data.is_spot || data.contract === 'SPOT' ? 'spot' : 'ondemand',
    priceUsdPerHour: (isInUsd(data) ? data.price_per_hour : null) ?? 0,
    ip: data.ip,
    osVolumeId: data.os_volume_id,
    volumeIds: data.volume_ids,
    tags: tagRecord(data.tags),
    createdAtMs: data.created_at ?? nowMs,
    simulatedModelUrl: trustModelUrl ? data.simulated_model_url : null,
  };
}

/** A type. Those without a price do not come here: the catalogue leaves them out as unreadable. */
export function toInstanceType(data: InstanceTypeData): CloudInstanceType {
  return {
    instanceType: data.instance_type,
    model: data.model,
    gpuCount: data.gpu?.number_of_gpus ?? 0,
    vramGib: data.gpu_memory?.size_in_gigabytes ?? 0,
    vcpu: data.cpu?.number_of_cores ?? 0,
    memoryGib: data.memory?.size_in_gigabytes ?? 0,
    onDemandUsdPerHour: data.price_per_hour ?? 0,
    spotUsdPerHour: data.spot_price !== null && data.spot_price > 0 ? data.spot_price : null,
    supportedImages: data.supported_os,
  };
}

/** A volume, from the list or from the trash. @param usdPerGibMonth its price where the provider names none, or one in another currency */
export function toVolume(data: VolumeData, nowMs: number, usdPerGibMonth: number, inTrash = false): CloudVolume {
  const sizeGib = data.size ?? 0;
  const status = volumeStatus(data, inTrash);
  const [attachedTo] = data.instances;
  return {
    id: data.id,
    name: data.name,
    sizeGib,
    location: data.location ?? data.location_code ?? '',
    status,
    rawStatus: data.status,
    isOsVolume: data.is_os_volume,
    instanceId: attachedTo ?? (status === 'attached' || status === 'changing' ? data.instance_id : null),
    ...(isShared(data) ? { shared: { source: nfsSource(data), instanceIds: data.instances } } : {}),
    usdPerMonth: (isInUsd(data) ? data.monthly_price : null) ?? sizeGib * usdPerGibMonth,
    tags: tagRecord(data.tags),
    createdAtMs: data.created_at ?? nowMs,
  };
}

/** A shared filesystem, which is reached by NFS from machines that it is attached to. */
const isShared = ({ type }: VolumeData): boolean => type === 'NVMe_Shared' || type === 'HDD_Shared';

/** Each location has an NFS server of its own; the path is the volume's. */
function nfsSource({ location, location_code: code, pseudo_path: path }: VolumeData): string | null {
  const place = (location ?? code ?? '').toLowerCase();
  if (path === null || path === '' || place === '') return null;
  return `nfs.${place}.datacrunch.io:/${path.replace(/^\/+/u, '')}`;
}

function volumeStatus(data: VolumeData, inTrash: boolean): CloudVolume['status'] {
  if (data.is_permanently_deleted) return 'deleted';
  if (inTrash || data.deleted_at !== null) return 'trashed';
  return entryOf(VOLUME_STATUSES, data.status) ?? 'changing';
}
