/** Health of the machines that are there, as last sampled and judged. A figure that the driver does not give is left out. */
import { isAwake } from '../../domain/fleet/phases.ts';
import { isSampled } from '../../domain/health/sampled.ts';
import type { HealthLevel } from '../../domain/health/types.ts';
import type { Sample } from '../../domain/metrics/catalogue.ts';
import { durationWords } from '../../domain/text/words.ts';
import type { FleetInstance, InstanceHealth } from '../../generated/prisma/client.ts';
import { LIVING, percent, sample, sampleIf, secondsSince, type Look } from './source.ts';

/** Older samples say nothing about the present. */
const FRESH_MS = 10 * 60_000;

const LEVELS: Readonly<Record<HealthLevel, number>> = { healthy: 0, degraded: 1, unknown: 1, unhealthy: 2 };
/** A level of a later version, for which this one has no number, counts as not known. */
const levelOf = (level: string): number => (level in LEVELS ? LEVELS[level as HealthLevel] : LEVELS.unknown);

type Judged = FleetInstance & { readonly health: InstanceHealth | null };

export async function readHealth({ db, now }: Look): Promise<Sample[]> {
  const instances = await db.fleetInstance.findMany({
    where: LIVING,
    include: { health: true },
    orderBy: { name: 'asc' },
  });
  const pools = await db.fleetPool.findMany({ select: { name: true }, orderBy: { name: 'asc' } });
  // An instance that sleeps is not sampled, and its earlier health says nothing.
  const awake = instances.filter(({ phase }) => isAwake(phase));
  const sampled = awake.flatMap(({ name, health }) =>
    health?.lastSampleAt === null || health?.lastSampleAt === undefined
      ? []
      : now.getTime() - health.lastSampleAt.getTime() > FRESH_MS
        ? []
        : [{ instanceName: name, at: health.lastSampleAt }],
  );
  const readings =
    sampled.length === 0 ? [] : await db.healthSample.findMany({ where: { OR: sampled, missing: false } });
  const poolOf = new Map(awake.map(({ name, pool }) => [name, pool]));
  return [
    ...instances.flatMap((instance) => [...levelSample(instance, now), sampleAge(instance, now)]),
    ...pools.map(({ name }) => quarantine(name, awake)),
    ...awake.flatMap(({ name, pool, health }) =>
      health === null
        ? []
        : [sample('gpu_quarantined', { pool, instance: name }, health.quarantinedAt === null ? 0 : 1)],
    ),
    ...readings.flatMap((reading) => {
      const { instanceName: instance, gpuIndex } = reading;
      const labels = { pool: poolOf.get(instance) ?? 'none', instance, gpu: String(gpuIndex) };
      return [
        ...sampleIf('gpu_util_ratio', labels, reading.utilRatio),
        ...sampleIf('gpu_mem_used_bytes', labels, reading.memoryUsedBytes),
        ...sampleIf('gpu_mem_total_bytes', labels, reading.memoryTotalBytes),
        ...sampleIf('gpu_temp_celsius', labels, reading.temperatureC),
        ...sampleIf('gpu_margin_celsius', labels, reading.slowdownMarginC),
      ];
    }),
  ];
}

/** The health of a machine, as last judged. */
function levelSample({ name, pool, phase, health }: Judged, now: Date): Sample[] {
  if (health === null) return [];
  const serves = isAwake(phase);
  const fault = health.failure === null ? '' : ` (${health.failure})`;
  const message = `${name} has been ${health.level}${fault} for ${durationWords(secondsSince(health.since, now) * 1000)}: ${health.reason}.`;
  const labels = { pool, instance: name, level: serves ? health.level : 'none' };
  return [sample('health_level', labels, serves ? levelOf(health.level) : 0, message)];
}

/** How long no sample came from a machine that is to be sampled, also from one that was never measured. */
function sampleAge({ name, pool, phase, readyAt, phaseSince, health }: Judged, now: Date): Sample {
  const awakeSince = readyAt ?? phaseSince;
  const sampledAt = health?.lastSampleAt ?? null;
  // What was measured before it slept says nothing about the present.
  const last = sampledAt === null || sampledAt < awakeSince ? awakeSince : sampledAt;
  const value = isSampled(phase, health?.quarantinedAt ?? null) ? secondsSince(last, now) : 0;
  const age = durationWords(secondsSince(last, now) * 1000);
  const message =
    sampledAt === null
      ? `${name} has served for ${age} and was never measured.`
      : `${name} was not measured for ${age}.`;
  return sample('health_sample_age_seconds', { pool, instance: name }, value, message);
}

/** What share of a pool's machines takes no work because of their health. */
function quarantine(pool: string, instances: readonly Judged[]): Sample {
  const awake = instances.filter((instance) => instance.pool === pool);
  const out = awake.filter(({ health }) => health !== null && health.quarantinedAt !== null);
  const value = awake.length === 0 ? 0 : out.length / awake.length;
  const list = out.map(({ name }) => name).join(', ');
  const message = `${out.length} of ${awake.length} machines of pool ${pool} take no work for their health (${percent(value)})${list === '' ? '' : `: ${list}`}.`;
  return sample('quarantined_ratio', { pool }, value, message);
}
