/** Instances and volumes as the API shows them. */
import { volumeUsdPerHour } from '../core/billing.ts';
import type { Phase, SimInstance, SimVolume, Tag, VolumeStatus } from '../core/state.ts';
import type { CallEnv, Simulation } from './account.ts';
import { isoTime } from './body.ts';
import {
  DATACRUNCH_CATALOGUE,
  IMAGES,
  MACHINE_TYPES,
  type Hardware,
  type MachineImage,
  type MachineType,
} from './catalogue.ts';
import { accountCurrency, inAccount } from './money.ts';

const WORDS: Readonly<Record<Exclude<Phase, 'failed'>, string>> = {
  accepted: 'ordered',
  preparing: 'provisioning',
  running: 'running',
  stopping: 'running',
  stopped: 'offline',
  starting: 'offline',
  deleting: 'deleting',
  gone: 'discontinued',
};

const STATUSES: ReadonlySet<string> = new Set([
  'running',
  'provisioning',
  'offline',
  'discontinued',
  'unknown',
  'ordered',
  'notfound',
  'new',
  'error',
  'deleting',
  'validating',
  'no_capacity',
  'installation_failed',
]);

/** True for a documented status of an instance. */
export const isStatus = (word: string): boolean => STATUSES.has(word);

/** The provider's status of an instance. */
export function statusWord(instance: SimInstance, env: Pick<CallEnv, 'statusWord'>, nowMs: number): string {
  if (env.statusWord !== null) return env.statusWord;
  if (instance.phase === 'accepted' || instance.phase === 'preparing') {
    const word = instance.words.find((w) => w.untilMs > nowMs)?.word;
    if (word !== undefined) return word;
  }
  return instance.phase === 'failed' ? (instance.failure ?? 'error') : WORDS[instance.phase];
}

const typesByName = new Map(MACHINE_TYPES.map((t) => [t.instanceType, t]));

/** @throws Error when a type is not in the catalogue: a defect */
export function machineType(instanceType: string): MachineType {
  const type = typesByName.get(instanceType);
  if (type === undefined) throw new Error(`no data sheet of ${instanceType} in ${DATACRUNCH_CATALOGUE.provider}`);
  return type;
}

/** The fields that types and instances share. */
export function hardware(type: Hardware): Record<string, unknown> {
  return {
    cpu: { description: `${type.vcpu} CPU`, number_of_cores: type.vcpu },
    gpu: { description: type.gpuCount === 0 ? '' : `${type.gpuCount}x ${type.name}`, number_of_gpus: type.gpuCount },
    gpu_memory: {
      description: type.gpuCount === 0 ? '' : `${type.vramGib}GB GPU RAM`,
      size_in_gigabytes: type.vramGib,
    },
    memory: { description: `${type.memoryGib}GB RAM`, size_in_gigabytes: type.memoryGib },
    storage: { description: 'dynamic' },
  };
}

export const imagePayload = (image: MachineImage, isDefault: boolean, isCluster: boolean): Record<string, unknown> => ({
  id: image.id,
  image_type: image.slug,
  name: image.name,
  is_default: isDefault,
  is_cluster: isCluster,
  details: [image.name],
  category: image.category,
});

export const tagPayload = ({ id, key, value }: Tag): Tag => ({ id, key, value });

export function instancePayload(instance: SimInstance, env: CallEnv): Record<string, unknown> {
  const isSpot = instance.market === 'spot';
  const waiting = instance.phase === 'accepted';
  return {
    id: instance.id,
    ip: instance.ip,
    status: statusWord(instance, env, env.sim.cloud.clock.nowMs()),
    created_at: isoTime(instance.createdAtMs),
    ...hardware(machineType(instance.instanceType)),
    hostname: instance.hostname,
    description: instance.description,
    location: instance.location,
    price_per_hour: inAccount(env.sim, instance.usdPerHour),
    is_spot: isSpot,
    contract: isSpot ? 'SPOT' : 'PAY_AS_YOU_GO',
    pricing: 'FIXED_PRICE',
    instance_type: instance.instanceType,
    image: instance.image,
    os_name: IMAGES.find((i) => i.slug === instance.image || i.id === instance.image)?.name ?? instance.image,
    startup_script_id: instance.startupScriptId,
    os_volume_id: waiting ? null : instance.osVolumeId,
    jupyter_token: null,
    ssh_key_ids: instance.sshKeyIds,
    volume_ids: waiting ? [] : instance.volumeIds,
    tags: instance.tags.map(tagPayload),
    // Not a field of the provider: the URL of the model server of this simulated machine.
    simulated_model_url: instance.modelUrl,
  };
}

/** The status of a volume in the provider's words, which are the core's but for its end. */
const volumeWord = (status: VolumeStatus): string => (status === 'trashed' || status === 'purged' ? 'deleted' : status);

const HOUR_MS = 3_600_000;

/** True for a filesystem that several machines mount at a time. */
export const isShared = ({ type }: SimVolume): boolean => type.endsWith('_Shared');

/** Machines that a volume is attached to. */
export function holdersOf({ cloud }: Simulation, volume: SimVolume): readonly SimInstance[] {
  const { instances } = cloud.state;
  if (isShared(volume))
    return Object.values(instances).filter((each) => each.phase !== 'gone' && each.volumeIds.includes(volume.id));
  const holder = volume.instanceId === null ? undefined : instances[volume.instanceId];
  return holder === undefined ? [] : [holder];
}

export function volumePayload(volume: SimVolume, env: CallEnv): Record<string, unknown> {
  const { cloud } = env.sim;
  const holders = holdersOf(env.sim, volume);
  const word = isShared(volume) && holders.length > 0 ? 'exported' : volumeWord(volume.status);
  return {
    id: volume.id,
    instance_id: volume.instanceId,
    instances: holders.map((holder) => ({
      id: holder.id,
      ip: holder.ip,
      instance_type: holder.instanceType,
      status: statusWord(holder, env, cloud.clock.nowMs()),
      os_volume_id: holder.osVolumeId,
      hostname: holder.hostname,
    })),
    name: volume.name,
    created_at: isoTime(volume.createdAtMs),
    status: env.statusWord ?? word,
    size: volume.sizeGib,
    is_os_volume: volume.isOs,
    target: volume.status === 'attached' ? 'vda' : null,
    type: volume.type,
    location: volume.location,
    ssh_key_ids: volume.sshKeyIds,
    pseudo_path: isShared(volume) ? `share-${volume.id.slice(0, 8)}` : null,
    create_directory_command: null,
    mount_command: null,
    filesystem_to_fstab_command: null,
    contract: 'PAY_AS_YOU_GO',
    base_hourly_cost: inAccount(env.sim, volumeUsdPerHour(volume.usdPerMonth)),
    monthly_price: inAccount(env.sim, volume.usdPerMonth),
    currency: accountCurrency(env.sim),
    long_term: null,
    tags: volume.tags.map(tagPayload),
    ...(volume.trashedAtMs === null
      ? {}
      : { deleted_at: isoTime(volume.trashedAtMs), is_permanently_deleted: volume.status === 'purged' }),
    ...(volume.trashedAtMs === null || volume.status === 'purged'
      ? {}
      : { purge_at: isoTime(volume.trashedAtMs + cloud.scenario.end.trashHours * HOUR_MS) }),
  };
}
