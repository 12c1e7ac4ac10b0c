/**
 * A running machine passes a readiness check before calls are routed to it: a gateway is attached and checks it, failures are repaired by the
 * table of remedies, and when the remedies are used up the machine is replaced.
 */
import { machineFailed } from './boot.ts';
import { tryNextRemedy } from './health.ts';
import { remedyFor, REMEDY_WORDS } from './remedies.ts';
import type { ReadinessFailure } from './memory.ts';
import { scheduleLook } from './looks.ts';
import { detach } from './removal.ts';
import { machineLooks } from './standing.ts';
import type { Handlers, Turn } from './turn.ts';
import type { LifeEventOf } from './types.ts';

/** Failures that another machine may well repeat: said at once, and a second machine with one ends the life. */
const MODEL_FAILURES: ReadonlySet<ReadinessFailure> = new Set(['wrong_digest', 'model_missing']);

/** Failures of the readiness check that show the same faults as the health of a machine that serves. */
const FAULTS_OF_HEALTH: ReadonlySet<ReadinessFailure> = new Set(['timeout', 'cpu_only', 'no_gpu']);

/** Attaches a gateway. */
export function enterCheck(turn: Turn, reason: string): void {
  const { machine, phase } = turn.state;
  if (machine === null) return turn.go('rank', reason);
  turn.enter(phase === 'cordoned' ? 'cordoned' : 'booting', 'checking', reason);
  if (turn.time('checkingSince') === null) turn.setTime('checkingSince', turn.atMs);
  turn.close('serve');
  turn.send({ kind: 'serve', machine });
  scheduleCheckLook(turn);
}

export const CHECKING: Handlers = {
  ...machineLooks(stillChecking),
  proved,
  proof_failed: (turn, { failure, message }) => readinessFailed(turn, failure, message),
  serve_ended: (turn, { reason }) => attachAgain(turn, reason),
};

export const REPAIRING: Handlers = {
  ...machineLooks(stillRepairing),
  acted(turn) {
    // Whether or not it could be done: the next readiness check shows it.
    detach(turn, 0);
    turn.setStep({ kind: 'repairing', attachAtMs: turn.atMs + pauseMs(turn) });
    scheduleLook(turn, pauseMs(turn), 'the attachment ends');
  },
  drained: (turn) => attachAgain(turn, turn.state.reason),
  serve_ended: (turn, { reason }) => attachAgain(turn, reason),
};

/** The attachment is over: the next one after a pause. */
export function attachAgain(turn: Turn, reason: string): void {
  const step = { kind: 'repairing', attachAtMs: turn.atMs + pauseMs(turn) } as const;
  turn.enter(turn.state.phase === 'cordoned' ? 'cordoned' : 'booting', step, reason);
  scheduleLook(turn, pauseMs(turn), reason);
}

/** A failed readiness check, also of a machine that served until now: then nothing is routed to it from here on. */
export function readinessFailed(turn: Turn, failure: ReadinessFailure, message: string): void {
  const { readinessFailures } = turn.state.memory;
  const count = readinessFailures[failure] ?? 0;
  turn.remember({ readinessFailures: { ...readinessFailures, [failure]: count + 1 } });
  if (turn.time('checkingSince') === null) turn.setTime('checkingSince', turn.atMs);
  const remedy = remedyFor(failure, count);
  const { machine, name, phase } = turn.state;
  const said = `${failure}: ${message}`;
  if (machine === null) return turn.go('rank', said);
  // A remedy for its health that did not help is followed by the next one of that fault.
  if (FAULTS_OF_HEALTH.has(failure) && tryNextRemedy(turn, said)) return;
  if (MODEL_FAILURES.has(failure) || failure === 'host_key_changed')
    turn.alertOnce(`proof:${failure}`, `${name} (${machine.providerId}) does not prove itself: ${said}`);
  if (remedy === 'replace') return replace(turn, failure, said);
  const step = { kind: 'repairing', attachAtMs: turn.atMs + pauseMs(turn) } as const;
  turn.enterTold(phase === 'cordoned' ? 'cordoned' : 'booting', step, `${said}; ${REMEDY_WORDS[remedy]}`);
  if (remedy === 'restart') turn.send({ kind: 'restart_model_server' });
  if (remedy === 'reboot') turn.send({ kind: 'reboot', providerId: machine.providerId });
  if (remedy === 'again') detach(turn, 0);
  scheduleCheckLook(turn);
}

function proved(turn: Turn, { facts }: LifeEventOf<'proved'>): void {
  const { machine, volume } = turn.state;
  if (machine === null) return;
  turn.remember({ loadMs: Math.round(facts.loadMs) });
  turn.send({ kind: 'remember', offer: machine.intent.offer, error: null });
  // The kept disk is the machine's own again.
  if (volume !== null && machine.osVolumeId === volume.volumeId) turn.set({ volume: null });
  turn.clearTimes('checkingSince');
  turn.remember({ readinessFailures: {}, hasReplacedForModels: false, volumeRefusals: 0 });
  turn.go('ready', 'passed its readiness check');
}

function replace(turn: Turn, failure: ReadinessFailure, said: string): void {
  const { machine, name } = turn.state;
  if (MODEL_FAILURES.has(failure)) {
    if (turn.state.memory.hasReplacedForModels) {
      turn.remember({ endsAsFailed: true });
      return turn.go('end', `two machines in a row: ${said}`);
    }
    turn.remember({ hasReplacedForModels: true });
  }
  // A disk that does not bring up a machine is not booted again.
  if (machine !== null && machine.intent.volumeId !== null && turn.state.volume?.volumeId === machine.intent.volumeId) {
    const text = `The kept disk ${machine.intent.volumeId} of ${name} does not bring up a machine that proves itself (${said}); it is deleted.`;
    turn.send({ kind: 'alert', text });
    turn.set({ volume: null });
  }
  turn.remember({ readinessFailures: {} });
  machineFailed(turn, 'capacity_async', said, false);
}

function stillChecking(turn: Turn): void {
  if (isLate(turn)) return replace(turn, 'timeout', 'it did not prove itself in time');
  scheduleCheckLook(turn);
}

function stillRepairing(turn: Turn): void {
  if (isLate(turn)) return replace(turn, 'timeout', 'it did not prove itself in time');
  const restMs = (turn.during('repairing')?.attachAtMs ?? 0) - turn.atMs;
  const busy = turn.isOpen('restart_model_server', 'reboot', 'drain');
  if (busy || restMs > 0)
    return scheduleLook(turn, Math.max(restMs, turn.state.settings.bootPollMs), turn.state.reason);
  turn.go('check', 'attaching again');
}

/** The gateway has its own limit; this one also covers a check that no gateway runs. */
const isLate = (turn: Turn): boolean => {
  const { proveTimeoutMs, goneConfirmMs } = turn.state.settings;
  return turn.atMs - (turn.time('checkingSince') ?? turn.atMs) > proveTimeoutMs + goneConfirmMs;
};

const pauseMs = ({ state: { settings } }: Turn): number => settings.bootPollMaxMs;

const scheduleCheckLook = (turn: Turn): void =>
  scheduleLook(turn, turn.state.settings.bootPollMaxMs, 'looking after the machine');
