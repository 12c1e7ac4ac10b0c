/**
 * A running machine proves itself before anything is routed to it: attached to a gateway, looked at meanwhile, repaired by a table of
 * remedies, replaced when they are used up.
 */
import { machineFailed } from './boot.ts';
import { treatFurther } from './health.ts';
import { armEye } from './watch.ts';
import { detach } from './removal.ts';
import { machineLooks } from './standing.ts';
import type { Handlers, Turn } from './turn.ts';
import type { LifeEventOf, ProofFailure } from './types.ts';

/** What is done about a failed proof: try again, restart the model server, reboot, or take another machine. */
type Remedy = 'again' | 'restart' | 'reboot' | 'replace';

/** Remedies in order; the last one stands for every further failure. */
const REMEDIES: Readonly<Record<ProofFailure, readonly Remedy[]>> = {
  // SSH and the model server are later than `running`; the time for the whole proof bounds this.
  unreachable: ['again', 'again', 'again', 'again', 'again', 'reboot', 'again', 'again', 'again', 'replace'],
  no_gpu: ['reboot', 'replace'],
  cpu_only: ['restart', 'reboot', 'replace'],
  wrong_digest: ['again', 'again', 'replace'],
  model_missing: ['again', 'again', 'again', 'replace'],
  host_key_changed: ['replace'],
  timeout: ['replace'],
};

/** Failures that another machine may well repeat: said at once, and a second machine with one ends the life. */
const MODEL_FAILURES: ReadonlySet<ProofFailure> = new Set(['wrong_digest', 'model_missing']);

/** Failures of a proof that show the same faults as the health of a machine that serves. */
const FAULTS_OF_HEALTH: ReadonlySet<ProofFailure> = new Set(['timeout', 'cpu_only', 'no_gpu']);

/** Attaches a gateway. */
export function enterProve(turn: Turn, reason: string): void {
  const { machine, phase } = turn.state;
  if (machine === null) return turn.go('rank', reason);
  turn.enter(phase === 'cordoned' ? 'cordoned' : 'booting', 'proving', reason);
  if (turn.note('proveSince') === null) turn.setNote('proveSince', turn.atMs);
  turn.close('serve');
  turn.send({ kind: 'serve', machine });
  armStanding(turn);
}

export const PROVING: Handlers = {
  ...machineLooks(stillProving),
  proved,
  proof_failed: (turn, { failure, message }) => proofFailed(turn, failure, message),
  serve_ended: (turn, { reason }) => attachAgain(turn, reason),
};

export const REPAIRING: Handlers = {
  ...machineLooks(stillRepairing),
  acted(turn) {
    // Whether or not it could be done: the next proof shows it.
    detach(turn, 0);
    turn.setNote('attachAt', turn.atMs + pauseMs(turn));
    armEye(turn, pauseMs(turn), 'the attachment ends');
  },
  drained: (turn) => attachAgain(turn, turn.state.reason),
  serve_ended: (turn, { reason }) => attachAgain(turn, reason),
};

/** The attachment is over: the next one after a pause. */
export function attachAgain(turn: Turn, reason: string): void {
  turn.enter(turn.state.phase === 'cordoned' ? 'cordoned' : 'booting', 'repairing', reason);
  turn.setNote('attachAt', turn.atMs + pauseMs(turn));
  armEye(turn, pauseMs(turn), reason);
}

/** A proof that failed, also of a machine that served until now: then nothing is routed to it from here on. */
export function proofFailed(turn: Turn, failure: ProofFailure, message: string): void {
  const count = turn.note(`proof:${failure}`) ?? 0;
  turn.setNote(`proof:${failure}`, count + 1);
  if (turn.note('proveSince') === null) turn.setNote('proveSince', turn.atMs);
  const remedies = REMEDIES[failure];
  const remedy = remedies[Math.min(count, remedies.length - 1)] ?? 'replace';
  const { machine, name, phase } = turn.state;
  const said = `${failure}: ${message}`;
  if (machine === null) return turn.go('rank', said);
  // A remedy for its health that did not help is followed by the next one of that fault.
  if (FAULTS_OF_HEALTH.has(failure) && treatFurther(turn, said)) return;
  if (MODEL_FAILURES.has(failure) || failure === 'host_key_changed')
    turn.alertOnce(`proof:${failure}`, `${name} (${machine.providerId}) does not prove itself: ${said}`);
  if (remedy === 'replace') return replace(turn, failure, said);
  turn.enterTold(phase === 'cordoned' ? 'cordoned' : 'booting', 'repairing', `${said}; ${REMEDY_WORDS[remedy]}`);
  if (remedy === 'restart') turn.send({ kind: 'restart_model_server' });
  if (remedy === 'reboot') turn.send({ kind: 'reboot', providerId: machine.providerId });
  if (remedy === 'again') detach(turn, 0);
  turn.setNote('attachAt', turn.atMs + pauseMs(turn));
  armStanding(turn);
}

const REMEDY_WORDS: Readonly<Record<Exclude<Remedy, 'replace'>, string>> = {
  again: 'it is tried again',
  restart: 'its model server is restarted',
  reboot: 'it is rebooted',
};

function proved(turn: Turn, { facts }: LifeEventOf<'proved'>): void {
  const { machine, volume } = turn.state;
  if (machine === null) return;
  turn.setNote('loadMs', Math.round(facts.loadMs));
  turn.send({ kind: 'remember', offer: machine.intent.offer, error: null });
  // The kept disk is the machine's own again.
  if (volume !== null && machine.osVolumeId === volume.volumeId) turn.set({ volume: null });
  const proofs = Object.keys(turn.state.notes).filter((key) => key.startsWith('proof:'));
  turn.clearNotes(...proofs, 'proveSince', 'attachAt', 'modelReplaced', 'bootSince', 'pollMs', 'volumeRefused');
  turn.go('ready', 'it proved itself');
}

function replace(turn: Turn, failure: ProofFailure, said: string): void {
  const { machine, name } = turn.state;
  if (MODEL_FAILURES.has(failure)) {
    if (turn.note('modelReplaced') !== null) {
      turn.setNote('endAsFailed', 1);
      return turn.go('end', `two machines in a row: ${said}`);
    }
    turn.setNote('modelReplaced', 1);
  }
  // A disk that does not bring up a machine is not booted again.
  if (machine !== null && machine.intent.volumeId !== null && turn.state.volume?.volumeId === machine.intent.volumeId) {
    const text = `The kept disk ${machine.intent.volumeId} of ${name} does not bring up a machine that proves itself (${said}); it is deleted.`;
    turn.send({ kind: 'alert', text });
    turn.set({ volume: null });
  }
  const proofs = Object.keys(turn.state.notes).filter((key) => key.startsWith('proof:'));
  turn.clearNotes(...proofs);
  machineFailed(turn, 'capacity_async', said, false);
}

function stillProving(turn: Turn): void {
  if (isLate(turn)) return replace(turn, 'timeout', 'it did not prove itself in time');
  armStanding(turn);
}

function stillRepairing(turn: Turn): void {
  if (isLate(turn)) return replace(turn, 'timeout', 'it did not prove itself in time');
  const restMs = (turn.note('attachAt') ?? 0) - turn.atMs;
  const busy = turn.isOpen('restart_model_server', 'reboot', 'drain');
  if (busy || restMs > 0) return armEye(turn, Math.max(restMs, turn.state.settings.bootPollMs), turn.state.reason);
  turn.go('prove', 'attaching again');
}

/** The gateway has its own limit; this one also covers a proof that no gateway took. */
const isLate = (turn: Turn): boolean => {
  const { proveTimeoutMs, goneConfirmMs } = turn.state.settings;
  return turn.atMs - (turn.note('proveSince') ?? turn.atMs) > proveTimeoutMs + goneConfirmMs;
};

const pauseMs = ({ state: { settings } }: Turn): number => settings.bootPollMaxMs;

const armStanding = (turn: Turn): void => armEye(turn, turn.state.settings.bootPollMaxMs, 'looking after the machine');
