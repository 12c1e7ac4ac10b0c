/**
 * What an instance does for its health when its pool asks: takes no new work and is watched, goes back to work, or is repaired by a table of
 * remedies. Every way back to work leads through a proof.
 *
 * Calls in flight are finished where they can be, else cut: a cut call is repeated elsewhere. While watched, a gateway is attached that
 * gives it no calls, so that it can be looked at and restarted.
 */
import { illnessOf, nextRemedy, TREATMENTS, type HealthAsked, type Remedy } from './remedies.ts';
import { armStandingEye, machineLooks } from './standing.ts';
import type { Handlers, Turn } from './turn.ts';
import type { Illness, Machine } from './types.ts';
import { addToPurge, armEye } from './watch.ts';
import type { HealthFailure } from '../../health/types.ts';

/** What broke is not rented again in its place for this long. */
const HARDWARE_BLOCK_MS = 3_600_000;

const REMEDY_WORDS: Readonly<Record<Remedy, string>> = {
  restart: 'its model server is restarted',
  reboot: 'it is rebooted',
  replace: 'it is replaced',
};

/** Takes a request for its health. One that serves or is watched can follow it; anything else is on its way to a proof, or to sleep. */
export function healthRequest(turn: Turn, event: HealthAsked): void {
  const { errand, illness, wanted } = turn.state;
  const isAtHand =
    errand === 'serving' || errand === 'watched' || (errand === 'draining' && illness?.remedy === 'watch');
  if (!isAtHand || wanted !== 'serve') return;
  switch (event.request) {
    case 'quarantine':
      if (errand === 'serving') takeOut(turn, illnessOf(turn, event, 'watch'));
      return;
    case 'release':
      if (illness === null || illness === undefined) return;
      turn.set({ illness: null });
      if (errand === 'watched') turn.go('cordon', event.reason);
      return;
    case 'repair':
      return repair(turn, event);
    default:
      return event.request satisfies never;
  }
}

/** Cordoned and drained for its health: watched, treated or replaced. */
export function treat(turn: Turn, illness: Illness): void {
  const { machine } = turn.state;
  const { failure, reason, remedy } = illness;
  if (machine === null) return turn.go('rank', reason);
  if (remedy === 'watch') {
    turn.enter('cordoned', 'watched', reason);
    attachForWatching(turn, machine);
    return armStandingEye(turn);
  }
  const said = `${failure}: ${reason}; ${REMEDY_WORDS[remedy]}`;
  if (remedy === 'replace') return replace(turn, machine, failure, said);
  turn.enterTold('booting', 'repairing', said);
  attachForWatching(turn, machine);
  if (remedy === 'restart') turn.send({ kind: 'restart_model_server' });
  else turn.send({ kind: 'reboot', providerId: machine.providerId });
  const pauseMs = turn.state.settings.bootPollMaxMs;
  turn.setNote('attachAt', turn.atMs + pauseMs);
  armEye(turn, pauseMs, said);
}

/** The proof after a remedy failed: the next one is tried. Answers false where none was. */
export function treatFurther(turn: Turn, reason: string): boolean {
  const { illness } = turn.state;
  if (illness === null || illness === undefined || illness.remedy === 'watch') return false;
  const next: Illness = { ...illness, reason, remedy: nextRemedy(turn, illness.failure) };
  turn.set({ illness: next });
  treat(turn, next);
  return true;
}

export const WATCHED: Handlers = {
  ...machineLooks((turn) => {
    const { machine } = turn.state;
    const isDue = turn.atMs >= (turn.note('attachAt') ?? 0);
    if (machine !== null && isDue) attachForWatching(turn, machine);
    armStandingEye(turn);
  }),
  serve_ended(turn, { reason }) {
    const pauseMs = turn.state.settings.bootPollMaxMs;
    turn.setNote('attachAt', turn.atMs + pauseMs);
    armEye(turn, pauseMs, reason);
  },
};

function repair(turn: Turn, event: HealthAsked): void {
  const { failure, episodeMs } = event;
  // Asked again before the pool saw that it was done.
  if (turn.note('healthEpisode') === episodeMs || TREATMENTS[failure].remedies.length === 0) return;
  turn.setNote('healthEpisode', episodeMs);
  const illness = illnessOf(turn, event, nextRemedy(turn, failure));
  if (turn.state.errand !== 'watched') return takeOut(turn, illness);
  turn.set({ illness });
  treat(turn, illness);
}

/** No new calls; those in flight end as the fault allows. */
function takeOut(turn: Turn, illness: Illness): void {
  turn.set({ illness });
  const { remedy, failure, reason } = illness;
  const isCut = remedy !== 'watch' && TREATMENTS[failure].calls === 'cut';
  turn.enter(
    'cordoned',
    'draining',
    remedy === 'watch' ? `${failure}: ${reason}` : `${failure}: ${reason}; its calls are ${isCut ? 'cut' : 'finished'}`,
  );
  turn.setNote('drainSince', turn.atMs);
  // A drain that finishes calls may be under way already.
  if (isCut) turn.send({ kind: 'drain', timeoutMs: 0, cut: true });
  else if (!turn.isOpen('drain')) turn.send({ kind: 'drain', timeoutMs: turn.state.settings.drainTimeoutMs });
  armStandingEye(turn);
}

function attachForWatching(turn: Turn, machine: Machine): void {
  if (!turn.isOpen('serve')) turn.send({ kind: 'serve', machine, watchOnly: true });
}

function replace(turn: Turn, machine: Machine, failure: HealthFailure, said: string): void {
  const { name } = turn.state;
  turn.send({ kind: 'alert', text: `${name} (${machine.providerId}) is replaced: ${said}` });
  const block = TREATMENTS[failure].isHardware ? { retryAfterMs: HARDWARE_BLOCK_MS } : {};
  const error = { errorClass: 'capacity_async', message: said, ...block } as const;
  turn.send({ kind: 'remember', offer: machine.intent.offer, error });
  turn.setNote('endedByProvider', null);
  // A disk it woke from is its own again by now, and goes with it.
  if (turn.state.volume !== null) addToPurge(turn, [turn.state.volume.volumeId]);
  turn.set({ volume: null });
  turn.go('remove', said);
}
