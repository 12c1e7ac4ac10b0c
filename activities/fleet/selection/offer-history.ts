/**
 * What the database knows of the offers: outcomes, boot times and prices of earlier creates, where our machines are, and how fast each GPU
 * is.
 */
import { isFinal, phasesThat } from '../../../domain/fleet/phases.ts';
import { QUIET_MS } from '../../../domain/fleet/selection/offer-memory.ts';
import {
  learnSecondsPerSlide,
  secondsPerSlideTable,
  speedKey,
  type SecondsPerSlide,
} from '../../../domain/fleet/selection/slide-cost.ts';
import type { CatalogueType } from '../../../domain/fleet/selection/tiers.ts';
import { MODEL_TASK_NAMES, MODEL_TASKS } from '../../../domain/models/model-tasks.ts';
import type { LaunchAttempt } from '../../../domain/fleet/provider/launch-limit.ts';
import { parseOfferKey, type OfferKey } from '../../../domain/fleet/selection/offer.ts';
import { EVICTED } from '../../../domain/fleet/instance-life/running.ts';
import { INTERRUPTION_HALF_LIFE_MS } from '../../../domain/fleet/selection/spot-offers.ts';
import type { Interruptions, OfferHistory } from '../../../domain/fleet/selection/ladder-input.ts';
import type { CreateIntent, PrismaClient } from '../../../generated/prisma/client.ts';

/** Boot times and prices older than this say little about today. */
const HISTORY_MS = 30 * 24 * 3_600_000;

/** Spot machines of longer ago count next to nothing. */
const INTERRUPTIONS_READ_MS = 10 * INTERRUPTION_HALF_LIFE_MS;

const ATTEMPT_COLUMNS = { offerKey: true, state: true, errorClass: true, createdAt: true } as const;

/** History of every offer of a provider that was ever tried lately. */
export async function readOfferHistory(
  db: PrismaClient,
  provider: string,
  nowMs: number,
): Promise<Map<OfferKey, OfferHistory>> {
  const ofProvider = { offerKey: { startsWith: `${provider}/` } };
  const [recent, rented, boots, interruptions] = await Promise.all([
    db.createIntent.findMany({
      where: { ...ofProvider, createdAt: { gt: new Date(nowMs - QUIET_MS) } },
      select: ATTEMPT_COLUMNS,
    }),
    db.createIntent.findMany({
      where: { ...ofProvider, providerId: { not: null }, createdAt: { gt: new Date(nowMs - HISTORY_MS) } },
      distinct: ['offerKey'],
      orderBy: { createdAt: 'desc' },
      select: { offerKey: true, priceUsdPerHour: true },
    }),
    medianBoots(db, provider, nowMs),
    readInterruptions(db, provider, nowMs),
  ]);
  const attempts = Map.groupBy(recent, (intent) => intent.offerKey as OfferKey);
  const prices = new Map(rented.map((r) => [r.offerKey as OfferKey, r.priceUsdPerHour.toNumber()]));
  const keys = new Set([...attempts.keys(), ...prices.keys(), ...boots.keys(), ...interruptions.keys()]);
  return new Map(
    [...keys].map((key) => {
      const taken = interruptions.get(key);
      const history = {
        attempts: (attempts.get(key) ?? []).map(attemptOf),
        medianBootMs: boots.get(key) ?? null,
        lastPriceUsdPerHour: prices.get(key) ?? null,
      };
      return [key, taken === undefined ? history : { ...history, interruptions: taken }];
    }),
  );
}

/** Creates on one offer within the last three hours. */
export async function readLaunchAttempts(
  db: Pick<PrismaClient, 'createIntent'>,
  offerKey: OfferKey,
  nowMs: number,
): Promise<LaunchAttempt[]> {
  const intents = await db.createIntent.findMany({
    where: { offerKey, createdAt: { gt: new Date(nowMs - QUIET_MS) } },
    select: ATTEMPT_COLUMNS,
  });
  return intents.map(attemptOf);
}

const attemptOf = (intent: Pick<CreateIntent, keyof typeof ATTEMPT_COLUMNS>): LaunchAttempt => ({
  atMs: intent.createdAt.getTime(),
  outcome: outcomeOf(intent),
});

/** What an intent says of its offer's capacity. */
function outcomeOf({ state, errorClass }: Pick<CreateIntent, 'state' | 'errorClass'>): LaunchAttempt['outcome'] {
  if (errorClass === 'capacity' || errorClass === 'capacity_async') return 'capacity';
  switch (state) {
    case 'creating':
    case 'unknown':
      return 'open';
    case 'created':
      return 'created';
    case 'gone':
      // It existed for a while or was never made. Without a capacity error neither speaks against the offer.
      return 'other';
    case 'refused':
      return 'other';
  }
}

/** Median time from boot to ready by offer, ms. */
async function medianBoots(db: PrismaClient, provider: string, nowMs: number): Promise<Map<OfferKey, number>> {
  const rows = await db.$queryRaw<{ offerKey: OfferKey; ms: number }[]>`
    SELECT started."offerKey",
           (percentile_cont(0.5) WITHIN GROUP (ORDER BY EXTRACT(EPOCH FROM ready.at - started.at)) * 1000)::float8 AS ms
    FROM "InstanceTransition" started
    JOIN "InstanceTransition" ready
      ON ready."instanceName" = started."instanceName" AND ready.position = started.position + 1
    WHERE started."toPhase" IN ('booting', 'waking') AND ready."toPhase" = 'ready'
      AND started."offerKey" = ready."offerKey"
      AND starts_with(started."offerKey", ${`${provider}/`}) AND started.at > ${new Date(nowMs - HISTORY_MS)}
    GROUP BY started."offerKey"`;
  return new Map(rows.map((row) => [row.offerKey, row.ms]));
}

/** Spot machines of each offer, and those of them that the provider took back; older ones count less. */
async function readInterruptions(
  db: PrismaClient,
  provider: string,
  nowMs: number,
): Promise<Map<OfferKey, Interruptions>> {
  const rows = await db.$queryRaw<(Interruptions & { readonly offerKey: OfferKey })[]>`
    SELECT "offerKey", sum(weight)::float8 AS machines, coalesce(sum(weight) FILTER (WHERE "isEvicted"), 0)::float8 AS evicted
    FROM (
      SELECT "offerKey", bool_or(starts_with(reason, ${EVICTED})) AS "isEvicted",
             power(0.5, greatest(0, ${nowMs}::float8 - extract(epoch FROM max(at)) * 1000) / ${INTERRUPTION_HALF_LIFE_MS}::float8) AS weight
      FROM "InstanceTransition"
      WHERE at > ${new Date(nowMs - INTERRUPTIONS_READ_MS)} AND "providerId" IS NOT NULL
        AND starts_with("offerKey", ${`${provider}/`}) AND "offerKey" LIKE '%/spot'
      GROUP BY "offerKey", "instanceName", "providerId"
    ) machine
    GROUP BY "offerKey"`;
  return new Map(rows.map(({ offerKey, machines, evicted }) => [offerKey, { machines, evicted }]));
}

/** How many machines of ours each location holds. */
export async function countInstancesByLocation(db: PrismaClient, provider: string): Promise<Record<string, number>> {
  const rows = await db.fleetInstance.findMany({
    where: { provider, providerId: { not: null }, phase: { notIn: [...phasesThat(isFinal), 'suspended'] } },
    select: { offerKey: true },
  });
  const counts: Record<string, number> = {};
  for (const { offerKey } of rows) {
    if (offerKey === null) continue;
    const { location } = parseOfferKey(offerKey);
    counts[location] = (counts[location] ?? 0) + 1;
  }
  return counts;
}

/** Newest visual results that are looked at. */
const MAX_RESULTS = 5000;

interface SlideResult {
  readonly task: string;
  readonly host: string;
  readonly createdAt: Date;
  readonly durationMs: number;
  readonly offerKey: string;
}

/** Seconds per slide of every known GPU: learned where there are calls of these models, else a prior. */
export async function readSecondsPerSlide(
  db: PrismaClient,
  catalogue: readonly CatalogueType[],
  modelNames: readonly string[],
): Promise<SecondsPerSlide> {
  const tasks: string[] = MODEL_TASK_NAMES.filter((task) => MODEL_TASKS[task].gpuClass === 'gpu-visual');
  const rows = await db.$queryRaw<SlideResult[]>`
    SELECT r.task, r.host, r."createdAt", r."durationMs", ran."offerKey"
    FROM "ModelResult" r
    JOIN LATERAL (
      SELECT t."offerKey" FROM "InstanceTransition" t
      WHERE t."instanceName" = r.host AND t.at <= r."createdAt" AND t."offerKey" IS NOT NULL
      ORDER BY t.position DESC LIMIT 1
    ) ran ON true
    WHERE r.task = ANY(${tasks}) AND r."modelName" = ANY(${[...modelNames]})
    ORDER BY r."createdAt" DESC LIMIT ${MAX_RESULTS}`;
  const keys = new Map(catalogue.map((type) => [type.instanceType, speedKey(type)]));
  const calls = rows.flatMap((row) => {
    const key = keys.get(parseOfferKey(row.offerKey).instanceType);
    // A type that left the catalogue is not offered either.
    if (key === undefined) return [];
    const countsSlide = row.task === 'describe_slide';
    return [{ speedKey: key, host: row.host, endMs: row.createdAt.getTime(), durationMs: row.durationMs, countsSlide }];
  });
  return secondsPerSlideTable(learnSecondsPerSlide(calls));
}
