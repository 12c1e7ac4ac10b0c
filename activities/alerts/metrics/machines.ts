/** Metrics of machines: boots, health, who serves them, and what nobody owns. */
import type { Reading } from '../../../domain/alerts/metrics.ts';
import { durationWords } from '../../../domain/fleet/sleep/duration.ts';
import type { HealthLevel } from '../../../domain/health/types.ts';
import type { FleetInstance, InstanceHealth, PrismaClient } from '../../../generated/prisma/client.ts';
import { AWAKE, LIVING, percent, secondsSince, type MetricReader } from './reader.ts';

const COMING_UP: readonly string[] = ['creating', 'booting', 'waking'];

/** How long a living instance has been coming up. */
export const readBoots: MetricReader = async ({ db, now }) => {
  const rows = await db.fleetInstance.findMany({
    where: LIVING,
    select: { name: true, phase: true, phaseSince: true, reason: true },
  });
  return rows.map(({ name, phase, phaseSince, reason }) => {
    const value = COMING_UP.includes(phase) ? secondsSince(phaseSince, now) : 0;
    return {
      subject: name,
      value,
      message: `${name} has been ${phase} for ${durationWords(value * 1000)}: ${reason}.`,
    };
  });
};

type Measured = FleetInstance & { readonly health: InstanceHealth };

/** Instances that were ever measured. What sleeps or ends is not judged. */
async function measured(db: PrismaClient): Promise<readonly Measured[]> {
  const rows = await db.fleetInstance.findMany({ where: LIVING, include: { health: true } });
  return rows.flatMap(({ health, ...row }) => (health === null ? [] : [{ ...row, health }]));
}

const LEVELS: Readonly<Record<HealthLevel, number>> = { healthy: 0, degraded: 1, unknown: 1, unhealthy: 2 };
/** A level of a later version is none that this one has a number for: as not known. */
const levelOf = (level: string): number => (level in LEVELS ? LEVELS[level as HealthLevel] : LEVELS.unknown);

/** The health of every machine that serves, as last judged. */
export const readHealthLevels: MetricReader = async ({ db, now }) =>
  (await measured(db)).map(({ name, phase, health }) => {
    const since = durationWords(secondsSince(health.since, now) * 1000);
    const fault = health.failure === null ? '' : ` (${health.failure})`;
    const value = AWAKE.includes(phase) ? levelOf(health.level) : 0;
    return {
      subject: name,
      value,
      message: `${name} has been ${health.level}${fault} for ${since}: ${health.reason}.`,
    };
  });

/** How long no sample came from a machine that serves. */
export const readSampleAges: MetricReader = async ({ db, now }) =>
  (await measured(db)).map(({ name, phase, readyAt, phaseSince, health }) => {
    const awakeSince = readyAt ?? phaseSince;
    // What was measured before it slept says nothing of now.
    const last = new Date(Math.max(health.lastSampleAt?.getTime() ?? 0, awakeSince.getTime()));
    const value = AWAKE.includes(phase) ? secondsSince(last, now) : 0;
    return { subject: name, value, message: `${name} was not measured for ${durationWords(value * 1000)}.` };
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
