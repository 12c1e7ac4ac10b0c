/** The demand of a pool, as Postgres holds it; and that looking stays cheap when there is much to see. */
import { describe, expect } from 'vitest';
import { NO_LIMITS } from '../../../activities/costs/budget/work-limits.ts';
import { hasWorkFor, readDemand, wantingAnalyses } from '../../../activities/fleet/pool/demand.ts';
import { writeStanding } from '../../../activities/decks/steering.ts';
import { GPU_CLASSES, type GpuClass } from '../../../domain/models/model-tasks.ts';
import type { Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { closeDatabase, createDatabase } from '../../../platform/db.ts';
import { itWithFreshDatabase as it, query } from '../../../testing/database.ts';
import { until } from '../../../testing/until.ts';
import { aDeck, ago, anAnalysis, callAttemptRow, modelCalls, NOW, TENANT } from '../../../testing/make.ts';

const demandFor = (db: PrismaClient, ...classes: GpuClass[]) => readDemand(db, classes, NOW);

describe('demand', () => {
  it('demand is the open calls of the classes, in number, seconds, age and urgency', async ({ db }) => {
    const analysis = await anAnalysis(db, { deck: { pageCount: 10 } });
    await modelCalls(db, analysis, 3);
    await modelCalls(db, analysis, 1, { priority: 1, createdAt: ago(90) });
    await modelCalls(db, analysis, 2, { task: 'answer_question', gpuClass: 'gpu-text', expectedSeconds: 12 });
    await modelCalls(db, analysis, 5, { state: 'stored' });
    await modelCalls(db, analysis, 5, { state: 'failed' });
    expect(await demandFor(db, 'gpu-visual')).toEqual({
      openCalls: 4,
      openSeconds: 60,
      comingSeconds: 0,
      byClass: [{ gpuClass: 'gpu-visual', openCalls: 4, openSeconds: 60 }],
      oldestAgeMs: 90_000,
      criticalCalls: 1,
    });
    expect(await demandFor(db, ...GPU_CLASSES)).toMatchObject({ openCalls: 6, openSeconds: 84 });
    expect(await hasWorkFor(db, ['gpu-text'], NOW)).toBe(true);
  });

  it('calls of a deck whose deadline is near are critical', async ({ db }) => {
    const near = await anAnalysis(db, { deadlineAt: ago(-60 * 29) });
    const far = await anAnalysis(db, { deadlineAt: ago(-60 * 31) });
    await modelCalls(db, near, 2);
    await modelCalls(db, far, 3);
    expect(await demandFor(db, 'gpu-visual')).toMatchObject({ openCalls: 5, criticalCalls: 2 });
  });

  it('demand of a pool with queues of its own is what waits in them, and no other pool counts it', async ({ db }) => {
    await modelCalls(db, await anAnalysis(db, { announcedPages: 9 }), 3);
    const candidate = await anAnalysis(db, { poolName: 'green', announcedPages: 20 });
    await modelCalls(db, candidate, 5);
    const read = (queuesOf: string | null) => readDemand(db, ['gpu-visual'], NOW, undefined, queuesOf);
    expect(await read(null)).toMatchObject({ openCalls: 3, comingSeconds: 6 * 23 });
    expect(await read('green')).toMatchObject({ openCalls: 5, comingSeconds: 15 * 23 });
    expect(await read('red')).toMatchObject({ openCalls: 0, comingSeconds: 0 });
    const ids = [candidate.id];
    expect(await wantingAnalyses(db, ids, NO_LIMITS)).toEqual([]);
    expect(await wantingAnalyses(db, ids, NO_LIMITS, 'green')).toEqual(ids);
  });

  it('demand of a cancelled deck is none, also where its calls linger', async ({ db }) => {
    const analysis = await anAnalysis(db, { deck: { pageCount: 30 }, status: 'cancelled', announcedPages: 30 });
    await modelCalls(db, analysis, 30);
    expect(await demandFor(db, 'gpu-visual')).toMatchObject({ openCalls: 0, comingSeconds: 0, oldestAgeMs: null });
    expect(await hasWorkFor(db, ['gpu-visual'], NOW)).toBe(false);
  });

  it('demand of a paused deck is none, neither its calls nor its pages, until it goes on', async ({ db }) => {
    const analysis = await anAnalysis(db, { deck: { pageCount: 30 }, status: 'running', announcedPages: 30 });
    await modelCalls(db, analysis, 10, { createdAt: ago(9000) });
    const hold = (paused: boolean) => writeStanding(db, { analysisId: analysis.id, paused, priority: 2 });
    expect([...(await hold(true))]).toEqual(['gpu-visual']);
    expect(await demandFor(db, ...GPU_CLASSES)).toMatchObject({ openCalls: 0, comingSeconds: 0, oldestAgeMs: null });
    expect(await hasWorkFor(db, ['gpu-visual'], NOW)).toBe(false);
    const since = (await db.analysis.findUniqueOrThrow({ where: { id: analysis.id } })).pausedAt;
    await hold(true);
    expect((await db.analysis.findUniqueOrThrow({ where: { id: analysis.id } })).pausedAt).toEqual(since);

    const resumedAt = new Date();
    await hold(false);
    expect(await demandFor(db, 'gpu-visual')).toMatchObject({ openCalls: 10, comingSeconds: 20 * 23 });
    // The hours for which it was held are no wait that a pool hurries for: its calls count from now.
    const { _min: oldest } = await db.modelCall.aggregate({ _min: { createdAt: true } });
    expect(oldest.createdAt?.getTime()).toBeGreaterThanOrEqual(resumedAt.getTime());
    expect(await db.modelCall.count({ where: { analysisId: analysis.id, priority: 2 } })).toBe(10);
  });

  it('demand of a paused deck that was over meanwhile stays none, and its row is left alone', async ({ db }) => {
    const analysis = await anAnalysis(db, { deck: { pageCount: 5 }, status: 'completed' });
    await writeStanding(db, { analysisId: analysis.id, paused: true, priority: 1 });
    expect(await db.analysis.findUniqueOrThrow({ where: { id: analysis.id } })).toMatchObject({
      pausedAt: null,
      priority: analysis.priority,
    });
  });

  it('demand grows by announced pages until they are planned, and ends with the slides', async ({ db }) => {
    const analysis = await anAnalysis(db, { deck: { pageCount: 10 }, announcedPages: 10 });
    expect(await demandFor(db, 'gpu-visual')).toMatchObject({ openCalls: 0, comingSeconds: 10 * 23 });
    await modelCalls(db, analysis, 4);
    expect(await demandFor(db, 'gpu-visual')).toMatchObject({ openCalls: 4, comingSeconds: 6 * 23 });
    // Pages that were known already were not announced.
    await modelCalls(db, analysis, 3, { state: 'stored', cached: true });
    expect(await demandFor(db, 'gpu-visual')).toMatchObject({ comingSeconds: 6 * 23 });
    await db.analysis.update({ where: { id: analysis.id }, data: { stage: 'extraction' } });
    expect(await demandFor(db, 'gpu-visual')).toMatchObject({ comingSeconds: 0 });
  });

  it('demand for text is foreseen when pages are announced, until text calls are planned', async ({ db }) => {
    await seen(db);
    const analysis = await anAnalysis(db, { deck: { pageCount: 10 }, announcedPages: 10 });
    expect(await demandFor(db, 'gpu-text')).toMatchObject({ openCalls: 0, comingSeconds: 44 });
    await modelCalls(db, analysis, 10, { state: 'stored' });
    await db.analysis.update({ where: { id: analysis.id }, data: { stage: 'extraction' } });
    await modelCalls(db, analysis, 2, { task: 'condense_slide', gpuClass: 'gpu-text', state: 'stored' });
    expect(await demandFor(db, 'gpu-text')).toMatchObject({ openCalls: 0, comingSeconds: 44 });
    await modelCalls(db, analysis, 1, { task: 'extract_offering', gpuClass: 'gpu-text', expectedSeconds: 6 });
    expect(await demandFor(db, 'gpu-text')).toMatchObject({ openCalls: 1, comingSeconds: 0 });
  });

  it('demand for text is none of visual tasks alone, of known slides, of a paused and of a finished deck', async ({
    db,
  }) => {
    await seen(db);
    const { id: deckId } = await aDeck(db, { pageCount: 10 });
    await anAnalysis(db, { deckId, announcedPages: 10, taskType: 'visual_analysis' });
    await anAnalysis(db, { deckId, announcedPages: 0 });
    await anAnalysis(db, { deckId, announcedPages: 0, stage: 'extraction' });
    await anAnalysis(db, { deckId, announcedPages: 10, pausedAt: NOW });
    await anAnalysis(db, { deckId, announcedPages: 10, status: 'failed' });
    await anAnalysis(db, { deckId, announcedPages: 10, replayKind: 'gaps' });
    expect(await demandFor(db, 'gpu-text')).toMatchObject({ openCalls: 0, comingSeconds: 0 });
  });

  it('demand for text is there while a stage waits for a text model that no host has shown', async ({ db }) => {
    await anAnalysis(db, { deck: { pageCount: 10 }, announcedPages: 0, stage: 'extraction' });
    expect(await demandFor(db, 'gpu-text')).toMatchObject({ comingSeconds: 44 });
    expect(await demandFor(db, 'gpu-visual')).toMatchObject({ comingSeconds: 0 });
    await seen(db);
    expect(await demandFor(db, 'gpu-text')).toMatchObject({ comingSeconds: 0 });
  });

  it('demand is counted in the seconds that such calls took lately, without the loading of their model', async ({
    db,
  }) => {
    const analysis = await anAnalysis(db, { deck: { pageCount: 10 }, announcedPages: 10 });
    await modelCalls(db, analysis, 4);
    await callsMade(db, 9, { startedAt: ago(30) });
    expect(await demandFor(db, 'gpu-visual')).toMatchObject({ openSeconds: 60, comingSeconds: 6 * 23 });
    await callsMade(db, 1, { startedAt: ago(30) });
    await callsMade(db, 5, { startedAt: ago(20), outcome: 'failed', endedAt: NOW });
    expect(await demandFor(db, 'gpu-visual')).toMatchObject({
      openCalls: 4,
      openSeconds: 4 * 2,
      comingSeconds: 6 * (2 + 8),
      byClass: [{ gpuClass: 'gpu-visual', openCalls: 4, openSeconds: 4 * 2 }],
      measuredCallSeconds: 2,
    });
  });

  /** Calls of one task that took 5 s, of which 3 s for the loading of the model. */
  async function callsMade(
    db: PrismaClient,
    count: number,
    values: Partial<Prisma.CallAttemptCreateManyInput>,
  ): Promise<void> {
    const call = { loadMs: 3000, outcome: 'stored', startedAt: NOW, endedAt: ago(25), ...values };
    await db.callAttempt.createMany({ data: Array.from({ length: count }, () => callAttemptRow(call)) });
  }

  /** Every model was shown by a host. */
  const seen = (db: PrismaClient) =>
    db.modelConfiguration.updateMany({ data: { pinnedDigest: 'd'.repeat(64), pinnedAt: NOW } });
});

/** Rows of model calls that the server has read so far, one after the other and by an index. */
async function rowsRead(databaseUrl: string): Promise<{ readonly inOrder: number; readonly byIndex: number }> {
  const [row] = await query<{ inOrder: number; byIndex: number }>(
    databaseUrl,
    `SELECT seq_tup_read::int AS "inOrder", idx_tup_fetch::int AS "byIndex" FROM pg_stat_user_tables WHERE relname = 'ModelCall'`,
  );
  if (row === undefined) throw new Error('the server keeps no statistics of ModelCall');
  return row;
}

it('a look reads the calls under way and not the history, however long that is', async ({ db, databaseUrl }) => {
  const { id: deckId } = await aDeck(db, { pageCount: 100 });
  const ids = Array.from({ length: 1000 }, (_, index) => `over-${index}`);
  await db.analysis.createMany({
    data: ids.map((id) => ({
      id,
      tenantId: TENANT,
      deckId,
      language: 'en',
      modelProfile: 'reader',
      workflowId: id,
      status: 'completed',
    })),
  });
  await query(
    databaseUrl,
    `INSERT INTO "ModelCall" (id, "tenantId", "analysisId", "contentKey", task, "gpuClass", priority, "expectedSeconds", "slideNumber", state, "finishedAt")
     SELECT 'c' || n, '${TENANT}', 'over-' || n / 100, 'k' || n, 'describe_slide', 'gpu-visual', 3, 15, n % 100, 'stored', now()
     FROM generate_series(0, 99999) n`,
  );
  const running = await anAnalysis(db, { deckId, announcedPages: 100 });
  await modelCalls(db, running, 100);
  await query(databaseUrl, 'ANALYZE');

  const before = await rowsRead(databaseUrl);
  const pool = createDatabase(databaseUrl);
  const demand = await readDemand(pool, ['gpu-visual'], NOW);
  // What a connection has read is counted at the latest when it ends.
  await closeDatabase(pool);
  expect(demand).toMatchObject({ openCalls: 100 });
  const after = await until(() => rowsRead(databaseUrl)).is(({ byIndex }) => byIndex > before.byIndex);
  expect(after.inOrder).toBe(before.inOrder);
  // The 100 calls under way are read a few times, of the 100 000 that are over hardly one.
  expect(after.byIndex - before.byIndex).toBeLessThan(1000);
});
