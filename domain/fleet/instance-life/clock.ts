/**
 * What a jump of the clock does to a life: nothing. What is waited for (until a create must be visible, until an absence is certain) is
 * time that really passes, but all an event tells is a clock's time, and that clock may be set.
 *
 * Between two events no more time counts than until the wait that is open plus a moment; what the clock shows beyond that is taken out by
 * moving every remembered time by as much. So an hour in which no worker ran counts as little as a clock set forward by an hour: in both
 * cases nothing was looked at. A clock set back moves them back.
 */
import { movedMemory, movedStep } from './memory.ts';
import type { InstanceState } from './types.ts';

/** The state as of an event's time, with remembered times that agree with it. */
export function atTime(state: InstanceState, atMs: number): InstanceState {
  const { seenAtMs, settings } = state;
  if (seenAtMs === undefined) return { ...state, seenAtMs: atMs };
  const dueMs = state.open.flatMap((command) => (command.kind === 'wait' ? [command.untilMs] : []));
  const latestMs = Math.max(seenAtMs, ...dueMs) + settings.bootPollMs;
  const jumpMs = atMs < seenAtMs ? atMs - seenAtMs : Math.max(0, atMs - latestMs);
  if (jumpMs === 0) return { ...state, seenAtMs: atMs };
  const { memory, step } = state;
  return { ...state, seenAtMs: atMs, memory: movedMemory(memory, jumpMs), step: movedStep(step, jumpMs) };
}
