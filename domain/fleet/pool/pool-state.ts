/**
 * What a pool is set up with and what it remembers between looks. Plain JSON: all of it is carried through continue-as-new.
 */
import { newPoolMemory, type Observation, type PoolMemory } from './pool.ts';
import type { EndpointState } from '../endpoint-life/endpoint-life.ts';
import type { PoolConfig } from './pool-config.ts';
import type { PrewarmMemory } from '../prewarm/warming.ts';
import type { Quarantines } from './quarantine.ts';
import type { InstanceRequest, HealthAsk } from '../instance-life/types.ts';
import type { ProviderCapabilities } from '../provider/billing.ts';
import type { Market } from '../selection/offer.ts';

/** A pool with what its provider can do. */
export interface PoolSetup {
  readonly config: PoolConfig;
  /** The first of its providers. */
  readonly provider: string;
  readonly installationId: string;
  /** Of the first provider. */
  readonly capabilities: ProviderCapabilities;
  /** Of every provider, by name, in a pool of several. */
  readonly providers?: Readonly<Record<string, ProviderCapabilities>>;
  /** Parallel calls per instance. */
  readonly slots: number;
  /** Static pools: the servers that run already. */
  readonly staticHosts: readonly string[];
  /** Where the Temporal UI is, for links between workflows; absent = not known. */
  readonly uiUrl?: string;
  /** True once the pool is not configured any more. */
  readonly retired?: boolean;
}

/** What an operator can ask of an instance. */
export const OPERATOR_REQUESTS = ['cordon', 'uncordon', 'drain', 'wake', 'suspend', 'destroy'] as const;
export type OperatorRequest = (typeof OPERATOR_REQUESTS)[number];
export interface OperatorAsk {
  readonly instance: string;
  readonly request: OperatorRequest;
  readonly by: string;
}

/** An instance that was started and has no row yet. */
export interface Birth {
  readonly name: string;
  /** Workflow time of its start. */
  readonly atMs: number;
}

/**
 * What an operator asked of an instance, while it holds.
 *
 * `cordoned`: takes no calls until told otherwise. `drained`: the same, and it is put to sleep once its calls are done. `asleep`: put to
 * sleep or destroyed; for a while a minimum alone does not bring it back, work does.
 */
export interface Hold {
  readonly kind: 'cordoned' | 'drained' | 'asleep';
  readonly by: string;
  readonly sinceMs: number;
  /** Null = until an operator lifts it. */
  readonly untilMs: number | null;
}

/** Memory of a pool. */
export interface PoolState {
  readonly memory: PoolMemory;
  readonly instancesMade: number;
  readonly nextLookAtMs: number;
  readonly births: readonly Birth[];
  readonly holds: Readonly<Record<string, Hold>>;
  /** Operators' asks that were not carried out yet. */
  readonly asks: readonly OperatorAsk[];
  /** Static pools: which instance serves which server. */
  readonly hosts: Readonly<Record<string, string>>;
  readonly quarantines: Quarantines;
  /** What instances were made for, by name; absent in pools without a mix of spot and on demand. */
  readonly markets?: Readonly<Record<string, Market>>;
  /** Episodes of bad health that an operator overrode, by instance name. */
  readonly excused?: Readonly<Record<string, number>>;
  /** The deployment of an endpoint pool; absent before it was looked for, and in every other pool. */
  readonly endpoint?: EndpointState;
  /** The configuration that it was last kept by. */
  readonly deployed?: PoolConfig;
  /** Pools that warm instances ahead; absent in others. */
  readonly prewarm?: PrewarmMemory;
}

/** Something asked of an instance. Asking again changes nothing. */
export type PoolAsk =
  | {
      readonly kind: 'ask';
      readonly instance: string;
      readonly request: InstanceRequest;
      readonly reason: string;
      /** Of a wake, in a pool with a mix. */
      readonly market?: Market;
    }
  | ({ readonly kind: 'ask_for_health'; readonly instance: string } & HealthAsk);

/** A time without work that is over. */
export interface IdleGapSeen {
  readonly startedAtMs: number;
  readonly seconds: number;
}

/** State of a pool that starts; it looks at once. */
export const firstState = (): PoolState => ({
  memory: newPoolMemory(),
  instancesMade: 0,
  nextLookAtMs: 0,
  quarantines: {},
  births: [],
  holds: {},
  asks: [],
  hosts: {},
});

/** Most announcements kept: they only say that there is work; the database says how much. */
const WAKE_INTENTS_KEPT = 50;

/** Memory with one more announcement. */
export function withIntent(memory: PoolMemory, { analysisId }: { readonly analysisId: string }): PoolMemory {
  const { wakeIntents } = memory;
  if (wakeIntents.includes(analysisId) || wakeIntents.length >= WAKE_INTENTS_KEPT) return memory;
  return { ...memory, wakeIntents: [...wakeIntents, analysisId] };
}

/** Memory without announcements whose analysis is over; those that were not asked about stay. */
export function withLiveIntents(memory: PoolMemory, asked: readonly string[], live: readonly string[]): PoolMemory {
  return { ...memory, wakeIntents: memory.wakeIntents.filter((id) => !asked.includes(id) || live.includes(id)) };
}

/** Births that have no row yet; one without a row for as long as a boot may take was lost. */
export function openBirths(births: readonly Birth[], known: readonly string[], atMs: number, limitMs: number): Birth[] {
  return births.filter(({ name, atMs: bornAtMs }) => !known.includes(name) && atMs - bornAtMs < limitMs);
}

/** An observation with the instances that were started and are not in the database yet: they count as capacity. */
export function withBirths(observation: Observation, births: readonly Birth[]): Observation {
  const unborn = births.map(({ name, atMs }) => ({
    name,
    phase: 'planned' as const,
    phaseSinceMs: atMs,
    inFlight: 0,
    idleSinceMs: null,
    hasPolled: false,
    billedSinceMs: null,
    priceUsdPerHour: null,
    models: [],
  }));
  return { ...observation, instances: [...observation.instances, ...unborn] };
}

type Markets = Readonly<Record<string, Market>>;

/** An observation in which instances without a machine have the market that they were made for. */
export const withMarkets = (observation: Observation, markets: Markets = {}): Observation => ({
  ...observation,
  instances: observation.instances.map((instance) => {
    const market = instance.market ?? markets[instance.name];
    return market === undefined ? instance : { ...instance, market };
  }),
});

/** Facts about instances that are still there. */
export const ofPresent = <T>(byName: Readonly<Record<string, T>>, present: ReadonlySet<string>): Record<string, T> =>
  Object.fromEntries(Object.entries(byName).filter(([name]) => present.has(name)));

/** The idle gap that a decision closed; null when it closed none. A list that did not change is the same list. */
export function endedGap(before: PoolMemory, after: PoolMemory): IdleGapSeen | null {
  const seconds = after.idleGapsSec.at(-1);
  if (after.idleGapsSec === before.idleGapsSec || before.idleGap === null || seconds === undefined) return null;
  return { startedAtMs: before.idleGap.sinceMs, seconds };
}

/** How instances failed lately, as far as a new one would fail the same way. */
export interface RecentFailures {
  readonly count: number;
  readonly lastAtMs: number;
  readonly instance: string;
  readonly reason: string;
}

/**
 * Until when nothing is created because instances failed for good: each failure doubles the pause. Null = go on.
 *
 * An instance fails only for reasons that do not pass (configuration, credentials); for those that pass it waits itself.
 */
export function creationPauseUntilMs(
  failures: RecentFailures | null,
  { ladderPauseMs, ladderPauseMaxMs }: PoolConfig['timing'],
  atMs: number,
): number | null {
  if (failures === null) return null;
  const pauseMs = Math.min(ladderPauseMaxMs, ladderPauseMs * 2 ** Math.min(failures.count - 1, 16));
  const untilMs = failures.lastAtMs + pauseMs;
  return atMs < untilMs ? untilMs : null;
}
