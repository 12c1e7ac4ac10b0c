/**
 * The phases of an instance, and what each phase means to those who count, bill, show or judge instances. The only place that groups phases.
 */

/** Where an instance is in its life. `failed` = it never got a machine: no offer until its deadline, or bad configuration. */
export const INSTANCE_PHASES = [
  'planned',
  'creating',
  'booting',
  'ready',
  'cordoned',
  'suspending',
  'suspended',
  'waking',
  'destroying',
  'gone',
  'failed',
] as const;
export type InstancePhase = (typeof INSTANCE_PHASES)[number];

interface PhaseFacts {
  /** The life is over. */
  readonly final?: true;
  /** Looks for a machine, or has ordered one: none is known to run yet. */
  readonly acquiring?: true;
  /** A machine is ordered or starts; between two orders (`planned`) nothing is. */
  readonly comingUp?: true;
  /** Its machine boots, serves or is held back, and is to stay. */
  readonly present?: true;
  /** Capacity for work, now or soon. */
  readonly capacity?: true;
  /** The machine has passed its readiness check and is attached: calls may run, and its health is judged. */
  readonly awake?: true;
  /** Being put to sleep or ended. */
  readonly leaving?: true;
  /** A machine is rented or about to be: it uses up one of the pool's maximum. */
  readonly rented?: true;
}

const PHASES: Readonly<Record<InstancePhase, PhaseFacts>> = {
  planned: { acquiring: true, capacity: true, rented: true },
  creating: { acquiring: true, comingUp: true, capacity: true, rented: true },
  booting: { comingUp: true, present: true, capacity: true, rented: true },
  ready: { present: true, capacity: true, awake: true, rented: true },
  cordoned: { present: true, awake: true, rented: true },
  suspending: { leaving: true, rented: true },
  suspended: {},
  waking: { acquiring: true, comingUp: true, capacity: true, rented: true },
  destroying: { leaving: true, rented: true },
  gone: { final: true },
  failed: { final: true },
};

/** Answers a question about a phase. A phase of a later version counts as `planned`: under way, as far as this version can tell. */
type PhasePredicate = (phase: string) => boolean;

/** The phase of a stored word; see {@link PhasePredicate} for words that this version does not know. */
export const phaseOf = (stored: string): InstancePhase =>
  INSTANCE_PHASES.find((phase) => phase === stored) ?? 'planned';

const has =
  (fact: keyof PhaseFacts): PhasePredicate =>
  (phase) =>
    PHASES[phaseOf(phase)][fact] === true;

export const isFinal = has('final');
export const isAcquiring = has('acquiring');
export const isComingUp = has('comingUp');
export const isPresent = has('present');
export const isCapacity = has('capacity');
export const isAwake = has('awake');
export const isLeaving = has('leaving');

/**
 * True for an instance that uses up one of its pool's maximum.
 *
 * @param destroyAlarmMs an end that takes longer no longer counts: operators know of it, and a stuck delete must not stop a pool for ever
 */
export const isRented = (
  { phase, phaseSinceMs }: { readonly phase: InstancePhase; readonly phaseSinceMs: number },
  nowMs: number,
  destroyAlarmMs: number,
): boolean => PHASES[phase].rented === true && !(phase === 'destroying' && nowMs - phaseSinceMs > destroyAlarmMs);

/** The phases for which a predicate holds, for database queries. */
export const phasesThat = (predicate: PhasePredicate): InstancePhase[] => INSTANCE_PHASES.filter(predicate);
