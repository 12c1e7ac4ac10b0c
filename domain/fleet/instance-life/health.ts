/**
 * What an instance does for its health when its pool asks: takes no new work and is watched, goes back to work, or is repaired by a table of
 * remedies. Before it takes work again it passes a readiness check.
 *
 * Calls in flight are finished where they can be, else cut: a cut call is repeated elsewhere. While watched, a gateway is attached that
 * gives it no calls, so that it can be looked at and restarted.
 */
import { FAULTS, illnessOf, nextRemedy, REMEDY_WORDS, type HealthAsked } from './remedies.ts';
import { scheduleStandingLook, machineLooks } from './standing.ts';
import type { Handlers, Turn } from './turn.ts';
import type { Illness, Machine } from './types.ts';
import { addToPurge, scheduleLook } from './looks.ts';
import type { HealthFailure } from '../../health/types.ts';

/** What broke is not rented again in its place for this long. */
const HARDWARE_BLOCK_MS = 3_600_000;

/** Takes a request for its health. Only an instance that serves or is watched follows it; any other is on its way to a readiness check, or to sleep. */
export function healthRequest(turn: Turn, event: HealthAsked): void {
  const { step, illness, wanted } = turn.state;
  const isAtHand =
    step.kind === 'serving' || step.kind === 'watched' || (step.kind === 'draining' && illness?.remedy === 'watch');
  if (!isAtHand || wanted !== 'serve') return;
  switch (event.request) {
    case 'quarantine':
      if (step.kind === 'serving') takeOut(turn, illnessOf(turn, event, 'watch'));
      return;
    case 'release':
      if (illness === null || illness === undefined) return;
      turn.set({ illness: null });
      if (step.kind === 'watched') turn.go('cordon', event.reason);
      return;
    case 'repair':
      return repair(turn, event);
    default:
      return event.request satisfies never;
  }
}

/** Cordoned and drained for its health: watched, repaired or replaced. */
export function applyRemedy(turn: Turn, illness: Illness): void {
  const { machine } = turn.state;
  const { failure, reason, remedy } = illness;
  if (machine === null) return turn.go('rank', reason);
  if (remedy === 'watch') {
    turn.enter('cordoned', { kind: 'watched', attachAtMs: 0 }, reason);
    attachForWatching(turn, machine);
    return scheduleStandingLook(turn);
  }
  const said = `${failure}: ${reason}; ${REMEDY_WORDS[remedy]}`;
  if (remedy === 'replace') return replace(turn, machine, failure, said);
  const pauseMs = turn.state.settings.bootPollMaxMs;
  turn.enterTold('booting', { kind: 'repairing', attachAtMs: turn.atMs + pauseMs }, said);
  attachForWatching(turn, machine);
  if (remedy === 'restart') turn.send({ kind: 'restart_model_server' });
  else turn.send({ kind: 'reboot', providerId: machine.providerId });
  scheduleLook(turn, pauseMs, said);
}

/** The readiness check after a remedy failed: the next remedy is tried. Answers false where none was under way. */
export function tryNextRemedy(turn: Turn, reason: string): boolean {
  const { illness } = turn.state;
  if (illness === null || illness === undefined || illness.remedy === 'watch') return false;
  const next: Illness = { ...illness, reason, remedy: nextRemedy(turn, illness.failure) };
  turn.set({ illness: next });
  applyRemedy(turn, next);
  return true;
}

export const WATCHED: Handlers = {
  ...machineLooks((turn) => {
    const { machine } = turn.state;
    const isDue = turn.atMs >= (turn.during('watched')?.attachAtMs ?? 0);
    if (machine !== null && isDue) attachForWatching(turn, machine);
    scheduleStandingLook(turn);
  }),
  serve_ended(turn, { reason }) {
    const pauseMs = turn.state.settings.bootPollMaxMs;
    turn.setStep({ kind: 'watched', attachAtMs: turn.atMs + pauseMs });
    scheduleLook(turn, pauseMs, reason);
  },
};

function repair(turn: Turn, event: HealthAsked): void {
  const { failure, episodeMs } = event;
  // Asked again before the pool saw that it was done.
  if (turn.state.memory.repairedEpisodeMs === episodeMs || FAULTS[failure].remedies.length === 0) return;
  turn.remember({ repairedEpisodeMs: episodeMs });
  const illness = illnessOf(turn, event, nextRemedy(turn, failure));
  if (turn.state.step.kind !== 'watched') return takeOut(turn, illness);
  turn.set({ illness });
  applyRemedy(turn, illness);
}

/** No new calls; those in flight end as the fault allows. */
function takeOut(turn: Turn, illness: Illness): void {
  turn.set({ illness });
  const { remedy, failure, reason } = illness;
  const isCut = remedy !== 'watch' && FAULTS[failure].calls === 'cut';
  turn.enter(
    'cordoned',
    { kind: 'draining', sinceMs: turn.atMs },
    remedy === 'watch' ? `${failure}: ${reason}` : `${failure}: ${reason}; its calls are ${isCut ? 'cut' : 'finished'}`,
  );
  // A drain that finishes calls may be under way already.
  if (isCut) turn.send({ kind: 'drain', timeoutMs: 0, cut: true });
  else if (!turn.isOpen('drain')) turn.send({ kind: 'drain', timeoutMs: turn.state.settings.drainTimeoutMs });
  scheduleStandingLook(turn);
}

function attachForWatching(turn: Turn, machine: Machine): void {
  if (!turn.isOpen('serve')) turn.send({ kind: 'serve', machine, watchOnly: true });
}

function replace(turn: Turn, machine: Machine, failure: HealthFailure, said: string): void {
  const { name } = turn.state;
  turn.send({ kind: 'alert', text: `${name} (${machine.providerId}) is replaced: ${said}` });
  const block = FAULTS[failure].isHardware ? { retryAfterMs: HARDWARE_BLOCK_MS } : {};
  const error = { errorClass: 'capacity_async', message: said, ...block } as const;
  turn.send({ kind: 'remember', offer: machine.intent.offer, error });
  // A disk it woke from is its own again by now, and goes with it.
  if (turn.state.volume !== null) addToPurge(turn, [turn.state.volume.volumeId]);
  turn.set({ volume: null });
  turn.go('remove', said);
}
