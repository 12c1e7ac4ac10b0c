/**
 * Configuration of the fleet: which provider, which pools, which limits. Parsed once from `fleet.json`, then trusted.
 *
 * Durations that operators may want to change are here or in a provider's capabilities; constants in code belong to one mechanism.
 */
import { z } from 'zod';
import { catalogName } from '../../models/catalog/catalog.ts';
import { GPU_CLASSES } from '../../models/model-tasks.ts';
import { isMountPath, isNfsSource } from '../startup-script/model-cache.ts';
import { MARKETS } from '../selection/offer.ts';
import { endpointMistake, endpointSchema } from './endpoint-config.ts';
import { settings } from '../../settings.ts';

const ms = z.number().int().min(0);
const positiveMs = z.number().int().positive();
/** True for a name of the IANA time zone database that this Node knows. */
function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Names become part of host names at the provider. */
const slug = z.string().regex(/^[a-z][a-z0-9]{0,11}$/u, 'must be up to 12 lower-case letters and digits');

/** How idle instances are put to sleep. `auto` picks by the provider's billing capability. */
export const SLEEP_POLICIES = ['auto', 'break_even', 'randomised', 'learned', 'block_end', 'fixed', 'never'] as const;
export type SleepPolicyName = (typeof SLEEP_POLICIES)[number];

/** What becomes of an instance that sleeps. */
export const SUSPEND_STRATEGIES = ['discontinue_keep_volume', 'hibernate', 'shutdown', 'delete'] as const;
export type SuspendStrategy = (typeof SUSPEND_STRATEGIES)[number];

/**
 * The order of offers of several providers. `cheapest`: all providers are one market. `preferred`: everything of the first provider before the
 * next. `when_sold_out`: the next provider only after nothing could be had before it for a while.
 */
export const PROVIDER_ORDERS = ['cheapest', 'preferred', 'when_sold_out'] as const;

/** Model servers that rented machines run. */
export const ENGINES_OF_MACHINES = ['ollama', 'vllm'] as const;

/** Whether an instance is warmed ahead of decks. `learned`: at times of the week at which it would have paid lately. */
export const PREWARM_MODES = ['off', 'learned'] as const;

export const timingSchema = settings({
  /** Raise the target only after the wish lasted this long; never applied at zero or for critical work. */
  upDelayMs: ms.default(120_000),
  /** Lower the target above one instance only after the wish lasted this long. */
  downDelayMs: ms.default(600_000),
  /** The open work of a class shall be done within this time: sizes the pool. */
  drainGoalMs: positiveMs.default(300_000),
  /** Oldest open call older than this is an emergency. */
  oldestAgePanicMs: positiveMs.default(600_000),
  /** After an emergency nothing is scaled down for this long. */
  panicHoldMs: ms.default(60_000),
  /** Look interval of the pool while anything exists or is wanted. */
  tickMs: positiveMs.default(5_000),
  /** Look interval at zero without open work. */
  idleTickMs: positiveMs.default(60_000),
  /** First and longest interval of looks at a booting instance. */
  bootPollMs: positiveMs.default(5_000),
  bootPollMaxMs: positiveMs.default(15_000),
  /** Ordered or provisioning for longer: destroyed, next offer. At least 15 min on a real provider. */
  stuckAfterMs: positiveMs.default(900_000),
  /** A machine that has not passed its readiness check within this time (model pull included) is replaced. */
  proveTimeoutMs: positiveMs.default(1_800_000),
  /** What a first boot takes longer than a wake: about 17 GB of models at 500 Mbit/s. Decides how long a disk is worth keeping. */
  expectedPullMs: ms.default(300_000),
  /** Between passes over the ladder when every offer is blocked. */
  ladderPauseMs: positiveMs.default(30_000),
  ladderPauseMaxMs: positiveMs.default(300_000),
  /** Drain at cordon: calls in flight may take this long. */
  drainTimeoutMs: positiveMs.default(900_000),
  /** Between tries of a delete that is refused or unclear; without an end. */
  destroyRetryMs: positiveMs.default(30_000),
  /** An operator is told of a destroy that takes longer. */
  destroyAlarmMs: positiveMs.default(1_200_000),
  /** Destroyed = absent from two lists at least this far apart. */
  goneConfirmMs: positiveMs.default(30_000),
  /** A create whose answer was lost may take effect and show up for this long; null = as long as the provider may take. */
  visibilityWindowMs: positiveMs.nullable().default(null),
  /** Idle time before sleep under the policy `fixed`, and the floor of the others. */
  fixedIdleMs: ms.default(600_000),
  minIdleMs: ms.default(10_000),
}).prefault({});

export const poolConfigSchema = settings({
  name: slug,
  classes: z.array(z.enum(GPU_CLASSES)).min(1),
  /** True: it takes only calls of analyses that a rollout sends to it. */
  ownQueues: z.boolean().optional(),
  /** Profile whose models its machines hold, for a pool with queues of its own; absent = the installation's. */
  models: catalogName.optional(),
  /** `1H100.80S.30V`, `ANY_1H100`, `h100-or-less`, `cheapest`; static pools have none. */
  selector: z.string().default('h100-or-less'),
  /** Model server of its machines. With `vllm` each serves one model, which has to have a repository and a revision. */
  engine: z.enum(ENGINES_OF_MACHINES).default('ollama'),
  /** Its capacity is an HTTP endpoint instead of machines. */
  endpoint: endpointSchema.optional(),
  min: z.number().int().min(0).default(0),
  max: z.number().int().min(0).default(1),
  /** Providers that it rents from, in order of preference; empty = the fleet's. */
  providers: z.array(z.string()).default([]),
  /** Which of several providers is tried first; see {@link PROVIDER_ORDERS}. */
  providerOrder: z.enum(PROVIDER_ORDERS).default('cheapest'),
  /** With `when_sold_out`: the next provider is used when nothing could be had for this long. */
  soldOutAfterMs: positiveMs.default(600_000),
  market: z.enum([...MARKETS, 'any']).default('ondemand'),
  /** Share of the instances that are to be spot, instead of `market`: spot first, and on demand where no spot can be had; null = as `market` says. */
  spotRatio: z.number().min(0).max(1).nullable().default(null),
  /** Locations allowed, in order of preference; empty = all. */
  locations: z.array(z.string()).default([]),
  maxPriceUsdPerHour: z.number().positive().nullable().default(null),
  maxPriceUsdPerDocument: z.number().positive().nullable().default(null),
  /** Types never taken (exact names). */
  excludeTypes: z.array(z.string()).default([]),
  /** Operating system image of a first boot; where null, what the provider lists for the type decides. */
  image: z.string().nullable().default(null),
  /** Disk of a first boot. 50 GiB hold the system with CUDA (about 20), Ollama (4) and the two default models (17); it costs also while asleep. */
  osVolumeGib: z.number().int().min(50).default(50),
  /** A filesystem that machines of its location mount as a cache of models; null = each pulls them. Nothing depends on it. */
  sharedFilesystem: settings({
    /** Id of the volume at the provider. */
    volumeId: z.string().min(1),
    mountPath: z.string().refine(isMountPath, 'must be a directory below /mnt, /srv or /media'),
    /** What `mount -t nfs` takes; null = the provider is asked. */
    source: z.string().refine(isNfsSource, 'must be like nfs.fin-01.example.org:/path').nullable().default(null),
  })
    .nullable()
    .default(null),
  /** Share of its places that a pool keeps busy at most, such as 0.7: above it, instances are added although no call waits. Null = off. */
  targetUtilisation: z.number().gt(0).max(1).nullable().default(null),
  sleepPolicy: z.enum(SLEEP_POLICIES).default('auto'),
  /** See {@link PREWARM_MODES}; for pools that serve `gpu-visual`. */
  prewarm: z.enum(PREWARM_MODES).default('off'),
  /** What a minute is worth for which a deck does not wait for a machine. */
  waitingUsdPerMinute: z.number().min(0).default(0.1),
  suspendStrategy: z.enum(SUSPEND_STRATEGIES).default('discontinue_keep_volume'),
  /** Kept volumes: how many and how old at most. */
  maxKeptVolumes: z.number().int().min(0).default(2),
  maxKeptVolumeAgeHours: z.number().positive().default(168),
  /** Creates per offer within an hour that capacity failures may use up. */
  launchBudgetPerHour: z.number().int().positive().default(12),
  timing: timingSchema,
});

/** Settings that contradict the engine of a pool, in words; null = none. A lack of its models is told when a machine is looked for. */
function engineMistake({ engine, endpoint, sharedFilesystem }: z.infer<typeof poolConfigSchema>): string | null {
  if (engine === 'ollama') return null;
  if (endpoint !== undefined)
    return '"engine" and "endpoint" contradict each other: an endpoint pool sets up no machine; name its protocol in "endpoint.kind"';
  if (sharedFilesystem !== null)
    return '"engine": "vllm" and "sharedFilesystem" contradict each other: the cache holds models of Ollama; leave "sharedFilesystem" out';
  return null;
}

/** One pool. */
export type PoolConfig = z.infer<typeof poolConfigSchema>;

/** The pool whose own queues a pool takes calls from; null = the queues of all pools. */
export const queuesOf = ({ name, ownQueues }: Pick<PoolConfig, 'name' | 'ownQueues'>): string | null =>
  ownQueues === true ? name : null;

/** A pool with queues of its own, and the profile whose models it holds. */
export interface OwnPool {
  readonly name: string;
  readonly profile: string;
}

/** The pools that have queues of their own. @param installed profile of the installation */
export const ownPoolsOf = (pools: readonly PoolConfig[], installed: string): OwnPool[] =>
  pools.filter((pool) => pool.ownQueues === true).map(({ name, models: profile = installed }) => ({ name, profile }));

/** What a report needs of the configuration of a pool. */
export type ReportedPool = Pick<PoolConfig, 'name' | 'ownQueues' | 'waitingUsdPerMinute'>;

export const fleetConfigSchema = settings({
  /** `static` = only servers that run already; every other value names a provider, rents machines and can spend money. */
  provider: z.string().default('static'),
  /** API of the provider; null = its public one. A URL that is not loopback is refused without an installation id. */
  baseUrl: z.url().nullable().default(null),
  /** Settings of single providers by name, such as regions; a provider that is named only here is looked after and not rented from. */
  providers: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  /** Stands in every name we make at the provider; several installations may share one account. 4–12 lower-case letters and digits. */
  installationId: z
    .string()
    .regex(/^[a-z0-9]{4,12}$/u, 'must be 4 to 12 lower-case letters and digits')
    .nullable()
    .default(null),
  /** Runs the providers as simulators beside us instead of speaking to real ones. */
  simulator: settings({
    /** Name of a scenario that comes with Deckhand, or a scenario file. */
    scenario: z.string().default('default'),
    /** Scenarios of single providers, by name, instead of that one. */
    scenarios: z.record(z.string(), z.string()).default({}),
  })
    .nullable()
    .default(null),
  /** How a rented machine is reached. `simulated` = at the address that the simulator publishes; null = so with a simulator, else `ssh`. */
  access: z.enum(['ssh', 'simulated']).nullable().default(null),
  /** How old what was seen of the provider's stock may become before it is looked at again. */
  availabilityTtlMs: ms.default(20_000),
  pools: z.array(poolConfigSchema).default([]),
  /** Ids of volumes with data that may be attached to instances and detached from them; all others are left alone. */
  dataVolumes: z.array(z.string().min(1)).default([]),
  reaper: settings({
    intervalMs: positiveMs.default(120_000),
    /** Nothing younger is looked at. */
    minAgeMs: ms.default(600_000),
    /** Least time between the first and the deciding sighting. */
    quarantineMs: ms.default(60_000),
  }).prefault({}),
  /** The machine ends itself when no gateway has been in touch for this long. */
  deadManMs: positiveMs.default(3_600_000),
  health: settings({
    /** Between two looks at a machine that serves. */
    sampleIntervalMs: positiveMs.default(60_000),
    /** A real generation is tried when no call has finished for this long. */
    probeIdleMs: positiveMs.default(120_000),
    /** A generation that takes longer has failed. */
    probeTimeoutMs: positiveMs.default(20_000),
    /** Days that samples are kept. */
    retentionDays: z.number().positive().default(30),
  }).prefault({}),
  accounting: settings({
    /** Between two rounds of settling the ledger. */
    settleIntervalMs: positiveMs.default(300_000),
    /** Time zone of days, weeks and months in cost reports and budgets (IANA). */
    timezone: z.string().default('UTC').refine(isTimeZone, 'is not an IANA time zone such as Europe/Berlin'),
    /** Local hour at which scheduled cost reports are made. */
    reportHour: z.number().int().min(0).max(23).default(6),
    /** What a machine may spend is reserved for this long at a time. */
    reserveMs: positiveMs.default(900_000),
  }).prefault({}),
  targets: settings({
    /** Rented machines and disks are to cost less than this in a month. */
    monthlyUsd: z.number().positive().default(100),
    /** The vision pass of a document is to cost less than this. */
    perDocumentUsd: z.number().positive().default(0.1),
  }).prefault({}),
  alerts: settings({
    /** Between two rounds of the alert rules. */
    intervalMs: positiveMs.default(60_000),
  }).prefault({}),
}).check((context) => {
  const refuse = (message: string, input: unknown, ...path: (string | number)[]): void => {
    context.issues.push({ code: 'custom', message, input, path: ['pools', ...path] });
  };
  const names = context.value.pools.map((p) => p.name);
  if (new Set(names).size !== names.length) refuse('two pools have the same name', names);
  for (const [index, pool] of context.value.pools.entries()) {
    const mistake = endpointMistake(pool) ?? engineMistake(pool);
    if (mistake !== null) refuse(mistake, pool, index);
    if (pool.engine === 'vllm' && pool.endpoint === undefined && context.value.provider === 'static')
      refuse(
        '"engine" is that of machines that Deckhand sets up; servers that run already say their protocol: DECKHAND_STATIC_HOSTS=openai+http://gpu-1:8000/v1',
        pool,
        index,
        'engine',
      );
    if (pool.min > pool.max) refuse(`min ${pool.min} is above max ${pool.max}`, pool, index);
    // In the queues of all pools wait calls of the installation's profile.
    if (pool.models !== undefined && pool.ownQueues !== true)
      refuse('only a pool with "ownQueues": true can hold the models of another profile', pool, index, 'models');
    // The machines of other classes boot while slides are read, so that nobody waits for them.
    if (pool.prewarm !== 'off' && !pool.classes.includes('gpu-visual'))
      refuse('only a pool that serves gpu-visual can warm instances ahead: set it to "off"', pool, index, 'prewarm');
  }
});

/** The whole fleet. */
export type FleetConfig = z.infer<typeof fleetConfigSchema>;
