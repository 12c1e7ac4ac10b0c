/**
 * From open work to a number of instances, and how long calls of each task take here: pure arithmetic on demand.
 */
import { MODEL_TASKS, type GpuClass, MODEL_TASK_NAMES } from '../../models/model-tasks.ts';
import type { Demand } from './pool.ts';

/** Calls that ended are counted over this time: {@link import('./pool.ts').Observation.recentCalls}. */
export const RECENT_CALLS_WINDOW_MS = 60_000;

/** True when something is open or announced. */
export const hasWork = (demand: Demand): boolean =>
  demand.openCalls > 0 || demand.openSeconds > 0 || demand.comingSeconds > 0;

/** What sizes a pool. */
interface Sizing {
  readonly slots: number;
  readonly drainGoalMs: number;
  /** Calls in flight that are known of; calls of cancelled work are among them. */
  readonly inFlight: number;
}

/**
 * Instances the work asks for, not limited by the pool's size:
 *
 *     wish = ceil((openSeconds + comingSeconds) ÷ (drainGoal · slots))
 *
 * Seconds of work, not calls, because a call of one kind takes five times as long as one of another. Open seconds include the calls in flight. It is at least 1
 * while anything is open, announced or in flight, and never more than there are calls to run side by side (announced pages are not counted in calls yet, so the
 * bound waits for them).
 */
export function wishFor(demand: Demand, { slots, drainGoalMs, inFlight }: Sizing): number {
  if (!hasWork(demand)) return inFlight > 0 ? 1 : 0;
  const bySeconds = Math.ceil((demand.openSeconds + demand.comingSeconds) / ((drainGoalMs / 1000) * slots));
  const byCalls = demand.comingSeconds > 0 ? Infinity : Math.ceil(demand.openCalls / slots);
  return Math.max(1, Math.min(bySeconds, byCalls));
}

/**
 * Instances that recent calls and calls in flight kept busy (Little's law: calls per second × seconds per call ÷ slots). A pool that keeps up has a short backlog:
 * this stops it from shrinking because of that. It never makes a pool larger.
 */
export function keptBusy(
  demand: Demand,
  classes: readonly GpuClass[],
  { slots, inFlight, recentCalls }: Omit<Sizing, 'drainGoalMs'> & { readonly recentCalls: number },
): number {
  const callSeconds =
    demand.openCalls > 0
      ? demand.openSeconds / demand.openCalls
      : (demand.measuredCallSeconds ?? usualCallSeconds(classes));
  const byThroughput = (recentCalls * callSeconds * 1000) / RECENT_CALLS_WINDOW_MS / slots;
  return Math.ceil(Math.max(byThroughput, inFlight / slots));
}

/** Mean expected seconds over the kinds of call that classes serve. */
function usualCallSeconds(classes: readonly GpuClass[]): number {
  const seconds = Object.values(MODEL_TASKS)
    .filter((task) => classes.includes(task.gpuClass))
    .map((task) => task.expectedSeconds);
  return seconds.length === 0 ? 0 : seconds.reduce((sum, s) => sum + s, 0) / seconds.length;
}

/** Calls of one task that one model answered lately. */
export interface MeasuredCalls {
  /** One that this version does not know may be among them. */
  readonly task: string;
  readonly modelName: string;
  readonly calls: number;
  /** Mean time on the machine beside others in its places; loading the model does not count. */
  readonly meanSeconds: number;
  readonly lastAtMs: number;
}

/** Fewer calls say nothing. */
const LEAST_CALLS = 10;

/** The latest model of each task, where it answered often enough: after a change of models the earlier one says nothing. */
export function measuredTasks(measured: readonly MeasuredCalls[]): ReadonlyMap<string, MeasuredCalls> {
  const newestLast = measured.toSorted((a, b) => a.lastAtMs - b.lastAtMs);
  const latest = new Map(newestLast.map((calls) => [calls.task, calls]));
  return new Map([...latest].filter(([, { calls }]) => calls >= LEAST_CALLS));
}

/** Mean seconds of a measured call of these classes; null = none was measured. */
export function meanCallSeconds(
  tasks: ReadonlyMap<string, MeasuredCalls>,
  classes: readonly GpuClass[],
): number | null {
  const own = MODEL_TASK_NAMES.filter((task) => classes.includes(MODEL_TASKS[task].gpuClass)).flatMap(
    (task) => tasks.get(task) ?? [],
  );
  const calls = own.reduce((sum, each) => sum + each.calls, 0);
  return calls === 0 ? null : own.reduce((sum, each) => sum + each.calls * each.meanSeconds, 0) / calls;
}
