/**
 * Putting a machine to sleep by the first strategy the provider accepts, in two steps that are both verified: stop, then end with the disk
 * kept. What is asked for meanwhile waits until it sleeps.
 *
 * `discontinue_keep_volume` and `hibernate` leave a disk, `shutdown` leaves the (billed) machine, `delete` leaves nothing.
 */
import { alarmWhenLate } from './removal.ts';
import {
  addToPurge,
  scheduleLook,
  scheduleLeftoverLook,
  cancelLook,
  disposableVolumes,
  disksToName,
  findAll,
  forget,
  isWatchDue,
  leaveBehind,
  watchLeftovers,
  presence,
  lookHandlers,
  scheduleRetry,
} from './looks.ts';
import { parseOfferKey } from '../selection/offer.ts';
import type { SuspendStrategy } from '../pool/pool-config.ts';
import type { ProviderErrorInfo } from '../provider/provider-errors.ts';
import type { Handlers, Draft } from './draft.ts';
import type { KeptVolume, Sighting } from './types.ts';

/** Begins with the strategy that is due. */
export function enterSuspend(draft: Draft, reason: string): void {
  const { machine } = draft.state;
  if (machine === null) return draft.go('end', reason);
  if (strategy(draft) === 'delete') return draft.go('end', `${reason}; nothing is kept`);
  cancelLook(draft);
  draft.enter('suspending', { kind: 'stopping', sinceMs: draft.atMs, orderedAtMs: null }, reason);
  draft.clearTimes('absentSince');
  draft.send({ kind: 'shutdown', providerId: machine.providerId });
}

/** Sleeps; asked to serve meanwhile, it wakes at once. */
export function enterAsleep(draft: Draft, reason: string): void {
  draft.enter('suspended', 'sleeping', reason);
  if (draft.quarantine !== null) draft.setQuarantine(null);
  draft.clearTimes('absentSince', 'landsUntil', 'soughtSince');
  draft.remember({ strategy: 0, emptyPasses: 0, volumeRefusals: 0 });
  const { wanted } = draft.state;
  if (wanted === 'serve' || wanted === 'wake' || wanted === 'uncordon')
    return draft.go('wake', 'work came while it fell asleep');
  scheduleLeftoverLook(draft, 'looking for leftovers');
}

export const STOPPING: Handlers = {
  acted(draft, { error }) {
    if (error?.errorClass === 'config') return nextStrategy(draft, error);
    if (error === null) draft.markOrdered();
    else alarmWhenLate(draft, error.message);
    pollSoon(draft, error);
  },
  ...lookHandlers(judgeStopping, pollSoon),
};

export const DISCONTINUING: Handlers = {
  acted(draft, { error }) {
    if (error?.errorClass === 'config' && draft.state.phase === 'suspending') return nextStrategy(draft, error);
    if (error === null || error.errorClass === 'gone') draft.markOrdered();
    else alarmWhenLate(draft, error.message);
    pollSoon(draft, error?.errorClass === 'gone' ? null : error);
  },
  ...lookHandlers(judgeDiscontinued, pollSoon),
};

export const SLEEPING: Handlers = {
  waited(draft) {
    if (isWatchDue(draft)) findAll(draft);
    else scheduleLeftoverLook(draft, 'looking for leftovers');
  },
  found(draft, event) {
    if (event.error === null) watchLeftovers(draft, event);
    scheduleLeftoverLook(draft, 'looking for leftovers');
  },
};

/** Ends the stopped machine and keeps its disk, in `suspending`, or in `waking` where a stopped machine cannot start. */
export function discontinue(draft: Draft): void {
  const { machine, phase, step } = draft.state;
  if (machine === null) return draft.go('rank', draft.state.reason);
  const sinceMs = 'sinceMs' in step ? step.sinceMs : null;
  draft.setStep({ kind: 'discontinuing', sinceMs, orderedAtMs: null });
  cancelLook(draft);
  if (phase === 'suspending' && strategy(draft) === 'hibernate')
    draft.send({ kind: 'hibernate', providerId: machine.providerId });
  else {
    // A disk that no machine could boot is not worth keeping.
    const deleteVolumeIds = draft.traits().bootsVolumes ? [] : disksToName(draft, machine);
    draft.send({ kind: 'delete', providerId: machine.providerId, deleteVolumeIds });
  }
}

function judgeStopping(draft: Draft, sighting: Sighting | null): void {
  const where = presence(draft, sighting);
  if (where === 'gone') return discontinued(draft, sighting?.status === 'gone');
  if (sighting === null) return pollSoon(draft, null);
  draft.updateMachine(sighting);
  alarmWhenLate(draft, `it is ${sighting.rawStatus}`);
  switch (sighting.status) {
    case 'stopped':
      return stopped(draft);
    case 'failed':
      return draft.go('end', `it failed while it was stopping: ${sighting.rawStatus}`);
    case 'running':
    case 'starting':
      return orderAgain(draft, (providerId) => draft.send({ kind: 'shutdown', providerId }));
    case 'deleting':
    case 'gone':
      return pollSoon(draft, null);
    default:
      return sighting.status satisfies never;
  }
}

function stopped(draft: Draft): void {
  const { machine } = draft.state;
  if (strategy(draft) === 'shutdown') return draft.go('asleep', 'stopped, and kept with its disk');
  if (machine === null || machine.osVolumeId === null)
    return nextStrategy(draft, {
      errorClass: 'config',
      message: 'the provider names no system disk that could be kept',
    });
  discontinue(draft);
}

function judgeDiscontinued(draft: Draft, sighting: Sighting | null): void {
  const where = presence(draft, sighting);
  if (where === 'gone') return discontinued(draft, sighting?.status === 'gone');
  if (sighting !== null) {
    draft.updateMachine(sighting);
    alarmWhenLate(draft, `it is ${sighting.rawStatus}`);
  }
  if (sighting === null || sighting.status === 'deleting') return pollSoon(draft, null);
  orderAgain(draft, () => discontinue(draft));
}

/** The machine is gone and its disk is ours to boot. */
function discontinued(draft: Draft, certain: boolean): void {
  const { machine, volume: older, phase } = draft.state;
  if (machine === null) return draft.go('rank', draft.state.reason);
  const { provider, location, instanceType, market } = parseOfferKey(machine.intent.offer);
  const volumeId = draft.traits().bootsVolumes ? machine.osVolumeId : null;
  const kept: KeptVolume | null = volumeId === null ? null : { volumeId, provider, location, instanceType, market };
  draft.set({ machine: null, intent: null, volume: kept ?? older });
  addToPurge(draft, disposableVolumes(draft, machine));
  if (kept !== null && older !== null && older.volumeId !== kept.volumeId) {
    const text = `${draft.state.name} keeps its newer disk ${kept.volumeId} in ${location}; the older ${older.volumeId} in ${older.location} is deleted.`;
    draft.send({ kind: 'alert', text });
    addToPurge(draft, [older.volumeId]);
  }
  if (certain) forget(draft, machine.intent.hostname);
  else leaveBehind(draft, machine.intent.hostname, 'leavingSinceMs');
  draft.clearTimes('absentSince', 'landsUntil');
  if (phase === 'waking') {
    const disk = kept === null ? 'it was ended with its disk' : 'its disk was kept';
    return draft.go('rank', `the stopped machine could not start; ${disk}`);
  }
  if (draft.state.volume === null) return draft.go('end', 'the machine is gone and left no disk');
  draft.go('asleep', `its disk ${draft.state.volume.volumeId} is kept`);
}

function nextStrategy(draft: Draft, error: ProviderErrorInfo): void {
  draft.alertOnce(
    `strategy:${strategy(draft)}`,
    `${draft.state.name} cannot be put to sleep by ${strategy(draft)}: ${error.message}`,
  );
  draft.remember({ strategy: draft.state.memory.strategy + 1 });
  draft.go('suspend', `${error.message}: the next suspend strategy is used`);
}

/** Strategies used up: the machine is idle and costs, so it is deleted. */
const strategy = (draft: Draft): SuspendStrategy =>
  draft.traits().suspendStrategies[draft.state.memory.strategy] ?? 'delete';

/** An order that shows no effect is given again after a while. */
function orderAgain(draft: Draft, order: (providerId: string) => void): void {
  const { machine, settings } = draft.state;
  const ordered = draft.orderedAtMs;
  const waits = ordered !== null && draft.atMs - ordered < settings.destroyRetryMs;
  if (waits || machine === null) return pollSoon(draft, null);
  draft.markOrdered();
  cancelLook(draft);
  order(machine.providerId);
}

function pollSoon(draft: Draft, error: ProviderErrorInfo | null): void {
  if (error === null) scheduleLook(draft, draft.state.settings.bootPollMs, draft.state.reason);
  else scheduleRetry(draft, error);
}
