/** Routes of analyses, each status of each route, with a real Temporal behind them. */
import { randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { expect, it, vi } from 'vitest';
import { repairAnalyses } from '../../../activities/decks/repair.ts';
import type { AnalysisSummary } from '../../../api/client.ts';
import { createDeckhandClient } from '../../../api/client.ts';
import { until } from '../../../testing/until.ts';
import { TASK_TYPES } from '../../../domain/models/model-tasks.ts';
import { createLogger } from '../../../platform/log.ts';
import { temporalClient } from '../../../platform/temporal.ts';
import { makeDeckWorkflowId } from '../../../contracts/decks.ts';
import { aModelCall, TENANT } from '../../../testing/make.ts';
import { problem, serveApi, holdProfile } from './support.ts';
import { startTestApiWithWorker } from './worker.ts';
import { perFile } from '../../../testing/per-file.ts';

const api = perFile(startTestApiWithWorker);

const log = createLogger('test', { logLevel: 'silent' });
const started = async (path: string, body?: unknown, headers?: Record<string, string>): Promise<AnalysisSummary> => {
  const answer = await api.post(path, body, headers);
  expect(answer.status).toBe(202);
  return answer.body as AnalysisSummary;
};
const workflowOf = (id: string) => api.temporal.workflow.getHandle(makeDeckWorkflowId(id));
const rowOf = (id: string) => api.db.analysis.findUniqueOrThrow({ where: { id } });

it('POST /decks/{id}/analyses 202: writes the row and starts its workflow with ids, priority and fairness, and no content', async () => {
  const deck = await api.deck();
  await holdProfile(api.db, 'ollama');
  const summary = await started(`/decks/${deck.id}/analyses`, { language: 'de', priority: 1, models: 'ollama' });
  expect(summary).toMatchObject({
    deckId: deck.id,
    status: 'queued',
    language: 'de',
    priority: 1,
    models: 'ollama',
    taskType: null,
  });

  const run = await workflowOf(summary.analysisId).describe();
  expect(run.status.name).toBe('RUNNING');
  expect(run.priority).toMatchObject({ priorityKey: 1, fairnessKey: TENANT });
  const pairs = run.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]);
  const attributes: unknown = Object.fromEntries(pairs);
  expect(attributes).toMatchObject({ DeckId: deck.id, AnalysisId: summary.analysisId, Tenant: TENANT });
  // Summaries are payloads: where they are encrypted, the server cannot read them. Attributes it can.
  expect(await run.staticSummary()).toBe(`Review of ${deck.fileName}`);
  expect(JSON.stringify(attributes)).not.toContain(deck.fileName);
});

it('POST /decks/{id}/analyses 202: takes no body at all, and then the defaults', async () => {
  const deck = await api.deck();
  const answer = await api.call('POST', `/decks/${deck.id}/analyses`);
  expect(answer).toMatchObject({
    status: 202,
    body: { language: 'en', models: 'reader', priority: 3, template: null },
  });
});

it('POST /decks/{id}/analyses 202: takes a deadline, as a duration or a time', async () => {
  const deck = await api.deck();
  const sentAtMs = Date.now();
  const { analysisId, deadlineAt } = await started(`/decks/${deck.id}/analyses`, { deadline: '10m' });
  const deadlineAtMs = Date.parse(deadlineAt ?? '');
  expect(deadlineAtMs).toBeGreaterThanOrEqual(sentAtMs + 600_000);
  const row = await api.db.analysis.findUniqueOrThrow({ where: { id: analysisId } });
  expect(row.deadlineAt?.getTime()).toBe(deadlineAtMs);
  const at = new Date(sentAtMs + 3_600_000).toISOString();
  expect((await started(`/decks/${deck.id}/tasks/visual_analysis`, { deadline: at })).deadlineAt).toBe(at);
  expect((await started(`/decks/${deck.id}/analyses`)).deadlineAt).toBeNull();
});

it('POST /decks/{id}/analyses 202: takes a template that exists', async () => {
  const deck = await api.deck();
  const summary = await started(`/decks/${deck.id}/analyses`, { template: 'seven_chapter_review' });
  expect(summary.template).toBe('seven_chapter_review');
});

it('POST /decks/{id}/analyses 200: the same Idempotency-Key starts one analysis, also when it is sent many times at once', async () => {
  const deck = await api.deck();
  const key = { 'idempotency-key': randomUUID() };
  const answers = await Promise.all(Array.from({ length: 6 }, () => api.post(`/decks/${deck.id}/analyses`, {}, key)));
  expect(answers.map((a) => a.status).filter((status) => status === 202)).toHaveLength(1);
  expect(answers.filter((a) => a.status === 200)).toHaveLength(5);
  expect(new Set(answers.map((a) => (a.body as AnalysisSummary).analysisId)).size).toBe(1);
  expect(await api.db.analysis.count({ where: { deckId: deck.id } })).toBe(1);
});

it('POST /decks/{id}/analyses 200: the same Idempotency-Key with another priority: what is computed is the same', async () => {
  const deck = await api.deck();
  const key = { 'idempotency-key': randomUUID() };
  const first = await started(`/decks/${deck.id}/analyses`, { priority: 2 }, key);
  await api.db.analysis.update({ where: { id: first.analysisId }, data: { priority: 1 } });
  const again = await api.post(`/decks/${deck.id}/analyses`, { priority: 2 }, key);
  expect(again).toMatchObject({ status: 200, body: { analysisId: first.analysisId, priority: 1 } });
});

it('POST /decks/{id}/analyses 409: the same Idempotency-Key for another request', async () => {
  const deck = await api.deck();
  const key = { 'idempotency-key': randomUUID() };
  await started(`/decks/${deck.id}/analyses`, { language: 'en' }, key);
  for (const path of [
    `/decks/${deck.id}/analyses`,
    `/decks/${deck.id}/tasks/visual_analysis`,
    `/decks/${(await api.deck()).id}/analyses`,
  ]) {
    const body = path === `/decks/${deck.id}/analyses` ? { language: 'de' } : { language: 'en' };
    expect(await api.post(path, body, key), path).toMatchObject(problem(409, 'conflict'));
  }
});

it('POST /decks/{id}/analyses 400: choices that are none, each named', async () => {
  const deck = await api.deck();
  for (const body of [
    { language: 'fr' },
    { priority: 0 },
    { priority: 1.5 },
    { models: 'GPT 4' },
    { unknown: 1 },
    [],
  ]) {
    expect(await api.post(`/decks/${deck.id}/analyses`, body)).toMatchObject(problem(400, 'invalid_request'));
  }
  for (const [body, detail] of [
    [{ language: 'fr' }, 'language'],
    [{ deadline: 'soon' }, 'neither a duration nor a time'],
  ] as const) {
    const answer = await api.post(`/decks/${deck.id}/analyses`, body);
    expect((answer.body as { detail: string }).detail).toContain(detail);
  }
  const broken = await api.call('POST', `/decks/${deck.id}/analyses`, {
    body: '{',
    headers: { 'content-type': 'application/json' },
  });
  expect(broken).toMatchObject(problem(400, 'invalid_request'));
});

it('POST /decks/{id}/analyses 400: a profile of models that does not exist, with the one that was meant', async () => {
  const deck = await api.deck();
  const answer = await api.post(`/decks/${deck.id}/analyses`, { models: 'qwen3vl' });
  expect(answer).toMatchObject(problem(400, 'invalid_request'));
  expect((answer.body as { detail: string }).detail).toContain('Did you mean qwen3-vl?');
});

it('POST /decks/{id}/analyses 422: a template that does not exist, before anything is started', async () => {
  const deck = await api.deck();
  const answer = await api.post(`/decks/${deck.id}/analyses`, { template: 'no_such' });
  expect(answer).toMatchObject(problem(422, 'template_missing'));
  expect((answer.body as { hint: string }).hint).toContain('seven_chapter_review');
  expect(await api.db.analysis.count({ where: { deckId: deck.id } })).toBe(0);
});

it('POST /decks/{id}/analyses 503: no Temporal; the row says so, and the same key starts it once there is one', async () => {
  const deck = await api.deck();
  const connection = Connection.lazy({ address: '127.0.0.1:9' });
  const cut = await serveApi({
    ...api,
    temporal: temporalClient(connection, { namespace: api.temporalNamespace }, api.config),
  });
  const idempotencyKey = randomUUID();
  try {
    const client = createDeckhandClient(cut.url, api);
    await expect(client.startAnalysis(deck.id, { idempotencyKey })).rejects.toMatchObject({
      code: 'service_unavailable',
    });
  } finally {
    await cut.close();
    await connection.close();
  }
  const [row] = await api.db.analysis.findMany({ where: { deckId: deck.id } });
  expect(row).toMatchObject({ status: 'failed', failureCode: 'service_unavailable', startedAt: null });
  const summary = await started(`/decks/${deck.id}/analyses`, undefined, { 'idempotency-key': idempotencyKey });
  expect(summary).toMatchObject({ analysisId: row?.id, status: 'queued', failure: null });
  expect((await workflowOf(summary.analysisId).describe()).status.name).toBe('RUNNING');
});

it('POST /decks/{id}/tasks/{type} 202: starts each task type alone', async () => {
  const deck = await api.deck();
  for (const type of TASK_TYPES) {
    const summary = await started(`/decks/${deck.id}/tasks/${type}`);
    expect(summary.taskType).toBe(type);
    expect((await workflowOf(summary.analysisId).describe()).status.name).toBe('RUNNING');
  }
  expect(await api.db.analysis.count({ where: { deckId: deck.id } })).toBe(TASK_TYPES.length);
});

it('POST /decks/{id}/tasks/{type} 400: a type that is none', async () => {
  const deck = await api.deck();
  expect((await api.post(`/decks/${deck.id}/tasks/everything`)).status).toBe(400);
});

it('GET /analyses 200: filters by deck and status, and pages', async () => {
  const [a, b] = [await api.deck(), await api.deck()];
  const rows = [];
  // A second apart: two rows of one millisecond are ordered by their random ids.
  for (const [second, status] of (['completed', 'failed', 'completed'] as const).entries())
    rows.push(await api.analysisRow({ deckId: a.id, status, createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, second)) }));
  await api.analysisRow({ deckId: b.id, status: 'completed' });
  const ids = async (query: string): Promise<string[]> => {
    const { body } = await api.call('GET', `/analyses?${query}`);
    return (body as { items: AnalysisSummary[] }).items.map((i) => i.analysisId);
  };
  expect(await ids(`deck=${a.id}`)).toEqual(rows.map((r) => r.id).toReversed());
  expect(await ids(`deck=${a.id}&status=failed`)).toEqual([rows[1]?.id]);
  const first = (await api.call('GET', `/analyses?deck=${a.id}&limit=2`)).body as { nextCursor: string };
  expect(await ids(`deck=${a.id}&limit=2&cursor=${first.nextCursor}`)).toEqual([rows[0]?.id]);
});

it('GET /analyses 200: by ids; those that do not exist are left out', async () => {
  const deck = await api.deck();
  const rows = [await api.analysisRow({ deckId: deck.id }), await api.analysisRow({ deckId: deck.id })];
  await api.analysisRow({ deckId: deck.id });
  const asked = [...rows.map((r) => r.id), randomUUID()];
  const { body } = await api.call('GET', `/analyses?ids=${asked.join(',')}`);
  const found = (body as { items: AnalysisSummary[] }).items.map((i) => i.analysisId);
  expect(found.toSorted()).toEqual(rows.map((r) => r.id).toSorted());
  expect((await api.call('GET', `/analyses?ids=${deck.id.slice(0, 8)}`)).body).toMatchObject({ items: [] });
  expect((await api.call('GET', `/analyses?ids=${'x'.repeat(8001)}`)).status).toBe(400);
});

it('GET /analyses compares whole ids of decks', async () => {
  const deck = await api.deck();
  await api.analysisRow({ deckId: deck.id });
  expect((await api.call('GET', `/analyses?deck=${deck.id.slice(0, 8)}`)).body).toMatchObject({ items: [] });
});

it('GET /analyses 400: a status that is none', async () => {
  expect(await api.call('GET', '/analyses?status=done')).toMatchObject(problem(400, 'invalid_request'));
});

it('GET /analyses/{id} 200: progress comes from the run while there is one', async () => {
  const deck = await api.deck();
  const { analysisId } = await started(`/decks/${deck.id}/analyses`);
  await workflowOf(analysisId).signal('slide');
  expect(await api.call('GET', `/analyses/${analysisId}`)).toMatchObject({
    status: 200,
    body: {
      progressSource: 'workflow',
      stage: 'slides',
      progress: { slides: { done: 1, total: 3 }, waitingFor: 'gpu-visual' },
    },
  });
});

it('GET /analyses/{id} 200: and is counted from the database when there is none', async () => {
  const deck = await api.deck();
  await api.db.deck.update({ where: { id: deck.id }, data: { pageCount: 2 } });
  const row = await api.analysisRow({ deckId: deck.id, status: 'running', stage: 'slides' });
  const call = (task: string, slideNumber: number | null, state: 'stored' | 'planned' | 'failed', cached = false) =>
    aModelCall(api.db, { analysisId: row.id, task, slideNumber, state, cached, sends: cached ? 0 : 2, lostSends: 1 });
  await call('describe_slide', 1, 'stored');
  await call('slide_feedback', 1, 'stored', true);
  await call('describe_slide', 2, 'planned');
  await call('extract_offering', null, 'failed');
  await call('classify_sector', null, 'stored');
  expect(await api.call('GET', `/analyses/${row.id}`)).toMatchObject({
    status: 200,
    body: {
      progressSource: 'database',
      status: 'running',
      progress: {
        slides: { done: 1, failed: 0, total: 2 },
        extractions: { done: 1, failed: 1, total: 2 },
        cachedCalls: 1,
        modelCalls: 2,
      },
      sends: { counted: 8, lost: 5 },
    },
  });
});

it('POST /analyses/{id}/cancel 202: cancels the run', async () => {
  const deck = await api.deck();
  const { analysisId } = await started(`/decks/${deck.id}/analyses`);
  expect((await api.post(`/analyses/${analysisId}/cancel`)).status).toBe(202);
  await vi.waitFor(async () => expect((await workflowOf(analysisId).describe()).status.name).toBe('CANCELLED'), 10_000);
});

it('POST /analyses/{id}/cancel 202: closes a row that no run stands behind, then 200', async () => {
  const row = await api.analysisRow({ pausedAt: new Date() });
  expect(await api.post(`/analyses/${row.id}/cancel`)).toMatchObject({
    status: 202,
    body: { status: 'cancelled', pausedAt: null },
  });
  expect(await api.post(`/analyses/${row.id}/cancel`)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
});

it('POST /analyses/{id}/cancel 409: what is over cannot be cancelled', async () => {
  const row = await api.analysisRow({ status: 'completed' });
  expect(await api.post(`/analyses/${row.id}/cancel`)).toMatchObject(problem(409, 'conflict'));
});

const requests: [string, unknown][] = [
  ['pause', undefined],
  ['resume', undefined],
  ['priority', { priority: 2 }],
];

it('changing a running analysis 202: the run is told, and is told again what its row says already (200)', async () => {
  const deck = await api.deck();
  const { analysisId } = await started(`/decks/${deck.id}/analyses`);
  const path = `/analyses/${analysisId}`;
  expect((await api.post(`${path}/pause`)).status).toBe(202);
  expect((await api.post(`${path}/resume`)).status).toBe(200);
  expect((await api.post(`${path}/priority`, { priority: 1 })).status).toBe(202);
  expect((await api.post(`${path}/priority`, { priority: 3 })).status).toBe(200);
  // A signal that arrives during a workflow task is written into the history when the task is over.
  await until(async () => {
    const { events } = await workflowOf(analysisId).fetchHistory();
    return (events ?? []).map((e) => e.workflowExecutionSignaledEventAttributes?.signalName).filter(Boolean);
  }).is(['pause', 'resume', 'changePriority', 'changePriority']);
});

it('changing a running analysis 409: it is over, has no run yet, or misses nothing of what is to be tried again', async () => {
  const deck = await api.deck();
  const over = await api.analysisRow({ deckId: deck.id, status: 'completed' });
  const unborn = await api.analysisRow({ deckId: deck.id });
  for (const [request, body] of requests) {
    for (const { id } of [over, unborn]) {
      const answer = await api.post(`/analyses/${id}/${request}`, body);
      expect(answer).toMatchObject({ status: 409, body: { code: 'conflict', hint: expect.any(String) as string } });
    }
  }
  const nothing = await api.post(`/analyses/${over.id}/retry`, { slide: 1 });
  expect(nothing).toMatchObject(problem(409, 'conflict'));
  const unasked = await api.post(`/analyses/${over.id}/retry`, { question: 'of_no_template' });
  expect(unasked).toMatchObject(problem(404, 'not_found'));
});

it('changing a running analysis 400: a priority that is none, and an item that is none or two', async () => {
  const { id } = await api.analysisRow();
  for (const priority of [0, 6, 1.5, '1', null]) {
    expect((await api.post(`/analyses/${id}/priority`, { priority })).status).toBe(400);
  }
  for (const item of [{}, { slide: 0 }, { slide: 1, question: 'market_size' }, { question: '' }]) {
    expect((await api.post(`/analyses/${id}/retry`, item)).status).toBe(400);
  }
});

const later = (): Date => new Date(Date.now() + 60_000);

it('repair of open analyses starts a row that was stored but never started', async () => {
  const row = await api.analysisRow();
  await repairAnalyses({ ...api, log }, later());
  expect((await workflowOf(row.id).describe()).status.name).toBe('RUNNING');
  expect((await rowOf(row.id)).status).toBe('queued');
});

it('repair of open analyses leaves a young row to the request that wrote it', async () => {
  const row = await api.analysisRow();
  await repairAnalyses({ ...api, log }, new Date());
  await expect(workflowOf(row.id).describe()).rejects.toThrow(/not found/i);
});

it('repair of open analyses closes a row whose run was ended from outside, with its open calls', async () => {
  const deck = await api.deck();
  const { analysisId } = await started(`/decks/${deck.id}/analyses`);
  await workflowOf(analysisId).terminate('by an operator');
  await repairAnalyses({ ...api, log }, later());
  expect(await rowOf(analysisId)).toMatchObject({ status: 'failed', failureCode: 'internal' });
  expect((await rowOf(analysisId)).failureMessage).toContain('terminated');
});

it('repair of open analyses leaves a running one alone', async () => {
  const deck = await api.deck();
  const { analysisId } = await started(`/decks/${deck.id}/analyses`);
  await repairAnalyses({ ...api, log }, later());
  expect((await rowOf(analysisId)).status).toBe('queued');
});
