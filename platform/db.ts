/** The database client: Prisma over node-postgres, with limits so that a slow query does not block everything else. */
import { PrismaPg } from '@prisma/adapter-pg';
import { z } from 'zod';
import { Prisma, PrismaClient } from '../generated/prisma/client.ts';

/** A client inside a transaction. */
export type Transaction = Prisma.TransactionClient;

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
/** Ends idle sessions that hold locks, such as those of a process that hangs. Longer than the limit of a transaction. */
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

/** Prisma's codes for a server that cannot be reached, closes the connection, connects too slowly, or has no connection left. */
const AWAY_CODES: ReadonlySet<string> = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2037']);
/** SQLSTATE of broken connections, of no connection left, and of a server that shuts down, has crashed or starts. */
const AWAY_SQLSTATE = /^(?:08...|53300|57P0[123])$/;
/** What Prisma's adapter calls a socket that cannot connect, is closed or is silent. Raw queries have no code of their own for it. */
const AWAY_KINDS: ReadonlySet<string> = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout']);
/** Messages of errors that the socket, node-postgres and its pool throw and the adapter does not convert. */
const AWAY_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client (?:was closed|has encountered a connection error) and is not queryable|write EPIPE)/;
/** A transaction that got no connection in time. */
const AWAY_TRANSACTION = /Unable to start a transaction in the given time/;
const driverMeta = z.object({
  driverAdapterError: z.object({ cause: z.object({ kind: z.string(), originalCode: z.string().optional() }) }),
});

/** True if a query failed because the database does not answer, not because of its answer. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientKnownRequestError) {
    if (AWAY_CODES.has(error.code) || AWAY_TRANSACTION.test(error.message)) return true;
    const meta = driverMeta.safeParse(error.meta);
    if (!meta.success) return false;
    const { kind, originalCode = '' } = meta.data.driverAdapterError.cause;
    return AWAY_KINDS.has(kind) || AWAY_SQLSTATE.test(originalCode);
  }
  return error instanceof Error && error.constructor === Error && AWAY_MESSAGES.test(error.message);
}

/** Prisma's codes for a value that is too long, out of range or of no valid form. */
const REFUSED_CODES: ReadonlySet<string> = new Set(['P2000', 'P2006', 'P2007', 'P2020', 'P2033']);
/** SQLSTATE of values that a column cannot hold, such as text with NUL. */
const REFUSED_SQLSTATE = /^22/;

/** True if the database will never take the values of a query: repeating it does not help. */
export function isDatabaseRefusal(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientValidationError) return true;
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return false;
  const meta = driverMeta.safeParse(error.meta);
  return (
    REFUSED_CODES.has(error.code) ||
    (meta.success && REFUSED_SQLSTATE.test(meta.data.driverAdapterError.cause.originalCode ?? ''))
  );
}

/** True for whatever a query threw: its words are about tables and columns, and are no business of a user. */
export const isDatabaseError = (error: unknown): boolean =>
  error instanceof Error && error.name.startsWith('PrismaClient');
