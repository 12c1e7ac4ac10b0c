/**
 * Ends an unusable machine before the next offer is tried. Refusals ("cannot delete while provisioning") are retried without end.
 *
 * A machine that the provider ended itself only has to be seen `deleting`; one that ran or may run has to be gone.
 */
import {
  addToPurge,
  scheduleLook,
  cancelLook,
  disksToName,
  disposableVolumes,
  endRefused,
  forget,
  leaveBehind,
  lookNow,
  purgeLater,
  presence,
  scheduleRetry,
  lookHandlers,
} from './looks.ts';
import type { Handlers, Draft } from './draft.ts';
import type { Sighting } from './types.ts';

/** Orders the end of the present machine. */
export const enterRemove = (draft: Draft, reason: string): void => remove(draft, reason, false);

/** As {@link enterRemove}, of a machine that the provider itself ended. */
export const enterRemoveEnded = (draft: Draft, reason: string): void => remove(draft, reason, true);

function remove(draft: Draft, reason: string, isEndedByProvider: boolean): void {
  const { machine } = draft.state;
  if (machine === null) return draft.go('next_rung', reason);
  cancelLook(draft);
  detach(draft, 0);
  draft.close('restart_model_server', 'reboot');
  draft.enterRecorded(
    'booting',
    { kind: 'removing', sinceMs: draft.atMs, orderedAtMs: null, isEndedByProvider },
    reason,
  );
  draft.clearTimes('absentSince', 'checkingSince');
  purgeLater(draft, machine);
  order(draft);
}

export const REMOVING: Handlers = {
  acted(draft, { error }) {
    if (error === null || error.errorClass === 'gone') {
      draft.markOrdered();
      return lookNow(draft);
    }
    endRefused(draft, error);
    alarmWhenLate(draft, error.message);
    scheduleRetry(draft, error);
  },
  ...lookHandlers(judge, scheduleRetry),
};

/** Without work nothing is rented again; a kept disk stays. */
export const CHECKING_DEMAND: Handlers = {
  demand_rechecked(draft, { work }) {
    const { reason, volume } = draft.state;
    if (work) return draft.go('next_rung', reason);
    const why = `not replaced, because no work is left for it: ${reason}`;
    if (volume === null) return draft.go('end', why);
    draft.set({ wanted: 'suspend', ladder: [] });
    draft.go('asleep', why);
  },
};

/** Ends the attachment, when there is one: calls in flight may take `timeoutMs`. */
export function detach(draft: Draft, timeoutMs: number): void {
  if (draft.isOpen('serve') && !draft.isOpen('drain')) draft.send({ kind: 'drain', timeoutMs });
}

const stepSinceMs = ({ state: { step } }: Draft): number | null => ('sinceMs' in step ? step.sinceMs : null);

/** Tells an operator once when an end is not reached in time. */
export function alarmWhenLate(draft: Draft, message: string, since = stepSinceMs(draft)): void {
  const { machine, settings, name } = draft.state;
  const takenMs = draft.atMs - (since ?? draft.atMs);
  if (takenMs < settings.destroyAlarmMs) return;
  const id = machine?.providerId ?? name;
  const minutes = Math.round(takenMs / 60_000);
  draft.alertOnce(`late:${id}`, `${name}: ${id} could not be ended for ${minutes} min and may cost money: ${message}`);
}

function order(draft: Draft): void {
  const { machine } = draft.state;
  if (machine === null) return;
  const { providerId } = machine;
  // Whatever else is being ended beside it has its own order.
  if (draft.state.open.some((c) => c.kind === 'delete' && c.providerId === providerId))
    return scheduleLook(draft, draft.state.settings.destroyRetryMs, 'its end is ordered');
  cancelLook(draft);
  draft.send({ kind: 'delete', providerId, deleteVolumeIds: disksToName(draft, machine) });
}

function judge(draft: Draft, sighting: Sighting | null): void {
  const { bootPollMs, destroyRetryMs } = draft.state.settings;
  const ordered = draft.orderedAtMs;
  const isEndedByProvider = draft.during('removing')?.isEndedByProvider === true;
  if (sighting !== null) {
    draft.updateMachine(sighting);
    purgeLater(draft, sighting);
  }
  const where = presence(draft, sighting);
  if (where === 'gone') return removed(draft, sighting?.status === 'gone');
  alarmWhenLate(draft, `it is ${sighting?.rawStatus ?? 'not seen'}`);
  const going = sighting === null || sighting.status === 'deleting';
  if (going && isEndedByProvider && ordered !== null) return removed(draft, false);
  if (going || (ordered !== null && draft.atMs - ordered < destroyRetryMs))
    return scheduleLook(draft, bootPollMs, 'being ended');
  order(draft);
}

/** @param certain the provider said itself that it ended; otherwise its name is looked for until it is certain */
function removed(draft: Draft, certain: boolean): void {
  const { machine } = draft.state;
  if (machine === null) return;
  addToPurge(draft, disposableVolumes(draft, machine));
  draft.set({ machine: null, intent: null });
  draft.clearTimes('absentSince', 'landsUntil');
  if (certain) forget(draft, machine.intent.hostname);
  else leaveBehind(draft, machine.intent.hostname, 'leavingSinceMs');
  if (draft.state.settings.replacesForWorkOnly !== true) return draft.go('next_rung', draft.state.reason);
  draft.setStep('checking_demand');
  draft.send({ kind: 'recheck_demand' });
}
