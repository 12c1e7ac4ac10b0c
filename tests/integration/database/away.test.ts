/** Which errors of a query mean that the database does not answer: raw queries, queries of models and transactions each have their own. */
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { closeDatabase, createDatabase, isDatabaseAway } from '../../../platform/db.ts';
import { itWithDatabase } from '../../../testing/database.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';

type Query = (db: PrismaClient) => Promise<unknown>;
const QUERIES: readonly (readonly [name: string, query: Query])[] = [
  ['a raw query', (db) => db.$queryRaw`SELECT 1`],
  ['a raw statement', (db) => db.$executeRaw`SELECT 1`],
  ['a query of a model', (db) => db.deck.count()],
  ['a transaction', (db) => db.$transaction((transaction) => transaction.deck.count())],
  ['a list of queries', (db) => db.$transaction([db.deck.count()])],
];

/** What the other end does with a connection. */
const FAULTS: readonly (readonly [name: string, fault: (socket: Socket) => void])[] = [
  ['closes', (socket) => socket.destroy()],
  ['resets', (socket) => socket.resetAndDestroy()],
];

/** What this query throws at this port, null when nothing. */
async function errorOf(port: number, query: Query): Promise<unknown> {
  const db = createDatabase(`postgresql://user:password@127.0.0.1:${port}/none`);
  onTestFinished(() => closeDatabase(db));
  return query(db).then(
    () => null,
    (error: unknown) => error,
  );
}

/** The port of a server that does this with its connections. */
async function listen(onConnection: (socket: Socket) => void) {
  const server = createServer(onConnection);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port: (server.address() as AddressInfo).port, close };
}

it.for(QUERIES)('%s at a port where nothing listens is an absent database', async ([, query]) => {
  const { port, close } = await listen(() => undefined);
  await close();
  expect(await errorOf(port, query)).toSatisfy(isDatabaseAway);
});

it.for(QUERIES.flatMap(([name, query]) => FAULTS.map(([verb, fault]) => [name, verb, query, fault] as const)))(
  '%s where the server %s each connection is an absent database',
  async ([, , query, fault]) => {
    const { port, close } = await listen(fault);
    onTestFinished(close);
    expect(await errorOf(port, query)).toSatisfy(isDatabaseAway);
  },
);

// These depend on the instant at which the server ends, so they are given as node-postgres and the socket word them.
it.for([
  'Client was closed and is not queryable',
  'Client has encountered a connection error and is not queryable',
  'write EPIPE',
])('the error "%s" is an absent database', (message) => {
  expect(isDatabaseAway(new Error(message))).toBe(true);
});

itWithDatabase('an error in a query is not an absent database', async ({ db }) => {
  const refused = await db.$queryRawUnsafe('SELECT nothing').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Error);
  expect(isDatabaseAway(refused)).toBe(false);
});
