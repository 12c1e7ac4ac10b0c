/** Stores the health of an instance: samples, which expire; changes, which are kept; and the row with the current health. */
import { count } from '../../platform/process-metrics.ts';
import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import { plainText } from '../../domain/text/plain-text.ts';
import type { GpuReading, HealthMeasurement } from '../../domain/health/types.ts';
import type { StoredSample, StoreHealthInput } from './contract.ts';

/** Stores one measurement completely or not at all. Idempotent, because rows are keyed by time. */
export async function storeHealth(
  db: PrismaClient,
  input: StoreHealthInput,
): Promise<{ readonly gatewaySeenAtMs: number | null }> {
  const { instance, sample, changes, pool } = input;
  const rows = sample === null ? [] : sampleRows(instance, input.health.level, sample);
  const xids = await newXids(db, rows);
  const written = await db.$transaction(async (tx) => {
    const row = standingColumns(input);
    await tx.instanceHealth.upsert({
      where: { instanceName: instance },
      create: { instanceName: instance, ...row },
      update: row,
    });
    const samples = await tx.healthSample.createMany({ data: rows, skipDuplicates: true });
    await tx.healthTransition.createMany({
      data: changes.map((change, index) => ({
        id: `${instance}/${change.atMs}/${change.action}/${index}`,
        instanceName: instance,
        pool,
        at: new Date(change.atMs),
        fromLevel: change.from,
        toLevel: change.to,
        failure: change.failure,
        reason: words(change.reason),
        action: change.action,
      })),
      skipDuplicates: true,
    });
    return samples.count;
  });
  if (written > 0) for (const xid of xids) count('gpu_xid_total', { xid: String(xid) });
  const serving = await db.instanceServing.findUnique({ where: { instanceName: instance }, select: { seenAt: true } });
  return { gatewaySeenAtMs: serving?.seenAt.getTime() ?? null };
}

/** XID errors that the sample before did not name: a sample names all since the machine booted. */
async function newXids(db: PrismaClient, rows: readonly SampleRow[]): Promise<number[]> {
  const found: number[] = [];
  for (const { instanceName, gpuIndex, at, xids } of rows) {
    const seen = Array.isArray(xids) ? xids : [];
    if (seen.length === 0) continue;
    const before = await db.healthSample.findFirst({
      where: { instanceName, gpuIndex, at: { lt: at }, missing: false },
      orderBy: { at: 'desc' },
      select: { xids: true },
    });
    found.push(...seen.filter((xid) => before?.xids.includes(xid) !== true));
  }
  return found;
}

/** Reasons and messages quote output of machines, which may have characters that Postgres does not store. */
const words = (text: string): string => plainText(text, REASON_CHARS);
const REASON_CHARS = 1000;

const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

function standingColumns({ pool, health, atMs }: StoreHealthInput) {
  const { level, failure, reason, sinceMs, probeMs, baselineProbeMs } = health;
  return {
    pool,
    level,
    since: new Date(sinceMs),
    reason: words(reason),
    failure,
    lastSampleAt: dateOf(health.lastSampleAtMs),
    lastProbeAt: dateOf(health.lastProbeAtMs),
    probeMs: probeMs === null ? null : Math.round(probeMs),
    baselineProbeMs: baselineProbeMs === null ? null : Math.round(baselineProbeMs),
    quarantinedAt: dateOf(health.quarantinedSinceMs),
    updatedAt: new Date(atMs),
  };
}

type SampleRow = Prisma.HealthSampleCreateManyInput;

/** One row for each GPU; one row without GPU figures where no GPU was seen or the machine did not answer. */
function sampleRows(instanceName: string, level: string, sample: StoredSample): SampleRow[] {
  const common = { instanceName, at: new Date(sample.atMs), level };
  const id = (gpuIndex: number): string => `${instanceName}/${sample.atMs}/${gpuIndex}`;
  if (sample.kind === 'missing') {
    return [{ ...common, id: id(0), gpuIndex: 0, missing: true, message: words(sample.message) }];
  }
  const { measurement, probeMs } = sample;
  const machine = { ...common, ...machineColumns(measurement), probeMs: probeMs === null ? null : Math.round(probeMs) };
  const gpus = measurement.gpus ?? [];
  if (gpus.length === 0) return [{ ...machine, id: id(0), gpuIndex: 0, message: measurement.gpuMessage }];
  return gpus.map((gpu) => ({ ...machine, id: id(gpu.index), gpuIndex: gpu.index, ...gpuColumns(gpu) }));
}

const bytes = (value: number | null): bigint | null => (value === null ? null : BigInt(Math.round(value)));

function machineColumns({ models, diskFreeBytes, diskTotalBytes }: HealthMeasurement) {
  return {
    modelBytes: bytes(models.reduce((sum, model) => sum + model.sizeBytes, 0)),
    // Not known of a server that does not say where its models are.
    modelVramBytes: bytes(
      models.reduce<number | null>(
        (sum, { vramBytes }) => (sum === null || vramBytes === null ? null : sum + vramBytes),
        0,
      ),
    ),
    diskFreeBytes: bytes(diskFreeBytes),
    diskTotalBytes: bytes(diskTotalBytes),
  };
}

const gpuColumns = (gpu: GpuReading) => ({
  utilRatio: gpu.utilRatio,
  memoryUsedBytes: bytes(gpu.memoryUsedBytes),
  memoryTotalBytes: bytes(gpu.memoryTotalBytes),
  temperatureC: gpu.temperatureC,
  slowdownMarginC: gpu.slowdownMarginC,
  throttleReasons: [...gpu.throttleReasons],
  xids: [...gpu.xids],
  eccUncorrected: bytes(gpu.eccUncorrected),
  rowRemapPending: gpu.rowRemapPending,
  rowRemapFailed: gpu.rowRemapFailed,
});

const DAY_MS = 24 * 3_600_000;

/** Removes samples that are older than so many days. */
export async function removeOldSamples(db: PrismaClient, retentionDays: number, now: Date = new Date()): Promise<void> {
  await db.healthSample.deleteMany({ where: { at: { lt: new Date(now.getTime() - retentionDays * DAY_MS) } } });
}
