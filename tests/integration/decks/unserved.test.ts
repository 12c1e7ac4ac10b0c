/** Decks that nothing can serve: which are marked, which lose the mark, and which are told to end. */
import type { Client } from '@temporalio/client';
import { expect } from 'vitest';
import { endUnserved } from '../../../activities/decks/unserved.ts';
import { UNSERVED_SIGNAL } from '../../../contracts/decks.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { itWithFreshDatabase as it } from '../../../testing/database.ts';
import { ago, anAnalysis, anInstance, aPool, aServing, modelCalls, NOW } from '../../../testing/make.ts';

const LIMIT_MS = 3_600_000;

/** A client that notes which workflows get which signal. */
function recorder(): { readonly client: Client; readonly signals: [string, string, unknown][] } {
  const signals: [string, string, unknown][] = [];
  const getHandle = (id: string) => ({
    signal: (name: string, payload: unknown) => {
      signals.push([id, name, payload]);
      return Promise.resolve();
    },
  });
  const withDeadline = (_: unknown, ask: () => Promise<unknown>) => ask();
  return { client: { workflow: { getHandle }, withDeadline } as unknown as Client, signals };
}

async function marks(db: PrismaClient): Promise<boolean[]> {
  const rows = await db.analysis.findMany({ orderBy: { createdAt: 'asc' } });
  return rows.map(({ unservedSince }) => unservedSince !== null);
}

it('a deck whose calls nothing serves is marked, and told to end after the time', async ({ db }) => {
  await aPool(db, { provider: 'static', classes: ['gpu-visual', 'gpu-text'] });
  await db.modelConfiguration.updateMany({ data: { pinnedDigest: 'd'.repeat(64) } });
  const run = await anAnalysis(db);
  await modelCalls(db, run, 2);
  const { client, signals } = recorder();
  await endUnserved(db, client, LIMIT_MS, ago(3599));
  expect(await marks(db)).toEqual([true]);
  await endUnserved(db, client, LIMIT_MS, ago(1));
  expect(signals).toEqual([]);
  await endUnserved(db, client, LIMIT_MS, new Date(NOW.getTime() + 1000));
  expect(signals).toEqual([[run.workflowId, UNSERVED_SIGNAL, { sinceMs: ago(3599).getTime() }]]);
});

it('the mark goes when a server serves again, and the time begins anew', async ({ db }) => {
  await aPool(db, { name: 'visual', provider: 'static', classes: ['gpu-visual', 'gpu-text'] });
  await anInstance(db, { pool: 'visual', provider: 'static' });
  await modelCalls(db, await anAnalysis(db, { unservedSince: ago(9000) }), 1);
  await aServing(db, { state: 'serving', seenAt: NOW });
  const { client, signals } = recorder();
  await endUnserved(db, client, LIMIT_MS, NOW);
  expect(await marks(db)).toEqual([false]);
  expect(signals).toEqual([]);
});

it('a report of a gateway that has gone serves nothing', async ({ db }) => {
  await aPool(db, { name: 'visual', provider: 'static', classes: ['gpu-visual', 'gpu-text'] });
  await anInstance(db, { pool: 'visual', provider: 'static' });
  await modelCalls(db, await anAnalysis(db), 1);
  await aServing(db, { state: 'serving', seenAt: ago(600) });
  await endUnserved(db, recorder().client, LIMIT_MS, NOW);
  expect(await marks(db)).toEqual([true]);
});

it('a machine that can be rented has no limit; one for other queues or classes does not help', async ({ db }) => {
  const next = { nextLookAt: NOW };
  await aPool(db, { name: 'rented', provider: 'datacrunch', classes: ['gpu-visual'], max: 1, ...next });
  await aPool(db, { name: 'own', provider: 'datacrunch', classes: ['gpu-text'], max: 1, ownQueues: true, ...next });
  const visual = await anAnalysis(db, { createdAt: ago(30) });
  const text = await anAnalysis(db, { createdAt: ago(20) });
  const ownText = await anAnalysis(db, { createdAt: ago(10), poolName: 'own' });
  await db.modelConfiguration.updateMany({ data: { pinnedDigest: 'd'.repeat(64) } });
  await modelCalls(db, visual, 1);
  await modelCalls(db, text, 1, { gpuClass: 'gpu-text' });
  await modelCalls(db, ownText, 1, { gpuClass: 'gpu-text' });
  await endUnserved(db, recorder().client, LIMIT_MS, NOW);
  expect(await marks(db)).toEqual([false, true, false]);
});

it('a deck in line behind one that nothing serves is marked too; a paused or finished one is not', async ({ db }) => {
  await aPool(db, { provider: 'static', classes: ['gpu-visual', 'gpu-text'] });
  await db.modelConfiguration.updateMany({ data: { pinnedDigest: 'd'.repeat(64) } });
  const held = await anAnalysis(db, { createdAt: ago(30) });
  await db.analysisShare.create({ data: { analysisId: held.id, tenantId: held.tenantId } });
  await modelCalls(db, await anAnalysis(db, { createdAt: ago(20), pausedAt: NOW }), 1);
  await anAnalysis(db, { createdAt: ago(10), status: 'completed' });
  await endUnserved(db, recorder().client, LIMIT_MS, NOW);
  expect(await marks(db)).toEqual([true, false, false]);
});
