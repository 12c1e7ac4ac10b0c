/** Health of the machines that are there, as last sampled and judged. A figure the driver does not give is left out. */
import { isAwake, phasesThat } from '../../../domain/fleet/phases.ts';
import { isSampled } from '../../../domain/health/sampled.ts';
import { sample, sampleIf, timestamp, type MetricGroup } from './group.ts';

/** Older figures say nothing of now; when the last sample came is shown all the same. */
const FRESH_MS = 10 * 60_000;

export const HEALTH_GROUP: MetricGroup = {
  name: 'health',
  read: async ({ db, now }) => {
    const judged = await db.instanceHealth.findMany({
      // One that sleeps is not sampled, and what it was before says nothing.
      where: { instance: { endedAt: null, phase: { in: phasesThat(isAwake) } } },
      orderBy: { instanceName: 'asc' },
      include: { instance: { select: { phase: true } } },
    });
    const sampled = judged.flatMap(({ instanceName, lastSampleAt }) =>
      lastSampleAt === null || now.getTime() - lastSampleAt.getTime() > FRESH_MS
        ? []
        : [{ instanceName, at: lastSampleAt }],
    );
    const readings =
      sampled.length === 0 ? [] : await db.healthSample.findMany({ where: { OR: sampled, missing: false } });
    const poolOf = new Map(judged.map(({ instanceName, pool }) => [instanceName, pool]));
    return [
      ...judged.flatMap(({ pool, instanceName: instance, level, quarantinedAt, lastSampleAt, instance: { phase } }) => [
        sample('gpu_health', { pool, instance, level }, 1),
        sample('gpu_quarantined', { pool, instance }, quarantinedAt === null ? 0 : 1),
        ...sampleIf(
          'gpu_sampled_timestamp_seconds',
          { pool, instance },
          lastSampleAt === null || !isSampled(phase, quarantinedAt) ? null : timestamp(lastSampleAt),
        ),
      ]),
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
  },
};
