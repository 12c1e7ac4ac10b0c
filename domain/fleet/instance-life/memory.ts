/**
 * What an instance remembers beyond its present step, and the steps themselves with their own data. Plain JSON: it crosses continue-as-new.
 */
import type { HealthFailure } from '../../health/types.ts';
import type { RankedOffer } from '../selection/ladder.ts';

/** Why a machine did not pass its readiness check. */
export type ReadinessFailure =
  | 'unreachable'
  | 'no_gpu'
  | 'cpu_only'
  | 'wrong_digest'
  | 'model_missing'
  | 'cannot_answer'
  | 'host_key_changed'
  | 'timeout';

/** What an instance does within its phase, with the data of that step alone. Times are ms of the workflow's clock. */
export type LifeStep =
  | { readonly kind: 'new' }
  /** The ladder of offers is being asked for. */
  | { readonly kind: 'ranking' }
  /** No offer can be had now, or the provider throttles: waits for the next try. */
  | { readonly kind: 'pausing'; readonly untilMs: number }
  | { readonly kind: 'creating' }
  /** The outcome of a create is unknown: looks for the machine by its host name. `looks`: that missed it so far. */
  | { readonly kind: 'finding'; readonly looks: number }
  /** The provider prepares the machine, or starts it again. `pollMs`: until the look after next. */
  | { readonly kind: 'starting'; readonly sinceMs: number; readonly pollMs: number }
  /** Attached; a gateway runs the readiness check. */
  | { readonly kind: 'checking' }
  /** A repair is under way, or the next attachment is due at `attachAtMs`. */
  | { readonly kind: 'repairing'; readonly attachAtMs: number }
  /** The machine is ended, because it is not usable; the life goes on with the next offer. */
  | {
      readonly kind: 'removing';
      readonly sinceMs: number;
      readonly orderedAtMs: number | null;
      /** The provider ended it itself: nothing runs, so its removal need not be awaited to the last. */
      readonly isEndedByProvider: boolean;
    }
  /** That machine is gone; asks whether there is work for another. */
  | { readonly kind: 'checking_demand' }
  | { readonly kind: 'serving' }
  | { readonly kind: 'draining'; readonly sinceMs: number }
  | { readonly kind: 'rechecking' }
  /** Cordoned and drained. */
  | { readonly kind: 'held' }
  /** Takes no work for its health; attached so that it can be looked at, again from `attachAtMs` on. */
  | { readonly kind: 'watched'; readonly attachAtMs: number }
  | { readonly kind: 'stopping'; readonly sinceMs: number; readonly orderedAtMs: number | null }
  /** Its end with the disk kept has been ordered. `sinceMs` null: it could not be started, and its end was not requested. */
  | { readonly kind: 'discontinuing'; readonly sinceMs: number | null; readonly orderedAtMs: number | null }
  | { readonly kind: 'sleeping' }
  /**
   * A stopped machine is being started, or the ladder is about to be asked for. `otherTypes`: what it can be started as next, on its disk; absent
   * until they were asked for.
   */
  | { readonly kind: 'waking'; readonly otherTypes?: readonly RankedOffer[] }
  /** There is no capacity for the type of a stopped machine: other types are being asked for. */
  | { readonly kind: 'choosing_type' }
  /** The stopped machine becomes the type of an offer; `otherTypes` are left to try. */
  | { readonly kind: 'changing_type'; readonly offer: RankedOffer; readonly otherTypes: readonly RankedOffer[] }
  /** Everything under its host names is being ended. */
  | { readonly kind: 'ending'; readonly orderedAtMs: number | null }
  /** No machine is left; its disks are being purged. */
  | { readonly kind: 'purging' }
  | { readonly kind: 'over' };
export type StepKind = LifeStep['kind'];

/** Times that outlast a step, ms. */
export type LifeTime =
  /** The last looks did not see our machine, since then. */
  | 'absentSince'
  /** A create sent so far is visible from then on, if it took effect. */
  | 'landsUntil'
  | 'lookedAt'
  /** When leftovers are looked for next. */
  | 'leftoversDueAt'
  | 'rankedAt'
  /** Since when a machine is sought in vain. */
  | 'soughtSince'
  /** Since when the present machine tries to pass its readiness check. */
  | 'checkingSince';

/** A host name that is not that of the present machine. Times in ms. */
export interface Leftover {
  /** Its machine is being ended. */
  readonly leavingSinceMs?: number;
  /** Its create was given up and may still take effect. */
  readonly givenUpSinceMs?: number;
  /** No look has seen a machine under it since then. */
  readonly absentSinceMs?: number;
}

/** Repairs of one fault of a machine that served. */
export interface Repairs {
  readonly count: number;
  readonly lastMs: number;
  readonly reboots: number;
}

export interface LifeMemory {
  readonly times: Readonly<Partial<Record<LifeTime, number>>>;
  /** Passes over the ladder in a row that found nothing. */
  readonly emptyPasses: number;
  /** How often the provider refused to boot the kept disk. */
  readonly volumeRefusals: number;
  /** Place of the present suspend strategy in the settings. */
  readonly strategy: number;
  /** The price of the present machine was seen, and is frozen. */
  readonly isPriced: boolean;
  /** A machine was replaced because of its models: a second one ends the life. */
  readonly hasReplacedForModels: boolean;
  /** The life ends as `failed`. */
  readonly endsAsFailed: boolean;
  /** Time that the last readiness check spent on loading models, until the row that enters `ready` is written. */
  readonly loadMs: number | null;
  /** What operators were told already. */
  readonly alerted: readonly string[];
  /** Failures of the readiness check of the present machine. */
  readonly readinessFailures: Readonly<Partial<Record<ReadinessFailure, number>>>;
  /** Kept after a passed readiness check: if the fault comes back, the next remedy is used. */
  readonly repairs: Readonly<Partial<Record<HealthFailure, Repairs>>>;
  /** The episode of bad health that the last repair was for. */
  readonly repairedEpisodeMs: number | null;
  /** By host name. */
  readonly leftovers: Readonly<Record<string, Leftover>>;
  /** Machines (provider ids) that were ended before their disk was seen: it may exist. */
  readonly endedUnseen: readonly string[];
  /** Machines (provider ids) whose end was refused with its disks named: ordered again without them. */
  readonly endedWithoutDisks: readonly string[];
}

export const NEW_MEMORY: LifeMemory = {
  times: {},
  emptyPasses: 0,
  volumeRefusals: 0,
  strategy: 0,
  isPriced: false,
  hasReplacedForModels: false,
  endsAsFailed: false,
  loadMs: null,
  alerted: [],
  readinessFailures: {},
  repairs: {},
  repairedEpisodeMs: null,
  leftovers: {},
  endedUnseen: [],
  endedWithoutDisks: [],
};

type Times = Readonly<Record<string, number | undefined>>;
const moved = <T extends Times>(times: T, byMs: number): T =>
  Object.fromEntries(Object.entries(times).map(([key, atMs]) => [key, (atMs ?? 0) + byMs])) as T;

/** Memory with every time moved. */
export function movedMemory(memory: LifeMemory, byMs: number): LifeMemory {
  const { times, leftovers, repairs } = memory;
  return {
    ...memory,
    times: moved(times, byMs),
    leftovers: Object.fromEntries(Object.entries(leftovers).map(([name, one]) => [name, moved({ ...one }, byMs)])),
    repairs: Object.fromEntries(
      Object.entries(repairs).map(([failure, one]) => [failure, { ...one, lastMs: one.lastMs + byMs }]),
    ),
  };
}

/** A step with every time moved. */
export function movedStep(step: LifeStep, byMs: number): LifeStep {
  const times = ['untilMs', 'sinceMs', 'attachAtMs', 'orderedAtMs'];
  const data = Object.entries(step).map(([key, value]) => [
    key,
    times.includes(key) && typeof value === 'number' ? value + byMs : value,
  ]);
  return Object.fromEntries(data) as LifeStep;
}
