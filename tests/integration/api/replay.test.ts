/** Routes of replays, each status of each, with a real Temporal behind them. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { AnalysisSummary, ReplayBatch } from '../../../api/client.ts';
import { MODEL_TASK_NAMES } from '../../../domain/models/model-tasks.ts';
import type { ReplayPlan } from '../../../domain/decks/replay/plan.ts';
import type { Analysis } from '../../../generated/prisma/client.ts';
import { makeDeckWorkflowId } from '../../../contracts/decks.ts';
import { aGap, aSlide } from '../../../testing/make.ts';
import { problem } from './support.ts';
import { startTestApiWithWorker } from './worker.ts';
import { perFile } from '../../../testing/per-file.ts';

const api = perFile(startTestApiWithWorker);

const finished = (values: Partial<Analysis> = {}): Promise<Analysis> =>
  api.analysisRow({ status: 'failed', ...values });
const replay = (id: string, body?: unknown, headers?: Record<string, string>) =>
  api.post(`/analyses/${id}/replay`, body, headers);
const rowOf = (id: string) => api.db.analysis.findUniqueOrThrow({ where: { id }, include: { modelOverrides: true } });
const replaysOf = (id: string): Promise<number> => api.db.analysis.count({ where: { replayOfId: id } });
const gap = (analysisId: string, item: string, slideNumber: number | null = null) =>
  aGap(api.db, { analysisId, item, slideNumber, code: 'internal' });
const pinModels = () =>
  api.db.modelConfiguration.updateMany({ data: { pinnedDigest: 'a'.repeat(64), pinnedAt: new Date() } });

it('POST /analyses/{id}/replay 202: starts a new analysis with the choices of the old one, linked to it', async () => {
  const origin = await finished({ language: 'de', priority: 5, taskType: 'visual_analysis' });
  const answer = await replay(origin.id);
  expect(answer).toMatchObject({
    status: 202,
    body: {
      deckId: origin.deckId,
      replayOf: origin.id,
      replayKind: 'full',
      language: 'de',
      priority: 5,
      taskType: 'visual_analysis',
      status: 'queued',
    },
  });
  const { analysisId } = answer.body as AnalysisSummary;
  const run = await api.temporal.workflow.getHandle(makeDeckWorkflowId(analysisId)).describe();
  expect(run.status.name).toBe('RUNNING');
  expect(await api.call('GET', `/analyses/${origin.id}`)).toMatchObject({
    body: { replayOf: null, replayKind: null },
  });
});

it('POST /analyses/{id}/replay 202: and with other choices where they are given', async () => {
  const origin = await finished();
  const { body } = await replay(origin.id, {
    from: 'template',
    template: 'seven_chapter_review',
    priority: 1,
    models: { scoring: 'reader-vision:1', answer_question: 'reader-text:1' },
  });
  const { analysisId } = body as AnalysisSummary;
  const row = await rowOf(analysisId);
  expect(row).toMatchObject({
    recomputeFrom: 'template',
    edition: analysisId,
    requestedTemplate: 'seven_chapter_review',
    priority: 1,
  });
  const models = Object.fromEntries(row.modelOverrides.map((o) => [o.task, o.modelName]));
  expect(models).toEqual({ score_answer: 'reader-vision:1', answer_question: 'reader-text:1' });

  await api.db.analysis.update({ where: { id: analysisId }, data: { status: 'completed' } });
  const next = await replay(analysisId, { models: { answer_question: null } });
  const inherited = await rowOf((next.body as AnalysisSummary).analysisId);
  expect(inherited).toMatchObject({ recomputeFrom: 'template', edition: analysisId, priority: 1 });
  expect(inherited.modelOverrides.map((o) => o.task)).toEqual(['score_answer']);
});

it('POST /analyses/{id}/replay 200: the same Idempotency-Key starts one replay, also when it is sent many times at once', async () => {
  const origin = await finished();
  const key = { 'idempotency-key': randomUUID() };
  const answers = await Promise.all(Array.from({ length: 6 }, () => replay(origin.id, { kind: 'gaps' }, key)));
  expect(answers.map((a) => a.status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 200, 202]);
  expect(await replaysOf(origin.id)).toBe(1);
  const other = await finished();
  expect((await replay(other.id, { kind: 'gaps' }, key)).status).toBe(202);
});

it('POST /analyses/{id}/replay 409: the same Idempotency-Key for other choices, which leave the replay as it is', async () => {
  const origin = await finished();
  const key = { 'idempotency-key': randomUUID() };
  const { analysisId } = (await replay(origin.id, {}, key)).body as AnalysisSummary;
  for (const body of [{ from: 'scoring' }, { kind: 'gaps' }, { models: { score_answer: 'reader-text:1' } }])
    expect(await replay(origin.id, body, key)).toMatchObject(problem(409, 'conflict'));
  expect(await rowOf(analysisId)).toMatchObject({
    replayKind: 'full',
    recomputeFrom: null,
    priority: 3,
    modelOverrides: [],
  });
});

it('POST /analyses/{id}/replay 200: the same Idempotency-Key with another priority, which changes no result and is left as it is', async () => {
  const origin = await finished();
  const key = { 'idempotency-key': randomUUID() };
  const { analysisId } = (await replay(origin.id, {}, key)).body as AnalysisSummary;
  expect(await replay(origin.id, { priority: 1 }, key)).toMatchObject({
    status: 200,
    body: { analysisId, priority: 3 },
  });
  expect(await replaysOf(origin.id)).toBe(1);
});

it('POST /analyses/{id}/replay 200: the same Idempotency-Key gives back what it started, also when the analysis goes on since', async () => {
  const origin = await finished({ status: 'completed_with_gaps' });
  const key = { 'idempotency-key': randomUUID() };
  const { analysisId } = (await replay(origin.id, {}, key)).body as AnalysisSummary;
  // As the retry of one slide does.
  await api.db.analysis.update({ where: { id: origin.id }, data: { status: 'running' } });
  expect(await replay(origin.id, {}, key)).toMatchObject({ status: 200, body: { analysisId } });
  expect(await replay(origin.id, {})).toMatchObject({ status: 409 });
});

it('POST /analyses/{id}/replay 409: while the analysis is not over, and while its deck is being deleted', async () => {
  for (const status of ['queued', 'running'] as const) {
    const origin = await finished({ status });
    const refused = problem(409, 'conflict');
    expect(await replay(origin.id)).toMatchObject(refused);
    expect(await replay(origin.id, { dryRun: true })).toMatchObject(refused);
  }
  const origin = await finished();
  await api.db.deck.update({ where: { id: origin.deckId }, data: { deletingAt: new Date() } });
  for (const body of [{}, { dryRun: true }])
    expect(await replay(origin.id, body)).toMatchObject(problem(409, 'conflict'));
  expect(await replaysOf(origin.id)).toBe(0);
});

it('POST /analyses/{id}/replay 404: no such analysis', async () =>
  expect(await replay(randomUUID(), { dryRun: true })).toMatchObject(problem(404, 'not_found')));

it('POST /analyses/{id}/replay 400: choices that are none or exclude each other, each named', async () => {
  const origin = await finished();
  for (const body of [
    { kind: 'half' },
    { from: 'nowhere' },
    { kind: 'gaps', from: 'scoring' },
    { kind: 'gaps', template: 'seven_chapter_review' },
    { items: [{ slide: 1 }] },
    { kind: 'gaps', items: [{ page: 1 }] },
    { models: { everything: 'reader-text:1' } },
    { priority: 9 },
    { unknown: 1 },
  ])
    expect(await replay(origin.id, body), JSON.stringify(body)).toMatchObject(problem(400, 'invalid_request'));
  const named = (await replay(origin.id, { models: { everything: 'x' } })).body as { hint: string };
  expect(named.hint).toContain('scoring');
  expect(await replaysOf(origin.id)).toBe(0);
});

it('POST /analyses/{id}/replay 422: a template or model that does not exist, or one that cannot see', async () => {
  const origin = await finished();
  expect(await replay(origin.id, { template: 'no_such' })).toMatchObject({ body: { code: 'template_missing' } });
  const unknown = await replay(origin.id, { models: { answer_question: 'gpt' } });
  expect(unknown).toMatchObject(problem(422, 'model_not_configured'));
  expect((unknown.body as { hint: string }).hint).toMatch(/reader-text:1.*reader-vision:1/u);
  expect(await replay(origin.id, { models: { slides: 'reader-text:1' } })).toMatchObject(
    problem(422, 'model_lacks_vision'),
  );
  expect(await replaysOf(origin.id)).toBe(0);
});

it('POST /analyses/{id}/replay limits a replay of gaps to a slide or question that misses something', async () => {
  const version = await api.db.templateVersion.findFirstOrThrow({
    include: { chapters: { include: { questions: true } } },
  });
  const question = version.chapters[0]?.questions[0];
  const origin = await finished({ status: 'completed_with_gaps', templateVersionId: version.id });
  await gap(origin.id, 'slide/3/description', 3);
  const ask = (item: unknown) => replay(origin.id, { kind: 'gaps', items: [item] });
  expect(await ask({ slide: 4 })).toMatchObject(problem(409, 'conflict'));
  expect(await ask({ question: 'no_such' })).toMatchObject(problem(404, 'not_found'));
  expect(await ask({ question: question?.slug })).toMatchObject({ status: 409 });

  const { analysisId } = (await ask({ slide: 3 })).body as AnalysisSummary;
  expect((await rowOf(analysisId)).replayItems).toContain('slide/3/description');
  await gap(origin.id, `score/${question?.id}`);
  for (const name of [question?.slug, question?.id]) {
    const started = (await ask({ question: name })).body as AnalysisSummary;
    expect((await rowOf(started.analysisId)).replayItems).toEqual([`answer/${question?.id}`, `score/${question?.id}`]);
  }
});

it('503: while no host has shown a model that is needed', async () => {
  await api.db.modelConfiguration.updateMany({ data: { pinnedDigest: null } });
  const origin = await finished();
  expect(await replay(origin.id, { dryRun: true })).toMatchObject(problem(503, 'model_not_ready'));
});

it('200: names the calls of pages that were never drawn and of what is built on them, and stores nothing', async () => {
  await pinModels();
  const origin = await finished();
  const before = await api.db.analysis.count();
  const unknown = (await replay(origin.id, { dryRun: true })).body as ReplayPlan;
  expect(unknown).toMatchObject({ calls: [], pages: { total: null } });

  await api.db.deck.update({ where: { id: origin.deckId }, data: { pageCount: 2 } });
  const plan = (await replay(origin.id, { dryRun: true })).body as ReplayPlan;
  expect(plan.pages).toEqual({ total: 2, rendered: 0 });
  const counts = Object.fromEntries(
    MODEL_TASK_NAMES.map((task) => [task, plan.calls.filter((c) => c.task === task).length]),
  );
  expect(counts).toMatchObject({ describe_slide: 2, slide_feedback: 2, extract_funding: 1, classify_sector: 1 });
  expect(counts).toMatchObject({ answer_question: 34, score_answer: 34, specialised_clinical: 1 });
  expect(plan.calls.filter((c) => c.stage === 'slides').every((c) => c.certainty === 'certain')).toBe(true);
  expect(plan.calls.find((c) => c.task === 'extract_funding')?.condition).toBe(
    'only if something can be read in the deck',
  );
  expect(await api.db.analysis.count()).toBe(before);
  expect(await api.db.modelCall.count({ where: { analysis: { deckId: origin.deckId } } })).toBe(0);
});

it('200: a page that could not be drawn is drawn again, and its calls come only if it can be', async () => {
  const origin = await finished({ taskType: 'slide_feedback' });
  await api.db.deck.update({ where: { id: origin.deckId }, data: { pageCount: 1 } });
  const failure = { failureCode: 'page_render_timeout', failureMessage: 'm' };
  await aSlide(api.db, { deckId: origin.deckId, text: '', modelBlobKey: null, modelSha256: null, ...failure });
  const plan = (await replay(origin.id, { dryRun: true })).body as ReplayPlan;
  expect(plan.calls).toMatchObject([
    { task: 'slide_feedback', slide: 1, reason: 'failed_before', condition: 'only if page 1 can be drawn this time' },
  ]);
  expect(plan.staysMissing).toEqual([]);
});

const bulk = async (body: object): Promise<ReplayBatch> => {
  const answer = await api.post('/replays', body);
  expect(answer.status).toBe(200);
  return answer.body as ReplayBatch;
};
const outcomes = (batch: ReplayBatch) => batch.items.map((i) => [i.analysisId, i.outcome]);

it('POST /replays 200: starts what the filter finds, oldest first, up to the limit, and goes on where it ended', async () => {
  const { id: deck } = await api.deck();
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
  const rows = [];
  for (const [minute, status] of (['failed', 'completed', 'failed', 'failed'] as const).entries())
    rows.push(await api.analysisRow({ deckId: deck, status, createdAt: at(minute) }));
  const [a, , b, c] = rows.map((r) => r.id);
  const filter = { status: ['failed'], deck, limit: 2 };
  const first = await bulk(filter);
  expect(outcomes(first)).toEqual([
    [a, 'started'],
    [b, 'started'],
  ]);
  expect(first.more).toBe(true);
  const second = await bulk(filter);
  expect(outcomes(second)).toEqual([
    [a, 'running'],
    [b, 'running'],
    [c, 'started'],
  ]);
  expect(second.more).toBe(false);
  expect(outcomes(await bulk({ ...filter, since: '2026-01-01T00:02:30Z' }))).toEqual([[c, 'running']]);
  expect(outcomes(await bulk({ ...filter, since: '1d' }))).toEqual([]);
});

it('POST /replays 200: the same command at the same moment starts nothing twice', async () => {
  const origin = await finished();
  const batches = await Promise.all(
    Array.from({ length: 5 }, () => bulk({ status: ['failed'], deck: origin.deckId, kind: 'gaps' })),
  );
  expect(await replaysOf(origin.id)).toBe(1);
  expect(new Set(batches.flatMap((b) => b.items.map((i) => i.replay?.analysisId))).size).toBe(1);
  // One of the commands has started it; the others found it.
  expect(batches.flatMap((b) => b.items.map((i) => i.outcome)).toSorted()).toEqual([
    ...Array.from({ length: 4 }, () => 'running'),
    'started',
  ]);
});

it('POST /replays 200: what was replayed is left alone, what came to nothing is tried again, other choices are other replays', async () => {
  const origin = await finished({ status: 'completed_with_gaps' });
  const filter = { status: ['completed_with_gaps'], deck: origin.deckId, kind: 'gaps' };
  const idOf = (batch: ReplayBatch): string => batch.items[0]?.replay?.analysisId ?? '';
  const end = (id: string, status: Analysis['status']) =>
    api.db.analysis.update({ where: { id }, data: { status, startedAt: new Date() } });

  const failed = idOf(await bulk(filter));
  await end(failed, 'failed');
  const again = await bulk(filter);
  expect(outcomes(again)).toEqual([[origin.id, 'started']]);
  expect(idOf(again)).not.toBe(failed);
  await end(idOf(again), 'completed_with_gaps');
  expect(outcomes(await bulk(filter))).toEqual([
    [origin.id, 'replayed'],
    [idOf(again), 'is_replay'],
  ]);
  expect(outcomes(await bulk({ ...filter, again: true }))).toEqual([
    [origin.id, 'replayed'],
    [idOf(again), 'started'],
  ]);
  expect(outcomes(await bulk({ status: filter.status, deck: origin.deckId, from: 'scoring' }))).toEqual([
    [origin.id, 'started'],
    [idOf(again), 'started'],
  ]);
});

it('POST /replays 200: a dry run plans each and starts none; what cannot be replayed says why', async () => {
  await pinModels();
  const origin = await finished({ taskType: 'slide_feedback' });
  await api.db.deck.update({ where: { id: origin.deckId }, data: { pageCount: 3 } });
  const filter = { status: ['failed'], deck: origin.deckId };
  const planned = await bulk({ ...filter, dryRun: true });
  expect(planned).toMatchObject({
    dryRun: true,
    items: [{ outcome: 'planned', replay: null, plan: { certain: 3 } }],
  });
  expect(await replaysOf(origin.id)).toBe(0);

  await api.db.deck.update({ where: { id: origin.deckId }, data: { deletingAt: new Date() } });
  const refused = { items: [{ outcome: 'refused', refusal: { code: 'conflict' } }] };
  expect(await bulk(filter)).toMatchObject(refused);
  expect(await bulk({ ...filter, dryRun: true })).toMatchObject(refused);
});

it('POST /replays 200: choices that one of the analyses cannot be replayed with do not keep the others from it', async () => {
  const { id: deck } = await api.deck();
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
  const rows = [];
  for (const [minute, modelProfile] of ['reader', 'ollama', 'reader'].entries())
    rows.push(await api.analysisRow({ deckId: deck, status: 'failed', modelProfile, createdAt: at(minute) }));
  const [a, b, c] = rows.map((r) => r.id);
  const batch = await bulk({ status: ['failed'], deck, models: { scoring: 'reader-vision:1' } });
  expect(outcomes(batch)).toEqual([
    [a, 'started'],
    [b, 'refused'],
    [c, 'started'],
  ]);
  expect(batch.items[1]?.refusal).toMatchObject({ code: 'model_not_configured' });

  const own = await api.analysisRow({
    deckId: (await api.deck()).id,
    status: 'completed_with_gaps',
    requestedTemplate: 'seven_chapter_review',
  });
  const other = await api.analysisRow({ deckId: own.deckId, status: 'completed_with_gaps', replayOfId: own.id });
  const gaps = { status: ['completed_with_gaps'], deck: own.deckId, kind: 'gaps', template: 'seven_chapter_review' };
  expect(outcomes(await bulk(gaps))).toEqual([
    [own.id, 'started'],
    [other.id, 'refused'],
  ]);
});

it('POST /replays 400 and 422: a filter or choices that no analysis can be replayed with', async () => {
  const origin = await finished();
  for (const body of [{}, { status: [] }, { status: ['running'] }, { status: ['failed'], since: 'yesterday' }])
    expect(await api.post('/replays', body)).toMatchObject(problem(400, 'invalid_request'));
  const filter = { status: ['failed'], deck: origin.deckId };
  expect(await api.post('/replays', { ...filter, models: { scoring: 'gpt' } })).toMatchObject(
    problem(422, 'model_not_configured'),
  );
  expect(await api.post('/replays', { ...filter, kind: 'gaps', from: 'scoring' })).toMatchObject({ status: 400 });
  expect(await api.post('/replays', { ...filter, deck: randomUUID() })).toMatchObject(problem(404, 'not_found'));
  expect(await replaysOf(origin.id)).toBe(0);
});

it('POST /replays 200: what failed for its file is left out, with and without `again`', async () => {
  const { id: deck } = await api.deck();
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
  const rows = [];
  for (const [minute, failureCode] of ['pdf_encrypted', 'pdf_damaged', 'internal'].entries())
    rows.push(await api.analysisRow({ deckId: deck, status: 'failed', failureCode, createdAt: at(minute) }));
  const [encrypted, damaged, fault] = rows.map((r) => r.id);
  for (const again of [true, false]) {
    const items = outcomes(await bulk({ status: ['failed'], deck, again, dryRun: true }));
    // Whether the third can be planned depends on the models of the hosts.
    expect(items.map(([id, outcome]) => [id, outcome === 'unreadable'])).toEqual([
      [encrypted, true],
      [damaged, true],
      [fault, false],
    ]);
  }
});

it('GET /analyses?since 200: lists what was created since; 400: a time that is none', async () => {
  const { id: deck } = await api.deck();
  const old = await api.analysisRow({ deckId: deck, createdAt: new Date(Date.now() - 3 * 86_400_000) });
  const fresh = await api.analysisRow({ deckId: deck });
  const ids = async (since: string) =>
    ((await api.call('GET', `/analyses?deck=${deck}&since=${since}`)).body as { items: AnalysisSummary[] }).items.map(
      (i) => i.analysisId,
    );
  expect(await ids('2d')).toEqual([fresh.id]);
  expect(await ids('4d')).toEqual([fresh.id, old.id]);
  expect(await api.call('GET', '/analyses?since=yesterday')).toMatchObject({ status: 400 });
});
