/** What tests of pools share: a database per test, and a pool. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { poolConfigSchema } from '../../../domain/fleet/pool-config.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { closeDatabase, createDatabase } from '../../../platform/db.ts';
import type { PoolSetup } from '../../../workflows/pool/contract.ts';
import { startTestPostgres, type TestPostgres } from '../../support/database.ts';

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
