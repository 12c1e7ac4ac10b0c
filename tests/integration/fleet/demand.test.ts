/**
 * What a pool sees in Postgres: demand, announcements, instances; and that looking stays cheap when there is much to see.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { announceMissingPages } from '../../../activities/decks/missing-pages.ts';
import { instancesHeldElsewhere } from '../../../activities/fleet/pool/configured.ts';
import { hasWorkFor, readDemand } from '../../../activities/fleet/pool/demand.ts';
import { observePool, viewOf } from '../../../activities/fleet/pool/observe.ts';
import { stillWanted } from '../../../activities/fleet/pool/still-wanted.ts';
import { registerPool, storePoolDecision } from '../../../activities/fleet/pool/store.ts';
import { writeStanding } from '../../../activities/decks/steering.ts';
import { AnalysisContexts } from '../../../activities/models/plan/analysis-context.ts';
import { planCalls } from '../../../activities/models/plan/plan-calls.ts';
import { loadFleetView } from '../../../api/fleet/fleet-view.ts';
import { poolConfigSchema } from '../../../domain/fleet/pool-config.ts';
import { GPU_CLASSES, type GpuClass } from '../../../domain/model-tasks.ts';
import { RENDER_KEY } from '../../../domain/render-key.ts';
import type { Analysis, Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { closeDatabase, createDatabase } from '../../../platform/db.ts';
import type { PoolSetup } from '../../../workflows/pool/contract.ts';
import { query, startTestPostgres, type TestPostgres } from '../../support/database.ts';

const TENANT = 'default';
const NOW = new Date(Date.UTC(2026, 10, 21, 12));
const ago = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1000);

let postgres: TestPostgres;
let databaseUrl: string;
let db: PrismaClient;
beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres.stop());
beforeEach(async () => {
  databaseUrl = await postgres.migratedDatabase();
  db = createDatabase(databaseUrl, { poolSize: 4 });
  return () => closeDatabase(db);
});

/** A deck with so many pages, of which `rendered` are drawn. */
async function deckWith(pageCount: number, rendered = 0): Promise<string> {
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

async function analysisOf(
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
async function callsOf(
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

const demandFor = (...classes: GpuClass[]) => readDemand(db, classes, NOW);

describe('demand', () => {
  it('is the open calls of the classes, in number, seconds, age and urgency', async () => {
    const analysis = await analysisOf(await deckWith(10));
    await callsOf(analysis, 3);
    await callsOf(analysis, 1, { priority: 1, createdAt: ago(90) });
    await callsOf(analysis, 2, { task: 'answer_question', gpuClass: 'gpu-text', expectedSeconds: 12 });
    await callsOf(analysis, 5, { state: 'stored' });
    await callsOf(analysis, 5, { state: 'failed' });
    expect(await demandFor('gpu-visual')).toEqual({
      openCalls: 4,
      openSeconds: 60,
      comingSeconds: 0,
      byClass: [{ gpuClass: 'gpu-visual', openCalls: 4, openSeconds: 60 }],
      oldestAgeMs: 90_000,
      criticalCalls: 1,
    });
    expect(await demandFor(...GPU_CLASSES)).toMatchObject({ openCalls: 6, openSeconds: 84 });
    expect(await hasWorkFor(db, ['gpu-text'], NOW)).toBe(true);
  });

  it('of a cancelled deck is none, also where its calls linger', async () => {
    const analysis = await analysisOf(await deckWith(30), { status: 'cancelled', announcedPages: 30 });
    await callsOf(analysis, 30);
    expect(await demandFor('gpu-visual')).toMatchObject({ openCalls: 0, comingSeconds: 0, oldestAgeMs: null });
    expect(await hasWorkFor(db, ['gpu-visual'], NOW)).toBe(false);
  });

  it('of a paused deck is none, neither its calls nor its pages, until it goes on', async () => {
    const analysis = await analysisOf(await deckWith(30), { status: 'running', announcedPages: 30 });
    await callsOf(analysis, 10, { createdAt: ago(9000) });
    const hold = (paused: boolean) => writeStanding(db, { analysisId: analysis.id, paused, priority: 2 });
    expect([...(await hold(true))]).toEqual(['gpu-visual']);
    expect(await demandFor(...GPU_CLASSES)).toMatchObject({ openCalls: 0, comingSeconds: 0, oldestAgeMs: null });
    expect(await hasWorkFor(db, ['gpu-visual'], NOW)).toBe(false);
    const since = (await db.analysis.findUniqueOrThrow({ where: { id: analysis.id } })).pausedAt;
    await hold(true);
    expect((await db.analysis.findUniqueOrThrow({ where: { id: analysis.id } })).pausedAt).toEqual(since);

    await hold(false);
    const demand = await readDemand(db, ['gpu-visual'], new Date());
    expect(demand).toMatchObject({ openCalls: 10, comingSeconds: 20 * 23 });
    // The hours for which it was held are no wait that a pool hurries for.
    expect(demand.oldestAgeMs).toBeLessThan(9000);
    expect(await db.modelCall.count({ where: { analysisId: analysis.id, priority: 2 } })).toBe(10);
  });

  it('of a paused deck that was over meanwhile stays none, and its row is left alone', async () => {
    const analysis = await analysisOf(await deckWith(5), { status: 'completed' });
    await writeStanding(db, { analysisId: analysis.id, paused: true, priority: 1 });
    expect(await db.analysis.findUniqueOrThrow({ where: { id: analysis.id } })).toMatchObject({
      pausedAt: null,
      priority: analysis.priority,
    });
  });

  it('grows by announced pages until they are planned, and ends with the slides', async () => {
    const analysis = await analysisOf(await deckWith(10), { announcedPages: 10 });
    expect(await demandFor('gpu-visual')).toMatchObject({ openCalls: 0, comingSeconds: 10 * 23 });
    await callsOf(analysis, 4);
    expect(await demandFor('gpu-visual')).toMatchObject({ openCalls: 4, comingSeconds: 6 * 23 });
    // Pages that were known already were not announced.
    await callsOf(analysis, 3, { state: 'stored', cached: true });
    expect(await demandFor('gpu-visual')).toMatchObject({ comingSeconds: 6 * 23 });
    await db.analysis.update({ where: { id: analysis.id }, data: { stage: 'extraction' } });
    expect(await demandFor('gpu-visual')).toMatchObject({ comingSeconds: 0 });
  });

  it('for text is foreseen once a model has read a slide', async () => {
    const analysis = await analysisOf(await deckWith(10), { announcedPages: 10 });
    expect(await demandFor('gpu-text')).toMatchObject({ comingSeconds: 0 });
    await callsOf(analysis, 1, { state: 'stored' });
    expect((await demandFor('gpu-text')).comingSeconds).toBeGreaterThan(0);
  });
});

describe('what a deck announces', () => {
  const announce = (analysis: Analysis): Promise<number> =>
    announceMissingPages(db, new AnalysisContexts(db), { analysisId: analysis.id, describe: true, feedback: true });
  const announcedBy = async ({ id }: Analysis): Promise<number> =>
    (await db.analysis.findUniqueOrThrow({ where: { id } })).announcedPages;

  it('is every page of a deck that no one has seen', async () => {
    const analysis = await analysisOf(await deckWith(12));
    expect(await announce(analysis)).toBe(12);
    expect(await announcedBy(analysis)).toBe(12);
  });

  it('is every page while no host has shown its models', async () => {
    expect(await announce(await analysisOf(await deckWith(5, 5)))).toBe(5);
  });

  it('is what no stored result answers: nothing, for a deck whose results are all known', async () => {
    await db.modelConfiguration.updateMany({ data: { pinnedDigest: 'd'.repeat(64), pinnedAt: NOW } });
    const deckId = await deckWith(4, 4);
    const first = await analysisOf(deckId);
    expect(await announce(first)).toBe(4);
    await answerSlides(first, [1, 2, 3, 4]);
    const again = await analysisOf(deckId);
    expect(await announce(again)).toBe(0);
    expect(await announcedBy(again)).toBe(0);
    expect(await demandFor('gpu-visual')).toMatchObject({ comingSeconds: 0 });
  });

  it('is the pages that are missing, where some are known', async () => {
    await db.modelConfiguration.updateMany({ data: { pinnedDigest: 'd'.repeat(64), pinnedAt: NOW } });
    const deckId = await deckWith(6, 4);
    const first = await analysisOf(deckId);
    await answerSlides(first, [1, 2]);
    expect(await announce(await analysisOf(deckId))).toBe(2 + 2);
  });

  /** Plans both calls of these slides and stores an answer for each. */
  async function answerSlides(analysis: Analysis, slides: readonly number[]): Promise<void> {
    const context = await new AnalysisContexts(db).get(analysis.id);
    const subjects = slides.flatMap((slideNumber) =>
      (['describe_slide', 'slide_feedback'] as const).map((task) => ({ task, slideNumber, questionId: null })),
    );
    await planCalls(db, context, subjects);
    const calls = await db.modelCall.findMany({ where: { analysisId: analysis.id } });
    await db.modelResult.createMany({
      data: calls.map(({ contentKey, task }) => ({
        id: randomUUID(),
        tenantId: TENANT,
        contentKey,
        task,
        modelName: 'm',
        modelDigest: 'd',
        promptVersion: 1,
        language: 'en',
        numCtx: 1,
        numPredict: 1,
        temperature: 0,
        topP: 1,
        temperatureUsed: 0,
        seedUsed: 0,
        attempts: 1,
        output: '{}',
        engineKind: 'rules',
        serverVersion: '0',
        host: 'h',
        promptTokens: 0,
        outputTokens: 0,
        loadMs: 0,
        durationMs: 0,
      })),
    });
    await db.modelCall.updateMany({ where: { analysisId: analysis.id }, data: { state: 'stored' } });
  }
});

const setup: PoolSetup = {
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

async function instance(name: string, values: Partial<Prisma.FleetInstanceUncheckedCreateInput> = {}): Promise<void> {
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

const serving = (instanceName: string, values: Partial<Prisma.InstanceServingUncheckedCreateInput> = {}) =>
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

describe('instances', () => {
  beforeEach(() => registerPool(db, setup));
  const look = (births: readonly string[] = [], wakeIntents: readonly string[] = []) =>
    observePool(db, { pool: 'visual', classes: ['gpu-visual'], slots: 4, births, wakeIntents }, NOW);

  it('are seen with what their gateway says', async () => {
    await instance('a', { readyAt: ago(80), billedSince: ago(200), priceUsdPerHour: 1.5 });
    await serving('a', { inFlight: 1, lastCallAt: ago(5) });
    const { observation } = await look();
    expect(observation.instances).toEqual([
      {
        name: 'a',
        phase: 'ready',
        phaseSinceMs: ago(100).getTime(),
        inFlight: 1,
        idleSinceMs: ago(5).getTime(),
        hasPolled: true,
        billedSinceMs: ago(200).getTime(),
        priceUsdPerHour: 1.5,
        slots: 2,
        models: ['m'],
      },
    ]);
    expect(observation.recentCalls).toBe(1);
  });

  it('whose gateway has gone quiet have an unknown number of calls, not none', async () => {
    await instance('a', { readyAt: ago(80) });
    await serving('a', { seenAt: ago(16), inFlight: 0 });
    await instance('b', { readyAt: ago(80) });
    const { observation } = await look();
    expect(observation.instances.map((i) => i.inFlight)).toEqual([null, null]);
  });

  it('that woke are not believed to have polled by what was said before', async () => {
    await instance('a', { readyAt: ago(10) });
    await serving('a', { seenAt: ago(11), lastCallAt: ago(500), inFlight: 0 });
    const { observation } = await look();
    expect(observation.instances[0]).toMatchObject({ hasPolled: false, idleSinceMs: ago(10).getTime() });
  });

  it('whose life has ended are not seen; births with a row are known; failures are told', async () => {
    await instance('gone', { phase: 'gone' });
    await instance('f1', { phase: 'failed', phaseSince: ago(50), reason: 'first' });
    await instance('f2', { phase: 'failed', phaseSince: ago(20), reason: 'image unknown' });
    await instance('old', { phase: 'failed', phaseSince: ago(4000), reason: 'long ago' });
    const seen = await look(['gone', 'unborn']);
    expect(seen.observation.instances).toEqual([]);
    expect(seen.known).toEqual(['gone']);
    expect(seen.failures).toEqual({
      count: 2,
      lastAtMs: ago(20).getTime(),
      instance: 'f2',
      reason: 'image unknown',
    });
  });

  it('of a phase that a later version knows count as under way', async () => {
    await instance('a', { phase: 'defrosting' });
    const row = await db.fleetInstance.findUniqueOrThrow({ where: { name: 'a' }, include: { serving: true } });
    expect(viewOf(row, 4, NOW)).toMatchObject({ phase: 'planned', inFlight: 0 });
  });

  it('announcements live as long as their analysis', async () => {
    const deckId = await deckWith(1);
    const running = await analysisOf(deckId);
    const cancelled = await analysisOf(deckId, { status: 'cancelled' });
    const { liveIntents } = await look([], [running.id, cancelled.id, 'unknown']);
    expect(liveIntents).toEqual([running.id]);
  });

  it('at a provider that is configured no more are listed; servers that run already are not', async () => {
    await instance('a', { phase: 'suspended' });
    await instance('s', { provider: 'static' });
    await instance('g', { phase: 'gone' });
    expect((await instancesHeldElsewhere(db, 'static')).map((i) => i.name)).toEqual(['a']);
    expect(await instancesHeldElsewhere(db, 'datacrunch')).toEqual([]);
  });
});

describe('a drained instance goes on', () => {
  const input = { pool: setup.config, instance: 'a' };
  const says = (target: number, isHeld = false) => ({ target, isHeld });
  beforeEach(async () => {
    await registerPool(db, setup);
    await instance('a', { phase: 'cordoned' });
  });

  it('when there is work and too few others, or the pool does not answer', async () => {
    await callsOf(await analysisOf(await deckWith(1)), 1);
    expect(await stillWanted(db, says(0), input, NOW)).toBe(true);
    expect(await stillWanted(db, says(1), input, NOW)).toBe(true);
    expect(await stillWanted(db, null, input, NOW)).toBe(true);
  });

  it('not when the others are as many as the pool aims at, or an operator took it out, or there is no work', async () => {
    const analysis = await analysisOf(await deckWith(1));
    await callsOf(analysis, 1);
    await instance('b');
    await instance('c', { phase: 'suspended' });
    expect(await stillWanted(db, says(1), input, NOW)).toBe(false);
    expect(await stillWanted(db, says(2), input, NOW)).toBe(true);
    expect(await stillWanted(db, says(2, true), input, NOW)).toBe(false);
    await db.analysis.update({ where: { id: analysis.id }, data: { status: 'cancelled' } });
    expect(await stillWanted(db, says(2), input, NOW)).toBe(false);
    expect(await stillWanted(db, null, input, NOW)).toBe(false);
  });
});

it('a decision is stored once, with the gaps it closed; unknown demand leaves the figures as they were', async () => {
  await registerPool(db, setup);
  const demand = await demandFor('gpu-visual');
  const decision = {
    pool: 'visual',
    target: 2,
    wish: 3,
    reasons: ['because'],
    demand: { ...demand, openCalls: 7, openSeconds: 105, oldestAgeMs: 1234.5 },
    nextLookAtMs: NOW.getTime(),
    idleGaps: [{ startedAtMs: ago(60).getTime(), seconds: 60 }],
  };
  await storePoolDecision(db, decision);
  await storePoolDecision(db, decision);
  await storePoolDecision(db, { ...decision, demand: null, target: 1, idleGaps: [] });
  expect(await db.fleetPool.findUnique({ where: { name: 'visual' } })).toMatchObject({
    target: 1,
    openCalls: 7,
    openSeconds: 105,
    reasons: ['because'],
  });
  expect((await registerPool(db, setup)).idleGapsSec).toEqual([60]);
});

it('costs are the time in each row of the history times its frozen price, for instances that live and that have ended', async () => {
  await registerPool(db, setup);
  await db.fleetPool.update({ where: { name: 'visual' }, data: { nextLookAt: NOW } });
  const history = async (name: string, rows: readonly [number, string, number | null][]): Promise<void> => {
    await db.instanceTransition.createMany({
      data: rows.map(([secondsAgo, toPhase, priceUsdPerHour], position) => ({
        id: `${name}/${position}`,
        instanceName: name,
        position,
        at: ago(secondsAgo),
        toPhase,
        reason: 'r',
        priceUsdPerHour,
      })),
    });
  };
  await instance('live');
  await history('live', [
    [7200, 'creating', null],
    [3600, 'booting', 2],
    [1800, 'ready', 2],
  ]);
  await instance('ended', { phase: 'gone', endedAt: ago(0) });
  await history('ended', [
    [7200, 'booting', 4],
    [3600, 'suspended', null],
    [1800, 'gone', null],
  ]);
  const fleet = await loadFleetView(db, NOW);
  expect(fleet.pools[0]?.instances.map((i) => [i.name, i.costUsd])).toEqual([['live', 2]]);
  expect(fleet.costUsd).toBeCloseTo(6);
});

it('a look reads no more rows than there is open work, whatever the history', async () => {
  const deckId = await deckWith(100);
  const analysis = await analysisOf(deckId, { status: 'completed' });
  const running = await analysisOf(deckId, { announcedPages: 100 });
  await query(
    databaseUrl,
    `INSERT INTO "ModelCall" (id, "tenantId", "analysisId", "contentKey", task, "gpuClass", priority, "expectedSeconds", "slideNumber", state, "finishedAt")
     SELECT 'c' || n, '${TENANT}', CASE WHEN n % 100 = 0 THEN '${running.id}' ELSE '${analysis.id}' END, 'k' || n, 'describe_slide', 'gpu-visual', 3, 15, n % 100,
            CASE WHEN n % 1000 = 0 THEN 'planned' ELSE 'stored' END::"ModelCallState", now()
     FROM generate_series(1, 100000) n`,
  );
  await query(databaseUrl, 'ANALYZE');
  const plan = await query<{ 'QUERY PLAN': string }>(
    databaseUrl,
    `EXPLAIN SELECT c."gpuClass", count(*) FROM "ModelCall" c JOIN "Analysis" a ON a.id = c."analysisId"
     WHERE c.state = 'planned' AND c."gpuClass" = ANY(ARRAY['gpu-visual']) AND a.status IN ('queued', 'running') GROUP BY 1`,
  );
  const text = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).toMatch(/Index.* on "?ModelCall/u);
  expect(text).not.toMatch(/Seq Scan on "?ModelCall/u);
  expect(await demandFor('gpu-visual')).toMatchObject({ openCalls: 100 });
});
