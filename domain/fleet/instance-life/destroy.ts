/**
 * The end of everything under the life's host names. Never gives up; done only when two looks at the list, `goneConfirmMs` apart and after
 * every create had time to become visible, saw nothing, and every disk that is not kept is purged.
 */
import { alarmWhenLate, detach } from './removal.ts';
import {
  addToPurge,
  scheduleLook,
  cancelLook,
  endMachine,
  endRefused,
  findAll,
  lookAt,
  lookedAt,
  purgeLater,
  purgeLeftovers,
  sawDisk,
} from './looks.ts';
import { NEW_MEMORY } from './memory.ts';
import type { Handlers, Turn } from './turn.ts';
import type { LifeEventOf, Sighting } from './types.ts';

/** Ends whatever there is. Not while a create is under way: its answer is awaited first. */
export function enterEnd(turn: Turn, reason: string): void {
  const { machine, volume } = turn.state;
  cancelLook(turn);
  turn.close('rank', 'recheck_demand', 'restart_model_server', 'reboot', 'shutdown', 'start', 'hibernate', 'delete');
  detach(turn, 0);
  turn.enter('destroying', { kind: 'ending', orderedAtMs: null }, reason);
  turn.set({ volume: null, ladder: [] });
  turn.clearTimes('absentSince');
  if (volume !== null) addToPurge(turn, [volume.volumeId]);
  if (machine !== null) purgeLater(turn, machine);
  if (turn.state.hostnames.length === 0) turn.go('purge', reason);
  else look(turn);
}

export const ENDING: Handlers = {
  acted(turn, { error }) {
    if (error === null || error.errorClass === 'gone') return turn.markOrdered();
    endRefused(turn, error);
    alarm(turn, error.message);
  },
  waited: look,
  looked(turn, { sighting, error }) {
    // Unknown by its id when it must be known: nothing is left to order, the list confirms it.
    if (error === null && sighting === null && lookedAt(turn) >= (turn.time('landsUntil') ?? 0)) turn.markOrdered();
    if (error === null) seenEnded(turn, sighting);
    if (sighting !== null) {
      turn.updateMachine(sighting);
      purgeLater(turn, sighting);
      if (sighting.status === 'gone' || sighting.status === 'deleting') turn.markOrdered();
      else orderEnd(turn, sighting);
    }
    findAll(turn);
  },
  found(turn, event) {
    if (event.error === null) return judge(turn, event);
    alarm(turn, event.error.message);
    scheduleLook(
      turn,
      Math.max(event.error.retryAfterMs ?? 0, turn.state.settings.destroyRetryMs),
      event.error.message,
    );
  },
};

/** No machine is left: purges the disks, then the life is over. */
export function enterPurge(turn: Turn, reason: string): void {
  const { volumesToPurge, phase } = turn.state;
  if (volumesToPurge.length > 0) {
    turn.setStep('purging');
    return purgeLeftovers(turn);
  }
  const failed = turn.state.memory.endsAsFailed;
  turn.enter(failed ? 'failed' : 'gone', 'over', phase === 'destroying' ? turn.state.reason : reason);
  turn.set({ open: [], memory: NEW_MEMORY, machine: null, intent: null });
}

export const PURGING: Handlers = {
  acted(turn, { error }) {
    if (error !== null) alarm(turn, error.message);
    if (turn.state.volumesToPurge.length === 0) return turn.go('purge', turn.state.reason);
    if (!turn.isOpen('delete_volume', 'wait'))
      scheduleLook(turn, turn.state.settings.destroyRetryMs, 'disks are being purged');
  },
  waited: (turn) => turn.go('purge', turn.state.reason),
};

function judge(turn: Turn, { sightings }: LifeEventOf<'found'>): void {
  const { settings, hostnames, machine } = turn.state;
  const there = sightings.filter((s) => s.status !== 'gone' && hostnames.includes(s.hostname));
  const notOrdered = machine !== null && turn.orderedAtMs === null;
  for (const sighting of there) {
    turn.updateMachine(sighting);
    purgeLater(turn, sighting);
    if (sighting.status !== 'deleting') orderEnd(turn, sighting);
  }
  if (there.length > 0 || notOrdered) {
    turn.clearTimes('absentSince');
    alarm(turn, `${there.map((s) => `${s.providerId} is ${s.rawStatus}`).join(', ') || 'its end is not confirmed'}`);
    const pollMs = there.every((s) => s.status === 'deleting') ? settings.bootPollMaxMs : settings.destroyRetryMs;
    return scheduleLook(turn, pollMs, 'being ended');
  }
  const since = turn.time('absentSince');
  if (since === null) turn.setTime('absentSince', turn.atMs);
  const certainAt = Math.max((since ?? turn.atMs) + settings.goneConfirmMs, turn.time('landsUntil') ?? 0);
  if (since === null || lookedAt(turn) < certainAt)
    return scheduleLook(turn, Math.max(certainAt - turn.atMs, settings.bootPollMs), 'not seen any more: confirming');
  // Ended before its disk was seen: the record of the ended machine still names it.
  const [unseen] = turn.state.memory.endedUnseen;
  if (unseen !== undefined) return lookAt(turn, unseen);
  turn.set({ hostnames: [], machine: null, intent: null });
  turn.go('purge', turn.state.reason);
}

/**
 * Looks at our machine by its id until its end is ordered (the list may be late), else at everything. Never ordered without a look: only
 * that tells its disks, and once it is gone nobody does.
 */
function look(turn: Turn): void {
  const { machine } = turn.state;
  if (machine === null || turn.orderedAtMs !== null) return findAll(turn);
  lookAt(turn, machine.providerId);
}

/** The look just answered was at a machine that was ended before its disk was seen, when nothing else was left to look at. */
function seenEnded(turn: Turn, sighting: Sighting | null): void {
  const [unseen] = turn.state.memory.endedUnseen;
  const atOurs = turn.state.machine !== null && turn.orderedAtMs === null;
  if (unseen !== undefined && !atOurs && (sighting === null || sighting.providerId === unseen)) sawDisk(turn, unseen);
}

function orderEnd(turn: Turn, one: Sighting): void {
  const { providerId } = one;
  if (turn.state.open.some((c) => c.kind === 'delete' && c.providerId === providerId)) return;
  endMachine(turn, one);
}

const alarm = (turn: Turn, message: string): void => alarmWhenLate(turn, message, turn.state.phaseSinceMs);
