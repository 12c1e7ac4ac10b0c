/** Pools, instances and observations for tests of `decide()`, and a small pool on virtual time that does what it is told. */
import fc from 'fast-check';
import { decide } from '../../domain/fleet/pool/decide/decide.ts';
import {
  newPoolMemory,
  type DecideInput,
  type Decision,
  type Demand,
  type InstanceView,
  type PoolMemory,
} from '../../domain/fleet/pool/pool.ts';
import type { PoolSight } from '../../domain/fleet/pool/plan.ts';
import type { PoolSetup } from '../../domain/fleet/pool/pool-state.ts';
import type { ProviderCapabilities } from '../../domain/fleet/provider/billing.ts';
import { INSTANCE_PHASES } from '../../domain/fleet/phases.ts';
import type { HealthView } from '../../domain/fleet/pool/quarantine.ts';
import { HEALTH_FAILURES, HEALTH_LEVELS } from '../../domain/health/types.ts';
import { poolConfigSchema, SLEEP_POLICIES, type PoolConfig } from '../../domain/fleet/pool/pool-config.ts';

export const REFUNDED = { quantumSec: 600, refundsUnused: true };
export const PLAIN_BLOCKS = { quantumSec: 600, refundsUnused: false };

export const pool = (settings: Record<string, unknown> = {}): PoolConfig =>
  poolConfigSchema.parse({ name: 'visual', classes: ['gpu-visual'], max: 3, ...settings });

/** Capabilities of a provider whose stopped machines are billed, and whose volumes are booted where they are. */
export const CAPABILITIES: ProviderCapabilities = {
  billing: REFUNDED,
  volumeUsdPerGibMonth: 0.2,
  visibilityWindowMs: 60_000,
  billsStopped: true,
  volumePinsLocation: true,
  bootsVolumes: true,
  expectedBootMs: 300_000,
  changesTypeWhileStopped: false,
  deletesWhileProvisioning: true,
  suspendStrategies: ['discontinue_keep_volume'],
};

export const setupOf = (config: PoolConfig, capabilities: Partial<ProviderCapabilities> = {}): PoolSetup => ({
  config,
  provider: 'datacrunch',
  installationId: 'test1',
  capabilities: { ...CAPABILITIES, ...capabilities },
  slots: 4,
  staticHosts: [],
});

export const demandOf = (openSeconds: number, more: Partial<Demand> = {}): Demand => {
  const openCalls = more.openCalls ?? Math.ceil(openSeconds / 10);
  return {
    openCalls,
    openSeconds,
    comingSeconds: 0,
    byClass: [{ gpuClass: 'gpu-visual', openCalls, openSeconds }],
    oldestAgeMs: openCalls > 0 ? 1000 : null,
    criticalCalls: 0,
    ...more,
  };
};
export const NO_DEMAND = demandOf(0);

/** Of an instance that no gateway serves. */
export const AWAY = { inFlight: null, idleSinceMs: null, hasPolled: false } as const;

export const instanceOf = (name: string, more: Partial<InstanceView> = {}): InstanceView => ({
  name,
  phase: 'ready',
  phaseSinceMs: 0,
  inFlight: 0,
  idleSinceMs: 0,
  hasPolled: true,
  billedSinceMs: 0,
  priceUsdPerHour: 2,
  models: ['gemma3:12b'],
  ...more,
});

export const inputOf = (
  atMs: number,
  demand: Demand | null,
  instances: readonly InstanceView[],
  more: Partial<Omit<DecideInput, 'observation'>> & {
    readonly recentCalls?: number;
    readonly busySlotSeconds?: number;
  } = {},
): DecideInput => {
  const { recentCalls = 0, busySlotSeconds = 0, ...rest } = more;
  return {
    config: pool(),
    billing: REFUNDED,
    wakeCostSec: 180,
    volumeUsdPerHour: 0,
    slots: 4,
    memory: newPoolMemory(),
    random01: 0.5,
    ...rest,
    observation: {
      atMs,
      demand,
      instances,
      recentCalls,
      busySlotSeconds,
    },
  };
};

/** A look at these instances while nothing is open. */
export const sightOf = (
  atMs: number,
  instances: readonly InstanceView[],
  changes: Partial<PoolSight> = {},
): PoolSight => ({
  observation: { atMs, demand: NO_DEMAND, instances, recentCalls: 0, busySlotSeconds: 0 },
  askedIntents: [],
  liveIntents: [],
  known: [],
  failures: null,
  bootSec: null,
  ...changes,
});

/** A pool on virtual time whose instances do at once what they are asked, and boot for a while. */
export class VirtualPool {
  nowMs = 0;
  memory: PoolMemory = newPoolMemory();
  instances: InstanceView[] = [];
  readonly decisions: { readonly atMs: number; readonly decision: Decision }[] = [];
  readonly #config: PoolConfig;
  readonly #bootMs: number;
  readonly #more: Partial<Omit<DecideInput, 'observation' | 'memory'>>;
  #made = 0;

  constructor(config: PoolConfig, bootMs: number, more: Partial<Omit<DecideInput, 'observation' | 'memory'>> = {}) {
    this.#config = config;
    this.#bootMs = bootMs;
    this.#more = more;
  }

  /** One look at time `nowMs`; then time moves on to the next look. */
  look(demand: Demand | null, recentCalls = 0): Decision {
    this.#advance();
    const input = inputOf(this.nowMs, demand, this.instances, {
      ...this.#more,
      config: this.#config,
      memory: this.memory,
      recentCalls,
      busySlotSeconds: 0,
    });
    const decision = decide(input);
    this.memory = decision.memory;
    this.decisions.push({ atMs: this.nowMs, decision });
    for (const action of decision.actions) this.#act(action.kind, action.kind === 'create' ? '' : action.instance);
    return decision;
  }

  /** Looks as often as the decisions say, until `untilMs`. */
  run(untilMs: number, demandAt: (nowMs: number) => Demand | null): void {
    while (this.nowMs < untilMs) {
      const { nextLookAtMs } = this.look(demandAt(this.nowMs));
      this.nowMs = Math.min(untilMs, Math.max(nextLookAtMs, this.nowMs + 1));
    }
  }

  /** Replaces fields of one instance. */
  set(name: string, change: Partial<InstanceView>): void {
    this.instances = this.instances.map((i) => (i.name === name ? { ...i, ...change } : i));
  }

  count(kind: string): number {
    return this.decisions.flatMap((d) => d.decision.actions).filter((a) => a.kind === kind).length;
  }

  #advance(): void {
    this.instances = this.instances.map((i) =>
      (i.phase === 'booting' || i.phase === 'waking') && this.nowMs - i.phaseSinceMs >= this.#bootMs
        ? { ...i, phase: 'ready', phaseSinceMs: this.nowMs, inFlight: 0, idleSinceMs: this.nowMs, hasPolled: true }
        : i,
    );
  }

  #act(kind: string, name: string): void {
    const phaseSinceMs = this.nowMs;
    if (kind === 'create') {
      this.#made += 1;
      this.instances.push(
        instanceOf(`visual-${this.#made}`, { ...AWAY, phase: 'booting', phaseSinceMs, billedSinceMs: phaseSinceMs }),
      );
    } else if (kind === 'wake') this.set(name, { ...AWAY, phase: 'waking', phaseSinceMs, billedSinceMs: phaseSinceMs });
    else if (kind === 'suspend') this.set(name, { phase: 'suspended', phaseSinceMs, billedSinceMs: null });
    else if (kind === 'uncordon') this.set(name, { phase: 'ready', phaseSinceMs });
    else this.instances = this.instances.filter((i) => i.name !== name);
  }
}

const demandArb: fc.Arbitrary<Demand> = fc
  .record({
    openSeconds: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9000 })),
    coming: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 2000 })),
    age: fc.integer({ min: 0, max: 900_000 }),
    critical: fc.oneof(
      { weight: 6, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 5 }) },
    ),
  })
  .map(({ openSeconds, coming, age, critical }) =>
    demandOf(openSeconds, {
      comingSeconds: coming,
      oldestAgeMs: openSeconds > 0 ? age : null,
      criticalCalls: openSeconds > 0 ? critical : 0,
    }),
  );

export const maybeDemandArb = fc.option(demandArb, { freq: 6, nil: null });

/** A possible health of an instance, since a time between these. */
export const healthArb = (min: number, max: number): fc.Arbitrary<HealthView | null> =>
  fc.option(
    fc.record({
      level: fc.constantFrom(...HEALTH_LEVELS),
      failure: fc.option(fc.constantFrom(...HEALTH_FAILURES)),
      reason: fc.constant('because'),
      sinceMs: fc.integer({ min, max }),
    }),
  );

const instanceArb = (index: number): fc.Arbitrary<InstanceView> =>
  fc
    .record({
      phase: fc.oneof(fc.constant('ready' as const), fc.constantFrom(...INSTANCE_PHASES)),
      phaseSinceMs: fc.integer({ min: 0, max: 5_000_000 }),
      inFlight: fc.oneof(fc.constant(0), fc.constant(null), fc.integer({ min: 0, max: 4 })),
      idleSinceMs: fc.option(fc.integer({ min: 0, max: 5_000_000 })),
      hasPolled: fc.boolean(),
      billedSinceMs: fc.option(fc.integer({ min: 0, max: 5_000_000 })),
      priceUsdPerHour: fc.option(fc.double({ min: 0.1, max: 8, noNaN: true })),
      models: fc.subarray(['gemma3:12b', 'phi4', 'gemma3:27b']),
    })
    .map((fields) => instanceOf(`visual-${index}`, fields));

export const instancesArb = fc
  .integer({ min: 0, max: 6 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => instanceArb(index))));

const memoryArb: fc.Arbitrary<PoolMemory> = fc.record({
  target: fc.integer({ min: 0, max: 6 }),
  raisedSinceMs: fc.option(fc.integer({ min: 0, max: 5_000_000 })),
  loweredSinceMs: fc.option(fc.integer({ min: 0, max: 5_000_000 })),
  loweredMax: fc.integer({ min: 0, max: 6 }),
  panicUntilMs: fc.option(fc.integer({ min: 0, max: 6_000_000 })),
  lastDirection: fc.constantFrom('up' as const, 'down' as const, null),
  lastChangeAtMs: fc.option(fc.integer({ min: 0, max: 5_000_000 })),
  wakeIntents: fc.array(fc.constantFrom('a1', 'a2'), { maxLength: 2 }),
  intentsSinceMs: fc.option(fc.integer({ min: 0, max: 5_000_000 })),
  idleGap: fc.option(
    fc.record({ sinceMs: fc.integer({ min: 0, max: 5_000_000 }), draw01: fc.double({ min: 0, max: 1, noNaN: true }) }),
  ),
  idleGapsSec: fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 220 }),
});

const configArb = fc
  .record({
    min: fc.integer({ min: 0, max: 3 }),
    more: fc.integer({ min: 0, max: 3 }),
    sleepPolicy: fc.constantFrom(...SLEEP_POLICIES),
    maxKeptVolumes: fc.integer({ min: 0, max: 3 }),
    suspendStrategy: fc.constantFrom('discontinue_keep_volume' as const, 'delete' as const),
  })
  .map(({ more, ...c }) => pool({ ...c, max: c.min + more }));

/** Any input at all: also those that no sequence of observations leads to. */
export const inputArb: fc.Arbitrary<DecideInput> = fc.record({
  config: configArb,
  billing: fc.constantFrom(REFUNDED, PLAIN_BLOCKS, { quantumSec: 1, refundsUnused: false }),
  wakeCostSec: fc.integer({ min: 0, max: 1200 }),
  volumeUsdPerHour: fc.double({ min: 0, max: 0.1, noNaN: true }),
  slots: fc.integer({ min: 1, max: 8 }),
  memory: memoryArb,
  random01: fc.double({ min: 0, max: 1, noNaN: true }),
  observation: fc.record({
    atMs: fc.integer({ min: 5_000_000, max: 6_000_000 }),
    demand: maybeDemandArb,
    instances: instancesArb,
    recentCalls: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 200 })),
    busySlotSeconds: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20_000 })),
  }),
});
