/**
 * Activities of one instance's life as its workflow sees them, on queue `fleet`. One call to the provider each.
 *
 * What a provider answers to a command, errors included, is data: the reducer decides what follows. Only what is no answer (the database is
 * away) is thrown, and retried by Temporal.
 */
import type {
  CreateOutcome,
  KeptVolume,
  Intent,
  OfferPlace,
  Sighting,
  Transition,
} from '../../../domain/fleet/instance-life/types.ts';
import type { InstancePhase } from '../../../domain/fleet/phases.ts';
import type { OfferKey } from '../../../domain/fleet/selection/offer.ts';
import type { PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import type { ProviderErrorInfo } from '../../../domain/fleet/provider/provider-errors.ts';
import type { RankedOffer } from '../../../domain/fleet/selection/ladder.ts';

/** An instance as its row shows it; the workflow's state, reduced. */
export interface InstanceRow {
  readonly name: string;
  readonly provider: string;
  readonly phase: InstancePhase;
  readonly phaseSinceMs: number;
  readonly reason: string;
  readonly attempts: number;
  readonly offerKey: OfferKey | null;
  readonly priceUsdPerHour: number | null;
  readonly providerId: string | null;
  readonly hostname: string | null;
  readonly ip: string | null;
  readonly simulatedModelUrl: string | null;
  readonly osVolumeId: string | null;
  readonly keptVolumeLocation: string | null;
  /** Its machine boots from an empty disk: host keys of earlier machines mean nothing. */
  readonly freshDisk: boolean;
  /** Host names whose machine is not known to be gone; intents under other names are over. */
  readonly hostnames: readonly string[];
}

/** Input of `storeTransitions`. */
export interface StoreTransitionsInput {
  readonly row: InstanceRow;
  readonly pool: PoolConfig;
  /** Workflow time of the change. */
  readonly atMs: number;
  /** Position of the first of `transitions`; with none of them, of the next one to come. */
  readonly position: number;
  readonly transitions: readonly Transition[];
}

/** Answer to a command that changes something at the provider. */
export interface ActOutcome {
  readonly error: ProviderErrorInfo | null;
}

export interface InstanceActivities {
  /** The offers of the ladder that can be tried now. Refused offers are left out; `plan` explains them. */
  rankOffers(input: {
    readonly pool: PoolConfig;
    readonly wakeFrom: KeptVolume | null;
    /** The asking instance. */
    readonly instance: string;
    /** Since when a machine is sought in vain; absent = it is not. */
    readonly soughtSinceMs?: number;
    /** Provider of a pool that names none: the one that the instance was started for. */
    readonly provider?: string;
    /** Only offers of this place; absent = of all. */
    readonly at?: OfferPlace;
  }): Promise<{
    readonly offers: readonly RankedOffer[];
    readonly nextTryAtMs: number | null;
    readonly error: ProviderErrorInfo | null;
    /** Why no offer can be tried although the provider has some. */
    readonly message?: string;
  }>;
  /**
   * Writes the intent if its offer may still be tried, lists by exact host name and adopts, else creates once. Never retried by Temporal.
   */
  createInstance(input: {
    readonly instance: string;
    readonly pool: PoolConfig;
    readonly intent: Intent;
  }): Promise<CreateOutcome>;
  /** Everything at the provider under exactly these host names. A create that has not been sent yet never will be. */
  findInstances(input: { readonly hostnames: readonly string[] }): Promise<{
    readonly sightings: readonly Sighting[];
    /** Null when at least one provider answered. */
    readonly error: ProviderErrorInfo | null;
    /** Names whose provider did not answer: nothing is known of them. */
    readonly silent?: readonly string[];
  }>;
  lookAtInstance(input: {
    readonly providerId: string;
  }): Promise<{ readonly sighting: Sighting | null; readonly error: ProviderErrorInfo | null }>;
  /** Remembers how a create on an offer ended, for all pools. */
  rememberOutcome(input: { readonly offer: OfferKey; readonly error: ProviderErrorInfo | null }): Promise<void>;
  shutdownInstance(input: { readonly providerId: string }): Promise<ActOutcome>;
  /** Starts a stopped machine, when there is money for it. */
  startInstance(input: {
    readonly providerId: string;
    readonly instance: string;
    readonly pool: PoolConfig;
  }): Promise<ActOutcome>;
  /** Gives a stopped machine another type, which keeps its disk. */
  changeInstanceType(input: { readonly providerId: string; readonly instanceType: string }): Promise<ActOutcome>;
  hibernateInstance(input: { readonly providerId: string }): Promise<ActOutcome>;
  /** Ends the machine; the named volumes are purged, all others kept. */
  deleteInstance(input: {
    readonly providerId: string;
    readonly deleteVolumeIds: readonly string[];
  }): Promise<ActOutcome>;
  deleteVolume(input: { readonly volumeId: string }): Promise<ActOutcome>;
  /** Transitions stored under a name: where the history of a server that is attached again goes on. */
  countTransitions(input: { readonly instance: string }): Promise<number>;
  /** Appends to the history and brings the row up to date; repeating it changes nothing. */
  storeTransitions(input: StoreTransitionsInput): Promise<void>;
  /** Raises an alert for operators and logs it. */
  alertOperator(input: { readonly instance: string; readonly pool: string; readonly text: string }): Promise<void>;
  /** Re-checks demand for an instance that is drained. */
  recheckDemand(input: { readonly pool: PoolConfig; readonly instance: string }): Promise<{ readonly work: boolean }>;
}
