/**
 * What is done about each fault of a machine that serves, in which order, and what is remembered of it. The counts outlive a proof that
 * succeeds: a fault that comes back is met with the next remedy.
 */
import type { HealthFailure } from '../../health/types.ts';
import type { Turn } from './turn.ts';
import type { Illness, LifeEventOf } from './types.ts';

export type HealthAsked = LifeEventOf<'health_asked'>;
export type Remedy = Exclude<Illness['remedy'], 'watch'>;

/** What is done about a fault of a machine that serves. */
interface Treatment {
  /** In order; the last one stands for every further occurrence. None = it is only watched. */
  readonly remedies: readonly Remedy[];
  /** Whether calls in flight can still be finished. */
  readonly calls: 'finish' | 'cut';
  /** The fault is the hardware's: a machine that replaces it must not be the same. */
  readonly isHardware: boolean;
}

const SOFTWARE: Treatment = { remedies: ['restart', 'reboot', 'replace'], calls: 'cut', isHardware: false };
const GPU: Treatment = { remedies: ['reboot', 'replace'], calls: 'cut', isHardware: true };
const WEAR: Treatment = { remedies: ['replace'], calls: 'finish', isHardware: true };

/** Faults with what is done about them. Those that only slow a machine down come here when they last. */
export const TREATMENTS: Readonly<Record<HealthFailure, Treatment>> = {
  runner_wedged: SOFTWARE,
  cpu_only: SOFTWARE,
  gpu_app_error: SOFTWARE,
  gpu_reset_needed: GPU,
  gpu_lost: GPU,
  gpu_memory_worn: WEAR,
  overheating: WEAR,
  slow: WEAR,
  disk_full: { ...WEAR, isHardware: false },
  no_samples: { ...WEAR, remedies: [] },
};

/** A remedy that has helped for this long counts no more: the same fault begins again with the mildest. */
const FORGOTTEN_AFTER_MS = 6 * 3_600_000;
/** A machine that was rebooted so often for one fault is not rebooted for it again, however long that is ago. */
const MOST_REBOOTS = 2;

/** Why an instance is out of service, and what is done about it. */
export function illnessOf(turn: Turn, { failure, reason }: HealthAsked, remedy: Illness['remedy']): Illness {
  return { failure, reason, remedy, sinceMs: turn.state.illness?.sinceMs ?? turn.atMs };
}

/** The remedy that is next in the table of its fault. */
export function nextRemedy(turn: Turn, failure: HealthFailure): Remedy {
  const lastMs = turn.note(`healthAt:${failure}`);
  const isForgotten = lastMs !== null && turn.atMs - lastMs > FORGOTTEN_AFTER_MS;
  const count = isForgotten ? 0 : (turn.note(`health:${failure}`) ?? 0);
  turn.setNote(`health:${failure}`, count + 1);
  turn.setNote(`healthAt:${failure}`, turn.atMs);
  const { remedies } = TREATMENTS[failure];
  const remedy = remedies[Math.min(count, remedies.length - 1)] ?? 'replace';
  if (remedy !== 'reboot') return remedy;
  const reboots = turn.note(`healthReboots:${failure}`) ?? 0;
  turn.setNote(`healthReboots:${failure}`, reboots + 1);
  return reboots < MOST_REBOOTS ? 'reboot' : 'replace';
}

/** Another machine, or one that was ended and begins anew: what was done to the one before says nothing of it. */
export function forgetHealth(turn: Turn): void {
  const counts = Object.keys(turn.state.notes).filter((key) => /^health(?:At|Reboots)?:/u.test(key));
  turn.clearNotes(...counts, 'healthEpisode');
  if (turn.state.illness !== undefined) turn.set({ illness: null });
}
