/** A scenario: the behaviour of a simulated cloud, as a JSON file. Every field has a default; `{}` is a cloud without faults. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { NOTICE_PROTOCOLS } from '../../../domain/fleet/provider/eviction-notice.ts';
import { machineFaultSchema } from '../../machine/faults.ts';
import { faultRuleSchema } from './faults.ts';

const seconds = z.number().min(0);
/** A number, or the ends of a range from which one is drawn uniformly. */
const range = z
  .union([seconds, z.tuple([seconds, seconds])])
  .transform((value): readonly [number, number] => (typeof value === 'number' ? [value, value] : value));

/** The offers that a rule matches; `*` in `types` stands for anything, absent lists mean all. */
const offers = {
  types: z.string().default('*'),
  locations: z.array(z.string()).optional(),
  markets: z.array(z.enum(['ondemand', 'spot'])).optional(),
};

/** Units in stock of every matching offer; null = unlimited. The last matching rule wins. */
export const stockRuleSchema = z.strictObject({ ...offers, count: z.int().min(0).nullable() });
export type StockRule = z.infer<typeof stockRuleSchema>;

/** Price of every matching type, USD per hour: a fixed one or a multiple of the current one. */
export const priceRuleSchema = z.strictObject({
  types: z.string().default('*'),
  ondemandUsd: z.number().min(0).optional(),
  spotUsd: z.number().min(0).nullable().optional(),
  factor: z.number().positive().optional(),
});
export type PriceRule = z.infer<typeof priceRuleSchema>;

const limit = z.int().min(0).nullable().default(null);

/** Null = no limit. */
export const quotasSchema = z.strictObject({
  gpus: limit,
  spotGpus: limit,
  vcpus: limit,
  /** GiB of all volumes, including the trash. */
  storageGib: limit,
  volumes: limit,
  scripts: z.int().min(0).nullable().default(100),
});
export type Quotas = z.infer<typeof quotasSchema>;

export const scenarioSchema = z.strictObject({
  name: z.string().default('unnamed'),
  description: z.string().default(''),
  seed: z.int().default(1),
  clock: z.enum(['real', 'virtual']).default('real'),
  boot: z
    .strictObject({
      /** From the accepted create until provisioning starts. */
      orderedSec: range.prefault([5, 20]),
      provisioningSec: range.prefault([60, 240]),
      /** Restart of a stopped machine. */
      startSec: range.prefault([10, 30]),
      /** Also show rare statuses that the provider documents. */
      rareStatuses: z.boolean().default(false),
      /** Share of accepted creates that fail for lack of capacity. */
      noCapacityProbability: z.number().min(0).max(1).default(0),
    })
    .prefault({}),
  end: z
    .strictObject({
      stopSec: range.prefault([5, 20]),
      deleteSec: range.prefault([5, 60]),
      /** How long the OS disk stays `detaching` after its instance is gone. */
      diskLingerSec: range.prefault([0, 10]),
      trashHours: seconds.default(96),
      /** A stopped machine loses its place: others may take it, and a start may be refused. */
      stopReleasesStock: z.boolean().default(false),
      deletesWhileProvisioning: z.boolean().default(false),
    })
    .prefault({}),
  storage: z
    .strictObject({
      /** Until an ordered volume exists, and until a copy exists. */
      orderSec: range.prefault(2),
      cloneSec: range.prefault(20),
    })
    .prefault({}),
  visibility: z
    .strictObject({
      /** From create until lists show an instance, and until reads by id find it. */
      listLagSec: range.prefault(0),
      getLagSec: range.prefault(0),
      /** From the import of an SSH key until a create finds it. */
      keyLagSec: seconds.default(0),
    })
    .prefault({}),
  billing: z
    .strictObject({
      /** Length of a block that is paid in advance; 0 = none. */
      quantumSec: z.number().min(0).default(600),
      refundsUnused: z.boolean().default(true),
      /** Every start is billed for at least this long. */
      minimumSec: seconds.default(0),
      billsStopped: z.boolean().default(true),
      /** Start of billing. An instance that fails for lack of capacity costs nothing. */
      from: z.enum(['created', 'running']).default('created'),
      balanceUsd: z.number().min(0).default(1000),
      /** Currency in which the account is kept. Everything else in a scenario is in USD. */
      currency: z.enum(['usd', 'eur']).default('usd'),
      /** EUR for one USD, in prices and balance. */
      eurPerUsd: z.number().positive().default(0.86),
      volumeUsdPerGibMonth: z.number().min(0).default(0.2),
    })
    .prefault({}),
  spot: z
    .strictObject({
      /** Expected evictions of a running spot instance per hour. */
      evictionsPerHour: z.number().min(0).default(0),
      /** Time between the notice of an eviction and its end. */
      noticeSec: seconds.default(0),
      /** How machines read it at their metadata service. */
      noticeBy: z.enum(NOTICE_PROTOCOLS).default('ec2'),
    })
    .prefault({}),
  /** Replicas of container deployments. */
  containers: z
    .strictObject({
      /** From the order until the image is there, and from then until the replica answers. */
      pullSec: range.prefault(3),
      startSec: range.prefault(5),
      /** From SIGTERM until a replica that still works is killed. */
      drainSec: range.prefault(30),
      /** Interval at which a replica that could not be had is tried again. */
      retrySec: z.number().positive().default(30),
      quantumSec: z.number().positive().default(600),
      refundsUnused: z.boolean().default(false),
      /** Models that every image has. */
      models: z.array(z.string()).default(['reader-text:1', 'reader-vision:1']),
    })
    .prefault({}),
  /** The model server that a simulator process starts for a running instance. */
  modelServer: z
    .strictObject({
      pullMs: z.number().min(0).default(400),
      loadMs: z.number().min(0).default(100),
      parallel: z.int().min(1).default(4),
      /** Every call takes exactly this many seconds; null = as long as the reader needs. */
      callSeconds: z.number().min(0).nullable().default(null),
    })
    .prefault({}),
  quotas: quotasSchema.prefault({}),
  /** Calls a minute; null = no limits. */
  rateLimits: z
    .strictObject({
      project: z.int().min(1).default(500),
      endpoint: z.int().min(1).default(60),
      /** Of `GET` of all instances and of all volumes. */
      list: z.int().min(1).default(120),
    })
    .nullable()
    .prefault({}),
  stock: z.array(stockRuleSchema).default([{ types: '*', count: 8 }]),
  prices: z.array(priceRuleSchema).default([]),
  /** Changes without a request, in seconds since the first start. */
  timeline: z
    .array(
      z.strictObject({
        atSec: seconds,
        stock: z.array(stockRuleSchema).optional(),
        prices: z.array(priceRuleSchema).optional(),
        balanceUsd: z.number().min(0).optional(),
        /** Evict running spot instances of matching types. */
        evict: z.string().optional(),
      }),
    )
    .default([]),
  faults: z.array(faultRuleSchema).default([]),
  /** Faults inside machines once they run; every matching entry applies. */
  machineFaults: z
    .array(
      z.strictObject({
        match: z
          .strictObject({
            types: z.string().default('*'),
            hostnames: z.string().default('*'),
            /** 1-based number (or numbers) of the machine in the order in which they first ran. */
            nth: z.union([z.int().min(1), z.array(z.int().min(1))]).optional(),
          })
          .prefault({}),
        faults: z.array(machineFaultSchema),
      }),
    )
    .default([]),
  /** Choices where sources about a provider contradict each other; validated by the provider's own schema. */
  dialect: z.record(z.string(), z.unknown()).default({}),
});

export type Scenario = z.infer<typeof scenarioSchema>;
export type ScenarioInput = z.input<typeof scenarioSchema>;

const folderOf = (provider: string): string => path.resolve(import.meta.dirname, '..', provider, 'scenarios');

/** Names of the scenarios of a provider. */
export const scenarioNames = (provider: string): string[] =>
  readdirSync(folderOf(provider))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .toSorted();

/** The JSON of a scenario of a provider by its name, or from a file. @throws Error with one readable line when it cannot be read */
function readScenario(nameOrFile: string, provider: string): { readonly json: unknown; readonly file: string } {
  const names = scenarioNames(provider);
  const file = names.includes(nameOrFile)
    ? path.join(folderOf(provider), `${nameOrFile}.json`)
    : path.resolve(nameOrFile);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`no scenario ${nameOrFile}: it is none of ${names.join(', ')} and no file that can be read`, {
      cause: error,
    });
  }
  try {
    return { json: JSON.parse(text) as unknown, file };
  } catch (error) {
    throw new Error(`scenario ${file} is not JSON: ${String(error)}`, { cause: error });
  }
}

/** Checks a scenario. @throws Error with one readable line that names the first wrong field */
export function parseScenario(input: unknown, where = 'scenario'): Scenario {
  const parsed = scenarioSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue === undefined || issue.path.length === 0 ? '' : ` ${issue.path.join('.')}:`;
  throw new Error(`${where}:${field} ${issue?.message ?? 'is not valid'}`);
}

const partsSchema = z.record(z.string(), z.unknown());

/** A scenario with the defaults of a provider under each of its parts. */
function withDefaults(input: unknown, defaults: Readonly<Record<string, unknown>>): unknown {
  const given = partsSchema.safeParse(input);
  if (!given.success) return input;
  const merged: Record<string, unknown> = { ...defaults, ...given.data };
  for (const [part, values] of Object.entries(defaults)) {
    const own = partsSchema.safeParse(given.data[part]);
    if (own.success && typeof values === 'object' && values !== null) merged[part] = { ...values, ...own.data };
  }
  return merged;
}

/** What scenarios leave out at providers that bill per second afterwards: nothing while stopped but the disks. The account is never empty. */
export const POSTPAID = {
  end: { diskLingerSec: 0, deletesWhileProvisioning: true, stopReleasesStock: true },
  billing: { quantumSec: 0, refundsUnused: true, billsStopped: false, from: 'running', balanceUsd: 1_000_000_000 },
  rateLimits: null,
} as const;

/**
 * Reads the scenarios of one provider: by name or file, or the object itself. Each is parsed once, because property tests make thousands of
 * simulators from one.
 *
 * @param defaults what a scenario leaves out; those of DataCrunch are in the schema
 * @returns throws an Error with one readable line when there is no such scenario or it is not valid
 */
export function scenarioReader(
  provider: string,
  defaults: Readonly<Record<string, unknown>> = {},
): (input: string | ScenarioInput) => Scenario {
  const byName = new Map<string, Scenario>();
  const byObject = new WeakMap<object, Scenario>();
  return (input) => {
    const known = typeof input === 'string' ? byName.get(input) : byObject.get(input);
    if (known !== undefined) return known;
    const { json, file } = typeof input === 'string' ? readScenario(input, provider) : { json: input, file: undefined };
    const scenario = parseScenario(withDefaults(json, defaults), file);
    if (typeof input === 'string') byName.set(input, scenario);
    else byObject.set(input, scenario);
    return scenario;
  };
}
