/** A namespace, or a namespace and a database, for a test file, on the servers that all files share. */
import { randomBytes } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { inject } from 'vitest';
import { applyTemporalSettings } from '../runtime/temporal-settings.ts';
import { databaseMaker } from './postgres-server.ts';
import type { SharedServers } from './shared-servers.ts';

const RETENTION_MS = 30 * 24 * 60 * 60 * 1_000;

/** Where a test file finds its Temporal. */
export interface TestNamespace {
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
}

/** Makes a namespace with Deckhand's settings, in about 50 ms. It goes with the server. */
export async function makeTestNamespace(
  { temporalAddress }: Pick<SharedServers, 'temporalAddress'> = inject('servers'),
): Promise<TestNamespace> {
  const temporalNamespace = `test-${randomBytes(6).toString('hex')}`;
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    await connection.workflowService.registerNamespace({
      namespace: temporalNamespace,
      workflowExecutionRetentionPeriod: msToTs(RETENTION_MS),
    });
  } finally {
    await connection.close();
  }
  await applyTemporalSettings(temporalAddress, temporalNamespace);
  return { temporalAddress, temporalNamespace };
}

/** Servers for a runtime that starts none of its own. */
export interface RuntimeServers {
  /** The settings by which a runtime finds them. */
  readonly environment: Readonly<Record<'DATABASE_URL' | 'TEMPORAL_ADDRESS' | 'TEMPORAL_NAMESPACE', string>>;
  /** Removes the database. Call it when the runtime has ended. */
  release(): Promise<void>;
}

/** A migrated database and a namespace for the runtime of a test file. */
export async function sharedServers(servers: SharedServers = inject('servers')): Promise<RuntimeServers> {
  const postgres = databaseMaker(servers.postgresUrl, servers.postgresSuperuserUrl);
  const [databaseUrl, { temporalAddress, temporalNamespace }] = await Promise.all([
    postgres.migratedDatabase(),
    makeTestNamespace(servers),
  ]);
  return {
    environment: {
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: temporalAddress,
      TEMPORAL_NAMESPACE: temporalNamespace,
    },
    release: () => postgres.dropDatabases(),
  };
}
