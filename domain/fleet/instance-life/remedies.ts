/**
 * The remedies of each fault, in order: faults that the readiness check finds, and faults of the health of a machine that serves. Repairs of
 * the latter are remembered after a passed readiness check: if the fault comes back, the next remedy is used.
 */
import type { HealthFailure } from '../../health/types.ts';
import type { ReadinessFailure } from './memory.ts';
import type { Draft } from './draft.ts';
import type { InstanceQuarantine, HealthAsk } from './types.ts';

/** Check again, restart the model server, reboot, or take another machine. */
type Remedy = 'again' | 'restart' | 'reboot' | 'replace';

interface Fault {
  /** In order; the last one is repeated. Empty = the instance is only watched. */
  readonly remedies: readonly Remedy[];
  /** Whether calls in flight can still be finished. */
  readonly calls: 'finish' | 'cut';
  /** The fault is the hardware's: the same offer is not taken for the replacement. */
  readonly isHardware: boolean;
}

const software = <const R extends readonly Remedy[]>(...remedies: R) =>
  ({ remedies, calls: 'cut', isHardware: false }) as const;
const hardware = <const R extends readonly Remedy[]>(calls: Fault['calls'], ...remedies: R) =>
  ({ remedies, calls, isHardware: true }) as const;

/** See the file's header. Faults that only slow a machine down are repaired once they last. */
export const FAULTS = {
  // SSH and the model server are later than `running`; the time for the whole readiness check bounds this.
  unreachable: software(
    ...(['again', 'again', 'again', 'again', 'again', 'reboot', 'again', 'again', 'again', 'replace'] as const),
  ),
  no_gpu: software('reboot', 'replace'),
  wrong_digest: software('again', 'again', 'replace'),
  model_missing: software('again', 'again', 'again', 'replace'),
  // Found out anew at each check, so that one bad start of the server does not decide.
  cannot_answer: software('restart', 'replace'),
  host_key_changed: software('replace'),
  timeout: software('replace'),
  // By the readiness check or by its health.
  cpu_only: software('restart', 'reboot', 'replace'),
  runner_wedged: software('restart', 'reboot', 'replace'),
  // The readiness check after the restart tells a machine that writes garbage from a model that is too weak: for that no machine is replaced.
  unusable_answers: { remedies: ['restart'], calls: 'finish', isHardware: false },
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

/** The remedy of a fault that occurred `count` times before. */
export function remedyFor<F extends keyof typeof FAULTS>(failure: F, count: number): RemedyOf<F> | 'replace' {
  const remedies: readonly RemedyOf<F>[] = FAULTS[failure].remedies;
  return remedies[Math.min(count, remedies.length - 1)] ?? 'replace';
}

/** When the last repair is longer ago, the same fault begins again with the first remedy. */
const FORGOTTEN_AFTER_MS = 6 * 3_600_000;
/** A machine that was rebooted so often for one fault is not rebooted for it again, however long that is ago. */
const MOST_REBOOTS = 2;

/** The quarantine that a request asks for; its start stays where one is under way. */
export function newQuarantine(
  draft: Draft,
  { failure, reason }: HealthAsk,
  remedy: InstanceQuarantine['remedy'],
): InstanceQuarantine {
  return { failure, reason, remedy, sinceMs: draft.quarantine?.sinceMs ?? draft.atMs };
}

/** The remedy that is next in the table for a fault of its health. */
export function nextRemedy(draft: Draft, failure: HealthFailure): Exclude<InstanceQuarantine['remedy'], 'watch'> {
  const { repairs } = draft.state.memory;
  const before = repairs[failure] ?? { count: 0, lastMs: draft.atMs, reboots: 0 };
  const count = draft.atMs - before.lastMs > FORGOTTEN_AFTER_MS ? 0 : before.count;
  const remedy = remedyFor(failure, count);
  const reboots = before.reboots + (remedy === 'reboot' ? 1 : 0);
  draft.remember({ repairs: { ...repairs, [failure]: { count: count + 1, lastMs: draft.atMs, reboots } } });
  return remedy === 'reboot' && before.reboots >= MOST_REBOOTS ? 'replace' : remedy;
}

/** Forgets repairs and quarantine: they were about an earlier machine or boot. */
export function forgetHealth(draft: Draft): void {
  draft.remember({ repairs: {}, repairedEpisodeMs: null });
  if (draft.quarantine !== null) draft.setQuarantine(null);
}
