/**
 * The port through which Deckhand makes and scales the deployment of an endpoint pool. No provider of machines: replicas have no name of ours, and
 * the provider picks the one that goes.
 *
 * Every method throws `DeckhandError` with a code of `codeOfProviderError`. The provider's own scaling by load is off: the number of replicas
 * is always set.
 */
import type { EndpointSight } from '../domain/fleet/endpoint-life/endpoint-life.ts';
import type { EndpointDeployment } from '../domain/fleet/pool/endpoint-config.ts';
import type { Market } from '../domain/fleet/selection/offer.ts';

/** One replica that has not ended. */
export interface EndpointReplica {
  /** The provider's name of it. */
  readonly id: string;
  readonly isRunning: boolean;
  /** Null where the provider does not say. */
  readonly startedAtMs: number | null;
}

/** A deployment as it is now. */
export interface EndpointView extends EndpointSight {
  readonly replicas: readonly EndpointReplica[];
}

/** One line of what a deployment has logged. */
export interface EndpointLogLine {
  /** Null where the provider does not say. */
  readonly atMs: number | null;
  /** The provider's name of the replica; null = the line is of the deployment as a whole. */
  readonly replica: string | null;
  /** `server` = the container wrote it; `provider` = the provider says it, such as that an image cannot be pulled. */
  readonly source: 'server' | 'provider';
  readonly message: string;
}

/** Which lines. */
export interface EndpointLogQuery {
  /** Not older than this, at most 7 days. */
  readonly minutes: number;
  /** At most so many, the newest; at most 1000. */
  readonly limit: number;
}

/** A deployment as it is to be. */
export interface EndpointSpec {
  /** Deterministic, DNS-safe; the only thing by which it is found again. */
  readonly name: string;
  readonly deployment: EndpointDeployment;
  readonly market: Market;
  /** Calls that a replica takes at the same time. */
  readonly slots: number;
}

/** A deployment as the list of the account has it. */
export interface ListedDeployment {
  readonly name: string;
  /** Null where the provider does not say. */
  readonly createdAtMs: number | null;
}

/** The deployments of an account. */
export interface EndpointAccount {
  /** All of them, also those of others. */
  list(): Promise<readonly ListedDeployment[]>;
  /** The one of this name, whether or not it exists. */
  scaler(spec: EndpointSpec): EndpointScaler;
}

/** See the file's header. One deployment. */
export interface EndpointScaler {
  /** Null = there is none of this name. */
  get(): Promise<EndpointView | null>;
  /** Makes it. `provider_transient` = the outcome is unknown. Never retried inside. */
  create(replicas: number): Promise<void>;
  /** Sets the number of replicas, at least 1. */
  scaleTo(replicas: number): Promise<void>;
  /** Ends every replica and keeps the deployment. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Replaces every replica by a new one. */
  restart(): Promise<void>;
  /** Deleting a deleted one succeeds. */
  delete(): Promise<void>;
  /** The newest lines, the oldest of them first; null = there is no deployment of this name. */
  logs(query: EndpointLogQuery): Promise<readonly EndpointLogLine[] | null>;
  /** Price of one replica; null where the provider does not sell such a one. */
  priceUsdPerHour(): Promise<number | null>;
}
