/** Seconds per call that a pool is sized by, from calls that were made. */
import { expect, it } from 'vitest';
import { keptBusy, meanCallSeconds, measuredTasks, type MeasuredCalls } from '../../../domain/fleet/pool/demand.ts';
import { NO_DEMAND } from '../../../testing/fleet/made-up-pools.ts';

const measured = (changes: Partial<MeasuredCalls>): MeasuredCalls => ({
  task: 'describe_slide',
  modelName: 'gemma3:12b',
  calls: 20,
  meanSeconds: 3,
  lastAtMs: 1000,
  ...changes,
});
const secondsOf = (...calls: readonly MeasuredCalls[]) => measuredTasks(calls).get('describe_slide')?.meanSeconds;

it('a task is measured from ten calls on', () => {
  expect(secondsOf(measured({ calls: 9 }))).toBeUndefined();
  expect(secondsOf(measured({ calls: 10 }))).toBe(3);
});

it('the model that answered last counts, also before it has answered often enough', () => {
  const earlier = measured({ modelName: 'reader-vision:1', meanSeconds: 1, lastAtMs: 500 });
  expect(secondsOf(measured({}), earlier)).toBe(3);
  expect(secondsOf(measured({ calls: 2 }), earlier)).toBeUndefined();
});

it('the mean of a class weighs its tasks by their calls and leaves out those of other classes', () => {
  const tasks = measuredTasks([
    measured({}),
    measured({ task: 'slide_feedback', calls: 60, meanSeconds: 1 }),
    measured({ task: 'answer_question', meanSeconds: 40 }),
    measured({ task: 'a_task_of_another_version', meanSeconds: 900 }),
  ]);
  expect(meanCallSeconds(tasks, ['gpu-visual'])).toBe((20 * 3 + 60) / 80);
  expect(meanCallSeconds(tasks, ['gpu-text'])).toBe(40);
  expect(meanCallSeconds(measuredTasks([]), ['gpu-text'])).toBeNull();
});

it('a pool whose short backlog is empty is kept at what its calls take, not at what such calls usually take', () => {
  const sizing = { slots: 4, inFlight: 0, recentCalls: 120 };
  expect(keptBusy(NO_DEMAND, ['gpu-visual'], sizing)).toBe(6);
  expect(keptBusy({ ...NO_DEMAND, measuredCallSeconds: 1 }, ['gpu-visual'], sizing)).toBe(1);
});
