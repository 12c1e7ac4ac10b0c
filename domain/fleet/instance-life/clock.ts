/**
 * What a jump of the clock does to a life: nothing. What is waited for (until a create must be visible, until an absence is certain) is
 * time that really passes, but all an event tells is a clock's time, and that clock may be set.
 *
 * Between two events no more time counts than until the wait that is open plus a moment; what the clock shows beyond that is taken out by
 * moving every remembered time by as much. So an hour in which no worker ran counts as little as a clock set on by an hour: in both cases
 * nobody looked. A clock set back moves them back.
 */
import type { InstanceState } from './types.ts';

/** Notes that count or mark something instead of telling a time. */
const NO_TIMES: ReadonlySet<string> = new Set([
  'emptyPasses',
  'endAsFailed',
  'endedByProvider',
  'healthEpisode',
  'loadMs',
  'modelReplaced',
  'pollMs',
  'priced',
  'seekLooks',
  'strategy',
  'volumeRefused',
]);
const COUNTS = /^(?:proof|health|healthReboots):/u;
const isTime = (name: string): boolean => !NO_TIMES.has(name) && !COUNTS.test(name);

/** The state as of an event's time, with remembered times that agree with it. */
export function atTime(state: InstanceState, atMs: number): InstanceState {
  const { seenAtMs, settings } = state;
  if (seenAtMs === undefined) return { ...state, seenAtMs: atMs };
  const dueMs = state.open.flatMap((command) => (command.kind === 'wait' ? [command.untilMs] : []));
  const latestMs = Math.max(seenAtMs, ...dueMs) + settings.bootPollMs;
  const jumpMs = atMs < seenAtMs ? atMs - seenAtMs : Math.max(0, atMs - latestMs);
  if (jumpMs === 0) return { ...state, seenAtMs: atMs };
  const notes = Object.entries(state.notes).map(([name, value]) => [name, isTime(name) ? value + jumpMs : value]);
  return { ...state, seenAtMs: atMs, notes: Object.fromEntries(notes) as InstanceState['notes'] };
}
