/**
 * The database client: Prisma over node-postgres, with limits that keep a slow query from holding everything else.
 */
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../generated/prisma/client.ts';

export interface DatabaseOptions {
  /** Shown by pg_stat_activity. */
  readonly applicationName?: string;
  /** Connections of this process at most. */
  readonly poolSize?: number;
}

const DEFAULT_POOL_SIZE = 8;
const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 60_000;
const TRANSACTION_TIMEOUT_MS = 30_000;
/** Ends sessions that hold locks and ask nothing, such as those of a process that hangs. Above the limit of a transaction. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;
/** How long a transaction may wait for a connection. */
const TRANSACTION_WAIT_MS = 20_000;

/** Opens a client; it connects on first use and reconnects by itself. Close it with {@link closeDatabase}. */
export function createDatabase(databaseUrl: string, options: DatabaseOptions = {}): PrismaClient {
  const adapter = new PrismaPg({
    connectionString: databaseUrl,
    max: options.poolSize ?? DEFAULT_POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    application_name: options.applicationName ?? 'deckhand',
  });
  return new PrismaClient({
    adapter,
    transactionOptions: { maxWait: TRANSACTION_WAIT_MS, timeout: TRANSACTION_TIMEOUT_MS },
  });
}

/** Closes all connections of a client. */
export async function closeDatabase(db: PrismaClient): Promise<void> {
  await db.$disconnect();
}
