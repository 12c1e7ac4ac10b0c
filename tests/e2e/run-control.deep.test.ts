/**
 * A run is held, let go on, overtakes and has one item tried again, while its calls wait, run and fail. No model call is cut or made twice by
 * any of it.
 */
import { expect, it } from 'vitest';
import { readDemand } from '../../activities/fleet/pool/demand.ts';
import { GPU_CLASSES } from '../../domain/models/model-tasks.ts';
import { DECK_WORKFLOW, makeDeckWorkflowId, RESUME_SIGNAL, type DeckWorkflowInput } from '../../contracts/decks.ts';
import { CONTROL_QUEUE } from '../../contracts/queues.ts';
import { plainDeck } from '../../testing/plain-deck.ts';
import { rigPerFile, questionsOf, SLOTS } from '../../testing/rig.ts';
import { SHORT_QUESTIONS } from '../../testing/short-template.ts';
import { until } from '../../testing/until.ts';
import { anAnalysis, deckInput } from '../../testing/make.ts';

/** Pages of a plain deck, each described and commented on. */
const PAGES = 5;
/** `PENDING_ACTIVITY_STATE_STARTED` of Temporal's API. */
const STARTED = 2;

const rig = rigPerFile({ template: 'short', environment: { DECKHAND_LOST_WORKER_SEC: '3' } });

const deckOf = async (company: string): Promise<string> => rig.upload(await plainDeck(company), `${company}.pdf`);

/** Visual calls take this long in their slot. */
const slowSlides = (latencyMs: number) => ({
  rules: ['describe_slide', 'slide_feedback'].map((task) => ({ match: { task }, fault: { latencyMs } })),
});

/** Calls of an analysis by state. */
async function states(analysisId: string): Promise<Record<string, number>> {
  const rows = await rig.db.modelCall.groupBy({ by: ['state'], where: { analysisId }, _count: true });
  return Object.fromEntries(rows.map((r) => [r.state, r._count]));
}

/** Activities of a run on the GPU queues, as its history has them: when each was scheduled, in which class, and how it ended. */
async function gpuActivities(analysisId: string) {
  const { events } = await rig.temporal.workflow.getHandle(makeDeckWorkflowId(analysisId)).fetchHistory();
  return (events ?? []).flatMap((event) => {
    const scheduled = event.activityTaskScheduledEventAttributes;
    if (scheduled?.taskQueue?.name?.startsWith('gpu-') !== true) return [];
    const isOf = (e: { scheduledEventId?: unknown } | null | undefined) =>
      String(e?.scheduledEventId) === String(event.eventId);
    return [
      {
        activityId: scheduled.activityId ?? '',
        priority: scheduled.priority?.priorityKey,
        fairnessKey: scheduled.priority?.fairnessKey,
        cancelRequested: (events ?? []).some((e) => isOf(e.activityTaskCancelRequestedEventAttributes)),
        started: (events ?? []).some((e) => isOf(e.activityTaskStartedEventAttributes)),
      },
    ];
  });
}

it('a run that is held finishes what a model has, sends nothing more, asks for no GPU, and goes on where it was', async () => {
  const deckId = await deckOf('Cardiva');
  await rig.reader.script(slowSlides(1500));
  const before = await rig.reader.stats();
  const { analysisId } = await rig.client.startAnalysis(deckId);
  await until(() => rig.reader.stats()).is((stats) => stats.inFlight === SLOTS);
  await until(() => states(analysisId)).is(({ planned = 0, stored = 0 }) => planned + stored === 2 * PAGES);
  await rig.client.POST('/analyses/{id}/pause', { params: { path: { id: analysisId } } });
  const held = await until(() => rig.analysis(analysisId)).is((status) => status.pausedAt !== null);
  expect(held).toMatchObject({ status: 'running', progress: { paused: true, waitingFor: null } });
  // Again is fine, and so is asking for what is so.
  expect((await rig.client.POST('/analyses/{id}/pause', { params: { path: { id: analysisId } } })).pausedAt).toBe(
    held.pausedAt,
  );
  expect(await readDemand(rig.db, GPU_CLASSES, new Date())).toMatchObject({
    openCalls: 0,
    comingSeconds: 0,
    oldestAgeMs: null,
  });

  const quiet = await until(() => rig.reader.stats()).is((stats) => stats.inFlight === 0);
  const asked = quiet.calls - before.calls;
  expect(asked).toBeLessThan(2 * PAGES);
  expect(quiet.cancelled).toBe(before.cancelled);
  await until(() => states(analysisId)).is(({ stored }) => stored === asked);
  // A call is stored a moment before its activity is reported as complete.
  await until(() => rig.temporal.workflow.getHandle(held.workflowId).describe()).is(
    ({ raw }) => (raw.pendingActivities ?? []).length === 0,
  );
  expect((await rig.reader.stats()).calls - before.calls).toBe(asked);

  await rig.reader.script({});
  await rig.client.POST('/analyses/{id}/resume', { params: { path: { id: analysisId } } });
  await rig.ended(analysisId);
  const after = await rig.reader.stats();
  const report = await rig.client.report(analysisId);
  expect(report.status).toBe('completed');
  expect(report.gaps).toEqual([]);
  expect(after.calls - before.calls).toBe((await states(analysisId))['stored']);
  expect(after.repeatedInputs).toBe(before.repeatedInputs);
  expect((await rig.analysis(analysisId)).pausedAt).toBeNull();
});

it('a run that is held stays held when its gateway and its control worker are killed, and repeats only what was in flight', async () => {
  const deckId = await deckOf('Tensora');
  await rig.reader.script(slowSlides(30_000));
  const before = await rig.reader.stats();
  const { analysisId } = await rig.client.startAnalysis(deckId);
  await until(() => rig.reader.stats()).is((stats) => stats.inFlight === SLOTS);
  await rig.client.POST('/analyses/{id}/pause', { params: { path: { id: analysisId } } });
  await until(() => rig.analysis(analysisId)).is((status) => status.pausedAt !== null);
  const [gateway, control] = await Promise.all([rig.pidOf('gateway'), rig.pidOf('control')]);
  process.kill(gateway, 'SIGKILL');
  process.kill(control, 'SIGKILL');
  const alone = await until(() => rig.reader.stats()).is((stats) => stats.inFlight === 0);
  await rig.reader.script({});
  // The calls of the dead gateway are given to the new one, which sees that the run is held and gives them back.
  await until(() => rig.temporal.workflow.getHandle(makeDeckWorkflowId(analysisId)).describe()).is(
    ({ raw }) => (raw.pendingActivities ?? []).length === 0,
  );
  expect((await rig.analysis(analysisId)).progress.paused).toBe(true);
  expect((await rig.reader.stats()).calls).toBe(alone.calls);

  await rig.client.POST('/analyses/{id}/resume', { params: { path: { id: analysisId } } });
  await rig.ended(analysisId);
  const report = await rig.client.report(analysisId);
  expect(report.status).toBe('completed');
  const after = await rig.reader.stats();
  expect(after.repeatedInputs - before.repeatedInputs).toBeLessThanOrEqual(SLOTS);
});

it('a run that is held is held from the first moment when the run before it was', async () => {
  const deckId = await deckOf('Venaris');
  const { analysisId, input } = await rowFor(deckId);
  const before = await rig.reader.stats();
  const counts = { pagesRendered: 0, pagesFailed: 0, slidesDone: 0, slidesFailed: 0 };
  const handle = await start({
    ...input,
    resume: {
      pageCount: PAGES,
      windowsDone: 0,
      slidesDone: false,
      paused: true,
      priority: 5,
      counts: { ...counts, cachedCalls: 0, modelCalls: 0, gaps: 0 },
    },
  });
  expect(await handle.query('progress')).toMatchObject({ paused: true, slides: { done: 0 } });
  // The query was answered after the first task of the run, in which a run that is not held begins to draw its pages.
  const { raw } = await handle.describe();
  expect((raw.pendingActivities ?? []).map((a) => a.activityType?.name)).toEqual([]);
  expect((await rig.reader.stats()).calls).toBe(before.calls);
  await handle.signal(RESUME_SIGNAL, { by: 'test' });
  await handle.result();
  const priorities = (await gpuActivities(analysisId)).map((a) => a.priority);
  expect(new Set(priorities)).toEqual(new Set([5]));
  expect((await rig.client.report(analysisId)).status).toBe('completed');
});

it('a run that is held sends nothing to a model when a place becomes free for which a call has waited since before', async () => {
  const known = await deckOf('Nefrona');
  await rig.review(known, { taskType: 'visual_analysis' });
  await rig.reader.script({ rules: [{ match: { task: 'describe_slide' }, fault: { wedge: true } }] });
  const holding = await rig.client.startAnalysis(await deckOf('Ventria'));
  await until(() => rig.reader.stats()).is((stats) => stats.inFlight === SLOTS);
  const { analysisId, workflowId } = await rig.client.startAnalysis(known, { taskType: 'startup_name_extraction' });
  const pending = async () =>
    (await rig.temporal.workflow.getHandle(workflowId).describe()).raw.pendingActivities ?? [];
  await until(pending).is((all) => all.some((a) => a.activityType?.name === 'extractValue' && a.state === STARTED));
  await rig.client.POST('/analyses/{id}/pause', { params: { path: { id: analysisId } } });
  await until(() => rig.analysis(analysisId)).is((status) => status.pausedAt !== null);
  await rig.client.POST('/analyses/{id}/cancel', { params: { path: { id: holding.analysisId } } });
  await rig.ended(holding.analysisId);
  await until(pending).is((all) => all.length === 0);
  expect(await states(analysisId)).toMatchObject({ planned: 1 });

  await rig.client.POST('/analyses/{id}/resume', { params: { path: { id: analysisId } } });
  await rig.ended(analysisId);
  expect(await rig.analysis(analysisId)).toMatchObject({
    status: 'completed',
  });
});

it('a run that is held can be cancelled', async () => {
  const { analysisId } = await rig.client.startAnalysis(await deckOf('Ostera'));
  await rig.client.POST('/analyses/{id}/pause', { params: { path: { id: analysisId } } });
  await rig.client.POST('/analyses/{id}/cancel', { params: { path: { id: analysisId } } });
  await rig.ended(analysisId);
  expect(await rig.analysis(analysisId)).toMatchObject({
    status: 'cancelled',
    pausedAt: null,
  });
});

it('another priority of a run is that of its waiting calls at once; those with a model are left alone', async () => {
  const deckId = await deckOf('Lumenia');
  // Far longer than the new priority takes: no place becomes free meanwhile.
  await rig.reader.script(slowSlides(8000));
  const before = await rig.reader.stats();
  const { analysisId } = await rig.client.startAnalysis(deckId, { priority: 4 });
  await until(() => gpuActivities(analysisId)).is((activities) => activities.length === 2 * PAGES);
  await until(() => rig.reader.stats()).is((stats) => stats.inFlight === SLOTS);
  await rig.client.POST('/analyses/{id}/priority', { params: { path: { id: analysisId } }, body: { priority: 1 } });
  const changed = await until(() => rig.analysis(analysisId)).is((status) => status.priority === 1);
  expect(changed.pausedAt).toBeNull();
  // The fleet is sized by the new priority, without the delays of the ordinary one.
  const demand = await readDemand(rig.db, GPU_CLASSES, new Date());
  expect(demand.criticalCalls).toBe(demand.openCalls);
  expect(demand.criticalCalls).toBeGreaterThan(0);
  await rig.reader.script({});
  await rig.ended(analysisId);

  const activities = await gpuActivities(analysisId);
  const visual = activities.slice(0, 2 * PAGES);
  expect(new Set(visual.map((a) => a.priority))).toEqual(new Set([4]));
  const takenBack = visual.filter((a) => a.cancelRequested);
  expect(takenBack.length).toBeGreaterThan(0);
  expect(takenBack.filter((a) => a.started)).toEqual([]);
  const later = activities.slice(2 * PAGES);
  expect(new Set(later.map((a) => a.priority))).toEqual(new Set([1]));
  expect(new Set(activities.map((a) => a.fairnessKey))).toEqual(new Set(['default']));
  const after = await rig.reader.stats();
  expect(after.cancelled).toBe(before.cancelled);
  expect(after.repeatedInputs).toBe(before.repeatedInputs);
  expect((await rig.client.report(analysisId)).gaps).toEqual([]);
});

it('calls that wait too long get another priority: a few calls of a starved run move up a class', async () => {
  const { analysisId, input } = await rowFor(await deckOf('Aortica'));
  await rig.db.analysis.update({ where: { id: analysisId }, data: { priority: 5 } });
  // No call ends meanwhile: each end begins the wait anew.
  await rig.reader.script(slowSlides(60_000));
  const handle = await start({ ...input, priority: 5, slaMs: 3000 });
  const hurried = await until(() => gpuActivities(analysisId)).is((activities) =>
    activities.some((a) => a.priority !== 5),
  );
  const moved = hurried.findIndex((a) => a.priority !== 5);
  expect(moved).toBeGreaterThan(0);
  // The first look may come a moment before the calls are late; at the next one they have earned two classes.
  expect([4, 3]).toContain(hurried[moved]?.priority);
  expect(hurried.slice(0, moved).some((a) => a.cancelRequested)).toBe(true);
  expect(hurried.filter((a) => a.cancelRequested && a.started)).toEqual([]);
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow();
});

it('one item tried again closes the gap of a slide while the run goes on; what was built without it says so', async () => {
  const deckId = await deckOf('Glycora');
  // Fourteen answers share four slots: the last ones begin 15 s after the first ones.
  const slowAnswers = { match: { task: 'answer_question' }, fault: { latencyMs: 5000 } };
  await rig.reader.script({
    rules: [{ match: { task: 'describe_slide', slide: 2 }, fault: { badJson: true } }, slowAnswers],
  });
  const { analysisId } = await rig.client.startAnalysis(deckId);
  await until(() => rig.db.modelCall.count({ where: { analysisId, task: 'answer_question' } })).is(
    (count) => count > 0,
  );
  expect((await rig.analysis(analysisId)).progress).toMatchObject({
    gaps: 1,
    slides: { done: 4, failed: 1 },
  });
  await rig.reader.script({ rules: [slowAnswers] });
  await rig.client.POST('/analyses/{id}/retry', { params: { path: { id: analysisId } }, body: { slide: 2 } });
  await until(() => rig.db.gap.count({ where: { analysisId } })).is(0);
  await rig.reader.script({});
  await rig.ended(analysisId);

  const report = await rig.client.report(analysisId);
  expect(report.status).toBe('completed');
  expect(report.slides.map((s) => s.legible)).toEqual([true, true, true, true, true]);
  expect(report.overall).toMatchObject({ scored: SHORT_QUESTIONS, asked: SHORT_QUESTIONS });
  const calls = await rig.db.modelCall.findMany({ where: { analysisId, state: 'stored' } });
  const without = (task: string) => calls.filter((c) => c.task === task && c.computedWithout.includes(2)).length;
  expect(without('extract_offering')).toBe(1);
  expect(without('answer_question')).toBeGreaterThan(0);
  // Those that no model had begun read the slide after all.
  expect(without('answer_question')).toBeLessThan(SHORT_QUESTIONS);
  expect(without('score_answer')).toBe(without('answer_question'));
  const { progress } = await rig.analysis(analysisId);
  expect(progress).toMatchObject({ gaps: 0, slides: { done: 5, failed: 0 } });
});

it('one item tried again answers a question after all, scores it and rolls up again', async () => {
  const question = 'payer_vs_user';
  const deckId = await deckOf('Hepatix');
  const slowScores = { match: { task: 'score_answer' }, fault: { latencyMs: 1000 } };
  await rig.reader.script({
    rules: [{ match: { task: 'answer_question', question }, fault: { badJson: true } }, slowScores],
  });
  const { analysisId } = await rig.client.startAnalysis(deckId);
  await until(() => rig.db.modelCall.count({ where: { analysisId, task: 'score_answer' } })).is((count) => count > 0);
  await rig.reader.script({ rules: [slowScores] });
  await rig.client.POST('/analyses/{id}/retry', { params: { path: { id: analysisId } }, body: { question } });
  await rig.reader.script({});
  await rig.ended(analysisId);
  const report = await rig.client.report(analysisId);
  expect(report.status).toBe('completed');
  expect(report.overall).toMatchObject({ scored: SHORT_QUESTIONS, asked: SHORT_QUESTIONS, coverage: 1 });
  const answer = questionsOf(report).find((q) => q.slug === question);
  expect(answer).toMatchObject({ status: 'scored' });
});

it('one item tried again of a finished analysis is a replay of that item alone', async () => {
  const deckId = await deckOf('Myelix');
  await rig.reader.script({
    rules: [2, 3].map((slide) => ({ match: { task: 'slide_feedback', slide }, fault: { badJson: true } })),
  });
  const first = await rig.review(deckId);
  expect(first.gaps.map((g) => g.slide)).toEqual([2, 3]);
  await rig.reader.script({});
  const replay = await rig.client.POST('/analyses/{id}/retry', {
    params: { path: { id: first.analysisId } },
    body: { slide: 2 },
  });
  expect(replay).toMatchObject({ replayOf: first.analysisId, replayKind: 'gaps' });
  await rig.ended(replay.analysisId);
  expect((await rig.client.report(replay.analysisId)).gaps.map((g) => g.slide)).toEqual([3]);
});

/** A row of an analysis whose run a test starts itself, with the input for it. */
async function rowFor(deckId: string): Promise<{ analysisId: string; input: DeckWorkflowInput }> {
  const { tenantId } = await rig.db.deck.findUniqueOrThrow({ where: { id: deckId } });
  const analysis = await anAnalysis(rig.db, { tenantId, deckId, stage: null });
  return { analysisId: analysis.id, input: deckInput(analysis) };
}

const start = (input: DeckWorkflowInput) =>
  rig.temporal.workflow.start(DECK_WORKFLOW, {
    workflowId: makeDeckWorkflowId(input.analysisId),
    taskQueue: CONTROL_QUEUE,
    args: [input],
  });
