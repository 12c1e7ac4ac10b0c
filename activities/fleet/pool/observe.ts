/**
 * What a pool observes: demand, its instances with their gateways' reports, and recent boots. All of it from Postgres.
 *
 * Unknown is not zero: the calls in flight of an instance without a recent gateway report are null. A database that does not answer fails
 * the whole observation, and the pool holds its decision.
 */
import { SERVING_BELIEVED_MS } from '../../../domain/fleet/pool/serving.ts';
import type { FleetInstance, InstanceHealth, InstanceServing, PrismaClient } from '../../../generated/prisma/client.ts';
import { RECENT_CALLS_WINDOW_MS } from '../../../domain/fleet/pool/demand.ts';
import { UTILISATION_WINDOW_MS } from '../../../domain/fleet/pool/utilisation.ts';
import { isAwake, isFinal, phaseOf, phasesThat, type InstancePhase } from '../../../domain/fleet/phases.ts';
import { NOTICED } from '../../../domain/fleet/instance-life/running.ts';
import { parseOfferKey } from '../../../domain/fleet/selection/offer.ts';
import type { InstanceView, Observation } from '../../../domain/fleet/pool/pool.ts';
import type { HealthView } from '../../../domain/fleet/pool/quarantine.ts';
import { HEALTH_FAILURES, HEALTH_LEVELS } from '../../../domain/health/types.ts';
import type { PoolSight } from '../../../domain/fleet/pool/plan.ts';
import type { GpuClass } from '../../../domain/models/model-tasks.ts';
import { NO_LIMITS } from '../../costs/budget/work-limits.ts';
import type { PoolBudgetRead } from '../../costs/budget/pool-allowance.ts';
import { readDemand, wantingAnalyses } from './demand.ts';

/** Input of an observation. */
export interface ObserveInput {
  readonly pool: string;
  readonly classes: readonly GpuClass[];
  /** True: its instances take calls of its own queues only; absent = of the queues of all pools. */
  readonly ownQueues?: boolean;
  /** Announcements that may be over by now. */
  readonly wakeIntents: readonly string[];
  /** Instances that were started and may have a row by now. */
  readonly births: readonly string[];
}

/** Result of an observation. */
export type PoolObservation = Omit<PoolSight, 'askedIntents'>;

const FAILURES_WITHIN_MS = 3_600_000;
const BOOTS_READ = 10;
/** Calls that began earlier than this before the time that is looked at have ended. */
const LONGEST_CALL_MS = 1_800_000;

type Row = FleetInstance & { readonly serving: InstanceServing | null; readonly health?: InstanceHealth | null };

/** Observes once. @param money what budgets allow the pool; absent = there are none */
export async function observePool(
  db: PrismaClient,
  input: ObserveInput,
  now: Date,
  money?: PoolBudgetRead,
): Promise<PoolObservation> {
  const limits = money?.limits ?? NO_LIMITS;
  const queuesOf = input.ownQueues === true ? input.pool : null;
  const [demand, rows, liveIntents, known, failures, bootSec, endedCalls, busySlotSeconds] = await Promise.all([
    readDemand(db, input.classes, now, limits, queuesOf),
    db.fleetInstance.findMany({
      where: { pool: input.pool, phase: { notIn: phasesThat(isFinal) } },
      include: { serving: true, health: true },
      orderBy: { createdAt: 'asc' },
    }),
    wantingAnalyses(db, input.wakeIntents, limits, queuesOf),
    existing(db, input.births),
    recentFailures(db, input.pool, now),
    meanBootSec(db, input.pool),
    callsEndedLately(db, input.classes, queuesOf, now),
    busyLatelySeconds(db, input, now),
  ]);
  const instances = rows.map((row) => viewOf(row, now));
  const busyLately = rows.filter(
    (r) => now.getTime() - (r.serving?.lastCallAt?.getTime() ?? 0) < RECENT_CALLS_WINDOW_MS,
  ).length;
  const observation: Observation = {
    atMs: now.getTime(),
    demand,
    instances,
    recentCalls: Math.max(endedCalls, busyLately),
    busySlotSeconds,
  };
  const seen = { observation, liveIntents, known, failures, bootSec };
  return money === undefined ? seen : { ...seen, money: money.money };
}

/** One instance as the pool sees it. */
export function viewOf(row: Row, now: Date): InstanceView {
  const phase = phaseOf(row.phase);
  const { serving, readyAt } = row;
  const awake = isAwake(phase);
  // A report about an earlier boot does not apply to this one.
  const said = serving !== null && readyAt !== null && serving.seenAt >= readyAt ? serving : null;
  const fresh = said !== null && now.getTime() - said.seenAt.getTime() < SERVING_BELIEVED_MS;
  const calledAtMs = said?.lastCallAt?.getTime() ?? null;
  const readyAtMs = readyAt?.getTime() ?? null;
  return {
    name: row.name,
    phase,
    phaseSinceMs: row.phaseSince.getTime(),
    inFlight: inFlightOf(phase, fresh ? said : null),
    idleSinceMs: awake && readyAtMs !== null ? Math.max(readyAtMs, calledAtMs ?? 0) : null,
    hasPolled: awake && (said?.state === 'serving' || said?.state === 'draining' || calledAtMs !== null),
    billedSinceMs: row.billedSince?.getTime() ?? null,
    priceUsdPerHour: row.priceUsdPerHour === null ? null : Number(row.priceUsdPerHour),
    provider: row.provider,
    ...marketOf(phase, row.offerKey),
    ...(phase === 'cordoned' && row.reason.startsWith(NOTICED) ? { isTakenBack: true } : {}),
    models: fresh ? said.models : [],
    health: awake ? healthOf(row.health ?? null, readyAt) : null,
  };
}

/** How its machine is rented; a suspended instance has none. */
function marketOf(phase: InstancePhase, offerKey: string | null): Pick<InstanceView, 'market'> {
  if (offerKey === null || phase === 'suspended' || phase === 'suspending') return {};
  return { market: parseOfferKey(offerKey).market };
}

/** Health from before the instance last became ready does not apply any more. */
function healthOf(row: InstanceHealth | null, readyAt: Date | null): HealthView | null {
  const level = HEALTH_LEVELS.find((one) => one === row?.level);
  if (row === null || level === undefined || readyAt === null || row.since < readyAt) return null;
  const failure = HEALTH_FAILURES.find((one) => one === row.failure) ?? null;
  return { level, failure, reason: row.reason, sinceMs: row.since.getTime() };
}

/** Calls in flight; nothing runs on a machine that is not attached. */
function inFlightOf(phase: InstancePhase, said: InstanceServing | null): number | null {
  if (phase === 'cordoned') return said?.inFlight ?? 0;
  if (phase !== 'ready') return 0;
  return said?.state === 'serving' || said?.state === 'draining' ? said.inFlight : null;
}

async function existing(db: PrismaClient, names: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const rows = await db.fleetInstance.findMany({ where: { name: { in: [...names] } }, select: { name: true } });
  return rows.map((row) => row.name);
}

async function recentFailures(db: PrismaClient, pool: string, now: Date): Promise<PoolObservation['failures']> {
  const rows = await db.fleetInstance.findMany({
    where: { pool, phase: 'failed', phaseSince: { gt: new Date(now.getTime() - FAILURES_WITHIN_MS) } },
    orderBy: { phaseSince: 'desc' },
    select: { name: true, phaseSince: true, reason: true },
  });
  const last = rows[0];
  if (last === undefined) return null;
  return { count: rows.length, lastAtMs: last.phaseSince.getTime(), instance: last.name, reason: last.reason };
}

/** Paid seconds of a boot until it was ready, mean of the latest; null without one. */
export async function meanBootSec(db: PrismaClient, pool: string): Promise<number | null> {
  const rows = await db.fleetInstance.findMany({
    where: { pool, billedSince: { not: null }, readyAt: { not: null } },
    orderBy: { readyAt: 'desc' },
    take: BOOTS_READ,
    select: { billedSince: true, readyAt: true },
  });
  const boots = rows.map((r) => ((r.readyAt?.getTime() ?? 0) - (r.billedSince?.getTime() ?? 0)) / 1000);
  // An instance that boots again still has the time at which it was ready before.
  const whole = boots.filter((seconds) => seconds > 0);
  return whole.length === 0 ? null : whole.reduce((sum, s) => sum + s, 0) / whole.length;
}

/** Calls that ended lately, of analyses under way: found by their index, whatever the size of the history. */
async function callsEndedLately(
  db: PrismaClient,
  classes: readonly GpuClass[],
  queuesOf: string | null,
  now: Date,
): Promise<number> {
  const since = new Date(now.getTime() - RECENT_CALLS_WINDOW_MS);
  const rows = await db.$queryRaw<{ readonly count: number }[]>`
    SELECT count(*)::int AS count
    FROM "Analysis" a JOIN "ModelCall" c ON c."analysisId" = a.id
    WHERE a.status = 'running' AND c."finishedAt" > ${since} AND NOT c.cached
      AND c.state IN ('stored', 'failed') AND c."gpuClass" = ANY(${[...classes]})
      AND a."poolName" IS NOT DISTINCT FROM ${queuesOf}::text`;
  return rows[0]?.count ?? 0;
}

/**
 * Seconds for which places of the pool's instances were busy in the last minutes. A call without an end may be one of a gateway that died: it
 * counts only while it is younger than that time.
 */
async function busyLatelySeconds(db: PrismaClient, { pool }: ObserveInput, now: Date): Promise<number> {
  const since = new Date(now.getTime() - UTILISATION_WINDOW_MS);
  const longest = new Date(since.getTime() - LONGEST_CALL_MS);
  const [row] = await db.$queryRaw<{ readonly seconds: number }[]>`
    SELECT coalesce(sum(extract(epoch FROM least(coalesce(c."endedAt", ${now}), ${now}) - greatest(c."startedAt", ${since}))), 0)::float8 AS seconds
    FROM "FleetInstance" i JOIN "CallAttempt" c ON c."instanceName" = i.name
    WHERE i.pool = ${pool} AND i."endedAt" IS NULL AND c."startedAt" > ${longest} AND c."startedAt" < ${now}
      AND (c."endedAt" > ${since} OR (c."endedAt" IS NULL AND c."startedAt" > ${since}))`;
  return row?.seconds ?? 0;
}
