/**
 * What is done about each fault of a machine, in which order: faults that its readiness check finds, and faults that its health shows while it
 * serves. The repairs of the latter are remembered beyond a readiness check that passed: a fault that comes back is met with the next remedy.
 */
import type { HealthFailure } from '../../health/types.ts';
import type { ReadinessFailure } from './memory.ts';
import type { Turn } from './turn.ts';
import type { Illness, LifeEventOf } from './types.ts';

export type HealthAsked = LifeEventOf<'health_asked'>;

/** Check again, restart the model server, reboot, or take another machine. */
type Remedy = 'again' | 'restart' | 'reboot' | 'replace';

interface Fault {
  /** In order; the last one stands for every further occurrence. None = it is only watched. */
  readonly remedies: readonly Remedy[];
  /** Whether calls in flight can still be finished. */
  readonly calls: 'finish' | 'cut';
  /** The fault is the hardware's: a machine that replaces it must not be the same. */
  readonly isHardware: boolean;
}

const software = <const R extends readonly Remedy[]>(...remedies: R) =>
  ({ remedies, calls: 'cut', isHardware: false }) as const;
const hardware = <const R extends readonly Remedy[]>(calls: Fault['calls'], ...remedies: R) =>
  ({ remedies, calls, isHardware: true }) as const;

/** Faults that only slow a machine down are repaired once they last. */
export const FAULTS = {
  // SSH and the model server are later than `running`; the time for the whole readiness check bounds this.
  unreachable: software(
    ...(['again', 'again', 'again', 'again', 'again', 'reboot', 'again', 'again', 'again', 'replace'] as const),
  ),
  no_gpu: software('reboot', 'replace'),
  wrong_digest: software('again', 'again', 'replace'),
  model_missing: software('again', 'again', 'again', 'replace'),
  host_key_changed: software('replace'),
  timeout: software('replace'),
  // By the readiness check or by its health.
  cpu_only: software('restart', 'reboot', 'replace'),
  runner_wedged: software('restart', 'reboot', 'replace'),
  gpu_app_error: software('restart', 'reboot', 'replace'),
  gpu_reset_needed: hardware('cut', 'reboot', 'replace'),
  gpu_lost: hardware('cut', 'reboot', 'replace'),
  gpu_memory_worn: hardware('finish', 'replace'),
  overheating: hardware('finish', 'replace'),
  slow: hardware('finish', 'replace'),
  disk_full: { remedies: ['replace'], calls: 'finish', isHardware: false },
  no_samples: { remedies: [], calls: 'finish', isHardware: true },
} as const satisfies Readonly<Record<ReadinessFailure | HealthFailure, Fault>>;

/** What a remedy is, for people. */
export const REMEDY_WORDS: Readonly<Record<Remedy, string>> = {
  again: 'it is tried again',
  restart: 'its model server is restarted',
  reboot: 'it is rebooted',
  replace: 'it is replaced',
};

type RemedyOf<F extends keyof typeof FAULTS> = (typeof FAULTS)[F]['remedies'][number];

/** The remedy of a fault that was met `count` times before. */
export function remedyFor<F extends keyof typeof FAULTS>(failure: F, count: number): RemedyOf<F> | 'replace' {
  const remedies: readonly RemedyOf<F>[] = FAULTS[failure].remedies;
  return remedies[Math.min(count, remedies.length - 1)] ?? 'replace';
}

/** A remedy that has helped for this long counts no more: the same fault begins again with the mildest. */
const FORGOTTEN_AFTER_MS = 6 * 3_600_000;
/** A machine that was rebooted so often for one fault is not rebooted for it again, however long that is ago. */
const MOST_REBOOTS = 2;

/** Why an instance is out of service, and what is done about it. */
export function illnessOf(turn: Turn, { failure, reason }: HealthAsked, remedy: Illness['remedy']): Illness {
  return { failure, reason, remedy, sinceMs: turn.state.illness?.sinceMs ?? turn.atMs };
}

/** The remedy that is next in the table for a fault of its health. */
export function nextRemedy(turn: Turn, failure: HealthFailure): Exclude<Illness['remedy'], 'watch'> {
  const { repairs } = turn.state.memory;
  const before = repairs[failure] ?? { count: 0, lastMs: turn.atMs, reboots: 0 };
  const count = turn.atMs - before.lastMs > FORGOTTEN_AFTER_MS ? 0 : before.count;
  const remedy = remedyFor(failure, count);
  const reboots = before.reboots + (remedy === 'reboot' ? 1 : 0);
  turn.remember({ repairs: { ...repairs, [failure]: { count: count + 1, lastMs: turn.atMs, reboots } } });
  return remedy === 'reboot' && before.reboots >= MOST_REBOOTS ? 'replace' : remedy;
}

/** Another machine, or one that was ended and begins anew: earlier repairs say nothing of it. */
export function forgetHealth(turn: Turn): void {
  turn.remember({ repairs: {}, repairedEpisodeMs: null });
  if (turn.state.illness !== undefined) turn.set({ illness: null });
}
