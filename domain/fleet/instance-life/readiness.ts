/**
 * A running machine passes a readiness check before calls are routed to it: a gateway is attached and checks it, failures are repaired by the
 * table of remedies, and when the remedies are used up the machine is replaced.
 */
import { machineFailed } from './boot.ts';
import { giveUpForEviction } from './eviction.ts';
import { tryNextRemedy } from './health.ts';
import { remedyFor, REMEDY_WORDS } from './remedies.ts';
import type { ReadinessFailure } from './memory.ts';
import { scheduleLook } from './looks.ts';
import { detach } from './removal.ts';
import { machineLooks } from './running.ts';
import type { Handlers, Draft } from './draft.ts';
import type { LifeEventOf } from './types.ts';

/** Failures that another machine may well repeat: said at once, and a second machine with one ends the life. */
const MODEL_FAILURES: ReadonlySet<ReadinessFailure> = new Set(['wrong_digest', 'model_missing', 'cannot_answer']);

/** Failures of the readiness check that show the same faults as the health of a machine that serves. */
const FAULTS_OF_HEALTH: ReadonlySet<ReadinessFailure> = new Set(['timeout', 'cpu_only', 'no_gpu']);

/** Attaches a gateway. */
export function enterCheck(draft: Draft, reason: string): void {
  const { machine, phase } = draft.state;
  if (machine === null) return draft.go('rank', reason);
  draft.enter(phase === 'cordoned' ? 'cordoned' : 'booting', 'checking', reason);
  if (draft.time('checkingSince') === null) draft.setTime('checkingSince', draft.atMs);
  draft.close('serve');
  draft.send({ kind: 'serve', machine });
  scheduleCheckLook(draft);
}

export const CHECKING: Handlers = {
  ...machineLooks(stillChecking),
  proved,
  eviction_noticed: giveUpForEviction,
  proof_failed: (draft, { failure, message }) => readinessFailed(draft, failure, message),
  serve_ended: (draft, { reason }) => attachAgain(draft, reason),
};

export const REPAIRING: Handlers = {
  ...machineLooks(stillRepairing),
  acted(draft) {
    // Whether or not it could be done: the next readiness check shows it.
    detach(draft, 0);
    draft.setStep({ kind: 'repairing', attachAtMs: draft.atMs + pauseMs(draft) });
    scheduleLook(draft, pauseMs(draft), 'the attachment ends');
  },
  eviction_noticed: giveUpForEviction,
  drained: (draft) => attachAgain(draft, draft.state.reason),
  serve_ended: (draft, { reason }) => attachAgain(draft, reason),
};

/** The attachment is over: the next one after a pause. */
export function attachAgain(draft: Draft, reason: string): void {
  const step = { kind: 'repairing', attachAtMs: draft.atMs + pauseMs(draft) } as const;
  draft.enter(draft.state.phase === 'cordoned' ? 'cordoned' : 'booting', step, reason);
  scheduleLook(draft, pauseMs(draft), reason);
}

/** A failed readiness check, also of a machine that served until now: then nothing is routed to it from here on. */
export function readinessFailed(draft: Draft, failure: ReadinessFailure, message: string): void {
  const { readinessFailures } = draft.state.memory;
  const count = readinessFailures[failure] ?? 0;
  draft.remember({ readinessFailures: { ...readinessFailures, [failure]: count + 1 } });
  if (draft.time('checkingSince') === null) draft.setTime('checkingSince', draft.atMs);
  const remedy = remedyFor(failure, count);
  const { machine, name, phase } = draft.state;
  const said = `${failure}: ${message}`;
  if (machine === null) return draft.go('rank', said);
  // A health remedy that did not help is followed by the next one of that fault.
  if (FAULTS_OF_HEALTH.has(failure) && tryNextRemedy(draft, said)) return;
  if (MODEL_FAILURES.has(failure) || failure === 'host_key_changed')
    draft.alertOnce(`proof:${failure}`, `${name} (${machine.providerId}) does not pass its readiness check: ${said}`);
  if (remedy === 'replace') return replace(draft, failure, said);
  const step = { kind: 'repairing', attachAtMs: draft.atMs + pauseMs(draft) } as const;
  draft.enterRecorded(phase === 'cordoned' ? 'cordoned' : 'booting', step, `${said}; ${REMEDY_WORDS[remedy]}`);
  if (remedy === 'restart') draft.send({ kind: 'restart_model_server' });
  if (remedy === 'reboot') draft.send({ kind: 'reboot', providerId: machine.providerId });
  if (remedy === 'again') detach(draft, 0);
  scheduleCheckLook(draft);
}

function proved(draft: Draft, { facts }: LifeEventOf<'proved'>): void {
  const { machine, volume } = draft.state;
  if (machine === null) return;
  draft.remember({ loadMs: Math.round(facts.loadMs) });
  draft.send({ kind: 'remember', offer: machine.intent.offer, error: null });
  // The kept disk is the machine's own again.
  if (volume !== null && machine.osVolumeId === volume.volumeId) draft.set({ volume: null });
  draft.clearTimes('checkingSince');
  draft.remember({ readinessFailures: {}, hasReplacedForModels: false, volumeRefusals: 0 });
  draft.go('ready', 'passed its readiness check');
}

function replace(draft: Draft, failure: ReadinessFailure, said: string): void {
  const { machine, name } = draft.state;
  if (MODEL_FAILURES.has(failure)) {
    if (draft.state.memory.hasReplacedForModels) {
      draft.remember({ endsAsFailed: true });
      return draft.go('end', `two machines in a row: ${said}`);
    }
    draft.remember({ hasReplacedForModels: true });
  }
  // A disk that does not bring up a machine is not booted again.
  if (
    machine !== null &&
    machine.intent.volumeId !== null &&
    draft.state.volume?.volumeId === machine.intent.volumeId
  ) {
    const text = `The kept disk ${machine.intent.volumeId} of ${name} does not boot a machine that passes the readiness check (${said}); it is deleted.`;
    draft.send({ kind: 'alert', text });
    draft.set({ volume: null });
  }
  draft.remember({ readinessFailures: {} });
  machineFailed(draft, 'capacity_async', said, false);
}

function stillChecking(draft: Draft): void {
  if (isLate(draft)) return replace(draft, 'timeout', 'it did not pass its readiness check in time');
  scheduleCheckLook(draft);
}

function stillRepairing(draft: Draft): void {
  if (isLate(draft)) return replace(draft, 'timeout', 'it did not pass its readiness check in time');
  const restMs = (draft.during('repairing')?.attachAtMs ?? 0) - draft.atMs;
  const busy = draft.isOpen('restart_model_server', 'reboot', 'drain');
  if (busy || restMs > 0)
    return scheduleLook(draft, Math.max(restMs, draft.state.settings.bootPollMs), draft.state.reason);
  draft.go('check', 'attaching again');
}

/** The gateway has its own limit; this one also covers a check that no gateway runs. */
const isLate = (draft: Draft): boolean => {
  const { proveTimeoutMs, goneConfirmMs } = draft.state.settings;
  return draft.atMs - (draft.time('checkingSince') ?? draft.atMs) > proveTimeoutMs + goneConfirmMs;
};

const pauseMs = ({ state: { settings } }: Draft): number => settings.bootPollMaxMs;

const scheduleCheckLook = (draft: Draft): void =>
  scheduleLook(draft, draft.state.settings.bootPollMaxMs, 'looking after the machine');
