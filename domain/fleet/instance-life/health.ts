/**
 * Health requests of the pool: quarantine an instance, release it, or repair it by the table of remedies. It passes a readiness check before
 * it gets calls again.
 *
 * Calls in flight are finished where they can be, else cut: a cut call is repeated elsewhere. A gateway stays attached to a quarantined
 * instance and gives it no calls, so that it can be checked and restarted.
 */
import { endForEviction } from './eviction.ts';
import { FAULTS, newQuarantine, nextRemedy, REMEDY_WORDS } from './remedies.ts';
import { scheduleRunningLook, machineLooks } from './running.ts';
import type { Handlers, Draft } from './draft.ts';
import type { InstanceQuarantine, Machine, HealthAsk } from './types.ts';
import { addToPurge, scheduleLook } from './looks.ts';
import type { HealthFailure } from '../../health/types.ts';

/** An offer whose hardware broke is not taken again for this long. */
const HARDWARE_BLOCK_MS = 3_600_000;

/** Follows a health request. Only an instance that serves or is watched does; any other is about to be checked for readiness, or to sleep. */
export function healthRequest(draft: Draft, event: HealthAsk): void {
  const { step, wanted } = draft.state;
  const { quarantine } = draft;
  const isInUse =
    step.kind === 'serving' || step.kind === 'watched' || (step.kind === 'draining' && quarantine?.remedy === 'watch');
  if (!isInUse || wanted !== 'serve') return;
  switch (event.request) {
    case 'quarantine':
      if (step.kind === 'serving') startQuarantine(draft, newQuarantine(draft, event, 'watch'));
      return;
    case 'release':
      if (quarantine === null) return;
      draft.setQuarantine(null);
      if (step.kind === 'watched') draft.go('cordon', event.reason);
      return;
    case 'repair':
      return repair(draft, event);
    default:
      return event.request satisfies never;
  }
}

/** Applies the remedy of a quarantine, once the instance is cordoned and drained. */
export function applyRemedy(draft: Draft, quarantine: InstanceQuarantine): void {
  const { machine } = draft.state;
  const { failure, reason, remedy } = quarantine;
  if (machine === null) return draft.go('rank', reason);
  if (remedy === 'watch') {
    draft.enter('cordoned', { kind: 'watched', attachAtMs: 0 }, reason);
    attachForWatching(draft, machine);
    return scheduleRunningLook(draft);
  }
  const said = `${failure}: ${reason}; ${REMEDY_WORDS[remedy]}`;
  if (remedy === 'replace') return replace(draft, machine, failure, said);
  const pauseMs = draft.state.settings.bootPollMaxMs;
  draft.enterRecorded('booting', { kind: 'repairing', attachAtMs: draft.atMs + pauseMs }, said);
  attachForWatching(draft, machine);
  if (remedy === 'restart') draft.send({ kind: 'restart_model_server' });
  else draft.send({ kind: 'reboot', providerId: machine.providerId });
  scheduleLook(draft, pauseMs, said);
}

/** The readiness check after a remedy failed: the next remedy is tried. Answers false where none was under way. */
export function tryNextRemedy(draft: Draft, reason: string): boolean {
  const { quarantine } = draft;
  if (quarantine === null || quarantine.remedy === 'watch') return false;
  const next: InstanceQuarantine = { ...quarantine, reason, remedy: nextRemedy(draft, quarantine.failure) };
  draft.setQuarantine(next);
  applyRemedy(draft, next);
  return true;
}

export const WATCHED: Handlers = {
  ...machineLooks((draft) => {
    const { machine } = draft.state;
    const isDue = draft.atMs >= (draft.during('watched')?.attachAtMs ?? 0);
    if (machine !== null && isDue) attachForWatching(draft, machine);
    scheduleRunningLook(draft);
  }),
  eviction_noticed: endForEviction,
  serve_ended(draft, { reason }) {
    const pauseMs = draft.state.settings.bootPollMaxMs;
    draft.setStep({ kind: 'watched', attachAtMs: draft.atMs + pauseMs });
    scheduleLook(draft, pauseMs, reason);
  },
};

function repair(draft: Draft, event: HealthAsk): void {
  const { failure, episodeMs } = event;
  // The pool asked again before it saw that the repair was done.
  if (draft.state.memory.repairedEpisodeMs === episodeMs || FAULTS[failure].remedies.length === 0) return;
  draft.remember({ repairedEpisodeMs: episodeMs });
  const quarantine = newQuarantine(draft, event, nextRemedy(draft, failure));
  if (draft.state.step.kind !== 'watched') return startQuarantine(draft, quarantine);
  draft.setQuarantine(quarantine);
  applyRemedy(draft, quarantine);
}

/** No new calls; those in flight end as the fault allows. */
function startQuarantine(draft: Draft, quarantine: InstanceQuarantine): void {
  draft.setQuarantine(quarantine);
  const { remedy, failure, reason } = quarantine;
  const isCut = remedy !== 'watch' && FAULTS[failure].calls === 'cut';
  draft.enter(
    'cordoned',
    { kind: 'draining', sinceMs: draft.atMs },
    remedy === 'watch' ? `${failure}: ${reason}` : `${failure}: ${reason}; its calls are ${isCut ? 'cut' : 'finished'}`,
  );
  // A drain that finishes calls may be under way already.
  if (isCut) draft.send({ kind: 'drain', timeoutMs: 0, cut: true });
  else if (!draft.isOpen('drain')) draft.send({ kind: 'drain', timeoutMs: draft.state.settings.drainTimeoutMs });
  scheduleRunningLook(draft);
}

function attachForWatching(draft: Draft, machine: Machine): void {
  if (!draft.isOpen('serve')) draft.send({ kind: 'serve', machine, watchOnly: true });
}

function replace(draft: Draft, machine: Machine, failure: HealthFailure, said: string): void {
  const { name } = draft.state;
  draft.send({ kind: 'alert', text: `${name} (${machine.providerId}) is replaced: ${said}` });
  const block = FAULTS[failure].isHardware ? { retryAfterMs: HARDWARE_BLOCK_MS } : {};
  const error = { errorClass: 'capacity_async', message: said, ...block } as const;
  draft.send({ kind: 'remember', offer: machine.intent.offer, error });
  // A disk it woke from is its own again by now, and goes with it.
  if (draft.state.volume !== null) addToPurge(draft, [draft.state.volume.volumeId]);
  draft.set({ volume: null });
  draft.go('remove', said);
}
