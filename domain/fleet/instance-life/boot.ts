/**
 * A machine on its way to running: polled with growing intervals, given up when the provider says so, when it vanishes or when it is stuck.
 */
import type { ProviderErrorClass } from '../provider/provider-errors.ts';
import { forgetHealth } from './remedies.ts';
import { scheduleLook, lookNow, watchLeftovers, landsUntil, presence } from './looks.ts';
import type { Handlers, Turn } from './turn.ts';
import type { Sighting } from './types.ts';

const POLL_GROWTH = 1.5;

/** Begins to poll. */
export function enterBoot(turn: Turn, reason: string): void {
  const { bootPollMs } = turn.state.settings;
  turn.enter('booting', { kind: 'starting', sinceMs: turn.atMs, pollMs: bootPollMs }, reason);
  forgetHealth(turn);
  if (turn.time('landsUntil') === null) turn.setTime('landsUntil', landsUntil(turn));
  scheduleLook(turn, bootPollMs, 'booting');
}

export const STARTING: Handlers = {
  waited: lookNow,
  looked: (turn, { sighting, error }) => (error === null ? judge(turn, sighting) : poll(turn, error.retryAfterMs)),
  found(turn, event) {
    if (event.error === null) judge(turn, watchLeftovers(turn, event));
    else poll(turn, event.error.retryAfterMs);
  },
};

/**
 * This machine will not do: remembers that for all pools and has it removed before anything else is tried.
 *
 * @param ended the provider itself ended it: nothing runs, so its removal need not be awaited to the last
 */
export function machineFailed(turn: Turn, errorClass: ProviderErrorClass, message: string, ended: boolean): void {
  const { machine } = turn.state;
  if (machine === null) return turn.go('rank', message);
  turn.send({ kind: 'remember', offer: machine.intent.offer, error: { errorClass, message } });
  turn.go(ended ? 'remove_ended' : 'remove', message);
}

function judge(turn: Turn, sighting: Sighting | null): void {
  const where = presence(turn, sighting);
  if (where === 'gone') return machineFailed(turn, 'capacity_async', 'the machine vanished while it was booting', true);
  if (sighting === null || where === 'unsure') return pollAgain(turn);
  turn.updateMachine(sighting);
  switch (sighting.status) {
    case 'failed':
      return machineFailed(turn, 'capacity_async', `the provider gave it up: ${sighting.rawStatus}`, true);
    case 'gone':
    case 'deleting':
      return machineFailed(turn, 'capacity_async', 'the provider took it back while it was booting', true);
    case 'running':
      if (sighting.ip !== null || sighting.simulatedModelUrl !== null) return turn.go('check', 'it runs');
      return pollAgain(turn);
    // A stopped one was just told to start. Words we do not know arrive as `starting`.
    case 'starting':
    case 'stopped':
      return pollAgain(turn);
    default:
      return sighting.status satisfies never;
  }
}

/** After a look that saw it, or will: only then can it be stuck. */
function pollAgain(turn: Turn): void {
  const bootedMs = turn.atMs - (turn.during('starting')?.sinceMs ?? turn.atMs);
  if (bootedMs >= turn.state.settings.stuckAfterMs && turn.time('absentSince') === null)
    return machineFailed(turn, 'capacity_async', `not running after ${Math.round(bootedMs / 60_000)} min`, false);
  poll(turn);
}

function poll(turn: Turn, retryAfterMs = 0): void {
  const { bootPollMs, bootPollMaxMs } = turn.state.settings;
  const step = turn.during('starting');
  const pollMs = step?.pollMs ?? bootPollMs;
  if (step !== null) turn.setStep({ ...step, pollMs: Math.min(pollMs * POLL_GROWTH, bootPollMaxMs) });
  scheduleLook(turn, Math.max(pollMs, retryAfterMs), 'booting');
}
