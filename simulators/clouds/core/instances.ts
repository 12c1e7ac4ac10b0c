/**
 * The life of a simulated instance: create, boot, stop, start, delete, eviction. Every operation happens at a given time and plans the
 * events that follow; nothing here waits.
 */
import { servedModel } from '../../machine/served-model.ts';
import type { Market } from '../../../domain/fleet/selection/offer.ts';
import { firstBlockUsd } from './billing.ts';
import { drawId, endMeter, offerOf, plan, startMeter, stockKey, writeJournal, type Context } from './context.ts';
import { addStock, priceOf, stockOf } from './market.ts';
import { draw, drawBetween, drawExponentialHours } from './random.ts';
import { CloudRefusal } from './refusal.ts';
import type { Disposal, FailureKind, ModelFault, NewVolume, Phase, SimInstance, SimVolume, Tag } from './state.ts';
import { attachVolume, checkStorageQuota, leaveVolume, makeVolume, volumeOf } from './volumes.ts';

/** A create, already validated by the provider's dialect. */
export interface CreateRequest {
  readonly hostname: string;
  readonly description: string;
  readonly instanceType: string;
  readonly location: string;
  readonly market: Market;
  /** A first boot from an image, or a boot from a volume that exists. */
  readonly boot:
    | {
        readonly kind: 'image';
        readonly image: string;
        /** Null = the machine boots from a disk of its own, which ends with it. */
        readonly osVolume: NewVolume | null;
        readonly sshKeyIds: readonly string[];
        readonly startupScriptId: string | null;
      }
    | { readonly kind: 'volume'; readonly volumeId: string };
  /** Text of the startup script of a first boot. */
  readonly script?: string | undefined;
  readonly newVolumes: readonly NewVolume[];
  readonly existingVolumeIds: readonly string[];
  readonly tags: readonly Tag[];
  /** See `SimInstance`. */
  readonly isReplica?: boolean;
}

/** Effects of a scripted fault on the instance that is being created. */
export interface CreateFault {
  readonly landsAfterMs?: number;
  readonly listLagMs?: number;
  readonly hang?: {
    readonly forMs: number | null;
    readonly ends: 'running' | FailureKind;
    readonly deletableAfterMs: number;
  };
  readonly noCapacity?: { readonly afterMs: number | null };
  readonly bootFails?: FailureKind;
  readonly word?: { readonly word: string; readonly forMs: number };
  readonly modelFault?: ModelFault;
}

const secToMs = (sec: number): number => Math.round(sec * 1000);

/** The instance. @throws CloudRefusal `unknown_instance`, also while a create that lands later has not taken effect */
export function instanceOf({ state }: Context, id: string, atMs: number): SimInstance {
  const instance = state.instances[id];
  if (instance === undefined || instance.readableAtMs > atMs) throw new CloudRefusal('unknown_instance', id);
  return instance;
}

/** Creates an instance. Checks type, location, balance, quota, disks and capacity, in this order. @throws CloudRefusal */
export function createInstance(
  context: Context,
  request: CreateRequest,
  fault: CreateFault,
  nowMs: number,
): SimInstance {
  const { state, scenario, catalogue } = context;
  const { instanceType, location, market } = request;
  const type = catalogue.types.get(instanceType);
  if (type === undefined) throw new CloudRefusal('unknown_type', instanceType);
  if (!catalogue.locations.includes(location)) throw new CloudRefusal('unknown_location', location);
  const count = (state.stats.creates[offerOf(context, request)] ??= { asked: 0, accepted: 0, noCapacity: 0 });
  count.asked += 1;
  const usdPerHour = priceOf(context, instanceType, market, location);
  const key = stockKey(instanceType, location, market);
  if (usdPerHour === null) throw new CloudRefusal('no_capacity', key);
  const billing = request.isReplica === true ? scenario.containers : context.billing;
  if (state.balanceUsd < firstBlockUsd(usdPerHour, billing)) throw new CloudRefusal('funds');
  checkComputeQuota(context, type, market);
  const { boot } = request;
  const osVolume = boot.kind === 'image' ? boot.osVolume : null;
  const newVolumes = [...(osVolume === null ? [] : [osVolume]), ...request.newVolumes];
  checkStorageQuota(context, newVolumes, newVolumes.length);
  const existing = [...(boot.kind === 'volume' ? [boot.volumeId] : []), ...request.existingVolumeIds].map((id) =>
    freeVolume(context, id, location),
  );
  if (boot.kind === 'volume' && existing[0]?.isOs !== true)
    throw new CloudRefusal('volume_not_bootable', boot.volumeId);
  const units = stockOf(context, key);
  if (units === 0) {
    count.noCapacity += 1;
    throw new CloudRefusal('no_capacity', key);
  }
  count.accepted += 1;
  addStock(context, key, -1);

  const createdAtMs = nowMs + (fault.landsAfterMs ?? 0);
  const isReplica = request.isReplica === true;
  const orderedMs = secToMs(
    drawBetween(state.random, isReplica ? scenario.containers.pullSec : scenario.boot.orderedSec),
  );
  const preparedAtMs = createdAtMs + orderedMs;
  const lag = (lagSec: readonly [number, number]): number => createdAtMs + secToMs(drawBetween(state.random, lagSec));
  const instance: SimInstance = {
    id: drawId(context, 'instance'),
    hostname: request.hostname,
    description: request.description,
    instanceType,
    location,
    market,
    gpuCount: type.gpuCount,
    vcpu: type.vcpu,
    image: boot.kind === 'image' ? boot.image : boot.volumeId,
    bootedFromVolume: boot.kind === 'volume',
    hasOwnDisk: boot.kind === 'image' && boot.osVolume === null,
    isReplica,
    sshKeyIds: boot.kind === 'image' ? boot.sshKeyIds : [],
    startupScriptId: boot.kind === 'image' ? boot.startupScriptId : null,
    usdPerHour,
    createdAtMs,
    listedAtMs: fault.listLagMs === undefined ? lag(scenario.visibility.listLagSec) : createdAtMs + fault.listLagMs,
    readableAtMs: lag(scenario.visibility.getLagSec),
    deletableAtMs: fault.hang === undefined ? null : createdAtMs + fault.hang.deletableAfterMs,
    modelFault: fault.modelFault ?? null,
    phase: 'accepted',
    failure: null,
    words: wordsOf(context, fault, createdAtMs, orderedMs),
    history: [{ atMs: createdAtMs, phase: 'accepted' }],
    ip: null,
    osVolumeId: boot.kind === 'volume' ? boot.volumeId : null,
    volumeIds: existing.map((v) => v.id),
    newVolumes,
    tags: [...request.tags],
    disposals: {},
    endedBy: null,
    holdsStock: true,
    plan: 0,
    modelUrl: null,
    vllm: boot.kind === 'image' ? servedModel(request.script) : existing[0]?.vllm,
  };
  state.instances[instance.id] = instance;
  for (const volume of existing) attachVolume(context, volume, instance.id, nowMs);
  if (scenario.billing.from === 'created' && !isReplica) meterInstance(context, instance, createdAtMs);
  writeJournal(context, createdAtMs, instance, 'create');
  planBoot(context, instance, fault, preparedAtMs);
  return instance;
}

function checkComputeQuota({ state }: Context, type: { gpuCount: number; vcpu: number }, market: Market): void {
  const { gpus, spotGpus, vcpus } = state.quotas;
  if (gpus === null && spotGpus === null && vcpus === null) return;
  const held = Object.values(state.instances).filter((i) => i.holdsStock);
  const sum = (list: readonly SimInstance[], field: 'gpuCount' | 'vcpu'): number =>
    list.reduce((total, i) => total + i[field], 0);
  if (gpus !== null && type.gpuCount > 0 && sum(held, 'gpuCount') + type.gpuCount > gpus)
    throw new CloudRefusal('gpu_quota');
  const heldSpot = held.filter((i) => i.market === 'spot');
  if (spotGpus !== null && market === 'spot' && sum(heldSpot, 'gpuCount') + type.gpuCount > spotGpus)
    throw new CloudRefusal('spot_gpu_quota');
  if (vcpus !== null && sum(held, 'vcpu') + type.vcpu > vcpus) throw new CloudRefusal('vcpu_quota');
}

/** A volume that an instance in `location` can attach. @throws CloudRefusal */
function freeVolume(context: Context, id: string, location: string): SimVolume {
  const volume = volumeOf(context, id);
  if (volume.status === 'purged' || volume.status === 'trashed') throw new CloudRefusal('unknown_volume', id);
  if (volume.location !== location) throw new CloudRefusal('volume_elsewhere', id);
  if (volume.status !== 'detached') throw new CloudRefusal('volume_in_use', id);
  return volume;
}

function wordsOf(
  { scenario }: Context,
  fault: CreateFault,
  createdAtMs: number,
  orderedMs: number,
): SimInstance['words'] {
  if (fault.word !== undefined) return [{ untilMs: createdAtMs + fault.word.forMs, word: fault.word.word }];
  if (!scenario.boot.rareStatuses) return [];
  return ['ordered', 'new', 'validating'].map((word, index) => ({
    untilMs: createdAtMs + (orderedMs * (index + 1)) / 3,
    word,
  }));
}

function meterInstance(context: Context, instance: SimInstance, fromMs: number): void {
  startMeter(context, {
    resource: instance.isReplica ? 'replica' : 'instance',
    resourceId: instance.id,
    what: offerOf(context, instance),
    usdPerHour: instance.usdPerHour,
    fromMs,
  });
}

function planBoot(context: Context, instance: SimInstance, fault: CreateFault, preparedAtMs: number): void {
  const { state, scenario } = context;
  const next = (atMs: number, to: Phase, failure?: FailureKind): void =>
    plan(context, atMs, {
      kind: 'instance',
      id: instance.id,
      plan: instance.plan,
      to,
      ...(failure === undefined ? {} : { failure }),
    });
  const isOutOfStock =
    scenario.boot.noCapacityProbability > 0 && draw(state.random) < scenario.boot.noCapacityProbability;
  if (fault.noCapacity !== undefined || isOutOfStock) {
    const afterMs = fault.noCapacity?.afterMs ?? null;
    next(afterMs === null ? preparedAtMs : instance.createdAtMs + afterMs, 'failed', 'no_capacity');
    return;
  }
  next(preparedAtMs, 'preparing');
  if (fault.hang !== undefined) {
    if (fault.hang.forMs === null) return;
    const { ends } = fault.hang;
    next(
      preparedAtMs + fault.hang.forMs,
      ends === 'running' ? 'running' : 'failed',
      ends === 'running' ? undefined : ends,
    );
    return;
  }
  const preparing = instance.isReplica ? scenario.containers.startSec : scenario.boot.provisioningSec;
  const readyAtMs = preparedAtMs + secToMs(drawBetween(state.random, preparing));
  if (fault.bootFails === undefined) next(readyAtMs, 'running');
  else next(readyAtMs, 'failed', fault.bootFails);
}

/** Ends a replica that is drained and done before its time is over. */
export function endDrain(context: Context, replica: SimInstance, atMs: number): void {
  replica.plan += 1;
  enterPhase(context, replica, 'gone', atMs);
}

/** Changes the phase, with everything that follows from the new one. */
export function enterPhase(
  context: Context,
  instance: SimInstance,
  to: Phase,
  atMs: number,
  failure: FailureKind | null = null,
): void {
  instance.phase = to;
  instance.failure = failure;
  instance.history.push({ atMs, phase: to });
  switch (to) {
    case 'preparing':
      makeVolumes(context, instance, atMs);
      writeJournal(context, atMs, instance, 'provisioning', { bySystem: true });
      break;
    case 'running':
      enterRunning(context, instance, atMs);
      break;
    case 'stopped':
      if (!context.scenario.billing.billsStopped) endMeter(context, instance.id, atMs);
      if (context.scenario.end.stopReleasesStock) releaseStock(context, instance);
      writeJournal(context, atMs, instance, 'shutdown:complete', { bySystem: true });
      break;
    case 'failed':
      instance.newVolumes = [];
      endMeter(context, instance.id, atMs, true);
      releaseStock(context, instance);
      writeJournal(context, atMs, instance, failure === 'installation_failed' ? 'installation:failed' : 'error', {
        bySystem: true,
      });
      break;
    case 'gone':
      enterGone(context, instance, atMs);
      break;
    case 'accepted':
    case 'stopping':
    case 'starting':
    case 'deleting':
  }
  for (const listener of context.listeners) listener(instance, atMs);
}

function makeVolumes(context: Context, instance: SimInstance, atMs: number): void {
  for (const order of instance.newVolumes) {
    const isOs = instance.osVolumeId === null && !instance.hasOwnDisk;
    const volume = makeVolume(context, atMs, {
      ...order,
      location: instance.location,
      isOs,
      status: 'attached',
      instanceId: instance.id,
      sshKeyIds: isOs ? instance.sshKeyIds : [],
      models: [],
      vllm: isOs ? instance.vllm : undefined,
    });
    if (isOs) instance.osVolumeId = volume.id;
    instance.volumeIds.push(volume.id);
  }
  instance.newVolumes = [];
}

function enterRunning(context: Context, instance: SimInstance, atMs: number): void {
  const { state, scenario } = context;
  // 198.18.0.0/15 is reserved for benchmarks: no real machine has such an address.
  instance.ip ??= `198.18.${Math.floor(draw(state.random) * 256)}.${1 + Math.floor(draw(state.random) * 254)}`;
  instance.evictsAtMs = null;
  if (!state.meters.some((m) => m.resourceId === instance.id)) meterInstance(context, instance, atMs);
  if (instance.market === 'spot' && scenario.spot.evictionsPerHour > 0) {
    const hours = drawExponentialHours(state.random, scenario.spot.evictionsPerHour);
    plan(context, atMs + Math.round(hours * 3_600_000), { kind: 'evict', id: instance.id, plan: instance.plan });
  }
  writeJournal(context, atMs, instance, 'running', { bySystem: true });
}

function enterGone(context: Context, instance: SimInstance, atMs: number): void {
  endMeter(context, instance.id, atMs);
  releaseStock(context, instance);
  instance.ip = null;
  instance.modelUrl = null;
  for (const id of instance.volumeIds) {
    const volume = context.state.volumes[id];
    if (volume?.instanceId === instance.id) leaveVolume(context, volume, instance.disposals[id] ?? 'keep', atMs);
  }
  writeJournal(context, atMs, instance, 'delete:complete', { bySystem: true });
}

function releaseStock(context: Context, instance: SimInstance): void {
  if (!instance.holdsStock) return;
  instance.holdsStock = false;
  addStock(context, stockKey(instance.instanceType, instance.location, instance.market), 1);
}

/** Takes a unit for an instance that released its own. @throws CloudRefusal `no_capacity` */
function takeStock(context: Context, instance: SimInstance): void {
  if (instance.holdsStock) return;
  const key = stockKey(instance.instanceType, instance.location, instance.market);
  if (stockOf(context, key) === 0) throw new CloudRefusal('no_capacity', key);
  addStock(context, key, -1);
  instance.holdsStock = true;
}

/** Enters a phase now and the next one after a while; events that were planned before are void. */
function passThrough(
  context: Context,
  instance: SimInstance,
  phases: readonly [Phase, Phase],
  durationSec: readonly [number, number],
  atMs: number,
): void {
  instance.plan += 1;
  enterPhase(context, instance, phases[0], atMs);
  const afterMs = secToMs(drawBetween(context.state.random, durationSec));
  if (afterMs === 0) enterPhase(context, instance, phases[1], atMs);
  else plan(context, atMs + afterMs, { kind: 'instance', id: instance.id, plan: instance.plan, to: phases[1] });
}

/** Result of an action; `already` = the instance was in the wanted state. */
export type ActionOutcome = 'done' | 'already';

function refuseTransient(instance: SimInstance): void {
  if (instance.phase === 'gone' || instance.phase === 'deleting') throw new CloudRefusal('already_gone', instance.id);
  if (instance.phase === 'accepted' || instance.phase === 'preparing')
    throw new CloudRefusal('still_provisioning', instance.id);
  if (instance.phase === 'failed') throw new CloudRefusal('wrong_state', instance.id, 'the instance never ran');
}

export function stopInstance(context: Context, instance: SimInstance, force: boolean, atMs: number): ActionOutcome {
  refuseTransient(instance);
  if (instance.phase === 'stopped' || instance.phase === 'stopping') return 'already';
  writeJournal(context, atMs, instance, 'shutdown');
  passThrough(context, instance, ['stopping', 'stopped'], force ? [0, 0] : context.scenario.end.stopSec, atMs);
  return 'done';
}

export function startInstance(context: Context, instance: SimInstance, atMs: number): ActionOutcome {
  refuseTransient(instance);
  if (instance.phase === 'running' || instance.phase === 'starting') return 'already';
  if (instance.phase === 'stopping')
    throw new CloudRefusal('wrong_state', instance.id, 'the instance is shutting down');
  takeStock(context, instance);
  writeJournal(context, atMs, instance, 'start');
  passThrough(context, instance, ['starting', 'running'], context.scenario.boot.startSec, atMs);
  return 'done';
}

/** Makes a stopped instance one of another type. The next start takes a unit of that type. @throws CloudRefusal */
export function changeInstanceType(context: Context, instance: SimInstance, instanceType: string): void {
  const type = context.catalogue.types.get(instanceType);
  if (instance.phase !== 'stopped') throw new CloudRefusal('wrong_state', instance.id, 'the instance is not stopped');
  const usdPerHour = priceOf(context, instanceType, instance.market, instance.location);
  if (type === undefined || usdPerHour === null) throw new CloudRefusal('unknown_type', instanceType);
  releaseStock(context, instance);
  Object.assign(instance, { instanceType, gpuCount: type.gpuCount, vcpu: type.vcpu, usdPerHour });
}

/**
 * Deletes an instance. Volumes named in `disposals` are trashed or purged, the others are detached.
 *
 * @throws CloudRefusal `still_provisioning` if the provider does not delete instances that it still prepares, `already_gone`
 */
export function deleteInstance(
  context: Context,
  instance: SimInstance,
  disposals: Readonly<Record<string, Disposal>>,
  atMs: number,
): void {
  if (instance.phase === 'gone' || instance.phase === 'deleting') throw new CloudRefusal('already_gone', instance.id);
  const preparing = instance.phase === 'accepted' || instance.phase === 'preparing';
  const deletable =
    context.scenario.end.deletesWhileProvisioning ||
    (instance.deletableAtMs !== null && instance.deletableAtMs <= atMs);
  if (preparing && !deletable) throw new CloudRefusal('still_provisioning', instance.id);
  instance.newVolumes = [];
  instance.disposals = { ...disposals };
  instance.endedBy = 'delete';
  endMeter(context, instance.id, atMs);
  writeJournal(context, atMs, instance, 'delete');
  passThrough(context, instance, ['deleting', 'gone'], context.scenario.end.deleteSec, atMs);
}

/** Ends a replica: one that runs gets SIGTERM and goes on until it is done, at the latest after the drain; it costs until then. */
export function drainReplica(context: Context, replica: SimInstance, atMs: number): void {
  const isRunning = replica.phase === 'running';
  replica.endedBy = 'delete';
  writeJournal(context, atMs, replica, 'delete');
  passThrough(context, replica, ['deleting', 'gone'], isRunning ? context.scenario.containers.drainSec : [0, 0], atMs);
}

/** Takes a spot instance back: at once, or with notice where the provider gives one. */
export function takeBack(context: Context, instance: SimInstance, atMs: number): void {
  const noticeMs = secToMs(context.scenario.spot.noticeSec);
  const evictsAtMs = instance.evictsAtMs ?? null;
  if (noticeMs === 0 || (evictsAtMs !== null && evictsAtMs <= atMs)) endBySystem(context, instance, 'eviction', atMs);
  if (noticeMs === 0 || evictsAtMs !== null) return;
  instance.evictsAtMs = atMs + noticeMs;
  plan(context, instance.evictsAtMs, { kind: 'evict', id: instance.id, plan: instance.plan });
}

/** Ends an instance at once by the provider: a spot eviction, or an empty account. */
export function endBySystem(context: Context, instance: SimInstance, why: 'eviction' | 'no_funds', atMs: number): void {
  instance.plan += 1;
  instance.newVolumes = [];
  instance.endedBy = why;
  for (const id of instance.volumeIds)
    instance.disposals[id] = why === 'no_funds' ? 'trash' : (context.state.volumes[id]?.onEviction ?? 'keep');
  writeJournal(context, atMs, instance, 'delete', {
    bySystem: true,
    properties: { delete_reason: why === 'eviction' ? 'evicted_by_on_demand' : 'insufficient_funds' },
  });
  enterPhase(context, instance, 'gone', atMs);
}
