/**
 * Activities of the health loops as workflows see them, on queue `fleet`.
 */
import type { HealthAct, HealthStanding } from '../../domain/fleet/instance-life/health-standing.ts';
import type { HealthFailure, HealthLevel, HealthMeasurement } from '../../domain/health/types.ts';
import type { HealthChange } from '../../contracts/health.ts';

/** Where an instance stands with its health, for its loop. */
export interface TellHealthInput {
  readonly instance: string;
  readonly pool: string;
  /** False for servers that run already. */
  readonly rented: boolean;
  /** Orders of one life, counted. */
  readonly position: number;
  /** Null = its life is over. */
  readonly standing: HealthStanding | null;
  readonly act: HealthAct | null;
  /** Where the Temporal UI is; absent = not known. */
  readonly uiUrl?: string;
}

/** A sample as it is stored. */
export type StoredSample =
  | {
      readonly kind: 'measured';
      readonly atMs: number;
      readonly measurement: HealthMeasurement;
      /** Of a probe since the sample before; null = none was answered. */
      readonly probeMs: number | null;
    }
  | { readonly kind: 'missing'; readonly atMs: number; readonly message: string };

/** Input of `storeHealth`. */
export interface StoreHealthInput {
  readonly instance: string;
  readonly pool: string;
  readonly atMs: number;
  /** Where it stands now. */
  readonly health: {
    readonly level: HealthLevel;
    readonly failure: HealthFailure | null;
    readonly reason: string;
    readonly sinceMs: number;
    readonly lastSampleAtMs: number | null;
    readonly lastProbeAtMs: number | null;
    readonly probeMs: number | null;
    readonly baselineProbeMs: number | null;
    readonly quarantinedSinceMs: number | null;
  };
  readonly sample: StoredSample | null;
  readonly changes: readonly HealthChange[];
}

export interface HealthActivities {
  /** Starts the health loop of an instance if it does not run, and tells it where the instance stands. */
  tellHealth(input: TellHealthInput): Promise<void>;
  /** Writes sample, standing and history; repeating it changes nothing. Answers when the instance's gateway was last heard of, ms. */
  storeHealth(input: StoreHealthInput): Promise<{ readonly gatewaySeenAtMs: number | null }>;
}
