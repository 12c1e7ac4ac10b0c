/** Decks finish in order: which runs may go on, decided from what stands in the database. */
import { expect } from 'vitest';
import { decideShares, DeckLine } from '../../../activities/decks/line/line.ts';
import { readOutlooks } from '../../../activities/decks/line/outlook.ts';
import { placesOf } from '../../../activities/decks/line/places.ts';
import { readDemand } from '../../../activities/fleet/pool/demand.ts';
import { USUAL_SECONDS } from '../../../domain/fleet/pool/foreseen.ts';
import { NO_SHARE, WHOLE_SHARE } from '../../../domain/decks/admission/shares.ts';
import type { Analysis, Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { itWithFreshDatabase as it } from '../../../testing/database.ts';
import {
  ago,
  anAnalysis,
  anInstance,
  aPool,
  aServing,
  callAttemptRow,
  modelCalls,
  NOW,
  TENANT,
} from '../../../testing/make.ts';

const PAGES = 6;

/** A machine with two slots for both classes, and runs that were started one after the other and have announced their pages. */
async function setUp(
  db: PrismaClient,
  runs: readonly Partial<Prisma.AnalysisUncheckedCreateInput>[],
): Promise<Analysis[]> {
  await aPool(db, { classes: ['gpu-visual', 'gpu-text'], slots: 2 });
  await anInstance(db, { readyAt: ago(1000) });
  await aServing(db, { slots: 2 });
  const started: Analysis[] = [];
  for (const [index, values] of runs.entries()) {
    const run = await anAnalysis(db, { announcedPages: PAGES, createdAt: ago(500 - index), ...values });
    await db.analysisShare.create({ data: { analysisId: run.id, tenantId: run.tenantId } });
    started.push(run);
  }
  return started;
}

const decide = (db: PrismaClient) => db.$transaction((tx) => decideShares(tx, NOW));

/** Calls that each run may have scheduled, both classes in one number where they are the same. */
async function shares(db: PrismaClient, runs: readonly Analysis[]): Promise<(number | string)[]> {
  const rows = await db.analysisShare.findMany({ where: { analysisId: { in: runs.map(({ id }) => id) } } });
  return runs.map(({ id }) => {
    const { visual, text } = rows.find((row) => row.analysisId === id) ?? { visual: Number.NaN, text: Number.NaN };
    return visual === text ? visual : `${visual}/${text}`;
  });
}

it('the first run of a tenant has all slots, and the others wait for their places', async ({ db }) => {
  const runs = await setUp(db, [{}, {}, {}]);
  await decide(db);
  expect(await shares(db, runs)).toEqual([32, 0, 0]);
  const places = await placesOf(db, TENANT);
  expect(runs.map(({ id }) => places.get(id)?.place)).toEqual([undefined, 1, 2]);
});

it('runs that wait for their places are part of the demand', async ({ db }) => {
  await setUp(db, [{}, {}, {}]);
  await decide(db);
  const { comingSeconds } = await readDemand(db, ['gpu-visual'], NOW);
  expect(comingSeconds).toBe(3 * PAGES * (USUAL_SECONDS.describe_slide + USUAL_SECONDS.slide_feedback));
});

it('a run whose calls are fewer than the slots lets the next one in, which is told until it knows', async ({ db }) => {
  const runs = await setUp(db, [{ stage: 'classification' }, {}, {}]);
  const [first, second] = runs as [Analysis, Analysis];
  await modelCalls(db, first, 1, { gpuClass: 'gpu-text', task: 'classify_sector', slideNumber: null });
  await decide(db);
  // Two slots and one call that lies ready.
  expect(await shares(db, runs)).toEqual([32, 2, 0]);
  const untold = await decide(db);
  expect(untold.map(({ id, version }) => [id, version])).toContainEqual([second.id, 1]);
  const line = new DeckLine(db);
  expect(await line.shareOf(second.id)).toEqual({ share: { 'gpu-visual': 2, 'gpu-text': 2 }, version: 1 });
  expect((await decide(db)).map(({ id }) => id)).not.toContain(second.id);
});

it('pages that are to be drawn count as calls, for a minute', async ({ db }) => {
  const runs = await setUp(db, [{}, {}]);
  await db.analysisShare.updateMany({ data: { openedAt: ago(30) } });
  await decide(db);
  expect(await shares(db, runs)).toEqual([32, 0]);
  await db.analysisShare.updateMany({ data: { openedAt: ago(90) } });
  await decide(db);
  expect(await shares(db, runs)).toEqual([32, 3]);
});

it.for([
  ['is paused', { pausedAt: ago(5) }],
  ['has ended', { status: 'completed' }],
  ['has another priority', { priority: 5 }],
  ['waits in the queues of one pool', { poolName: 'canary' }],
  ['is of another tenant', { tenantId: 'other' }],
] as const)('a run that %s takes no place from the others', async ([, values], { db }) => {
  await db.tenant.createMany({ data: [{ id: 'other', name: 'other' }] });
  const runs = await setUp(db, [values, {}]);
  await decide(db);
  expect((await shares(db, runs))[1]).toBe(32);
});

it('critical runs are never held', async ({ db }) => {
  const runs = await setUp(db, [{ priority: 1 }, { priority: 1 }]);
  await decide(db);
  expect(await shares(db, runs)).toEqual([32, 32]);
});

it('a run of which nothing moves while a machine is ready does not hold the others for ever', async ({ db }) => {
  const runs = await setUp(db, [{ stage: 'extraction' }, {}, {}]);
  const [first] = runs as [Analysis];
  await modelCalls(db, first, 4, { gpuClass: 'gpu-text', slideNumber: null, createdAt: ago(900) });
  await db.analysisShare.update({ where: { analysisId: first.id }, data: { openedAt: ago(900) } });
  await decide(db);
  expect(await shares(db, runs)).toEqual([32, 32, 0]);
  // A call of it runs.
  await db.callAttempt.create({ data: callAttemptRow({ analysisId: first.id, startedAt: ago(700) }) });
  await decide(db);
  expect(await shares(db, runs)).toEqual([32, 0, 0]);
});

it('the slots of one machine count where none is ready, and no run is stuck', async ({ db }) => {
  const runs = await setUp(db, [{ stage: 'extraction' }, {}]);
  const [first] = runs as [Analysis];
  await modelCalls(db, first, 1, { gpuClass: 'gpu-text', slideNumber: null, createdAt: ago(900) });
  await db.analysisShare.update({ where: { analysisId: first.id }, data: { openedAt: ago(900) } });
  await db.fleetInstance.updateMany({ data: { phase: 'suspended' } });
  await decide(db);
  expect(await shares(db, runs)).toEqual([32, 2]);
});

it('a run joins with its share at once, also twice; where no pool is known nothing is limited', async ({ db }) => {
  const line = new DeckLine(db);
  const alone = await anAnalysis(db, { announcedPages: PAGES });
  expect(await line.join({ analysisId: alone.id })).toMatchObject({ share: WHOLE_SHARE });
  await db.analysis.deleteMany();
  const runs = await setUp(db, [{}]);
  const late = await anAnalysis(db, { announcedPages: PAGES });
  for (let n = 0; n < 2; n++) expect(await line.join({ analysisId: late.id })).toMatchObject({ share: NO_SHARE });
  expect(await shares(db, [...runs, late])).toEqual([32, 0]);
  expect(await line.join({ analysisId: 'gone' })).toBeNull();
});

it('a run is expected after the decks before it, and the sooner the more of it is done', async ({ db }) => {
  const runs = await setUp(db, [{}, {}, {}]);
  await db.deck.updateMany({ data: { pageCount: PAGES } });
  await decide(db);
  const outlooks = async () => {
    const found = await readOutlooks(db, TENANT);
    return runs.map(({ id }) => found.get(id) ?? null);
  };
  const [first, second, third] = await outlooks();
  expect([first?.place, second?.place, third?.place]).toEqual([null, 1, 2]);
  const alone = first?.deck.seconds ?? 0;
  expect(alone).toBeGreaterThan(0);
  // Where a step has fewer calls than there are slots, the next deck uses the rest.
  expect((second?.seconds ?? 0) / alone).toBeCloseTo(2, 1);
  expect((third?.seconds ?? 0) / alone).toBeCloseTo(3, 1);
  await modelCalls(db, runs[0] as Analysis, 5, { state: 'stored' });
  const [less, sooner] = await outlooks();
  expect(less?.seconds).toBeLessThan(alone);
  expect(sooner?.seconds).toBeLessThan(2 * alone);
  expect(await readOutlooks(db, 'other')).toEqual(new Map());
});
