/** Volumes of a simulated cloud. A volume is billed from its creation until it is in the trash. */
import { volumeUsdPerHour } from './billing.ts';
import { drawId, endMeter, plan, startMeter, writeJournal, type Context } from './context.ts';
import { drawBetween } from './random.ts';
import { CloudRefusal } from './refusal.ts';
import type { Disposal, NewVolume, SimVolume, VolumeStatus } from './state.ts';

const HOUR_MS = 3_600_000;

const drawMs = ({ state }: Context, rangeSec: readonly [number, number]): number =>
  Math.round(drawBetween(state.random, rangeSec) * 1000);

/** Checks the storage quotas; trashed volumes count in GiB. @throws CloudRefusal */
export function checkStorageQuota(
  { state }: Context,
  added: readonly { readonly sizeGib: number }[],
  addedCount: number,
): void {
  const { storageGib, volumes: most } = state.quotas;
  if (storageGib === null && most === null) return;
  const existing = Object.values(state.volumes).filter((v) => v.status !== 'purged');
  // An accepted instance has its volumes only once it is prepared; they count from the start.
  const ordered = Object.values(state.instances).flatMap((i) => i.newVolumes);
  const gib = [...existing, ...ordered, ...added].reduce((sum, v) => sum + v.sizeGib, 0);
  if (storageGib !== null && added.length > 0 && gib > storageGib) throw new CloudRefusal('storage_quota');
  const count = existing.filter((v) => v.status !== 'trashed').length + ordered.length + addedCount;
  if (most !== null && addedCount > 0 && count > most) throw new CloudRefusal('volume_quota');
}

/** The volume. @throws CloudRefusal `unknown_volume` */
export function volumeOf({ state }: Context, id: string): SimVolume {
  const volume = state.volumes[id];
  if (volume === undefined) throw new CloudRefusal('unknown_volume', id);
  return volume;
}

type VolumeSeed = NewVolume &
  Pick<SimVolume, 'location' | 'isOs' | 'status' | 'instanceId' | 'sshKeyIds' | 'models' | 'vllm'>;

/** Creates a volume and starts its meter. The caller checks quotas. */
export function makeVolume(context: Context, atMs: number, seed: VolumeSeed): SimVolume {
  const { state, scenario } = context;
  const volume: SimVolume = {
    ...seed,
    id: drawId(context, 'volume'),
    createdAtMs: atMs,
    usdPerMonth: seed.sizeGib * scenario.billing.volumeUsdPerGibMonth,
    tags: [...seed.tags],
    trashedAtMs: null,
    plan: 0,
  };
  state.volumes[volume.id] = volume;
  meterVolume(context, volume, atMs);
  writeJournal(context, atMs, volume, 'create');
  return volume;
}

function meterVolume(context: Context, volume: SimVolume, fromMs: number): void {
  startMeter(context, {
    resource: 'volume',
    resourceId: volume.id,
    what: `${volume.type} ${volume.sizeGib} GiB ${volume.location}`,
    usdPerHour: volumeUsdPerHour(volume.usdPerMonth),
    fromMs,
  });
}

/** Orders a volume; once it exists, it is attached to the instance if one is named. The caller adds it to the instance's volumes. */
export function orderVolume(
  context: Context,
  atMs: number,
  order: Pick<NewVolume, 'name' | 'sizeGib' | 'type' | 'tags'> & {
    readonly location: string;
    readonly instanceId?: string | null;
  },
): SimVolume {
  if (!context.catalogue.locations.includes(order.location)) throw new CloudRefusal('unknown_location', order.location);
  checkStorageQuota(context, [order], 1);
  const volume = makeVolume(context, atMs, {
    ...order,
    onEviction: 'keep',
    isOs: false,
    status: 'ordered',
    instanceId: order.instanceId ?? null,
    sshKeyIds: [],
    models: [],
  });
  const to = volume.instanceId === null ? 'detached' : 'attached';
  changeLater(context, volume, atMs + drawMs(context, context.scenario.storage.orderSec), to);
  return volume;
}

/** Plans a change of status, instead of the one that was planned before. */
function changeLater(context: Context, volume: SimVolume, atMs: number, to: VolumeStatus): void {
  volume.plan += 1;
  plan(context, atMs, { kind: 'volume', id: volume.id, plan: volume.plan, to });
}

/** Carries out a planned change. */
export function volumeDue(context: Context, volume: SimVolume, to: VolumeStatus, atMs: number): void {
  switch (to) {
    case 'detached':
      volume.status = 'detached';
      volume.instanceId = null;
      return;
    case 'trashed':
      trashVolume(context, volume, atMs);
      return;
    case 'purged':
      purgeVolume(context, volume, atMs);
      return;
    case 'ordered':
    case 'cloning':
    case 'attached':
    case 'detaching':
      volume.status = to;
  }
}

export function attachVolume(context: Context, volume: SimVolume, instanceId: string, atMs: number): void {
  volume.plan += 1;
  volume.status = 'attached';
  volume.instanceId = instanceId;
  writeJournal(context, atMs, volume, 'attach');
}

/** Its instance is gone: the volume stays `detaching` for a while, then is kept, trashed or purged. */
export function leaveVolume(context: Context, volume: SimVolume, disposal: Disposal, atMs: number): void {
  volume.plan += 1;
  volume.status = 'detaching';
  const lingerMs = drawMs(context, context.scenario.end.diskLingerSec);
  const to = disposal === 'keep' ? 'detached' : disposal === 'trash' ? 'trashed' : 'purged';
  if (lingerMs === 0) volumeDue(context, volume, to, atMs);
  else changeLater(context, volume, atMs + lingerMs, to);
}

export function detachVolume(context: Context, volume: SimVolume, atMs: number): void {
  volume.plan += 1;
  volume.status = 'detached';
  volume.instanceId = null;
  writeJournal(context, atMs, volume, 'detach');
}

export function trashVolume(context: Context, volume: SimVolume, atMs: number): void {
  endMeter(context, volume.id, atMs);
  volume.status = 'trashed';
  volume.instanceId = null;
  volume.trashedAtMs = atMs;
  writeJournal(context, atMs, volume, 'trash');
  changeLater(context, volume, atMs + context.scenario.end.trashHours * HOUR_MS, 'purged');
}

export function purgeVolume(context: Context, volume: SimVolume, atMs: number): void {
  if (volume.status !== 'trashed') endMeter(context, volume.id, atMs);
  volume.plan += 1;
  volume.status = 'purged';
  volume.instanceId = null;
  volume.trashedAtMs ??= atMs;
  writeJournal(context, atMs, volume, 'delete');
}

/** Restores a volume from the trash; its time there is charged. */
export function restoreVolume(context: Context, volume: SimVolume, atMs: number): void {
  if (volume.status !== 'trashed')
    throw new CloudRefusal('wrong_state', volume.id, 'only a volume in the trash can be restored');
  volume.plan += 1;
  volume.status = 'detached';
  meterVolume(context, volume, volume.trashedAtMs ?? atMs);
  volume.trashedAtMs = null;
  writeJournal(context, atMs, volume, 'restore');
}

/** Grows a volume. */
export function resizeVolume(context: Context, volume: SimVolume, sizeGib: number, atMs: number): void {
  if (sizeGib <= volume.sizeGib) throw new CloudRefusal('invalid', volume.id, 'a volume can only grow');
  checkStorageQuota(context, [{ sizeGib: sizeGib - volume.sizeGib }], 0);
  endMeter(context, volume.id, atMs);
  volume.sizeGib = sizeGib;
  volume.usdPerMonth = sizeGib * context.scenario.billing.volumeUsdPerGibMonth;
  meterVolume(context, volume, atMs);
  writeJournal(context, atMs, volume, 'resize');
}

/** Copies a volume, to another location if one is named. The source must not be in use by a running machine. */
export function cloneVolume(
  context: Context,
  source: SimVolume,
  copy: { readonly name: string; readonly type?: string | undefined; readonly location?: string | undefined },
  atMs: number,
): SimVolume {
  const holder = source.instanceId === null ? undefined : context.state.instances[source.instanceId];
  if (source.status === 'trashed' || source.status === 'purged')
    throw new CloudRefusal('wrong_state', source.id, 'the volume is deleted');
  if (holder !== undefined && holder.phase !== 'stopped') throw new CloudRefusal('volume_in_use', source.id);
  const location = copy.location ?? source.location;
  if (!context.catalogue.locations.includes(location)) throw new CloudRefusal('unknown_location', location);
  checkStorageQuota(context, [source], 1);
  const volume = makeVolume(context, atMs, {
    name: copy.name,
    sizeGib: source.sizeGib,
    type: copy.type ?? source.type,
    location,
    isOs: source.isOs,
    status: 'cloning',
    instanceId: null,
    sshKeyIds: source.sshKeyIds,
    onEviction: 'keep',
    tags: [],
    models: source.models,
    vllm: source.vllm,
  });
  changeLater(context, volume, atMs + drawMs(context, context.scenario.storage.cloneSec), 'detached');
  return volume;
}
