/** Contracts of the health loops' activities, on queue `fleet`. */
import type { HealthFailure, HealthLevel, HealthMeasurement } from '../../domain/health/types.ts';
import type { HealthChange, HealthOrder } from '../../contracts/health.ts';

/** Facts about an instance for its health loop. */
export interface TellHealthInput extends Omit<HealthOrder, 'settings'> {
  readonly instance: string;
  /** False for static servers. */
  readonly rented: boolean;
}

/** A sample as it is stored. */
export type StoredSample =
  | {
      readonly kind: 'measured';
      readonly atMs: number;
      readonly measurement: HealthMeasurement;
      /** Result of a generation since the sample before; null = none. */
      readonly probeMs: number | null;
    }
  | { readonly kind: 'missing'; readonly atMs: number; readonly message: string };

/** Input of `storeHealth`. */
export interface StoreHealthInput {
  readonly instance: string;
  readonly pool: string;
  readonly atMs: number;
  /** Its health now. */
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
  /** Starts the health loop of an instance if it is not running, and signals the state of the instance to it. */
  tellHealth(input: TellHealthInput): Promise<void>;
  /** Stores sample, health and history. Idempotent. Returns the time of the gateway's last report, ms since 1970. */
  storeHealth(input: StoreHealthInput): Promise<{ readonly gatewaySeenAtMs: number | null }>;
}
