/** Rollouts: who decides which models a new analysis has, what is frozen with it, how both sides compare, and what is refused. */
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import type { AnalysisSummary, RolloutComparison } from '../../../api/client.ts';
import { GPU_CLASSES } from '../../../domain/models/model-tasks.ts';
import type { Analysis } from '../../../generated/prisma/client.ts';
import { aLedgerEntry, aModelCall, aModelResult, aPool, aRental, TENANT } from '../../../testing/make.ts';
import { perFile } from '../../../testing/per-file.ts';
import { OTHER_TENANT, problem, holdProfile } from './support.ts';
import { startTestApiWithWorker } from './worker.ts';

const api = perFile(startTestApiWithWorker);
/** A model that every host of the profile holds, for a task that another one is configured for. */
const CANDIDATE = { score_answer: 'reader-vision:1' };

afterEach(async () => {
  await api.db.rollout.updateMany({ data: { state: 'ended' } });
});

const start = (body: object) => api.post('/rollouts', body);
const started = async (deckId: string, body: object = {}, headers = {}): Promise<AnalysisSummary> =>
  (await api.post(`/decks/${deckId}/analyses`, body, headers)).body as AnalysisSummary;
const rowOf = ({ analysisId }: AnalysisSummary) =>
  api.db.analysis.findUniqueOrThrow({ where: { id: analysisId }, include: { modelOverrides: true } });

it('a rollout gives new analyses its models until it is stopped; what was started in it stays as it began', async () => {
  const name = 'score-by-vision';
  const made = await start({ name, models: CANDIDATE, percent: 100 });
  expect(made).toMatchObject({
    status: 201,
    body: { name, state: 'active', percent: 100, candidate: { models: [{ task: 'score_answer' }] }, endedAt: null },
  });
  const deck = await api.deck();
  const key = { 'idempotency-key': randomUUID() };
  const first = await started(deck.id, { models: 'reader' }, key);
  expect(first.rollout).toEqual({ name, side: 'candidate' });
  const asBegun = {
    rolloutSide: 'candidate',
    modelProfile: 'reader',
    modelOverrides: [{ modelName: 'reader-vision:1' }],
  };
  expect(await rowOf(first)).toMatchObject(asBegun);

  expect(await api.post(`/rollouts/${name}/stop`)).toMatchObject({ status: 200, body: { state: 'ended' } });
  const second = await started(deck.id);
  expect(second.rollout).toBeNull();
  expect((await rowOf(second)).modelOverrides).toEqual([]);
  expect(await rowOf(first)).toMatchObject(asBegun);
  expect((await api.call('GET', `/analyses/${first.analysisId}/report`)).body).toMatchObject({
    rollout: { name, side: 'candidate' },
  });
  // The key of the first request still means the first analysis.
  expect(await started(deck.id, { models: 'reader' }, key)).toMatchObject({ analysisId: first.analysisId });
});

it('a higher percentage moves decks to the candidate and none back; at 0 percent all are the baseline', async () => {
  const name = 'share';
  const decks = await Promise.all(Array.from({ length: 6 }, () => api.deck()));
  const sides = async (): Promise<(string | undefined)[]> => {
    const all = [];
    for (const deck of decks) all.push((await started(deck.id)).rollout?.side);
    return all;
  };
  await start({ name, models: CANDIDATE, percent: 0 });
  expect(new Set(await sides())).toEqual(new Set(['baseline']));
  let before = decks.map(() => 'baseline' as string | undefined);
  for (const percent of [50, 100]) {
    expect(await start({ name, percent })).toMatchObject({ status: 200, body: { percent } });
    const now = await sides();
    for (const [index, side] of before.entries()) if (side === 'candidate') expect(now[index]).toBe('candidate');
    before = now;
  }
  expect(new Set(before)).toEqual(new Set(['candidate']));
});

it('a rollout of a tenant leaves the others as they are, and an analysis that names another profile, too', async () => {
  await start({ name: 'other-tenant', models: CANDIDATE, tenants: [OTHER_TENANT] });
  const deck = await api.deck();
  expect((await started(deck.id)).rollout).toBeNull();
  await api.post('/rollouts/other-tenant/stop');
  await start({ name: 'own-tenant', models: CANDIDATE, tenants: [TENANT] });
  expect((await started(deck.id)).rollout).toEqual({ name: 'own-tenant', side: 'candidate' });
  await holdProfile(api.db, 'qwen3-vl');
  expect((await started(deck.id, { models: 'qwen3-vl' })).rollout).toBeNull();
});

it('a profile is a candidate once a pool holds its models; that pool answers, and replays of it stay there', async () => {
  const wish = { name: 'language-model', profile: 'ollama', percent: 100 };
  const fleetOf = (...pools: object[]) =>
    writeFileSync(
      api.config.fleetFile,
      JSON.stringify({ pools: pools.map((pool) => ({ classes: GPU_CLASSES, ...pool })) }),
    );
  fleetOf({ name: 'static' });
  expect(await start(wish)).toMatchObject({
    ...problem(400, 'invalid_request'),
    body: { hint: expect.stringContaining('"models": "ollama"') as string },
  });
  const url = { endpoint: { url: 'http://127.0.0.1:9' }, ownQueues: true };
  fleetOf({ name: 'static' }, { ...url, name: 'gemma', models: 'ollama' }, { ...url, name: 'rules' });
  expect(await start({ ...wish, pool: 'rules' })).toMatchObject(problem(400, 'invalid_request'));
  const candidate = { profile: 'ollama', pool: 'gemma', models: [] };
  expect(await start(wish)).toMatchObject({ status: 201, body: { candidate } });
  // The pool alone says the same.
  expect(await start({ name: wish.name, pool: 'gemma', percent: 90 })).toMatchObject({
    status: 200,
    body: { candidate },
  });
  await start(wish);
  const summary = await started((await api.deck()).id);
  expect(summary).toMatchObject({ models: 'ollama', rollout: { name: 'language-model', side: 'candidate' } });
  const placed = { modelProfile: 'ollama', poolName: 'gemma' };
  expect(await rowOf(summary)).toMatchObject(placed);
  await api.db.analysis.update({ where: { id: summary.analysisId }, data: { status: 'failed' } });
  const replayed = (body: object) => api.post(`/analyses/${summary.analysisId}/replay`, body);
  const refused = async (words: string): Promise<void> => {
    for (const body of [{}, { dryRun: true }]) {
      const detail = expect.stringContaining(words) as string;
      expect(await replayed(body)).toMatchObject({ ...problem(409, 'conflict'), body: { detail } });
    }
  };
  await refused('has not started');
  await aPool(api.db, { name: 'gemma', classes: [...GPU_CLASSES], nextLookAt: new Date() });
  const replay = (await replayed({})).body as AnalysisSummary;
  expect(await rowOf(replay)).toMatchObject({ ...placed, rolloutId: null });

  // A rollout of a time in which a profile needed no pool.
  await api.db.rollout.update({ where: { name: wish.name }, data: { pool: null } });
  for (const body of [wish, { name: wish.name, percent: 50 }]) {
    const hint = expect.stringContaining('change the fleet file back') as string;
    expect(await start(body)).toMatchObject({ ...problem(409, 'conflict'), body: { hint } });
  }
  const other = { name: wish.name, pool: 'rules', percent: 50 };
  expect(await start(other)).toMatchObject({
    ...problem(409, 'conflict'),
    body: { detail: expect.stringContaining('another candidate') as string },
  });
  await api.db.rollout.update({ where: { name: wish.name }, data: { pool: 'gemma' } });

  fleetOf({ name: 'static' }, { ...url, name: 'gemma' });
  expect(await start({ name: wish.name, percent: 50 })).toMatchObject(problem(400, 'invalid_request'));
  await refused('holds those of reader now');
  fleetOf({ name: 'static' });
  await refused('not configured any more');
  rmSync(api.config.fleetFile);
});

it('refuses by name what could not work, or could not be compared', async () => {
  expect((await start({ name: 'first', models: CANDIDATE, percent: 10 })).status).toBe(201);
  const cases: [object, number, string, string][] = [
    [{ name: 'second', models: CANDIDATE, percent: 10 }, 409, 'conflict', 'first is active'],
    [{ name: 'first', models: { score_answer: 'reader-text:1' } }, 409, 'conflict', 'another candidate'],
    [{ name: 'none', percent: 10 }, 400, 'invalid_request', 'needs a candidate'],
    [{ name: 'no-share', models: CANDIDATE }, 400, 'invalid_request', 'needs a share'],
    [{ name: 'Bad Name', models: CANDIDATE, percent: 10 }, 400, 'invalid_request', 'lower-case'],
    [{ name: 'much', models: CANDIDATE, percent: 101 }, 400, 'invalid_request', 'percent'],
    [{ name: 'same', profile: 'reader', percent: 10 }, 400, 'invalid_request', 'uses already'],
    [{ name: 'task', models: { dance: 'x' }, percent: 10 }, 400, 'invalid_request', 'dance'],
    [{ name: 'model', models: { score_answer: 'x:1' }, percent: 10 }, 422, 'model_not_configured', 'x:1'],
    [{ name: 'blind', models: { describe_slide: 'reader-text:1' }, percent: 1 }, 422, 'model_lacks_vision', 'pictures'],
    [{ name: 'pool', pool: 'canary', percent: 10 }, 400, 'invalid_request', 'queues of its own'],
    [{ name: 'tenant', models: CANDIDATE, tenants: ['nobody'] }, 404, 'not_found', 'nobody'],
  ];
  for (const [body, status, code, words] of cases) {
    const answer = await start(body);
    expect(answer, JSON.stringify(body)).toMatchObject(problem(status, code));
    expect((answer.body as { detail: string }).detail).toContain(words);
  }
  const second = await start({ name: 'second', models: CANDIDATE, percent: 10 });
  expect(second.body).toMatchObject({ hint: 'End it first: ./deckhand rollout stop first' });
  expect(await api.call('GET', '/rollouts/unknown')).toMatchObject(problem(404, 'not_found'));
  expect(await api.post('/rollouts/unknown/stop')).toMatchObject(problem(404, 'not_found'));
});

it('the comparison has both sides: ends, seconds, cost, scores, quotes, verdicts, and decks with both', async () => {
  const name = 'compared';
  await start({ name, models: CANDIDATE, percent: 50 });
  const { id: rolloutId } = await api.db.rollout.findUniqueOrThrow({ where: { name } });
  const [deck, other] = [await api.deck(), await api.deck()];
  const startedAt = new Date(Date.UTC(2026, 10, 26, 12));
  const review = (deckId: string, side: string | null, values: Partial<Analysis>) =>
    api.analysisRow({
      deckId,
      status: 'completed',
      startedAt,
      finishedAt: new Date(startedAt.getTime() + 60_000),
      slidesTotal: 10,
      ...(side === null ? {} : { rolloutId, rolloutSide: side }),
      ...values,
    });
  const better = await review(deck.id, 'candidate', { overallScore: 5 });
  await review(deck.id, null, { overallScore: 3 });
  await review(other.id, 'baseline', { overallScore: 4, status: 'completed_with_gaps', slidesTotal: 20 });
  await review(other.id, 'baseline', { status: 'failed' });
  await review(other.id, 'baseline', { status: 'running', finishedAt: null });
  // A task alone is no review.
  await review(other.id, 'baseline', { taskType: 'visual_analysis' });
  const contentKey = randomUUID();
  await aModelResult(api.db, { contentKey, durationMs: 30_000 });
  await aModelCall(api.db, { analysisId: better.id, contentKey, state: 'stored' });
  const { id: rentalId } = await aRental(api.db);
  await aLedgerEntry(api.db, { rentalId, fromAt: startedAt, analysisId: better.id, amountUsd: 0.3 });
  const extraction = { id: randomUUID(), tenantId: TENANT, analysisId: better.id, field: 'funding', status: 'found' };
  await api.db.extraction.create({ data: extraction });
  const quote = { tenantId: TENANT, extractionId: extraction.id, slideNumber: 1, quote: 'four million' };
  for (const [position, verdict] of (['verified', 'verified', 'verified', 'unverified'] as const).entries())
    await api.db.evidence.create({ data: { id: randomUUID(), ...quote, position, verdict } });
  const said = { tenantId: TENANT, deckId: deck.id, analysisId: better.id, kind: 'score', authorName: 'Ada' };
  for (const [subject, score] of [
    ['question/a', 4],
    ['question/b', 2],
  ] as const)
    await api.db.humanVerdict.create({ data: { id: randomUUID(), ...said, subject, score, machineScore: 4 } });

  const { body } = await api.call('GET', `/rollouts/${name}`);
  const { sides, sameDecks } = body as RolloutComparison;
  expect(sides.candidate).toEqual({
    analyses: 1,
    open: 0,
    completed: 1,
    completedWithGaps: 0,
    failed: 0,
    cancelled: 0,
    slides: 10,
    secondsPerSlide: 6,
    modelSecondsPerSlide: 3,
    costUsdPerSlide: 0.03,
    score: 5,
    quotes: 4,
    verifiedShare: 0.75,
    verdicts: { compared: 2, equal: 1, meanAbsoluteDifference: 1 },
  });
  expect(sides.baseline).toMatchObject({
    analyses: 3,
    open: 1,
    completed: 0,
    completedWithGaps: 1,
    failed: 1,
    slides: 20,
    secondsPerSlide: 3,
    score: 4,
    verifiedShare: null,
    verdicts: { compared: 0, equal: 0, meanAbsoluteDifference: null },
  });
  expect(sameDecks).toEqual({ decks: 1, scoreDifference: 2 });
});

it('the commands start it and show it; what is wrong in them is refused before anything is sent', async () => {
  const run = (...args: string[]) => api.deckhand(['rollout', ...args]);
  const share = ['--model', 'score_answer=reader-vision:1', '--percent', '25%', '--json'];
  const [made, refused] = await Promise.all([
    run('start', 'by-command', ...share),
    run('start', 'other', '--percent', 'half'),
  ]);
  expect(JSON.parse(made.stdout)).toMatchObject({ state: 'active', percent: 25 });
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect((await api.client.GET('/rollouts')).items[0]).toMatchObject({ name: 'by-command', state: 'active' });
  const shown = await run('show', 'by-command');
  expect(shown.stdout).toContain('25 % of the decks of all tenants: score_answer by reader-vision:1');
  expect(shown.stdout).toMatch(/full reviews +0 +0/u);
  expect(await api.client.POST('/rollouts/{name}/stop', { params: { path: { name: 'by-command' } } })).toMatchObject({
    state: 'ended',
  });
});
