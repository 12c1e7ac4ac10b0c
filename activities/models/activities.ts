/**
 * The activities that make model calls: one worker per class queue offers those of the tasks of its class. Each is the same call
 * (`run-call.ts`), under the name that an operator reads.
 */
import { activitiesOfClass, type GpuClass, type ModelActivity } from '../../domain/models/model-tasks.ts';
import type { ModelCallInput, ModelCallOutcome, ModelCallRunner } from './run-call.ts';

/** Every activity that makes model calls, by its name. */
export type ModelActivities = Readonly<Record<ModelActivity, (input: ModelCallInput) => Promise<ModelCallOutcome>>>;

/** Activities of one class queue. */
export const modelActivitiesOf = (gpuClass: GpuClass, runner: ModelCallRunner): Partial<ModelActivities> =>
  Object.fromEntries(
    activitiesOfClass(gpuClass).map((name) => [name, (input: ModelCallInput) => runner.run(input)] as const),
  );
