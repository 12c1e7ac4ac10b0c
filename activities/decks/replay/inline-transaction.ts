/**
 * A client that works inside a transaction that runs already: what begins a transaction of its own joins it. So planning, which is written for
 * a database, can be tried and rolled back.
 */
import type { Prisma, PrismaClient } from '../../../generated/prisma/client.ts';

/** The transaction as a client. */
export function inlineTransaction(tx: Prisma.TransactionClient): PrismaClient {
  const joined = async (work: unknown): Promise<unknown> => {
    if (typeof work === 'function') return (work as (tx: PrismaClient) => Promise<unknown>)(client);
    const results: unknown[] = [];
    for (const query of work as readonly Promise<unknown>[]) results.push(await query);
    return results;
  };
  const client: PrismaClient = new Proxy(tx as PrismaClient, {
    get: (target, key) => (key === '$transaction' ? joined : (Reflect.get(target, key, target) as unknown)),
  });
  return client;
}
