/** How long calls of each task take here, from calls that were made: demand is sized by it instead of by what is usual. Pure. */
import { MODEL_TASK_NAMES, MODEL_TASKS, type GpuClass } from '../../models/model-tasks.ts';

/** Calls of one task that one model answered lately. */
export interface MeasuredCalls {
  /** One of a later or earlier version may be among them. */
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
