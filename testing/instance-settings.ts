/** Settings of an instance in tests: short times, nothing else special. */
import type { InstanceSettings } from '../domain/fleet/instance-life/types.ts';

export const instanceSettingsForTests = (changes: Partial<InstanceSettings> = {}): InstanceSettings => ({
  installationId: 'test1',
  bootPollMs: 200,
  bootPollMaxMs: 400,
  stuckAfterMs: 20_000,
  proveTimeoutMs: 60_000,
  ladderPauseMs: 500,
  ladderPauseMaxMs: 1_000,
  drainTimeoutMs: 20_000,
  destroyRetryMs: 500,
  destroyAlarmMs: 60_000,
  goneConfirmMs: 300,
  visibilityWindowMs: 2_000,
  suspendStrategies: ['discontinue_keep_volume', 'delete'],
  volumePinsLocation: true,
  bootsVolumes: true,
  changesTypeWhileStopped: false,
  replacesForWorkOnly: false,
  deadlineMs: null,
  ...changes,
});
