/** Metrics of machines: boots, health, who serves them, and what nobody owns. */
import type { Reading } from '../../../domain/alerts/metrics.ts';
import { EVICTED } from '../../../domain/fleet/instance-life/standing.ts';
import { durationWords } from '../../../domain/text/words.ts';
import { isSampled } from '../../../domain/health/sampled.ts';
import { isComingUp, phasesThat } from '../../../domain/fleet/phases.ts';
import type { HealthLevel } from '../../../domain/health/types.ts';
import type { FleetInstance, InstanceHealth, PrismaClient } from '../../../generated/prisma/client.ts';
import { AWAKE, LIVING, percent, secondsSince, windowStart, type MetricReader } from './reader.ts';

const COMING_UP: readonly string[] = phasesThat(isComingUp);
/** Between two orders an instance looks for its next offer. */
const ORDERING: readonly string[] = [...COMING_UP, 'planned'];

/** How long a living instance has been coming up, with all orders and boots that failed on the way. */
export const readBoots: MetricReader = async ({ db, now }) => {
  const rows = await db.fleetInstance.findMany({
    where: LIVING,
    select: { name: true, phase: true, phaseSince: true, reason: true },
  });
  const begins = await beginsOf(
    db,
    rows.flatMap(({ name, phase }) => (ORDERING.includes(phase) ? [name] : [])),
  );
  return rows.map(({ name, phase, phaseSince, reason }) => {
    const begin = begins.get(name) ?? phaseSince;
    const since = begin < phaseSince ? begin : phaseSince;
    const value = COMING_UP.includes(phase) || begins.has(name) ? secondsSince(since, now) : 0;
    const before = since < phaseSince ? `, after other attempts, and ${phase} for ${agoWords(phaseSince, now)}` : '';
    const what = before === '' ? phase : 'coming up';
    return {
      subject: name,
      value,
      message: `${name} has been ${what} for ${agoWords(since, now)}${before}: ${reason}.`,
    };
  });
};

const agoWords = (since: Date, now: Date): string => durationWords(secondsSince(since, now) * 1000);

/** When each was first ordered since it last was anything but coming up; none for one that was not ordered yet. */
async function beginsOf(db: PrismaClient, names: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  if (names.length === 0) return new Map();
  const rows = await db.$queryRaw<{ readonly name: string; readonly at: Date }[]>`
    SELECT t."instanceName" AS name, min(t.at) AS at FROM "InstanceTransition" t
    WHERE t."instanceName" = ANY(${[...names]}) AND t."toPhase" = ANY(${[...COMING_UP]})
      AND t.position > coalesce((
        SELECT max(other.position) FROM "InstanceTransition" other
        WHERE other."instanceName" = t."instanceName" AND other."toPhase" <> ALL(${[...ORDERING]})), -1)
    GROUP BY 1`;
  return new Map(rows.map(({ name, at }) => [name, at]));
}

type Watched = FleetInstance & { readonly health: InstanceHealth | null };

/** Instances with what is known of their health. What sleeps or ends is not judged. */
const watched = (db: PrismaClient): Promise<Watched[]> =>
  db.fleetInstance.findMany({ where: LIVING, include: { health: true } });

const LEVELS: Readonly<Record<HealthLevel, number>> = { healthy: 0, degraded: 1, unknown: 1, unhealthy: 2 };
/** A level of a later version is none that this one has a number for: as not known. */
const levelOf = (level: string): number => (level in LEVELS ? LEVELS[level as HealthLevel] : LEVELS.unknown);

/** The health of every machine that serves, as last judged. */
export const readHealthLevels: MetricReader = async ({ db, now }) =>
  (await watched(db)).flatMap(({ name, phase, health }): Reading[] => {
    if (health === null) return [];
    const fault = health.failure === null ? '' : ` (${health.failure})`;
    const value = AWAKE.includes(phase) ? levelOf(health.level) : 0;
    const message = `${name} has been ${health.level}${fault} for ${agoWords(health.since, now)}: ${health.reason}.`;
    return [{ subject: name, value, message }];
  });

/** How long no sample came from a machine that serves, also from one that was never measured. */
export const readSampleAges: MetricReader = async ({ db, now }) =>
  (await watched(db)).map(({ name, phase, readyAt, phaseSince, health }): Reading => {
    const awakeSince = readyAt ?? phaseSince;
    const sampledAt = health?.lastSampleAt ?? null;
    // What was measured before it slept says nothing of now.
    const last = sampledAt === null || sampledAt < awakeSince ? awakeSince : sampledAt;
    const value = isSampled(phase, health?.quarantinedAt ?? null) ? secondsSince(last, now) : 0;
    const message =
      sampledAt === null
        ? `${name} has served for ${agoWords(last, now)} and was never measured.`
        : `${name} was not measured for ${agoWords(last, now)}.`;
    return { subject: name, value, message };
  });

/** What share of a pool's machines takes no work for its health. */
export const readQuarantine: MetricReader = async ({ db }) => {
  const [pools, rows] = await Promise.all([
    db.fleetPool.findMany({ select: { name: true } }),
    db.fleetInstance.findMany({
      where: { endedAt: null, phase: { in: [...AWAKE] } },
      select: { name: true, pool: true, health: { select: { quarantinedAt: true } } },
    }),
  ]);
  return pools.map(({ name }) => {
    const awake = rows.filter((row) => row.pool === name);
    const out = awake.filter(({ health }) => health !== null && health.quarantinedAt !== null);
    const value = awake.length === 0 ? 0 : out.length / awake.length;
    const list = out.map((row) => row.name).join(', ');
    const message = `${out.length} of ${awake.length} machines of pool ${name} take no work for their health (${percent(value)})${list === '' ? '' : `: ${list}`}.`;
    return { subject: name, value, message };
  });
};

/** How long nobody has said anything of a machine that is there to work. */
export const readSilentGateways: MetricReader = async ({ db, now }) => {
  const rows = await db.fleetInstance.findMany({ where: LIVING, include: { serving: true } });
  return rows.map(({ name, phase, readyAt, phaseSince, serving }): Reading => {
    const awakeSince = readyAt ?? phaseSince;
    const last = new Date(Math.max(serving?.seenAt.getTime() ?? 0, awakeSince.getTime()));
    const value = AWAKE.includes(phase) ? secondsSince(last, now) : 0;
    const gateway = serving === null ? 'No gateway' : `Gateway ${serving.gateway}`;
    const message = `${gateway} has said nothing of ${name} for ${durationWords(value * 1000)}.`;
    return { subject: name, value, message };
  });
};

/** Machines and disks without an owner: what costs money. Scripts and keys are cleared away in the ordinary course of things. */
export const readOrphans: MetricReader = async ({ db, now }) => {
  const rows = await db.reapCandidate.findMany({
    where: { reapedAt: null, kind: { in: ['instance', 'volume'] } },
    orderBy: { firstSeenAt: 'asc' },
  });
  return rows.map(({ provider, kind, resourceId, name, reason, firstSeenAt, message }) => {
    const age = durationWords(secondsSince(firstSeenAt, now) * 1000);
    const what = kind === 'instance' ? 'Machine' : 'Disk';
    const failed = message === null ? '' : ` It could not be removed: ${message}.`;
    return {
      subject: `${provider}/${kind}/${resourceId}`,
      value: 1,
      message: `${what} ${name} (${resourceId}) at ${provider} was first seen without an owner ${age} ago: ${reason}.${failed}`,
    };
  });
};

/** Machines and disks that the reaper removed. What was found and removed between two rounds was never seen as an orphan by a rule. */
export const readRemovedOrphans: MetricReader = async (look) => {
  const rows = await look.db.reapCandidate.findMany({
    where: { reapedAt: { gt: windowStart(look), lte: look.now }, kind: { in: ['instance', 'volume'] } },
    orderBy: { reapedAt: 'asc' },
  });
  return rows.map(({ provider, kind, resourceId, name, reason }) => ({
    subject: `${provider}/${kind}/${resourceId}`,
    value: 1,
    message: `${kind === 'instance' ? 'Machine' : 'Disk'} ${name} (${resourceId}) at ${provider} was removed: ${reason}.`,
  }));
};

/** What health did to machines: repairs that were over between two rounds were never seen as a sick machine by a rule. */
const REPAIRS: Readonly<Record<string, string>> = {
  restart: 'had its model server restarted',
  reboot: 'was rebooted',
  replace: 'was replaced',
};

/** Repairs by instance. */
export const readRepairs: MetricReader = async (look) => {
  const rows = await look.db.healthTransition.findMany({
    where: { at: { gt: windowStart(look), lte: look.now }, action: { in: Object.keys(REPAIRS) } },
    orderBy: { at: 'asc' },
  });
  return [...Map.groupBy(rows, ({ instanceName }) => instanceName)].flatMap(([name, own]): Reading[] => {
    const last = own.at(-1);
    if (last === undefined) return [];
    const fault = last.failure === null ? '' : ` (${last.failure})`;
    const message = `${name} ${REPAIRS[last.action] ?? last.action} for its health${fault}: ${last.reason}.`;
    return [{ subject: name, value: own.length, message }];
  });
};

/** Spot machines that were taken back, by instance. */
export const readEvictions: MetricReader = async (look) => {
  const rows = await look.db.instanceTransition.findMany({
    where: { at: { gt: windowStart(look), lte: look.now }, reason: { startsWith: EVICTED } },
    orderBy: { at: 'asc' },
    select: { instanceName: true, offerKey: true },
  });
  // An eviction is told by more than one row of the history.
  const offers = new Map(rows.map(({ instanceName, offerKey }) => [instanceName, offerKey]));
  return [...offers].map(([name, offer]) => ({
    subject: name,
    value: 1,
    message: `The provider took back the spot machine of ${name}${offer === null ? '' : ` (${offer})`}.`,
  }));
};
