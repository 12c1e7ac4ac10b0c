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
  scheduleRetry,
} from './looks.ts';
import { NEW_MEMORY } from './memory.ts';
import type { Handlers, Draft } from './draft.ts';
import type { LifeEventOf, Sighting } from './types.ts';

/** Ends whatever there is. Not while a create is under way: its answer is awaited first. */
export function enterEnd(draft: Draft, reason: string): void {
  const { machine, volume } = draft.state;
  cancelLook(draft);
  draft.close('rank', 'recheck_demand', 'restart_model_server', 'reboot', 'shutdown', 'start', 'hibernate', 'delete');
  detach(draft, 0);
  draft.enter('destroying', { kind: 'ending', orderedAtMs: null }, reason);
  draft.set({ volume: null, ladder: [] });
  draft.clearTimes('absentSince');
  if (volume !== null) addToPurge(draft, [volume.volumeId]);
  if (machine !== null) purgeLater(draft, machine);
  if (draft.state.hostnames.length === 0) draft.go('purge', reason);
  else look(draft);
}

export const ENDING: Handlers = {
  acted(draft, { error }) {
    if (error === null || error.errorClass === 'gone') return draft.markOrdered();
    endRefused(draft, error);
    alarm(draft, error.message);
  },
  waited: look,
  looked(draft, { sighting, error }) {
    // Unknown by its id when it must be known: nothing is left to order, the list confirms it.
    if (error === null && sighting === null && lookedAt(draft) >= (draft.time('landsUntil') ?? 0)) draft.markOrdered();
    if (error === null) seenEnded(draft, sighting);
    if (sighting !== null) {
      draft.updateMachine(sighting);
      purgeLater(draft, sighting);
      if (sighting.status === 'gone' || sighting.status === 'deleting') draft.markOrdered();
      else orderEnd(draft, sighting);
    }
    findAll(draft);
  },
  found(draft, event) {
    if (event.error === null) return judge(draft, event);
    alarm(draft, event.error.message);
    scheduleRetry(draft, event.error);
  },
};

/** No machine is left: purges the disks, then the life is over. */
export function enterPurge(draft: Draft, reason: string): void {
  const { volumesToPurge, phase } = draft.state;
  if (volumesToPurge.length > 0) {
    draft.setStep('purging');
    return purgeLeftovers(draft);
  }
  const failed = draft.state.memory.endsAsFailed;
  draft.enter(failed ? 'failed' : 'gone', 'over', phase === 'destroying' ? draft.state.reason : reason);
  draft.set({ open: [], memory: NEW_MEMORY, machine: null, intent: null });
}

export const PURGING: Handlers = {
  acted(draft, { error }) {
    if (error !== null) alarm(draft, error.message);
    if (draft.state.volumesToPurge.length === 0) return draft.go('purge', draft.state.reason);
    if (!draft.isOpen('delete_volume', 'wait'))
      scheduleLook(draft, draft.state.settings.destroyRetryMs, 'disks are being purged');
  },
  waited: (draft) => draft.go('purge', draft.state.reason),
};

function judge(draft: Draft, { sightings, silent = [] }: LifeEventOf<'found'>): void {
  const { settings, hostnames, machine } = draft.state;
  const there = sightings.filter((s) => s.status !== 'gone' && hostnames.includes(s.hostname));
  const notOrdered = machine !== null && draft.orderedAtMs === null;
  for (const sighting of there) {
    draft.updateMachine(sighting);
    purgeLater(draft, sighting);
    if (sighting.status !== 'deleting') orderEnd(draft, sighting);
  }
  if (there.length > 0 || notOrdered) {
    draft.clearTimes('absentSince');
    alarm(draft, `${there.map((s) => `${s.providerId} is ${s.rawStatus}`).join(', ') || 'its end is not confirmed'}`);
    const pollMs = there.every((s) => s.status === 'deleting') ? settings.bootPollMaxMs : settings.destroyRetryMs;
    return scheduleLook(draft, pollMs, 'being ended');
  }
  if (silent.length > 0) {
    draft.clearTimes('absentSince');
    alarm(draft, `the provider of ${silent.join(', ')} does not answer`);
    return scheduleLook(draft, settings.destroyRetryMs, 'a provider does not answer');
  }
  const since = draft.time('absentSince');
  if (since === null) draft.setTime('absentSince', draft.atMs);
  const certainAt = Math.max((since ?? draft.atMs) + settings.goneConfirmMs, draft.time('landsUntil') ?? 0);
  if (since === null || lookedAt(draft) < certainAt)
    return scheduleLook(draft, Math.max(certainAt - draft.atMs, settings.bootPollMs), 'not seen any more: confirming');
  // Ended before its disk was seen: the record of the ended machine still names it.
  const [unseen] = draft.state.memory.endedUnseen;
  if (unseen !== undefined) return lookAt(draft, unseen);
  draft.set({ hostnames: [], machine: null, intent: null });
  draft.go('purge', draft.state.reason);
}

/**
 * Looks at our machine by its id until its end is ordered (the list may be late), else at everything. Never ordered without a look: only
 * shows its disks, and once it is gone nothing does.
 */
function look(draft: Draft): void {
  const { machine } = draft.state;
  if (machine === null || draft.orderedAtMs !== null) return findAll(draft);
  lookAt(draft, machine.providerId);
}

/** The look just answered was at a machine that was ended before its disk was seen, when nothing else was left to look at. */
function seenEnded(draft: Draft, sighting: Sighting | null): void {
  const [unseen] = draft.state.memory.endedUnseen;
  const atOurs = draft.state.machine !== null && draft.orderedAtMs === null;
  if (unseen !== undefined && !atOurs && (sighting === null || sighting.providerId === unseen)) sawDisk(draft, unseen);
}

function orderEnd(draft: Draft, one: Sighting): void {
  const { providerId } = one;
  if (draft.state.open.some((c) => c.kind === 'delete' && c.providerId === providerId)) return;
  endMachine(draft, one);
}

const alarm = (draft: Draft, message: string): void => alarmWhenLate(draft, message, draft.state.phaseSinceMs);
