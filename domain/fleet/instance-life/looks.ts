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
import type { Turn } from './turn.ts';

/** Looks for leftovers come this many confirmation times apart: 2 minutes by default. */
const WATCH_EVERY = 4;
/** A create that was given up is watched for this many visibility windows. */
const GIVEN_UP_WINDOWS = 60;

/** Looks again after a while, earlier where leftovers are due. Replaces the wait or look under way. */
export function scheduleLook(turn: Turn, delayMs: number, reason: string): void {
  cancelLook(turn);
  const watchAt = watchDueAt(turn);
  const untilMs = Math.min(turn.atMs + delayMs, watchAt ?? Infinity);
  turn.send({ kind: 'wait', untilMs: Math.max(untilMs, turn.atMs), reason });
}

/** Looks only for leftovers; sleeps for good where there are none. */
export function scheduleLeftoverLook(turn: Turn, reason: string): void {
  cancelLook(turn);
  if (watchDueAt(turn) !== null) scheduleLook(turn, Infinity, reason);
}

export const cancelLook = (turn: Turn): void => turn.close('wait', 'look', 'find');

/** Looks now: at the machine, or at everything under our names when leftovers are due. */
export function lookNow(turn: Turn): void {
  cancelLook(turn);
  const { machine } = turn.state;
  const due = watchDueAt(turn);
  if (machine === null || (due !== null && due <= turn.atMs)) findAll(turn);
  else lookAt(turn, machine.providerId);
}

/** Looks at one machine by its id. */
export function lookAt(turn: Turn, providerId: string): void {
  cancelLook(turn);
  turn.setTime('lookedAt', turn.atMs);
  turn.send({ kind: 'look', providerId });
}

/**
 * When the look that is answered now was sent: the latest time it can say something about. Its answer may have been long on the way, so
 * absence is measured between these times and never between answers.
 */
export const lookedAt = (turn: Turn): number => turn.time('lookedAt') ?? turn.atMs;

/** Looks at everything under our names. If the look fails, leftovers are looked for again after `goneConfirmMs`. */
export function findAll(turn: Turn): void {
  cancelLook(turn);
  turn.setTime('leftoversDueAt', turn.atMs + turn.state.settings.goneConfirmMs);
  turn.setTime('lookedAt', turn.atMs);
  turn.send({ kind: 'find', hostnames: turn.state.hostnames });
}

/** True when a look for leftovers is due. */
export function isWatchDue(turn: Turn): boolean {
  const due = watchDueAt(turn);
  return due !== null && due <= turn.atMs;
}

/** From now on the name's machine is a leftover: ended, or never seen. */
export function leaveBehind(turn: Turn, hostname: string, kind: 'leavingSinceMs' | 'givenUpSinceMs'): void {
  setLeftover(turn, hostname, { [kind]: turn.atMs });
  turn.setTime('leftoversDueAt', turn.atMs + turn.state.settings.goneConfirmMs);
}

const leftoverOf = (turn: Turn, hostname: string): Leftover => turn.state.memory.leftovers[hostname] ?? {};

function setLeftover(turn: Turn, hostname: string, patch: Leftover): void {
  const { leftovers } = turn.state.memory;
  turn.remember({ leftovers: { ...leftovers, [hostname]: { ...leftovers[hostname], ...patch } } });
}

/** The name's machine is known to be gone. */
export function forget(turn: Turn, hostname: string): void {
  const { [hostname]: _, ...leftovers } = turn.state.memory.leftovers;
  turn.remember({ leftovers });
  turn.set({ hostnames: turn.state.hostnames.filter((name) => name !== hostname) });
}

/** Disks of a machine that is going, to be deleted for good; the kept one excepted. */
export function purgeLater(turn: Turn, machine: Machine | Sighting): void {
  if (machine.osVolumeId !== null) sawDisk(turn, machine.providerId);
  const ids = [...machine.volumeIds, ...(machine.osVolumeId === null ? [] : [machine.osVolumeId])];
  addToPurge(turn, ids);
}

export function addToPurge(turn: Turn, ids: readonly string[]): void {
  const kept = turn.state.volume?.volumeId;
  const all = new Set([...turn.state.volumesToPurge, ...ids.filter((id) => id !== kept)]);
  turn.set({ volumesToPurge: [...all] });
  if (all.size > 0 && turn.time('leftoversDueAt') === null)
    turn.setTime('leftoversDueAt', turn.atMs + turn.state.settings.goneConfirmMs);
}

/** Orders the purge of every leftover disk that is not being purged already. */
export function purgeLeftovers(turn: Turn): void {
  const underWay = new Set(turn.state.open.flatMap((c) => (c.kind === 'delete_volume' ? [c.volumeId] : [])));
  for (const volumeId of turn.state.volumesToPurge)
    if (!underWay.has(volumeId)) turn.send({ kind: 'delete_volume', volumeId });
}

/** What a look at everything means for the leftovers. Answers the sighting of our machine, null when it was not seen. */
export function watchLeftovers(turn: Turn, { sightings }: LifeEventOf<'found'>): Sighting | null {
  const current = currentHostname(turn);
  const mine = sightings.find((s) => s.providerId === turn.state.machine?.providerId) ?? null;
  let pending = false;
  for (const hostname of turn.state.hostnames) {
    const there = sightings.filter((s) => s.hostname === hostname && s !== mine && s.status !== 'gone');
    for (const sighting of there) endLeftover(turn, sighting);
    pending ||= there.length > 0;
    if (hostname !== current && there.length === 0) pending = noteAbsence(turn, hostname) || pending;
    if (there.length > 0 && leftoverOf(turn, hostname).absentSinceMs !== undefined) {
      const { absentSinceMs: _, ...seen } = leftoverOf(turn, hostname);
      turn.remember({ leftovers: { ...turn.state.memory.leftovers, [hostname]: seen } });
    }
  }
  purgeLeftovers(turn);
  const { goneConfirmMs } = turn.state.settings;
  turn.setTime('leftoversDueAt', turn.atMs + goneConfirmMs * (pending ? 1 : WATCH_EVERY));
  return mine;
}

/** Ends a machine under one of our names that is not the one we have. */
function endLeftover(turn: Turn, sighting: Sighting): void {
  const { providerId, hostname } = sighting;
  purgeLater(turn, sighting);
  if (leftoverOf(turn, hostname).leavingSinceMs === undefined)
    turn.alertOnce(
      `stray:${providerId}`,
      `${hostname}: ${providerId} is there beside or after the machine we use; it is ended.`,
    );
  const ordered = turn.state.open.some((c) => c.kind === 'delete' && c.providerId === providerId);
  if (sighting.status === 'deleting' || ordered) return;
  endMachine(turn, sighting);
}

/** Orders the end of a machine just seen. One whose disk was not seen yet may get one before the order arrives: that is noted. */
export function endMachine(turn: Turn, sighting: Sighting): void {
  const { providerId, osVolumeId } = sighting;
  sawDisk(turn, providerId);
  if (osVolumeId === null) turn.remember({ endedUnseen: [...turn.state.memory.endedUnseen, providerId] });
  turn.send({ kind: 'delete', providerId, deleteVolumeIds: disksToName(turn, sighting) });
}

/**
 * The disks an order to end a machine names: all but the kept one. None once such an order was refused as wrong: a disk that is no more must
 * not keep a machine running, and those that are left are purged one by one.
 */
export const disksToName = (turn: Turn, machine: Machine | Sighting): readonly string[] =>
  turn.state.memory.endedWithoutDisks.includes(machine.providerId) ? [] : disposableVolumes(turn, machine);

/** The order to end our machine was refused. */
export function endRefused(turn: Turn, { errorClass }: ProviderErrorInfo): void {
  const { machine } = turn.state;
  const { endedWithoutDisks } = turn.state.memory;
  if (machine !== null && errorClass === 'config' && !endedWithoutDisks.includes(machine.providerId))
    turn.remember({ endedWithoutDisks: [...endedWithoutDisks, machine.providerId] });
}

/** Its disk is known now, or will never be. */
export const sawDisk = (turn: Turn, providerId: string): void =>
  turn.remember({ endedUnseen: turn.state.memory.endedUnseen.filter((id) => id !== providerId) });

/** All disks of a machine but the kept one. */
export function disposableVolumes(turn: Turn, machine: Machine | Sighting): readonly string[] {
  const ids = new Set([...machine.volumeIds, ...(machine.osVolumeId === null ? [] : [machine.osVolumeId])]);
  return [...ids].filter((id) => id !== turn.state.volume?.volumeId);
}

/** Answers true when the name must be looked for again soon. */
function noteAbsence(turn: Turn, hostname: string): boolean {
  const { goneConfirmMs, visibilityWindowMs } = turn.state.settings;
  const { givenUpSinceMs: givenUp, absentSinceMs: since } = leftoverOf(turn, hostname);
  if (givenUp !== undefined) {
    if (turn.atMs - givenUp >= visibilityWindowMs * GIVEN_UP_WINDOWS) forget(turn, hostname);
    return false;
  }
  if (since === undefined) setLeftover(turn, hostname, { absentSinceMs: turn.atMs });
  else if (lookedAt(turn) - since >= goneConfirmMs) forget(turn, hostname);
  return turn.state.hostnames.includes(hostname);
}

const currentHostname = ({ state }: Turn): string | null => (state.machine?.intent ?? state.intent)?.hostname ?? null;

/** Parts of the life that look at everything anyway. */
const LOOKS_AT_ALL: ReadonlySet<StepKind> = new Set(['finding', 'ending', 'purging']);

function watchDueAt(turn: Turn): number | null {
  if (LOOKS_AT_ALL.has(turn.state.step.kind)) return null;
  const current = currentHostname(turn);
  const leftovers = turn.state.hostnames.some((name) => name !== current) || turn.state.volumesToPurge.length > 0;
  return leftovers ? (turn.time('leftoversDueAt') ?? turn.atMs) : null;
}

/** `unsure` = look again. */
export type Presence = 'there' | 'gone' | 'unsure';

/**
 * What one successful look says of our machine. The provider's word that it ended is evidence; not to be seen is so only twice, `goneConfirmMs`
 * apart, and not before a new machine must be visible.
 */
export function presence(turn: Turn, sighting: Sighting | null): Presence {
  if (sighting !== null) {
    turn.clearTimes('absentSince');
    return sighting.status === 'gone' ? 'gone' : 'there';
  }
  if (lookedAt(turn) < (turn.time('landsUntil') ?? 0)) return 'unsure';
  const since = turn.time('absentSince');
  if (since === null) turn.setTime('absentSince', turn.atMs);
  return since !== null && lookedAt(turn) - since >= turn.state.settings.goneConfirmMs ? 'gone' : 'unsure';
}

/** Time by which a create sent until now is visible, if it took effect: the provider's window and one slow look. */
export const landsUntil = ({ atMs, state: { settings } }: Turn): number =>
  atMs + settings.visibilityWindowMs + settings.bootPollMaxMs;
