/**
 * Decks finish in order: how many calls each run of a line may have scheduled. Pure.
 *
 * A line is the runs of one tenant, one priority and one set of queues, in the order in which they were started. The first one schedules what
 * it likes; each of the others gets what those before it leave of the slots. So no slot stands idle while calls wait, and a call of an earlier
 * deck waits behind few calls of later ones. Lines do not see each other: Temporal divides the slots between tenants and priorities.
 */
import type { GpuClass } from '../../models/model-tasks.ts';

/** Calls that a run has scheduled at most, whatever the number of slots, so that priority and fairness still decide. */
export const MAX_SCHEDULED_CALLS = 32;

/** Priority whose runs are never held. */
const NEVER_HELD = 1;

/** Calls of each class that a run may have scheduled. */
export type CallShare = Readonly<Record<GpuClass, number>>;

/** Of a run that nothing holds. */
export const WHOLE_SHARE: CallShare = { 'gpu-visual': MAX_SCHEDULED_CALLS, 'gpu-text': MAX_SCHEDULED_CALLS };
/** Of a run that waits for its place. */
export const NO_SHARE: CallShare = { 'gpu-visual': 0, 'gpu-text': 0 };

/** True for a run that may have no call scheduled. */
export const isNoShare = (share: CallShare): boolean => share['gpu-visual'] === 0 && share['gpu-text'] === 0;

/** Places for calls, by what they serve. `both`: slots of machines that serve both classes. */
export interface Places {
  readonly 'gpu-visual': number;
  readonly 'gpu-text': number;
  readonly both: number;
}

/** A run of a line that is neither paused nor over. */
export interface LineRun {
  readonly id: string;
  /** Calls that a slot could take now, those in the slots included. */
  readonly usable: CallShare;
  /** Nothing of it has moved for so long that it no longer holds those behind it. */
  readonly isStuck: boolean;
}

/**
 * The shares of the runs of one line, by their ids.
 *
 * @param runs in the order in which they were started
 * @param places what may be scheduled at the same time: the slots, and what is to lie ready for them ({@link withReady})
 */
export function sharesOf(runs: readonly LineRun[], priority: number, places: Places): ReadonlyMap<string, CallShare> {
  if (priority <= NEVER_HELD) return new Map(runs.map(({ id }) => [id, WHOLE_SHARE]));
  const free = { ...places };
  const left = (gpuClass: GpuClass): number => Math.min(MAX_SCHEDULED_CALLS, free[gpuClass] + free.both);
  const take = (gpuClass: GpuClass, calls: number): void => {
    const own = Math.min(calls, free[gpuClass]);
    free[gpuClass] -= own;
    free.both -= Math.min(calls - own, free.both);
  };
  let isFirst = true;
  return new Map(
    runs.map(({ id, usable, isStuck }) => {
      const share = isFirst ? WHOLE_SHARE : { 'gpu-visual': left('gpu-visual'), 'gpu-text': left('gpu-text') };
      if (!isStuck) {
        isFirst = false;
        take('gpu-visual', Math.min(usable['gpu-visual'], share['gpu-visual']));
        take('gpu-text', Math.min(usable['gpu-text'], share['gpu-text']));
      }
      return [id, share];
    }),
  );
}

/** Time between two decisions, and what a share takes to arrive: for so long there are to be calls ready behind those in the slots. */
const READY_FOR_MS = 1500;

/**
 * Slots and the calls that lie ready for them, so that a slot has its next call before the next decision. Of one slot alone none where calls
 * take longer: it stands idle only while its deck plans its next step, and a call of another deck in between would delay that step.
 *
 * @param callMs what a call takes
 */
export function withReady(slots: Places, callMs: number): Places {
  const plus = (count: number): number => {
    const ended = (count * READY_FOR_MS) / Math.max(1, callMs);
    return count + Math.min(MAX_SCHEDULED_CALLS, count === 1 ? Math.floor(ended) : Math.ceil(ended));
  };
  return { 'gpu-visual': plus(slots['gpu-visual']), 'gpu-text': plus(slots['gpu-text']), both: plus(slots.both) };
}

/** A pool that calls of a line can go to. */
export interface ServingPool {
  readonly classes: readonly GpuClass[];
  /** Slots of its instances that are ready. */
  readonly readySlots: number;
  /** Slots of one instance. */
  readonly slotsPerInstance: number;
}

/**
 * Slots of these pools; null when no pool serves a class, so that nothing is known of what runs its calls.
 *
 * Where no instance that serves a class is ready, one counts: the first decks are to be under way when it comes.
 */
export function slotsOf(pools: readonly ServingPool[]): Places | null {
  const slots = { 'gpu-visual': 0, 'gpu-text': 0, both: 0 };
  const add = ({ classes }: ServingPool, count: number): void => {
    const [only, other] = classes;
    if (only === undefined) return;
    slots[other === undefined ? only : 'both'] += count;
  };
  for (const pool of pools) add(pool, pool.readySlots);
  for (const gpuClass of ['gpu-visual', 'gpu-text'] as const) {
    if (slots[gpuClass] + slots.both > 0) continue;
    const [first] = pools.filter(({ classes }) => classes.includes(gpuClass));
    if (first === undefined) return null;
    add(first, Math.max(1, first.slotsPerInstance));
  }
  return slots;
}
