/**
 * Ending a machine that is no good before the next offer is tried. Refusals ("cannot delete while provisioning") are retried without end.
 *
 * One that the provider gave up itself need only be seen going; one that ran or may run must be gone.
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
  watchLeftovers,
  presence,
} from './looks.ts';
import type { Handlers, Turn } from './turn.ts';
import type { Sighting } from './types.ts';

/** Orders the end of the present machine. */
export const enterRemove = (turn: Turn, reason: string): void => remove(turn, reason, false);

/** As {@link enterRemove}, of a machine that the provider itself ended. */
export const enterRemoveEnded = (turn: Turn, reason: string): void => remove(turn, reason, true);

function remove(turn: Turn, reason: string, isEndedByProvider: boolean): void {
  const { machine } = turn.state;
  if (machine === null) return turn.go('next_rung', reason);
  cancelLook(turn);
  detach(turn, 0);
  turn.close('restart_model_server', 'reboot');
  turn.enterTold('booting', { kind: 'removing', sinceMs: turn.atMs, orderedAtMs: null, isEndedByProvider }, reason);
  turn.clearTimes('absentSince', 'checkingSince');
  purgeLater(turn, machine);
  order(turn);
}

export const REMOVING: Handlers = {
  acted(turn, { error }) {
    if (error === null || error.errorClass === 'gone') {
      turn.markOrdered();
      return lookNow(turn);
    }
    endRefused(turn, error);
    alarmWhenLate(turn, error.message);
    scheduleLook(turn, Math.max(error.retryAfterMs ?? 0, turn.state.settings.destroyRetryMs), error.message);
  },
  waited: lookNow,
  looked(turn, { sighting, error }) {
    if (error === null) judge(turn, sighting);
    else scheduleLook(turn, Math.max(error.retryAfterMs ?? 0, turn.state.settings.destroyRetryMs), error.message);
  },
  found(turn, event) {
    if (event.error === null) judge(turn, watchLeftovers(turn, event));
    else scheduleLook(turn, turn.state.settings.destroyRetryMs, event.error.message);
  },
};

/** The work may have been done elsewhere meanwhile: then nothing is rented again, and a kept disk goes on being kept. */
export const CHECKING_DEMAND: Handlers = {
  demand_rechecked(turn, { work }) {
    const { reason, volume } = turn.state;
    if (work) return turn.go('next_rung', reason);
    const why = `not replaced, because no work is left for it: ${reason}`;
    if (volume === null) return turn.go('end', why);
    turn.set({ wanted: 'suspend', ladder: [] });
    turn.go('asleep', why);
  },
};

/** Ends the attachment, when there is one: calls in flight may take `timeoutMs`. */
export function detach(turn: Turn, timeoutMs: number): void {
  if (turn.isOpen('serve') && !turn.isOpen('drain')) turn.send({ kind: 'drain', timeoutMs });
}

const stepSinceMs = ({ state: { step } }: Turn): number | null => ('sinceMs' in step ? step.sinceMs : null);

/** Tells an operator once when an end is not reached in time. */
export function alarmWhenLate(turn: Turn, message: string, since = stepSinceMs(turn)): void {
  const { machine, settings, name } = turn.state;
  const takenMs = turn.atMs - (since ?? turn.atMs);
  if (takenMs < settings.destroyAlarmMs) return;
  const id = machine?.providerId ?? name;
  const minutes = Math.round(takenMs / 60_000);
  turn.alertOnce(`late:${id}`, `${name}: ${id} could not be ended for ${minutes} min and may cost money: ${message}`);
}

function order(turn: Turn): void {
  const { machine } = turn.state;
  if (machine === null) return;
  const { providerId } = machine;
  // Whatever else is being ended beside it has its own order.
  if (turn.state.open.some((c) => c.kind === 'delete' && c.providerId === providerId))
    return scheduleLook(turn, turn.state.settings.destroyRetryMs, 'its end is ordered');
  cancelLook(turn);
  turn.send({ kind: 'delete', providerId, deleteVolumeIds: disksToName(turn, machine) });
}

function judge(turn: Turn, sighting: Sighting | null): void {
  const { bootPollMs, destroyRetryMs } = turn.state.settings;
  const ordered = turn.orderedAtMs;
  const isEndedByProvider = turn.during('removing')?.isEndedByProvider === true;
  if (sighting !== null) {
    turn.updateMachine(sighting);
    purgeLater(turn, sighting);
  }
  const where = presence(turn, sighting);
  if (where === 'gone') return removed(turn, sighting?.status === 'gone');
  alarmWhenLate(turn, `it is ${sighting?.rawStatus ?? 'not seen'}`);
  const going = sighting === null || sighting.status === 'deleting';
  if (going && isEndedByProvider && ordered !== null) return removed(turn, false);
  if (going || (ordered !== null && turn.atMs - ordered < destroyRetryMs))
    return scheduleLook(turn, bootPollMs, 'being ended');
  order(turn);
}

/** @param certain the provider said itself that it ended; otherwise its name is looked for until it is certain */
function removed(turn: Turn, certain: boolean): void {
  const { machine } = turn.state;
  if (machine === null) return;
  addToPurge(turn, disposableVolumes(turn, machine));
  turn.set({ machine: null, intent: null });
  turn.clearTimes('absentSince', 'landsUntil');
  if (certain) forget(turn, machine.intent.hostname);
  else leaveBehind(turn, machine.intent.hostname, 'leavingSinceMs');
  if (turn.state.settings.replacesForWorkOnly !== true) return turn.go('next_rung', turn.state.reason);
  turn.setStep('checking_demand');
  turn.send({ kind: 'recheck_demand' });
}
