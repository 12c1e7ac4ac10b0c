/**
 * Putting a machine to sleep by the first strategy the provider accepts, in two steps that are both verified: stop, then end with the disk
 * kept; and waking it again. What is asked for meanwhile waits until it sleeps.
 *
 * `discontinue_keep_volume` and `hibernate` leave a disk, `shutdown` leaves the (billed) machine, `delete` leaves nothing.
 */
import { alarmWhenLate, detach } from './removal.ts';
import {
  addToPurge,
  scheduleLook,
  scheduleLeftoverLook,
  cancelLook,
  disposableVolumes,
  findAll,
  forget,
  isWatchDue,
  leaveBehind,
  lookNow,
  watchLeftovers,
  presence,
} from './looks.ts';
import { parseOfferKey } from '../selection/offer.ts';
import type { SuspendStrategy } from '../pool/pool-config.ts';
import { type ProviderErrorInfo, PROVIDER_ERROR_CLASSES } from '../provider/provider-errors.ts';
import type { Handlers, Turn } from './turn.ts';
import type { KeptVolume, Sighting } from './types.ts';

/** Begins with the strategy that is due. */
export function enterSuspend(turn: Turn, reason: string): void {
  const { machine } = turn.state;
  if (machine === null) return turn.go('end', reason);
  if (strategy(turn) === 'delete') return turn.go('end', `${reason}; nothing is kept`);
  cancelLook(turn);
  turn.enter('suspending', { kind: 'stopping', sinceMs: turn.atMs, orderedAtMs: null }, reason);
  turn.clearTimes('absentSince');
  turn.send({ kind: 'shutdown', providerId: machine.providerId });
}

/** Sleeps; asked to serve meanwhile, it wakes at once. */
export function enterAsleep(turn: Turn, reason: string): void {
  turn.enter('suspended', 'sleeping', reason);
  if (turn.state.illness !== undefined) turn.set({ illness: null });
  turn.clearTimes('absentSince', 'landsUntil');
  turn.remember({ strategy: 0, emptyPasses: 0, volumeRefusals: 0 });
  const { wanted } = turn.state;
  if (wanted === 'serve' || wanted === 'wake' || wanted === 'uncordon')
    return turn.go('wake', 'work came while it fell asleep');
  scheduleLeftoverLook(turn, 'looking for leftovers');
}

export const STOPPING: Handlers = {
  acted(turn, { error }) {
    if (error?.errorClass === 'config') return nextStrategy(turn, error);
    if (error === null) turn.markOrdered();
    else alarmWhenLate(turn, error.message);
    pollSoon(turn, error);
  },
  waited: lookNow,
  looked: (turn, { sighting, error }) => (error === null ? judgeStopping(turn, sighting) : pollSoon(turn, error)),
  found(turn, event) {
    if (event.error === null) judgeStopping(turn, watchLeftovers(turn, event));
    else pollSoon(turn, event.error);
  },
};

export const DISCONTINUING: Handlers = {
  acted(turn, { error }) {
    if (error?.errorClass === 'config' && turn.state.phase === 'suspending') return nextStrategy(turn, error);
    if (error === null || error.errorClass === 'gone') turn.markOrdered();
    else alarmWhenLate(turn, error.message);
    pollSoon(turn, error?.errorClass === 'gone' ? null : error);
  },
  waited: lookNow,
  looked: (turn, { sighting, error }) => (error === null ? judgeDiscontinued(turn, sighting) : pollSoon(turn, error)),
  found(turn, event) {
    if (event.error === null) judgeDiscontinued(turn, watchLeftovers(turn, event));
    else pollSoon(turn, event.error);
  },
};

export const SLEEPING: Handlers = {
  waited(turn) {
    if (isWatchDue(turn)) findAll(turn);
    else scheduleLeftoverLook(turn, 'looking for leftovers');
  },
  found(turn, event) {
    if (event.error === null) watchLeftovers(turn, event);
    scheduleLeftoverLook(turn, 'looking for leftovers');
  },
};

/** Ends the stopped machine and keeps its disk, in `suspending`, or in `waking` where a stopped machine cannot start. */
export function discontinue(turn: Turn): void {
  const { machine, phase, step } = turn.state;
  if (machine === null) return turn.go('rank', turn.state.reason);
  const sinceMs = 'sinceMs' in step ? step.sinceMs : null;
  turn.setStep({ kind: 'discontinuing', sinceMs, orderedAtMs: null });
  cancelLook(turn);
  if (phase === 'suspending' && strategy(turn) === 'hibernate')
    turn.send({ kind: 'hibernate', providerId: machine.providerId });
  else turn.send({ kind: 'delete', providerId: machine.providerId, deleteVolumeIds: [] });
}

function judgeStopping(turn: Turn, sighting: Sighting | null): void {
  const where = presence(turn, sighting);
  if (where === 'gone') return discontinued(turn, sighting?.status === 'gone');
  if (sighting === null) return pollSoon(turn, null);
  turn.updateMachine(sighting);
  alarmWhenLate(turn, `it is ${sighting.rawStatus}`);
  switch (sighting.status) {
    case 'stopped':
      return stopped(turn);
    case 'failed':
      return turn.go('end', `it failed while it was stopping: ${sighting.rawStatus}`);
    case 'running':
    case 'starting':
      return orderAgain(turn, (providerId) => turn.send({ kind: 'shutdown', providerId }));
    case 'deleting':
    case 'gone':
      return pollSoon(turn, null);
    default:
      return sighting.status satisfies never;
  }
}

function stopped(turn: Turn): void {
  const { machine } = turn.state;
  if (strategy(turn) === 'shutdown') return turn.go('asleep', 'stopped; it costs on');
  if (machine === null || machine.osVolumeId === null)
    return nextStrategy(turn, {
      errorClass: 'config',
      message: 'the provider names no system disk that could be kept',
    });
  discontinue(turn);
}

function judgeDiscontinued(turn: Turn, sighting: Sighting | null): void {
  const where = presence(turn, sighting);
  if (where === 'gone') return discontinued(turn, sighting?.status === 'gone');
  if (sighting !== null) {
    turn.updateMachine(sighting);
    alarmWhenLate(turn, `it is ${sighting.rawStatus}`);
  }
  if (sighting === null || sighting.status === 'deleting') return pollSoon(turn, null);
  orderAgain(turn, () => discontinue(turn));
}

/** The machine is gone and its disk is ours to boot. */
function discontinued(turn: Turn, certain: boolean): void {
  const { machine, volume: older, phase } = turn.state;
  if (machine === null) return turn.go('rank', turn.state.reason);
  const { location, instanceType, market } = parseOfferKey(machine.intent.offer);
  const volumeId = machine.osVolumeId;
  const kept: KeptVolume | null = volumeId === null ? null : { volumeId, location, instanceType, market };
  turn.set({ machine: null, intent: null, volume: kept ?? older });
  addToPurge(turn, disposableVolumes(turn, machine));
  if (kept !== null && older !== null && older.volumeId !== kept.volumeId) {
    const text = `${turn.state.name} keeps its newer disk ${kept.volumeId} in ${location}; the older ${older.volumeId} in ${older.location} is deleted.`;
    turn.send({ kind: 'alert', text });
    addToPurge(turn, [older.volumeId]);
  }
  if (certain) forget(turn, machine.intent.hostname);
  else leaveBehind(turn, machine.intent.hostname, 'leavingSinceMs');
  turn.clearTimes('absentSince', 'landsUntil');
  if (phase === 'waking') return turn.go('rank', 'the stopped machine could not start; its disk was kept');
  if (turn.state.volume === null) return turn.go('end', 'the machine is gone and left no disk');
  turn.go('asleep', `its disk ${turn.state.volume.volumeId} is kept`);
}

function nextStrategy(turn: Turn, error: ProviderErrorInfo): void {
  turn.alertOnce(
    `strategy:${strategy(turn)}`,
    `${turn.state.name} cannot be put to sleep by ${strategy(turn)}: ${error.message}`,
  );
  turn.remember({ strategy: turn.state.memory.strategy + 1 });
  turn.go('suspend', `${error.message}: the next way to sleep is taken`);
}

/** Strategies used up: the machine is idle and costs, so it is deleted. */
const strategy = (turn: Turn): SuspendStrategy =>
  turn.state.settings.suspendStrategies[turn.state.memory.strategy] ?? 'delete';

/** An order that shows no effect is given again after a while. */
function orderAgain(turn: Turn, order: (providerId: string) => void): void {
  const { machine, settings } = turn.state;
  const ordered = turn.orderedAtMs;
  const waits = ordered !== null && turn.atMs - ordered < settings.destroyRetryMs;
  if (waits || machine === null) return pollSoon(turn, null);
  turn.markOrdered();
  cancelLook(turn);
  order(machine.providerId);
}

function pollSoon(turn: Turn, error: ProviderErrorInfo | null): void {
  const { bootPollMs, destroyRetryMs } = turn.state.settings;
  const delay = error === null ? bootPollMs : Math.max(error.retryAfterMs ?? 0, destroyRetryMs);
  scheduleLook(turn, delay, error?.message ?? turn.state.reason);
}

/**
 * Begins to wake: a stopped machine is started, a kept disk is booted on the ladder of its location first, else a cold machine elsewhere. A
 * stopped machine that cannot start is ended with its disk kept before the ladder is walked: never two machines.
 */
export function enterWake(turn: Turn, reason: string): void {
  const { machine } = turn.state;
  turn.enter('waking', 'waking', reason);
  turn.clearTimes('absentSince', 'checkingSince');
  turn.remember({ emptyPasses: 0 });
  if (machine === null) return turn.go('rank', reason);
  cancelLook(turn);
  detach(turn, 0);
  turn.send({ kind: 'start', providerId: machine.providerId });
}

export const WAKING: Handlers = {
  acted(turn, { error }) {
    if (error === null) return turn.go('boot', 'started again');
    switch (error.errorClass) {
      case 'capacity':
      case 'capacity_async':
      case 'config':
      case 'quota':
        turn.tell(`it cannot be started: ${error.message}`);
        return discontinue(turn);
      case 'gone':
        return turn.go('boot', 'the provider does not know it any more');
      default:
        if (PROVIDER_ERROR_CLASSES[error.errorClass].tell === 'operator')
          turn.alertOnce(error.errorClass, `${turn.state.name} cannot be started: ${error.message}`);
        turn.set({ reason: `it cannot be started yet: ${error.message}` });
        return scheduleLook(turn, Math.max(error.retryAfterMs ?? 0, turn.state.settings.destroyRetryMs), error.message);
    }
  },
  waited(turn) {
    const { machine } = turn.state;
    if (machine === null) return turn.go('rank', turn.state.reason);
    turn.send({ kind: 'start', providerId: machine.providerId });
  },
};
