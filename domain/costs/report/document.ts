/**
 * A cost report as it is stored: what a period cost, what for, and how certain that is. It holds ids only; names are looked up when it is shown.
 *
 * Amounts are exact decimals as text, in the report's currency. Sums hold within a report: the total is that of its kinds, machines, days and
 * tasks each; of documents, deleted documents and what has no owner together.
 */
import { z } from 'zod';
import { LEDGER_KINDS } from '../ledger/facts.ts';
import { REPORT_KINDS } from './period.ts';

/** Scope of a report on everything; a tenant's is the tenant's id. */
export const INSTALLATION_SCOPE = '*';

/** An exact decimal as text, such as `12.345678901`. Without a flag: the API's document would show it as part of the pattern. */
export const amountSchema = z.string().regex(/^-?\d+(?:\.\d+)?$/, 'must be a decimal');
const instantSchema = z.iso.datetime();
const kindSchema = z.enum(LEDGER_KINDS);
/** Of the total, 0 to 1; null where the total is 0. */
const shareSchema = z.number().nullable();

const kindLineSchema = z.object({
  kind: kindSchema,
  usd: amountSchema,
  /** Time of the kind. Several machines at once count several times. */
  hours: z.number(),
});

const machineLineSchema = z.object({
  provider: z.string(),
  /** Null for what had no owner. */
  pool: z.string().nullable(),
  /** Null for disks. */
  instanceType: z.string().nullable(),
  market: z.string().nullable(),
  usd: amountSchema,
  hours: z.number(),
});

const taskLineSchema = z.object({
  /** Model task; null for what was done for none. */
  task: z.string().nullable(),
  usd: amountSchema,
  /** Of that, while calls of the task were at work; the rest is its share of boots, loads and waiting. */
  busyUsd: amountSchema,
  busyHours: z.number(),
});

const documentLineSchema = z.object({
  tenantId: z.string(),
  /** Null for one that was deleted since. */
  deckId: z.string().nullable(),
  /** Analyses of it that cost something in the period. */
  analyses: z.int(),
  usd: amountSchema,
});

const tenantLineSchema = z.object({ tenantId: z.string(), usd: amountSchema, documents: z.int() });

const dayLineSchema = z.object({
  /** Local date. */
  day: z.string(),
  from: instantSchema,
  until: instantSchema,
  usd: amountSchema,
  /** By kind, without those that cost nothing. */
  kinds: z.partialRecord(kindSchema, amountSchema),
});

const causeSchema = z.object({
  pool: z.string().nullable(),
  kind: kindSchema,
  task: z.string().nullable(),
  usd: amountSchema,
  /** Its mean on the days compared with. */
  usualUsd: amountSchema,
});

const anomalySchema = z.object({
  day: z.string(),
  usd: amountSchema,
  /** Of the days before that cost something. */
  medianUsd: amountSchema,
  /** How many times the median. */
  factor: z.number(),
  /** Where most of the difference comes from, largest first. */
  causes: z.array(causeSchema),
});

const alwaysOnSchema = z.object({
  /** What the machines would have cost, running from beginning to end. */
  usd: amountSchema,
  /** That, less what the pools really cost, machines and disks. Negative where they cost more. */
  savedUsd: amountSchema,
  /** Of what always-on would cost. */
  savedShare: shareSchema,
  pools: z.array(
    z.object({
      pool: z.string(),
      /** Most that were rented at the same time. */
      machines: z.int(),
      /** Mean price of the pool's machines, weighted by time. */
      usdPerHour: amountSchema,
      usd: amountSchema,
      spentUsd: amountSchema,
    }),
  ),
});

/** How the rest of the month was estimated. */
export const FORECAST_BASES = [
  /** Nothing is left of it. */
  'complete',
  /** Every day that is left costs what its weekday cost on average. */
  'weekdays',
  /** Every day that is left costs the mean of the days before: too few are known for a mean by weekday. */
  'mean',
  /** No day is known. */
  'none',
] as const;

const forecastSchema = z.object({
  /** `2026-03`: the month that the period ends in. */
  month: z.string(),
  /** In the month until the end of the period. */
  spentUsd: amountSchema,
  /** For the whole month; null when no day is known to judge by. */
  forecastUsd: amountSchema.nullable(),
  basis: z.enum(FORECAST_BASES),
  /** Whole days that the estimate goes by. */
  basisDays: z.int(),
});

const prewarmSchema = z.object({
  pool: z.string(),
  /** Instances that were woken or created ahead of decks. Those that are neither hit nor miss wait for one still. */
  warmed: z.int(),
  /** A deck came while they booted or were warm. */
  hits: z.int(),
  /** They slept again before a deck came. */
  misses: z.int(),
  /** Spent on misses. */
  missUsd: amountSchema,
  /** Spent on hits, from when they were ready until the deck came. */
  idleUsd: amountSchema,
  /** Waiting that hits saved, and what that is worth. */
  savedSec: z.int(),
  savedUsd: amountSchema,
  /** Waiting for machines that were not warmed. */
  waitedSec: z.int(),
  /** How much more a clairvoyant would have gained over the same decks: nobody waits, and nothing is warm for nothing. */
  regretUsd: amountSchema,
});

export const RECONCILIATION_STATES = ['agrees', 'differs', 'unknown'] as const;

const reconciliationSchema = z.object({
  provider: z.string(),
  state: z.enum(RECONCILIATION_STATES),
  /** Why it is unknown, or what the difference may be; null where both agree. */
  note: z.string().nullable(),
  /** The two looks at the balance that are compared; null when there are none. */
  from: instantSchema.nullable(),
  until: instantSchema.nullable(),
  balanceBeforeUsd: amountSchema.nullable(),
  balanceAfterUsd: amountSchema.nullable(),
  /** Paid in meanwhile, as far as the balance rose. */
  topUpsUsd: amountSchema.nullable(),
  /** What the balance fell by, with what was paid in. */
  fellUsd: amountSchema.nullable(),
  /** What the ledger has for that time. */
  ledgerUsd: amountSchema.nullable(),
  /** Paid in advance at its end, less what had been at its beginning. */
  prepaidUsd: amountSchema.nullable(),
  /** Fall of the balance, less ledger and advance: positive = the provider took more than the ledger knows of. */
  differenceUsd: amountSchema.nullable(),
  /** Differences up to this are taken for rounding and for calls that crossed each other. */
  toleranceUsd: amountSchema.nullable(),
});

export const costReportSchema = z.object({
  version: z.literal(1),
  kind: z.enum(REPORT_KINDS),
  period: z.string(),
  /** {@link INSTALLATION_SCOPE} or a tenant. */
  scope: z.string(),
  from: instantSchema,
  until: instantSchema,
  timezone: z.string(),
  currency: z.string(),
  madeAt: instantSchema,
  /** The period is over and everything rented in it is settled to its end: the numbers are final. */
  complete: z.boolean(),
  /** Rentals of the period that were not settled to its end; their rest is missing here. */
  unsettledRentals: z.int(),
  totalUsd: amountSchema,
  previous: z.object({ period: z.string(), totalUsd: amountSchema, changeUsd: amountSchema, changeShare: shareSchema }),
  kinds: z.array(kindLineSchema),
  shares: z.object({ busy: shareSchema, idle: shareSchema, boot: shareSchema, load: shareSchema }),
  machines: z.array(machineLineSchema),
  tasks: z.array(taskLineSchema),
  documents: z.object({
    count: z.int(),
    totalUsd: amountSchema,
    /** Null when there is none. */
    meanUsd: amountSchema.nullable(),
    p50Usd: amountSchema.nullable(),
    p95Usd: amountSchema.nullable(),
    /** Of documents that are deleted by now. */
    deletedUsd: amountSchema,
    /** Most expensive first. */
    dearest: z.array(documentLineSchema),
  }),
  tenants: z.array(tenantLineSchema),
  unattributed: z.object({ usd: amountSchema, kinds: z.array(kindLineSchema) }),
  days: z.array(dayLineSchema),
  /** Of a period shorter than a week: the days before it, to see it against; else none. */
  daysBefore: z.array(dayLineSchema),
  spot: z.object({
    /** Spent on spot machines. */
    usd: amountSchema,
    /** What they would have cost more on demand. */
    savedUsd: amountSchema,
    /** The same time on demand. */
    onDemandUsd: amountSchema,
    /** Machines that were taken back, and what that cost. */
    evictions: z.object({
      count: z.int(),
      /** Their boots: so much, another machine has to boot. */
      bootUsd: amountSchema,
      /** Calls under way that were made again. */
      repeatedUsd: amountSchema,
      usd: amountSchema,
    }),
    /** Saved, less what evictions cost; negative where they cost more. */
    netSavedUsd: amountSchema,
    /** Of the same time on demand. */
    netSavedShare: shareSchema,
  }),
  /** The following are the installation's; null or empty in a tenant's report. */
  alwaysOn: alwaysOnSchema.nullable(),
  forecast: forecastSchema.nullable(),
  /** By pool; none for pools that warmed nothing. */
  prewarm: z.array(prewarmSchema),
  anomalies: z.array(anomalySchema),
  reconciliation: z.array(reconciliationSchema),
});
export type CostReport = z.infer<typeof costReportSchema>;
