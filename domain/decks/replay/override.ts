/**
 * Another model for a task: whose options the call gets, and which models are refused.
 *
 * A call goes to a class queue that every host of the class pulls from, so each pool that serves the class has to hold the model. Pools hold
 * the models that the profile configures for their classes.
 */
import { GPU_CLASSES, MODEL_TASKS, type GpuClass, type ModelTask } from '../../models/model-tasks.ts';

/** A task with the model that a profile configures for it. */
export interface ConfiguredTask {
  readonly task: ModelTask;
  readonly modelName: string;
}

/** A configured pool. */
export interface ServingPool {
  readonly name: string;
  readonly classes: readonly string[];
}

/** Why a model cannot answer a task. */
export interface OverrideRefusal {
  readonly code: 'model_not_configured' | 'model_lacks_vision';
  /** For people. */
  readonly message: string;
  readonly hint: string;
}

/** The configuration whose window, digest and load time a model keeps for another task: one of the same class where there is one. */
export function configurationOfModel<C extends ConfiguredTask>(
  task: ModelTask,
  modelName: string,
  configurations: readonly C[],
): C | null {
  const own = configurations.filter((c) => c.modelName === modelName);
  const { gpuClass } = MODEL_TASKS[task];
  return (
    own.find((c) => c.task === task) ?? own.find((c) => MODEL_TASKS[c.task].gpuClass === gpuClass) ?? own[0] ?? null
  );
}

/** Null when the model can answer the task on every pool that may be asked. */
export function refuseOverride(
  task: ModelTask,
  modelName: string,
  configurations: readonly ConfiguredTask[],
  pools: readonly ServingPool[],
): OverrideRefusal | null {
  const known = [...new Set(configurations.map((c) => c.modelName))].toSorted((a, b) => a.localeCompare(b));
  const { gpuClass } = MODEL_TASKS[task];
  const classesOf = (name: string): GpuClass[] =>
    GPU_CLASSES.filter((c) => configurations.some((o) => o.modelName === name && MODEL_TASKS[o.task].gpuClass === c));
  if (!known.includes(modelName)) {
    return {
      code: 'model_not_configured',
      message: `${modelName} is not a model of this profile, so no host holds it.`,
      hint: `Models: ${known.join(', ') || 'none'}.`,
    };
  }
  const configuredFor = classesOf(modelName);
  if (gpuClass === 'gpu-visual' && !configuredFor.includes('gpu-visual')) {
    const seeing = known.filter((name) => classesOf(name).includes('gpu-visual'));
    return {
      code: 'model_lacks_vision',
      message: `${modelName} is configured for no task that reads pictures, so it cannot answer ${task}.`,
      hint: `Models that read pictures: ${seeing.join(', ') || 'none'}.`,
    };
  }
  const without = pools.find(
    (pool) => pool.classes.includes(gpuClass) && !configuredFor.some((c) => pool.classes.includes(c)),
  );
  if (without === undefined) return null;
  const held = known.filter((name) => classesOf(name).some((c) => without.classes.includes(c)));
  return {
    code: 'model_not_configured',
    message: `Pool ${without.name} serves ${task} and does not hold ${modelName}.`,
    hint: `Models that it holds: ${held.join(', ') || 'none'}.`,
  };
}
