/** Stores the findings about models and the speeds of machines. */
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { type ModelFindings, modelFindingsSchema } from '../../../domain/models/probes/findings.ts';
import type { MeasuredSpeed } from '../../../domain/models/speed.ts';

/** A model on a version of a model server. */
export interface ProbedVersion {
  readonly digest: string;
  readonly serverVersion: string;
}

/** The findings; null = there are none, or none that this version of Deckhand reads. */
export async function loadFindings(
  db: PrismaClient,
  { digest, serverVersion }: ProbedVersion,
): Promise<ModelFindings | null> {
  const row = await db.modelProbe.findUnique({ where: { digest_serverVersion: { digest, serverVersion } } });
  const findings = modelFindingsSchema.safeParse(row?.findings);
  return findings.success ? findings.data : null;
}

/** Stores findings; a window that differs from the one that was known counts from now on. */
export async function storeFindings(
  db: PrismaClient,
  { digest, serverVersion, modelName }: ProbedVersion & { readonly modelName: string },
  findings: ModelFindings,
): Promise<void> {
  const where = { digest_serverVersion: { digest, serverVersion } };
  const before = await db.modelProbe.findUnique({ where, select: { windowTokens: true, windowSince: true } });
  const { windowTokens } = findings;
  const now = new Date();
  const windowSince = before?.windowTokens === windowTokens ? before.windowSince : now;
  const data = { modelName, findings, windowTokens, windowSince, checkedAt: now };
  await db.modelProbe.upsert({ where, create: { digest, serverVersion, ...data }, update: data });
}

/**
 * Windows that servers gave to models, tokens by digest, as they were known at a time; a digest is missing where nothing was known. A later
 * window does not count, so that all processes read the same window for one analysis.
 */
export async function servedWindows(
  db: PrismaClient,
  models: readonly { readonly digest: string; readonly knownAt: Date }[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.modelProbe.findMany({
    where: { digest: { in: models.map(({ digest }) => digest) } },
    select: { digest: true, windowTokens: true, windowSince: true },
    orderBy: { windowSince: 'asc' },
  });
  const windows = new Map<string, number>();
  for (const { digest, windowTokens, windowSince } of rows) {
    const isKnown = models.some((model) => model.digest === digest && windowSince <= model.knownAt);
    if (isKnown && windowTokens !== null) windows.set(digest, windowTokens);
  }
  return windows;
}

/** A model on a machine. */
export interface MachineModel {
  readonly instance: string;
  readonly digest: string;
}

/** The speed that was measured last, and when; null = none was. */
export async function loadSpeed(
  db: PrismaClient,
  { instance, digest }: MachineModel,
): Promise<{ readonly speed: MeasuredSpeed; readonly measuredAt: Date } | null> {
  const where = { instanceName_digest: { instanceName: instance, digest } };
  const row = await db.machineSpeed.findUnique({ where });
  return row === null ? null : { speed: speedOfRow(row), measuredAt: row.measuredAt };
}

/** Speeds as they stand in a row. */
export function speedOfRow(row: {
  readonly readTokensPerSec: number;
  readonly writeTokensPerSec: number;
  readonly readFullTokensPerSec: number | null;
  readonly writeFullTokensPerSec: number | null;
  readonly slots: number | null;
}): MeasuredSpeed {
  const { readTokensPerSec, writeTokensPerSec, readFullTokensPerSec: read, writeFullTokensPerSec: write, slots } = row;
  const full = read === null || write === null ? null : { readTokensPerSec: read, writeTokensPerSec: write };
  return { alone: { readTokensPerSec, writeTokensPerSec }, full, slots };
}

/** Machines that are in use are measured more often; the others are gone. */
const SPEED_KEPT_MS = 30 * 86_400_000;

/** Stores a measurement in place of the one before, and removes those of machines that are gone. */
export async function storeSpeed(
  db: PrismaClient,
  { instance: instanceName, digest, modelName }: MachineModel & { readonly modelName: string },
  { alone, full, slots }: MeasuredSpeed,
): Promise<void> {
  const data = {
    modelName,
    ...alone,
    readFullTokensPerSec: full?.readTokensPerSec ?? null,
    writeFullTokensPerSec: full?.writeTokensPerSec ?? null,
    slots,
    measuredAt: new Date(),
  };
  await db.machineSpeed.upsert({
    where: { instanceName_digest: { instanceName, digest } },
    create: { instanceName, digest, ...data },
    update: { ...data, samples: { increment: 1 } },
  });
  await db.machineSpeed.deleteMany({ where: { measuredAt: { lt: new Date(Date.now() - SPEED_KEPT_MS) } } });
}
