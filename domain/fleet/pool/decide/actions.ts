/**
 * The actions that bring the instances to the target: uncordon, wake, create; or stop the right ones.
 */
import { counted, durationWords } from '../../../text/words.ts';
import { billingOf, type DecideInput, type InstanceView, type PoolAction, type Decision } from '../pool.ts';
import type { PoolConfig } from '../pool-config.ts';
import type { Market } from '../../selection/offer.ts';
import { isOnDemand, lacksFloor, marketsOfNew, mixOf, spotRatioOf, withFloorKept } from '../spot-mix.ts';
import { blockEndFrom, paidBlocksOf, stopTime } from '../../sleep/paid-blocks.ts';
import { isStoppable, type InstancesByRole } from './roles.ts';

const HOUR_MS = 3_600_000;

/** Actions with their reasons. */
export interface ActionPlan {
  readonly actions: readonly PoolAction[];
  readonly reasons: readonly string[];
  /** When an obstacle is over. */
  readonly dueMs: readonly number[];
}

/** Instances that come back without a create, and how many machines may be rented besides. */
interface Revived {
  readonly back: readonly InstanceView[];
  readonly woken: readonly InstanceView[];
  readonly room: number;
}

/** @param most cordoned instances that come back at most */
function revive(
  config: PoolConfig,
  { cordoned, wakeable, rented }: InstancesByRole,
  need: number,
  most = need,
): Revived {
  const back = cordoned.slice(0, most);
  // An instance that is being suspended counts as rented already; a suspended one will be rented again.
  let room = config.max - rented;
  const woken: InstanceView[] = [];
  for (const instance of wakeable) {
    if (back.length + woken.length >= need) break;
    if (instance.phase === 'suspended') {
      if (room <= 0) continue;
      room -= 1;
    }
    woken.push(instance);
  }
  return { back, woken, room };
}

/** As {@link revive}. Where critical work has nothing on demand, spot machines that are still on do not come back instead of one. */
function reviveWithFloor(input: DecideInput, roles: InstancesByRole, need: number, mayCreate: boolean): Revived {
  const { config, observation } = input;
  const lacks = lacksFloor(config, observation.demand, roles.capacity);
  const cordoned = lacks
    ? roles.cordoned.toSorted((a, b) => Number(isOnDemand(b)) - Number(isOnDemand(a)))
    : roles.cordoned;
  const all = revive(config, { ...roles, cordoned }, need);
  if (!lacks || need <= 0 || all.back.length < need || all.back.some(isOnDemand)) return all;
  const fewer = revive(config, { ...roles, cordoned }, need, need - 1);
  return fewer.woken.length > 0 || (mayCreate && fewer.room > 0) ? fewer : all;
}

/** Adds `need` instances: first cordoned ones, then suspended ones with a disk, then new ones. */
export function addCapacity(input: DecideInput, roles: InstancesByRole, need: number): ActionPlan {
  const { config, observation } = input;
  const nowMs = observation.atMs;
  const retryMs = roles.lastFailed === null ? 0 : roles.lastFailed.phaseSinceMs + config.timing.ladderPauseMaxMs;
  const { back, woken, room } = reviveWithFloor(input, roles, need, retryMs <= nowMs);
  const missing = need - back.length - woken.length;
  const created = retryMs > nowMs ? 0 : Math.max(0, Math.min(missing, room));
  // A machine that is woken is a new one: its market is chosen like that of a new instance.
  const markets = marketsOf(input, [...roles.capacity, ...back], woken.length + created);
  const marketAt = (index: number): { readonly market?: Market } => {
    const market = markets[index];
    return market === undefined ? {} : { market };
  };
  const reasons: string[] = [];
  if (missing > 0 && retryMs > nowMs)
    reasons.push(
      `Nothing is created for another ${durationWords(retryMs - nowMs)}: ${roles.lastFailed?.name ?? ''} could not be had.`,
    );
  else if (missing > created)
    reasons.push(
      `${missing - created} fewer than wanted: ${counted(roles.rented, 'machine')}, those that are being ended among them, against a maximum of ${config.max}.`,
    );
  return {
    actions: [
      ...back.map(({ name }): PoolAction => ({ kind: 'uncordon', instance: name })),
      ...woken.map(({ name }, index): PoolAction => ({ kind: 'wake', instance: name, ...marketAt(index) })),
      ...Array.from({ length: created }, (_, i): PoolAction => ({ kind: 'create', ...marketAt(woken.length + i) })),
    ],
    reasons: [...describeAdded(back, woken, created), ...describeMix(markets), ...reasons],
    dueMs: missing > 0 && retryMs > nowMs ? [retryMs] : [],
  };
}

/** Markets of machines to be rented, in a pool with a mix; else none. @param capacity what is ready or coming besides */
function marketsOf(
  { config, observation }: DecideInput,
  capacity: readonly InstanceView[],
  count: number,
): readonly Market[] {
  const ratio = spotRatioOf(config);
  return ratio === null ? [] : marketsOfNew(count, ratio, mixOf(capacity), observation.demand);
}

function describeMix(markets: readonly Market[]): string[] {
  if (markets.length === 0) return [];
  const spot = markets.filter((market) => market === 'spot').length;
  return [`${counted(markets.length, 'machine')} to be rented: ${spot} on spot, ${markets.length - spot} on demand.`];
}

function describeAdded(back: readonly InstanceView[], woken: readonly InstanceView[], created: number): string[] {
  return [
    ...back.map((i) => `${i.name} is cordoned and still on, so it takes work again.`),
    ...woken.map((i) => `${i.name} is ${i.phase} with its disk, so it is woken.`),
    ...(created === 0
      ? []
      : [`${created} new ${created === 1 ? 'instance is' : 'instances are'} created: none is left to wake.`]),
  ];
}

/**
 * Stops up to `surplus` instances. Only idle ones that have polled since their wake are candidates, and as many as the target stay ready: one that boots does not
 * replace one that works. First goes the one nearest to the end of its paid block, then the one whose models others hold too, then the dearest.
 *
 * @param asleep instances the sleep policy lets go now; others wait for the end of a block that is paid and lost
 * @param sleepOnly the others are not stopped at all
 */
export function shedCapacity(
  input: DecideInput,
  roles: InstancesByRole,
  surplus: number,
  stay: number,
  asleep: ReadonlySet<string>,
  sleepOnly = false,
): ActionPlan {
  const { config, observation } = input;
  const nowMs = observation.atMs;
  const may = (instance: InstanceView): boolean => isStoppable(instance) && (!sleepOnly || asleep.has(instance.name));
  const candidates = roles.ready.filter(may).map((instance) => {
    const blocks = paidBlocksOf(billingOf(input, instance), instance.billedSinceMs);
    return {
      instance,
      stopAtMs:
        blocks === null || asleep.has(instance.name) ? nowMs : stopTime(blocks, instance.idleSinceMs ?? nowMs, nowMs),
      blockEndMs: blocks === null ? 0 : blockEndFrom(blocks, nowMs),
      affinity: affinity(instance, roles.ready),
    };
  });
  const ordered = candidates.toSorted(
    (a, b) =>
      a.blockEndMs - b.blockEndMs ||
      a.affinity - b.affinity ||
      (b.instance.priceUsdPerHour ?? 0) - (a.instance.priceUsdPerHour ?? 0) ||
      (a.instance.idleSinceMs ?? 0) - (b.instance.idleSinceMs ?? 0) ||
      (a.instance.name < b.instance.name ? -1 : 1),
  );
  const chosen = withFloorKept(ordered, config, observation.demand, roles.capacity).slice(
    0,
    Math.max(0, Math.min(surplus, roles.ready.length - stay)),
  );
  const stopped = chosen.filter((c) => c.stopAtMs <= nowMs);
  const keptDisks = roles.wakeable.length;
  const canKeep = config.suspendStrategy === 'delete' ? 0 : Math.max(0, config.maxKeptVolumes - keptDisks);
  return {
    actions: stopped.map(({ instance: { name } }, index): PoolAction =>
      index < canKeep ? { kind: 'suspend', instance: name } : { kind: 'destroy', instance: name },
    ),
    reasons: stopped.map(({ instance }, index) => {
      const idle = durationWords(nowMs - (instance.idleSinceMs ?? nowMs));
      if (index < canKeep) return `${instance.name} is suspended: idle for ${idle}.`;
      const why =
        config.suspendStrategy === 'delete'
          ? ''
          : `, and the pool keeps ${counted(keptDisks + canKeep, 'disk')} already`;
      return `${instance.name} is destroyed: idle for ${idle}${why}.`;
    }),
    dueMs: chosen.filter((c) => c.stopAtMs > nowMs).map((c) => c.stopAtMs),
  };
}

/** How much would be lost with an instance's loaded models: each counts by how few ready instances hold it. */
function affinity(instance: InstanceView, ready: readonly InstanceView[]): number {
  return instance.models.reduce((sum, model) => sum + 1 / ready.filter((i) => i.models.includes(model)).length, 0);
}

/**
 * Kept disks are given up, the oldest first: those that are too many or too old, and those whose storage has cost as much as they would save at a
 * wake. The last one also saves waiting.
 */
export function giveUpDisks(input: DecideInput, roles: InstancesByRole, woken: ReadonlySet<string>): ActionPlan {
  const { config, observation } = input;
  const kept = roles.asleep.filter((i) => !woken.has(i.name));
  const tooMany = kept.length - config.maxKeptVolumes;
  const given = kept.flatMap((instance, index) => {
    const asleepMs = observation.atMs - instance.phaseSinceMs;
    const slept = `${instance.name} is given up after ${durationWords(asleepMs)} asleep`;
    if (index < tooMany)
      return [{ instance, reason: `${slept}: the pool keeps at most ${counted(config.maxKeptVolumes, 'disk')}.` }];
    if (asleepMs >= config.maxKeptVolumeAgeHours * HOUR_MS)
      return [{ instance, reason: `${slept}: disks are kept for ${config.maxKeptVolumeAgeHours} h at most.` }];
    const isLast = index === kept.length - 1;
    if (asleepMs < worthKeepingMs(input, instance, isLast ? config.waitingUsdPerMinute : 0)) return [];
    const why = isLast
      ? 'storage has cost what a wake saves, the time that decks wait for a cold boot included'
      : 'storage has cost what a wake saves, and another disk is kept';
    return [{ instance, reason: `${slept}: ${why}.` }];
  });
  return {
    actions: given.map(({ instance }): PoolAction => ({ kind: 'destroy', instance: instance.name })),
    reasons: given.map((g) => g.reason),
    dueMs: [],
  };
}

/**
 * How long storing a disk costs less than it saves: ski rental once more, with the disk as the machine and the longer boot as the wake.
 *
 * @param waitingUsdPerMinute what it is worth that a deck does not wait for the longer boot
 */
function worthKeepingMs(
  { coldCostSec, wakeCostSec, volumeUsdPerHour }: DecideInput,
  { priceUsdPerHour }: InstanceView,
  waitingUsdPerMinute: number,
): number {
  if (coldCostSec === undefined || priceUsdPerHour === null || volumeUsdPerHour <= 0) return Infinity;
  const savedSec = coldCostSec - wakeCostSec;
  const savedUsd = (savedSec / 3600) * priceUsdPerHour + (savedSec / 60) * waitingUsdPerMinute;
  return Math.max(0, savedUsd / volumeUsdPerHour) * HOUR_MS;
}

/**
 * The reason of one action: the move of the target where there was one, else what was said of this instance. The first reason of a decision
 * alone may be about a target that stays, which explains no stop.
 *
 * @param targetBefore the target before the decision
 */
export function actionReason(
  action: PoolAction,
  { reasons, target }: Pick<Decision, 'reasons' | 'target'>,
  targetBefore: number,
): string {
  const own = action.kind === 'create' ? undefined : reasons.find((reason) => reason.startsWith(`${action.instance} `));
  // An instance that ends has its own reason: others of the same move are only put to sleep.
  const move = target === targetBefore || action.kind === 'destroy' ? undefined : reasons[0];
  return move ?? own ?? reasons[0] ?? 'the pool decided so';
}
