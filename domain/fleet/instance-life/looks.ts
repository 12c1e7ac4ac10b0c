/**
 * The loop of waits and looks that runs in every part of a life where something may happen at the provider.
 *
 * Beside our machine it watches what else may be there under our host names: machines that are being ended, and creates without an
 * answer that were given up and may still land. What lands late is ended; a name is forgotten only after two looks that did not see it,
 * `goneConfirmMs` apart (a create that was given up: after an hour's worth of looks). Disks left over are purged on the same occasion.
 */
import type { Leftover, StepKind } from './memory.ts';
import type { LifeEventOf, Machine, Sighting } from './types.ts';
import type { ProviderErrorInfo } from '../provider/provider-errors.ts';
import type { Draft, Handlers } from './draft.ts';

/** Looks for leftovers come this many confirmation times apart: 2 minutes by default. */
const WATCH_EVERY = 4;
/** A create that was given up is watched for this many visibility windows. */
const GIVEN_UP_WINDOWS = 60;

/** Looks again after a while, earlier where leftovers are due. Replaces the wait or look under way. */
export function scheduleLook(draft: Draft, delayMs: number, reason: string): void {
  cancelLook(draft);
  const watchAt = watchDueAt(draft);
  const untilMs = Math.min(draft.atMs + delayMs, watchAt ?? Infinity);
  draft.send({ kind: 'wait', untilMs: Math.max(untilMs, draft.atMs), reason });
}

/** Looks only for leftovers; sleeps for good where there are none. */
export function scheduleLeftoverLook(draft: Draft, reason: string): void {
  cancelLook(draft);
  if (watchDueAt(draft) !== null) scheduleLook(draft, Infinity, reason);
}

export const cancelLook = (draft: Draft): void => draft.close('wait', 'look', 'find');

/** Looks now: at the machine, or at everything under our names when leftovers are due. */
export function lookNow(draft: Draft): void {
  cancelLook(draft);
  const { machine } = draft.state;
  const due = watchDueAt(draft);
  if (machine === null || (due !== null && due <= draft.atMs)) findAll(draft);
  else lookAt(draft, machine.providerId);
}

/** Looks again after an error, as soon as the provider allows. */
export const scheduleRetry = (draft: Draft, { retryAfterMs, message }: ProviderErrorInfo): void =>
  scheduleLook(draft, Math.max(retryAfterMs ?? 0, draft.state.settings.destroyRetryMs), message);

/** Handlers of looks at our machine. @param judge given the sighting of it, null when it was not seen @param failed given the error of a look */
export const lookHandlers = (
  judge: (draft: Draft, sighting: Sighting | null) => void,
  failed: (draft: Draft, error: ProviderErrorInfo) => void,
): Pick<Handlers, 'waited' | 'looked' | 'found'> => ({
  waited: lookNow,
  looked: (draft, { sighting, error }) => (error === null ? judge(draft, sighting) : failed(draft, error)),
  found(draft, event) {
    if (event.error === null) judge(draft, watchLeftovers(draft, event));
    else failed(draft, event.error);
  },
});

/** Looks at one machine by its id. */
export function lookAt(draft: Draft, providerId: string): void {
  cancelLook(draft);
  draft.setTime('lookedAt', draft.atMs);
  draft.send({ kind: 'look', providerId });
}

/**
 * When the look that is answered now was sent: the latest time it can say something about. Its answer may have been long on the way, so
 * absence is measured between these times and never between answers.
 */
export const lookedAt = (draft: Draft): number => draft.time('lookedAt') ?? draft.atMs;

/** Looks at everything under our names. If the look fails, leftovers are looked for again after `goneConfirmMs`. */
export function findAll(draft: Draft): void {
  cancelLook(draft);
  draft.setTime('leftoversDueAt', draft.atMs + draft.state.settings.goneConfirmMs);
  draft.setTime('lookedAt', draft.atMs);
  draft.send({ kind: 'find', hostnames: draft.state.hostnames });
}

/** True when a look for leftovers is due. */
export function isWatchDue(draft: Draft): boolean {
  const due = watchDueAt(draft);
  return due !== null && due <= draft.atMs;
}

/** From now on the name's machine is a leftover: ended, or never seen. */
export function leaveBehind(draft: Draft, hostname: string, kind: 'leavingSinceMs' | 'givenUpSinceMs'): void {
  setLeftover(draft, hostname, { [kind]: draft.atMs });
  draft.setTime('leftoversDueAt', draft.atMs + draft.state.settings.goneConfirmMs);
}

const leftoverOf = (draft: Draft, hostname: string): Leftover => draft.state.memory.leftovers[hostname] ?? {};

function setLeftover(draft: Draft, hostname: string, patch: Leftover): void {
  const { leftovers } = draft.state.memory;
  draft.remember({ leftovers: { ...leftovers, [hostname]: { ...leftovers[hostname], ...patch } } });
}

/** The name's machine is known to be gone. */
export function forget(draft: Draft, hostname: string): void {
  const { [hostname]: _, ...leftovers } = draft.state.memory.leftovers;
  draft.remember({ leftovers });
  draft.set({ hostnames: draft.state.hostnames.filter((name) => name !== hostname) });
}

/** Disks of a machine that is going, to be deleted for good; the kept one excepted. */
export function purgeLater(draft: Draft, machine: Machine | Sighting): void {
  if (machine.osVolumeId !== null) sawDisk(draft, machine.providerId);
  const ids = [...machine.volumeIds, ...(machine.osVolumeId === null ? [] : [machine.osVolumeId])];
  addToPurge(draft, ids);
}

export function addToPurge(draft: Draft, ids: readonly string[]): void {
  const kept = draft.state.volume?.volumeId;
  const all = new Set([...draft.state.volumesToPurge, ...ids.filter((id) => id !== kept)]);
  draft.set({ volumesToPurge: [...all] });
  if (all.size > 0 && draft.time('leftoversDueAt') === null)
    draft.setTime('leftoversDueAt', draft.atMs + draft.state.settings.goneConfirmMs);
}

/** Orders the purge of every leftover disk that is not being purged already. */
export function purgeLeftovers(draft: Draft): void {
  const underWay = new Set(draft.state.open.flatMap((c) => (c.kind === 'delete_volume' ? [c.volumeId] : [])));
  for (const volumeId of draft.state.volumesToPurge)
    if (!underWay.has(volumeId)) draft.send({ kind: 'delete_volume', volumeId });
}

/** What a look at everything means for the leftovers. Answers the sighting of our machine, null when it was not seen. */
export function watchLeftovers(draft: Draft, { sightings, silent = [] }: LifeEventOf<'found'>): Sighting | null {
  const current = currentHostname(draft);
  const mine = sightings.find((s) => s.providerId === draft.state.machine?.providerId) ?? null;
  let pending = false;
  for (const hostname of draft.state.hostnames) {
    const there = sightings.filter((s) => s.hostname === hostname && s !== mine && s.status !== 'gone');
    for (const sighting of there) endLeftover(draft, sighting);
    pending ||= there.length > 0;
    const isUnseen = hostname !== current && there.length === 0 && !silent.includes(hostname);
    if (isUnseen) pending = noteAbsence(draft, hostname) || pending;
    if (there.length > 0 && leftoverOf(draft, hostname).absentSinceMs !== undefined) {
      const { absentSinceMs: _, ...seen } = leftoverOf(draft, hostname);
      draft.remember({ leftovers: { ...draft.state.memory.leftovers, [hostname]: seen } });
    }
  }
  purgeLeftovers(draft);
  const { goneConfirmMs } = draft.state.settings;
  draft.setTime('leftoversDueAt', draft.atMs + goneConfirmMs * (pending ? 1 : WATCH_EVERY));
  return mine;
}

/** Ends a machine under one of our names that is not the one we have. */
function endLeftover(draft: Draft, sighting: Sighting): void {
  const { providerId, hostname } = sighting;
  purgeLater(draft, sighting);
  if (leftoverOf(draft, hostname).leavingSinceMs === undefined)
    draft.alertOnce(
      `stray:${providerId}`,
      `${hostname}: ${providerId} is there beside or after the machine we use; it is ended.`,
    );
  const ordered = draft.state.open.some((c) => c.kind === 'delete' && c.providerId === providerId);
  if (sighting.status === 'deleting' || ordered) return;
  endMachine(draft, sighting);
}

/** Orders the end of a machine just seen. One whose disk was not seen yet may get one before the order arrives: that is noted. */
export function endMachine(draft: Draft, sighting: Sighting): void {
  const { providerId, osVolumeId } = sighting;
  sawDisk(draft, providerId);
  if (osVolumeId === null) draft.remember({ endedUnseen: [...draft.state.memory.endedUnseen, providerId] });
  draft.send({ kind: 'delete', providerId, deleteVolumeIds: disksToName(draft, sighting) });
}

/**
 * The disks an order to end a machine names: all but the kept one. None once such an order was refused as wrong: a disk that is no more must
 * not keep a machine running, and those that are left are purged one by one.
 */
export const disksToName = (draft: Draft, machine: Machine | Sighting): readonly string[] =>
  draft.state.memory.endedWithoutDisks.includes(machine.providerId) ? [] : disposableVolumes(draft, machine);

/** The order to end our machine was refused. */
export function endRefused(draft: Draft, { errorClass }: ProviderErrorInfo): void {
  const { machine } = draft.state;
  const { endedWithoutDisks } = draft.state.memory;
  if (machine !== null && errorClass === 'config' && !endedWithoutDisks.includes(machine.providerId))
    draft.remember({ endedWithoutDisks: [...endedWithoutDisks, machine.providerId] });
}

/** Its disk is known now, or will never be. */
export const sawDisk = (draft: Draft, providerId: string): void =>
  draft.remember({ endedUnseen: draft.state.memory.endedUnseen.filter((id) => id !== providerId) });

/** All disks of a machine but the kept one. */
export function disposableVolumes(draft: Draft, machine: Machine | Sighting): readonly string[] {
  const ids = new Set([...machine.volumeIds, ...(machine.osVolumeId === null ? [] : [machine.osVolumeId])]);
  return [...ids].filter((id) => id !== draft.state.volume?.volumeId);
}

/** Answers true when the name must be looked for again soon. */
function noteAbsence(draft: Draft, hostname: string): boolean {
  const { settings } = draft.state;
  const { goneConfirmMs } = settings;
  // Which provider the name was used at is not remembered: the slowest decides.
  const windows = Object.values(settings.traits ?? {}).map((traits) => traits.visibilityWindowMs);
  const visibilityWindowMs = Math.max(settings.visibilityWindowMs, ...windows);
  const { givenUpSinceMs: givenUp, absentSinceMs: since } = leftoverOf(draft, hostname);
  if (givenUp !== undefined) {
    if (draft.atMs - givenUp >= visibilityWindowMs * GIVEN_UP_WINDOWS) forget(draft, hostname);
    return false;
  }
  if (since === undefined) setLeftover(draft, hostname, { absentSinceMs: draft.atMs });
  else if (lookedAt(draft) - since >= goneConfirmMs) forget(draft, hostname);
  return draft.state.hostnames.includes(hostname);
}

const currentHostname = ({ state }: Draft): string | null => (state.machine?.intent ?? state.intent)?.hostname ?? null;

/** Parts of the life that look at everything anyway. */
const LOOKS_AT_ALL: ReadonlySet<StepKind> = new Set(['finding', 'ending', 'purging']);

function watchDueAt(draft: Draft): number | null {
  if (LOOKS_AT_ALL.has(draft.state.step.kind)) return null;
  const current = currentHostname(draft);
  const leftovers = draft.state.hostnames.some((name) => name !== current) || draft.state.volumesToPurge.length > 0;
  return leftovers ? (draft.time('leftoversDueAt') ?? draft.atMs) : null;
}

/** `unsure` = look again. */
export type Presence = 'there' | 'gone' | 'unsure';

/**
 * What one successful look says of our machine. The provider's word that it ended is evidence; not to be seen is so only twice, `goneConfirmMs`
 * apart, and not before a new machine must be visible.
 */
export function presence(draft: Draft, sighting: Sighting | null): Presence {
  if (sighting !== null) {
    draft.clearTimes('absentSince');
    return sighting.status === 'gone' ? 'gone' : 'there';
  }
  if (lookedAt(draft) < (draft.time('landsUntil') ?? 0)) return 'unsure';
  const since = draft.time('absentSince');
  if (since === null) draft.setTime('absentSince', draft.atMs);
  return since !== null && lookedAt(draft) - since >= draft.state.settings.goneConfirmMs ? 'gone' : 'unsure';
}

/** Time by which a create sent until now is visible, if it took effect: the provider's window and one slow look. */
export const landsUntil = (draft: Draft): number =>
  draft.atMs + draft.traits().visibilityWindowMs + draft.state.settings.bootPollMaxMs;
