/** What tests of pools put into their database: decks with their analyses and calls, a pool, its instances. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { poolConfigSchema } from '../../../domain/fleet/pool-config.ts';
import { RENDER_KEY } from '../../../domain/render-key.ts';
import type { Analysis, Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { closeDatabase, createDatabase } from '../../../platform/db.ts';
import type { PoolSetup } from '../../../workflows/pool/contract.ts';
import { startTestPostgres, type TestPostgres } from '../../support/database.ts';

export const TENANT = 'default';
/** When every look is. */
export const NOW = new Date(Date.UTC(2026, 10, 21, 12));
export const ago = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1000);

/** Gives every test of a file a database of its own, from before its first `beforeEach`. */
export function databasePerTest(use: (db: PrismaClient, url: string) => void): void {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startTestPostgres();
  });
  afterAll(() => postgres.stop());
  beforeEach(async () => {
    const url = await postgres.migratedDatabase();
    const db = createDatabase(url, { poolSize: 4 });
    use(db, url);
    return () => closeDatabase(db);
  });
}

/** A deck with so many pages, of which `rendered` are drawn. */
export async function deckWith(db: PrismaClient, pageCount: number, rendered = 0): Promise<string> {
  const id = randomUUID();
  await db.deck.create({
    data: { id, tenantId: TENANT, sha256: id, fileName: 'deck.pdf', sizeBytes: 1, pageCount, hazards: [] },
  });
  await db.slide.createMany({
    data: Array.from({ length: rendered }, (_, index) => ({
      id: randomUUID(),
      tenantId: TENANT,
      deckId: id,
      number: index + 1,
      renderKey: RENDER_KEY,
      text: `Slide ${index + 1}`,
      modelBlobKey: `blob-${index}`,
      modelSha256: `sha-${index}`,
    })),
  });
  return id;
}

/** A running analysis of a deck, changed where a test says so. */
export async function analysisOf(
  db: PrismaClient,
  deckId: string,
  values: Partial<Prisma.AnalysisUncheckedCreateInput> = {},
): Promise<Analysis> {
  const id = randomUUID();
  return db.analysis.create({
    data: {
      id,
      tenantId: TENANT,
      deckId,
      language: 'en',
      modelProfile: 'reader',
      workflowId: `analysis/${id}`,
      status: 'running',
      stage: 'slides',
      ...values,
    },
  });
}

/** Calls of an analysis as planned, changed where a test says so. */
export async function callsOf(
  db: PrismaClient,
  { id }: Analysis,
  count: number,
  values: Partial<Prisma.ModelCallCreateManyInput> = {},
): Promise<void> {
  await db.modelCall.createMany({
    data: Array.from({ length: count }, (_, index) => ({
      id: randomUUID(),
      tenantId: TENANT,
      analysisId: id,
      contentKey: randomUUID(),
      task: 'describe_slide',
      gpuClass: 'gpu-visual',
      priority: 3,
      expectedSeconds: 15,
      slideNumber: index + 1,
      createdAt: ago(60),
      ...values,
    })),
  });
}

/** An instance of the pool, ready unless a test says otherwise. */
export async function instanceOf(
  db: PrismaClient,
  name: string,
  values: Partial<Prisma.FleetInstanceUncheckedCreateInput> = {},
): Promise<void> {
  await db.fleetInstance.create({
    data: {
      name,
      pool: 'visual',
      provider: 'datacrunch',
      phase: 'ready',
      phaseSince: ago(100),
      reason: 'r',
      ...values,
    },
  });
}

/** What the gateway of an instance says. */
export const servingOf = (
  db: PrismaClient,
  instanceName: string,
  values: Partial<Prisma.InstanceServingUncheckedCreateInput> = {},
) =>
  db.instanceServing.create({
    data: {
      instanceName,
      gateway: 'g',
      attachment: 1,
      state: 'serving',
      slots: 2,
      models: ['m'],
      startedAt: ago(90),
      seenAt: ago(1),
      ...values,
    },
  });

/** A pool for slides. */
export const visualPool: PoolSetup = {
  config: poolConfigSchema.parse({ name: 'visual', classes: ['gpu-visual'], max: 3 }),
  provider: 'datacrunch',
  installationId: 'test1',
  capabilities: {
    billing: { quantumSec: 1, refundsUnused: false },
    volumeUsdPerGibMonth: 0,
    visibilityWindowMs: 0,
    billsStopped: false,
    volumePinsLocation: false,
    deletesWhileProvisioning: false,
    suspendStrategies: [],
    expectedBootMs: 0,
  },
  slots: 4,
  staticHosts: [],
};
