/**
 * The life of an instance as data: phases, state, events and commands.
 *
 * `step(state, event)` (beside this file) is pure. An interpreter (the `instance` workflow, or a test on a virtual clock) executes each
 * command and answers it with exactly one event that echoes the command's id; an event for a command that is not open any more is ignored, so
 * duplicates and late answers change nothing. Commands that may take effect twice without harm are repeated by the interpreter; `create` never is:
 * a lost answer is `create_answered` with outcome `unknown`. A wait, look,
 * find or rank that leaves `open` without an answer has been given up; its answer is ignored and its timer may be cancelled. An attachment
 * ends by itself or by `drain`, never in silence: after `proof_failed` it goes on, so that its host queue can be used for repairs.
 */
import type { InstancePhase } from '../phases.ts';
import type { Market, Offer, OfferId, OfferKey } from '../selection/offer.ts';
import type { PoolConfig, SuspendStrategy } from '../pool/pool-config.ts';
import type { HealthFailure } from '../../health/types.ts';
import type { ProviderErrorInfo } from '../provider/provider-errors.ts';
import type { LifeMemory, LifeStep, ReadinessFailure } from './memory.ts';
import type { RankedOffer } from '../selection/ladder.ts';

type InstanceTiming = Pick<
  PoolConfig['timing'],
  | 'bootPollMs'
  | 'bootPollMaxMs'
  | 'stuckAfterMs'
  | 'proveTimeoutMs'
  | 'ladderPauseMs'
  | 'ladderPauseMaxMs'
  | 'drainTimeoutMs'
  | 'destroyRetryMs'
  | 'destroyAlarmMs'
  | 'goneConfirmMs'
>;

/** Durations and choices of an instance, from pool configuration and provider capabilities, frozen at its birth. */
export interface InstanceSettings extends ProviderTraits, Readonly<InstanceTiming> {
  /** Stands in every host name it makes. */
  readonly installationId: string;
  /** How each provider behaves, by its name, in a pool of several. Without a machine, and in a pool of one, the settings' own traits hold. */
  readonly traits?: Readonly<Record<string, ProviderTraits>>;
  /** Without a machine until this time the life ends as `failed`; null = it tries for ever. */
  readonly deadlineMs: number | null;
  /** How its first machine is to be rented, in a pool with a mix of spot and on demand; absent = as the pool's market says. */
  readonly market?: Market;
  /** Whether it asks for work before a machine that failed is replaced. */
  readonly replacesForWorkOnly: boolean;
}

/** What a life has to know of the provider of its machine. */
export interface ProviderTraits {
  /** A created machine shows up in a list within this time, or never. */
  readonly visibilityWindowMs: number;
  /** Ways to put it to sleep, the first to try in front. */
  readonly suspendStrategies: readonly SuspendStrategy[];
  readonly volumePinsLocation: boolean;
  readonly bootsVolumes: boolean;
  readonly changesTypeWhileStopped: boolean;
}

/** One create on one offer. */
export interface Intent {
  /** `<instance>/<attempt>`. */
  readonly id: string;
  /** Host name at the provider: deterministic, unique per intent. */
  readonly hostname: string;
  readonly offer: OfferKey;
  readonly priceUsdPerHour: number;
  /** The kept OS volume it wakes from; null = a first boot. */
  readonly volumeId: string | null;
}

/** The machine we have at the provider. */
export interface Machine {
  readonly providerId: string;
  readonly intent: Intent;
  readonly priceUsdPerHour: number;
  readonly ip: string | null;
  readonly osVolumeId: string | null;
  readonly volumeIds: readonly string[];
  readonly simulatedModelUrl: string | null;
}

/** A disk kept while suspended. */
export interface KeptVolume extends OfferId {
  readonly volumeId: string;
}

/** What the pool workflow may ask of it. */
export type InstanceRequest = 'serve' | 'cordon' | 'uncordon' | 'suspend' | 'wake' | 'destroy';

/** What the pool may ask of it for its health. */
export type HealthRequest = 'quarantine' | 'release' | 'repair';
export interface HealthAsk {
  readonly request: HealthRequest;
  readonly failure: HealthFailure;
  readonly reason: string;
  /** Names the occurrence: a repair is begun once for each. */
  readonly episodeMs: number;
}

/** Why an instance is quarantined: it gets no calls because of its health. */
export interface InstanceQuarantine {
  readonly failure: HealthFailure;
  readonly reason: string;
  /** `watch`: it gets no calls, and nothing is repaired. */
  readonly remedy: 'watch' | 'restart' | 'reboot' | 'replace';
  readonly sinceMs: number;
}

/** Where and how something is sold. */
export type OfferPlace = Readonly<Pick<Offer, 'provider' | 'location' | 'market'>>;

/** A command with the id its answer echoes. */
export type Command = { readonly id: number } & CommandBody;

export type CommandBody =
  /** Ask selection for the ladder. `wakeFrom` puts offers that boot that volume first. */
  | {
      readonly kind: 'rank';
      readonly wakeFrom: KeptVolume | null;
      /** Since when a machine is sought in vain. */
      readonly soughtSinceMs?: number;
      /** How it is to be rented, in a pool with a mix. */
      readonly market?: Market;
      /** Only offers of this place are asked for. */
      readonly at?: OfferPlace;
    }
  /** Write the intent, list by exact host name, adopt what is there, else create once. */
  | { readonly kind: 'create'; readonly intent: Intent }
  /** List by exact host name. Answered also by the provider's silence (`found` with an error). */
  | { readonly kind: 'find'; readonly hostnames: readonly string[] }
  | { readonly kind: 'look'; readonly providerId: string }
  /** Remember how a create on an offer ended, for all pools. */
  | { readonly kind: 'remember'; readonly offer: OfferKey; readonly error: ProviderErrorInfo | null }
  /** Attach a gateway: it runs the readiness check, then serves. `watchOnly`: it does neither. Stays open until `serve_ended`. */
  | { readonly kind: 'serve'; readonly machine: Machine; readonly watchOnly?: true }
  /** End the attachment: no new calls, those in flight are finished, or with `cut` ended at once. */
  | { readonly kind: 'drain'; readonly timeoutMs: number; readonly cut?: true }
  /** Re-check the demand, between drain and suspend and before a failed machine is replaced. */
  | { readonly kind: 'recheck_demand' }
  | { readonly kind: 'shutdown'; readonly providerId: string }
  | { readonly kind: 'start'; readonly providerId: string }
  /** Give a stopped machine another type. */
  | { readonly kind: 'change_type'; readonly providerId: string; readonly instanceType: string }
  | { readonly kind: 'hibernate'; readonly providerId: string }
  /** End the machine, purging the named volumes and keeping the others. */
  | { readonly kind: 'delete'; readonly providerId: string; readonly deleteVolumeIds: readonly string[] }
  | { readonly kind: 'delete_volume'; readonly volumeId: string }
  /** Restart the model server over the host queue; reboot the machine. */
  | { readonly kind: 'restart_model_server' }
  | { readonly kind: 'reboot'; readonly providerId: string }
  | { readonly kind: 'wait'; readonly untilMs: number; readonly reason: string }
  /** Tell an operator, once per text. Not answered. */
  | { readonly kind: 'alert'; readonly text: string };

/** What one look at the provider saw. */
export interface Sighting extends Omit<Machine, 'intent'> {
  readonly hostname: string;
  readonly status: 'starting' | 'running' | 'stopped' | 'deleting' | 'failed' | 'gone';
  readonly rawStatus: string;
  readonly createdAtMs: number;
}

/** Every event carries the time it happened at; the reducer has no clock of its own. */
export type LifeEvent = { readonly atMs: number } & LifeEventBody;

export type LifeEventBody =
  /** `reason`: why it is wanted; absent = for work or a minimum of its pool. */
  | { readonly kind: 'born'; readonly reason?: string }
  /** `market`: of a wake, how the machine is to be rented. */
  | {
      readonly kind: 'requested';
      readonly request: InstanceRequest;
      readonly reason: string;
      readonly market?: Market;
    }
  | ({ readonly kind: 'health_asked' } & HealthAsk)
  | {
      readonly kind: 'ranked';
      readonly commandId: number;
      readonly offers: readonly RankedOffer[];
      readonly nextTryAtMs: number | null;
      readonly error: ProviderErrorInfo | null;
      /** Why there is nothing to try, where that is not the provider's doing. */
      readonly message?: string;
    }
  | {
      readonly kind: 'create_answered';
      readonly commandId: number;
      readonly outcome: CreateOutcome;
    }
  | {
      readonly kind: 'found';
      readonly commandId: number;
      readonly sightings: readonly Sighting[];
      readonly error: ProviderErrorInfo | null;
      /** Names that could not be looked for, because their provider did not answer. */
      readonly silent?: readonly string[];
    }
  /** `sighting` null = the provider does not know the id. */
  | {
      readonly kind: 'looked';
      readonly commandId: number;
      readonly sighting: Sighting | null;
      readonly error: ProviderErrorInfo | null;
    }
  /** `rank`-less answers: shutdown, start, change_type, hibernate, delete, delete_volume, remember, restart, reboot. Null error = accepted. */
  | { readonly kind: 'acted'; readonly commandId: number; readonly error: ProviderErrorInfo | null }
  | { readonly kind: 'waited'; readonly commandId: number }
  /** From the gateway, while `serve` is open. */
  | { readonly kind: 'proved'; readonly commandId: number; readonly facts: ReadinessFacts }
  | {
      readonly kind: 'proof_failed';
      readonly commandId: number;
      readonly failure: ReadinessFailure;
      readonly message: string;
    }
  /** From the gateway, while `serve` is open: the provider takes the machine back at `endsAtMs`. */
  | { readonly kind: 'eviction_noticed'; readonly commandId: number; readonly endsAtMs: number }
  /** The attachment is over: drained, or given up for good. */
  | { readonly kind: 'serve_ended'; readonly commandId: number; readonly reason: string }
  | { readonly kind: 'drained'; readonly commandId: number; readonly callsCut: number }
  | { readonly kind: 'demand_rechecked'; readonly commandId: number; readonly work: boolean };

/**
 * The outcome of a create. `held_back` = not sent, because the offer was blocked, its creates were used up or a budget was reached since the
 * ladder was made.
 * `unknown` = it may or may not have taken effect; it is looked for by name and never repeated.
 */
export type CreateOutcome =
  | {
      readonly kind: 'created';
      readonly providerId: string;
      readonly adopted: boolean;
      readonly priceUsdPerHour: number | null;
    }
  | { readonly kind: 'refused'; readonly error: ProviderErrorInfo }
  | { readonly kind: 'held_back'; readonly message: string; readonly overBudget?: true }
  | { readonly kind: 'unknown'; readonly message: string };

/** One kind of event. */
export type LifeEventOf<K extends LifeEvent['kind']> = Extract<LifeEvent, { readonly kind: K }>;

/** What a readiness check measured. */
export interface ReadinessFacts {
  readonly models: readonly {
    readonly name: string;
    readonly digest: string;
    readonly sizeBytes: number;
    readonly vramBytes: number;
  }[];
  readonly loadMs: number;
  readonly generationMs: number;
}

/** One row of an instance's history. */
export interface Transition {
  readonly atMs: number;
  readonly from: InstancePhase | null;
  readonly to: InstancePhase;
  readonly reason: string;
  /** Frozen at creation; null while nothing is rented. */
  readonly priceUsdPerHour: number | null;
  readonly offer: OfferKey | null;
  readonly providerId: string | null;
  /** Disks of the machine, and the one that is kept, as known then. */
  readonly volumeIds: readonly string[];
  /** On the row that enters `ready`: of the time before it, spent on loading models, ms. Null on every other. */
  readonly loadMs: number | null;
}

/** Whole state of an instance. Plain JSON: it crosses continue-as-new. */
export interface InstanceState {
  readonly name: string;
  readonly phase: InstancePhase;
  readonly step: LifeStep;
  readonly phaseSinceMs: number;
  readonly reason: string;
  readonly settings: InstanceSettings;
  /** Intents made so far. */
  readonly attempts: number;
  /** Every host name ever used whose machine is not known to be gone: late arrivals are found by them. */
  readonly hostnames: readonly string[];
  readonly intent: Intent | null;
  readonly machine: Machine | null;
  readonly volume: KeptVolume | null;
  /** Disks of machines that are gone or going: each is deleted for good before the life ends. Never the kept one. */
  readonly volumesToPurge: readonly string[];
  /** Offers of the present pass that are still to be tried. */
  readonly ladder: readonly RankedOffer[];
  readonly passes: number;
  /** Its quarantine (stored under this name); null or absent = none. */
  readonly illness?: InstanceQuarantine | null;
  /** How the next machine is to be rented, as it was last asked to wake; absent = as the settings say. */
  readonly market?: Market;
  /** The provider takes its machine back: the life ends once its calls have. */
  readonly isTakenBack?: true;
  /** What is wanted of it; requests that come at a bad time wait here. */
  readonly wanted: InstanceRequest;
  /** Commands sent and not answered. */
  readonly open: readonly Command[];
  readonly nextCommandId: number;
  readonly memory: LifeMemory;
  /** Time of the last event; absent before the first. */
  readonly seenAtMs?: number;
}

/** Result of one event. */
export interface Reduction {
  readonly state: InstanceState;
  /** To be executed, in order. */
  readonly commands: readonly Command[];
  /** To be appended to the history, in order. */
  readonly transitions: readonly Transition[];
}
