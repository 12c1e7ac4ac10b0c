/**
 * A machine on its way to running: polled with growing intervals, given up when the provider says so, when it vanishes or when it is stuck.
 */
import type { ProviderErrorClass } from '../provider/provider-errors.ts';
import { forgetHealth } from './remedies.ts';
import { landsUntil, lookHandlers, presence, scheduleLook } from './looks.ts';
import type { Handlers, Draft } from './draft.ts';
import type { Sighting } from './types.ts';

const POLL_GROWTH = 1.5;

/** Begins to poll. */
export function enterBoot(draft: Draft, reason: string): void {
  const { bootPollMs } = draft.state.settings;
  draft.enter('booting', { kind: 'starting', sinceMs: draft.atMs, pollMs: bootPollMs }, reason);
  forgetHealth(draft);
  if (draft.time('landsUntil') === null) draft.setTime('landsUntil', landsUntil(draft));
  scheduleLook(draft, bootPollMs, 'booting');
}

export const STARTING: Handlers = lookHandlers(judge, (draft, { retryAfterMs }) => poll(draft, retryAfterMs));

/**
 * This machine will not do: remembers that for all pools and has it removed before anything else is tried.
 *
 * @param ended the provider itself ended it: nothing runs, so its removal need not be awaited to the last
 */
export function machineFailed(draft: Draft, errorClass: ProviderErrorClass, message: string, ended: boolean): void {
  const { machine } = draft.state;
  if (machine === null) return draft.go('rank', message);
  draft.send({ kind: 'remember', offer: machine.intent.offer, error: { errorClass, message } });
  draft.go(ended ? 'remove_ended' : 'remove', message);
}

function judge(draft: Draft, sighting: Sighting | null): void {
  const where = presence(draft, sighting);
  if (where === 'gone')
    return machineFailed(draft, 'capacity_async', 'the machine vanished while it was booting', true);
  if (sighting === null || where === 'unsure') return pollAgain(draft);
  draft.updateMachine(sighting);
  switch (sighting.status) {
    case 'failed':
      return machineFailed(draft, 'capacity_async', `the provider gave it up: ${sighting.rawStatus}`, true);
    case 'gone':
    case 'deleting':
      return machineFailed(draft, 'capacity_async', 'the provider took it back while it was booting', true);
    case 'running':
      if (sighting.ip !== null || sighting.simulatedModelUrl !== null) return draft.go('check', 'it runs');
      return pollAgain(draft);
    // A stopped one was just told to start. Words we do not know arrive as `starting`.
    case 'starting':
    case 'stopped':
      return pollAgain(draft);
    default:
      return sighting.status satisfies never;
  }
}

/** After a look that saw it, or will: only then can it be stuck. */
function pollAgain(draft: Draft): void {
  const bootedMs = draft.atMs - (draft.during('starting')?.sinceMs ?? draft.atMs);
  if (bootedMs >= draft.state.settings.stuckAfterMs && draft.time('absentSince') === null)
    return machineFailed(draft, 'capacity_async', `not running after ${Math.round(bootedMs / 60_000)} min`, false);
  poll(draft);
}

function poll(draft: Draft, retryAfterMs = 0): void {
  const { bootPollMs, bootPollMaxMs } = draft.state.settings;
  const step = draft.during('starting');
  const pollMs = step?.pollMs ?? bootPollMs;
  if (step !== null) draft.setStep({ ...step, pollMs: Math.min(pollMs * POLL_GROWTH, bootPollMaxMs) });
  scheduleLook(draft, Math.max(pollMs, retryAfterMs), 'booting');
}
