/** Labels that more than one counter has. */
import { parseOfferKey } from '../fleet/selection/offer.ts';
import { MODEL_TASKS, type ModelTask } from '../models/model-tasks.ts';

const isTask = (name: string): name is ModelTask => Object.hasOwn(MODEL_TASKS, name);

/** Stage of a model task; `none` for a task that this version does not know. */
export const stageLabel = (task: string): string => (isTask(task) ? MODEL_TASKS[task].stage : 'none');

/** Labels of costs that were for this task; null = for no model call. */
export const costLabels = (task: string | null) => ({
  task: task ?? 'none',
  task_type: task !== null && isTask(task) ? MODEL_TASKS[task].taskType : 'none',
});

/** Labels of an offer, from its key; `none` without one. */
export function offerLabels(offerKey: string | null) {
  if (offerKey === null) return { provider: 'none', location: 'none', type: 'none', market: 'none' };
  const { provider, location, instanceType: type, market } = parseOfferKey(offerKey);
  return { provider, location, type, market };
}

/** Label `gpu` of calls on a machine: its type, `static` for a server that was there already. */
export function gpuLabel(machine: { readonly provider: string; readonly offerKey: string | null } | null): string {
  if (machine === null) return 'unknown';
  if (machine.provider === 'static') return 'static';
  return machine.offerKey === null ? 'unknown' : parseOfferKey(machine.offerKey).instanceType;
}
