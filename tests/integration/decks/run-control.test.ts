/**
 * What operators ask of a run, in moments that no real model or converter can be brought to: the workflow as it is, on a real Temporal,
 * with activities that the test plays.
 */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { ConvertActivities } from '../../../activities/convert/activities.ts';
import type { DeckActivities } from '../../../activities/decks/activities.ts';
import { startedCalls, type StartedCalls } from '../../../activities/decks/steering.ts';
import type { ModelCallInput, ModelCallOutcome } from '../../../activities/models/run-call.ts';
import type { PlannedCall } from '../../../activities/models/plan-calls.ts';
import {
  DECK_WORKFLOW,
  makeDeckWorkflowId,
  PAUSE_SIGNAL,
  PRIORITY_SIGNAL,
  RESUME_SIGNAL,
  RETRY_SIGNAL,
  SHARE_SIGNAL,
  type DeckWorkflowInput,
  type ToldShare,
} from '../../../contracts/decks.ts';
import { CONTROL_QUEUE, CONVERT_QUEUE, SECOND_READING_QUEUE } from '../../../contracts/queues.ts';
import { ATTRIBUTES } from '../../../contracts/search-attributes.ts';
import { perFile } from '../../../testing/per-file.ts';
import { startTestWorker } from '../../../testing/test-worker.ts';
import { until } from '../../../testing/until.ts';
import { startTestApi } from '../api/support.ts';
import { deckInput, TENANT } from '../../../testing/make.ts';

const WORKFLOWS = fileURLToPath(new URL('../../../workflows/index.ts', import.meta.url));
const PAGES = 2;
const STATUS_OF = {
  finished: 'completed',
  deadline: 'completed_with_gaps',
  unserved: 'completed_with_gaps',
  cancelled: 'cancelled',
  failed: 'failed',
} as const;
const NOTHING_PLANNED = { calls: [], cached: 0, failed: 0 };
const ANSWERED: ModelCallOutcome = { cached: false, attempts: 1, durationMs: 1 };

/** What the activities do; a test changes the one that it is about. */
interface Play {
  call: (input: ModelCallInput) => Promise<ModelCallOutcome>;
  started: () => Promise<StartedCalls>;
  retried: () => Promise<Awaited<ReturnType<DeckActivities['planRetry']>>>;
  /** At the start of a run, and at each look at what it waits for. */
  share: ToldShare | null;
}
let play: Play;
/** What the activities were asked for, in that order. */
let asked: string[];

const api = perFile(startTestApi);
perFile(() => startWorker(CONTROL_QUEUE, controlActivities(), WORKFLOWS));
perFile(() => startWorker('gpu-visual', { describeSlide: (input: ModelCallInput) => play.call(input) }));
beforeEach(() => {
  asked = [];
  play = {
    call: () => Promise.resolve(ANSWERED),
    started: startedCalls,
    retried: () => Promise.resolve({ mustDraw: false, calls: [] }),
    share: null,
  };
});

const startWorker = (taskQueue: string, activities: object, workflowsPath?: string) =>
  startTestWorker(api, {
    taskQueue,
    activities,
    ...(workflowsPath === undefined ? {} : { workflowsPath }),
    maxHeartbeatThrottleInterval: '100ms',
    defaultHeartbeatThrottleInterval: '100ms',
  });

const callOf = (page: number): PlannedCall => ({
  callId: `call-${page}`,
  task: 'describe_slide',
  slideNumber: page,
  questionId: null,
  modelName: 'model:1',
});

function controlActivities(): Partial<DeckActivities> {
  return {
    beginAnalysis: () => Promise.resolve(),
    announceWork: () => Promise.resolve({ pages: PAGES, share: play.share }),
    planSlides: ({ pages }) => Promise.resolve({ calls: pages.map(callOf), cached: 0, failed: 0, failedPages: 0 }),
    setStage: () => Promise.resolve(),
    planCondensation: () => Promise.resolve(NOTHING_PLANNED),
    planExtractions: () => Promise.resolve(NOTHING_PLANNED),
    leaveQuotesUnread: ({ reason }) => {
      asked.push(`unread: ${reason}`);
      return Promise.resolve();
    },
    planRetry: () => {
      asked.push('plan a retry');
      return play.retried();
    },
    steerAnalysis: ({ paused, priority }) => {
      asked.push(paused ? 'hold' : `priority ${priority}`);
      return play.started();
    },
    whatItWaitsFor: () => Promise.resolve({ reason: null, pools: [], share: play.share }),
    recordCallFailure: ({ message }) => {
      asked.push(`gap: ${message}`);
      return Promise.resolve();
    },
    finishAnalysis: ({ end }) => {
      asked.push(`end: ${end.kind}`);
      return Promise.resolve({ status: STATUS_OF[end.kind], gaps: 0 });
    },
  };
}

/** Starts a converter, which ends with the test. */
async function startConverter(
  convertWindow: ConvertActivities['convertWindow'] = ({ pages }) =>
    Promise.resolve({ rendered: pages.length, failed: 0 }),
): Promise<void> {
  const probeDeck = (): Promise<{ pageCount: number }> => Promise.resolve({ pageCount: PAGES });
  const converter = await startWorker(CONVERT_QUEUE, { convertWindow, probeDeck });
  onTestFinished(() => converter.stop());
}

/** Starts a run behind its probe. */
function start(changes: Partial<DeckWorkflowInput> = {}) {
  const counts = { pagesRendered: 0, pagesFailed: 0, slidesDone: 0, slidesFailed: 0 };
  return startAnew({
    resume: {
      pageCount: PAGES,
      windowsDone: 0,
      slidesDone: false,
      counts: { ...counts, cachedCalls: 0, modelCalls: 0, gaps: 0 },
    },
    ...changes,
  });
}

/** Starts a run from its beginning. */
function startAnew(changes: Partial<DeckWorkflowInput> = {}) {
  const analysisId = randomUUID();
  const row = { id: analysisId, tenantId: TENANT, deckId: 'deck' };
  const input = deckInput(row, { taskType: 'visual_analysis', ...changes });
  return api.temporal.workflow.start(DECK_WORKFLOW, {
    taskQueue: CONTROL_QUEUE,
    workflowId: makeDeckWorkflowId(analysisId),
    args: [input],
  });
}
type Run = Awaited<ReturnType<typeof start>>;

/** Activities of one kind as the history has them. */
async function scheduled(run: Run, name: string) {
  const { events } = await run.fetchHistory();
  return (events ?? []).flatMap((event) => {
    const begin = event.activityTaskScheduledEventAttributes;
    if (begin?.activityType?.name !== name) return [];
    const isOf = (e: { scheduledEventId?: unknown } | null | undefined): boolean =>
      String(e?.scheduledEventId) === String(event.eventId);
    const isTakenBack = (events ?? []).some((e) => isOf(e.activityTaskCanceledEventAttributes));
    return [{ priority: begin.priority?.priorityKey, isTakenBack }];
  });
}

/** Heartbeats until the activity is cancelled. */
async function cancelled(): Promise<void> {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(), 50);
  try {
    await context.cancelled;
  } catch (error) {
    if (!(error instanceof CancelledFailure)) throw error;
  } finally {
    clearInterval(beat);
  }
}

it('a run takes back pages that no converter has when it is held, and asks again under its new priority', async () => {
  const run = await start();
  await until(() => scheduled(run, 'convertWindow')).is((windows) => windows.length === 1);
  await run.signal(PAUSE_SIGNAL, { by: 'test' });
  await until(() => scheduled(run, 'convertWindow')).is(([window]) => window?.isTakenBack === true);
  await run.signal(RESUME_SIGNAL, { by: 'test' });
  await until(() => scheduled(run, 'convertWindow')).is((windows) => windows.length === 2);
  await run.signal(PRIORITY_SIGNAL, { priority: 1 });
  const windows = await until(() => scheduled(run, 'convertWindow')).is((all) => all.length === 3);
  expect(windows.map((window) => window.priority)).toEqual([3, 3, 1]);
  expect(windows.map((window) => window.isTakenBack)).toEqual([true, true, false]);
  await startConverter();
  expect(await run.result()).toMatchObject({ status: 'completed' });
  expect((await scheduled(run, 'describeSlide')).map((call) => call.priority)).toEqual([1, 1]);
});

it('a run leaves pages alone that a converter draws', async () => {
  let drawn: (() => void) | undefined;
  await startConverter(async () => {
    await new Promise<void>((resolve) => (drawn = resolve));
    return { rendered: PAGES, failed: 0 };
  });
  const run = await start();
  await until(() => drawn).is((finish) => finish !== undefined);
  await run.signal(PRIORITY_SIGNAL, { priority: 1 });
  await until(() => asked).is((all) => all.includes('priority 1'));
  drawn?.();
  expect(await run.result()).toMatchObject({ status: 'completed' });
  expect(await scheduled(run, 'convertWindow')).toEqual([{ priority: 3, isTakenBack: false }]);
});

it('a run makes a call again whose attempt failed for the moment while it was taken back', async () => {
  await startConverter();
  const tries: string[] = [];
  play.call = async ({ callId }) => {
    tries.push(callId);
    if (tries.filter((id) => id === callId).length > 1) return ANSWERED;
    await cancelled();
    throw new Error('the model server is away');
  };
  // As Temporal said in the moment before a worker had them.
  play.started = () => Promise.resolve({ started: [], drawing: false });
  const run = await start();
  await until(() => tries).is((all) => all.length === PAGES);
  await run.signal(PRIORITY_SIGNAL, { priority: 1 });
  expect(await run.result()).toMatchObject({ status: 'completed' });
  expect(tries.toSorted()).toEqual(['call-1', 'call-1', 'call-2', 'call-2']);
  expect(asked).toEqual(['priority 1', 'end: finished']);
});

it('a run is over only when what it tries again is: cancelled, it first waits for the model to be free', async () => {
  await startConverter();
  play.retried = () =>
    Promise.resolve({ mustDraw: false, calls: [{ task: 'describe_slide', call: callOf(1), hadFailed: true }] });
  const other = Promise.withResolvers<ModelCallOutcome>();
  const tries: string[] = [];
  play.call = async ({ callId }) => {
    tries.push(callId);
    if (callId === 'call-2') return other.promise;
    if (tries.filter((id) => id === callId).length === 1) throw ApplicationFailure.nonRetryable('no', 'unparseable');
    asked.push('a model has it');
    await cancelled();
    await new Promise((resolve) => setTimeout(resolve, 300));
    asked.push('the model is free');
    throw new CancelledFailure('cancelled');
  };
  const run = await start();
  await until(() => asked).is((all) => all.includes('gap: no'));
  await run.signal(RETRY_SIGNAL, { slide: 1, questionId: null });
  await until(() => asked).is((all) => all.includes('a model has it'));
  // All that is left of the stages ends, so that the retry alone goes on.
  other.resolve(ANSWERED);
  await until(() => run.query<{ modelCalls: number }>('progress')).is(({ modelCalls }) => modelCalls === 1);
  await run.cancel();
  await expect(run.result()).rejects.toThrow();
  expect(asked).toEqual(['gap: no', 'plan a retry', 'a model has it', 'the model is free', 'end: cancelled']);
});

it('a run follows no signal that names nothing', async () => {
  const run = await start();
  for (const change of [null, 2, { priority: 9 }, { priority: '1' }]) await run.signal(PRIORITY_SIGNAL, change);
  for (const item of [null, {}, { slide: 1.5, questionId: null }, { slide: 1, questionId: 'a' }]) {
    await run.signal(RETRY_SIGNAL, item);
  }
  await startConverter();
  expect(await run.result()).toMatchObject({ status: 'completed' });
  expect(asked).toEqual(['end: finished']);
});

/** Soon enough for a test, late enough for a run to have begun. */
const inAMoment = (): Partial<DeckWorkflowInput> => ({ deadlineAtMs: Date.now() + 3000 });

it('a run ends at its deadline with what it has: calls in flight are cancelled and awaited, and it is no cancelled run', async () => {
  await startConverter();
  play.call = async ({ callId }) => {
    if (callId === 'call-1') return ANSWERED;
    await cancelled();
    asked.push('the model is free');
    throw new CancelledFailure('cancelled');
  };
  const run = await start(inAMoment());
  expect(await run.result()).toMatchObject({ status: 'completed_with_gaps' });
  expect(asked).toEqual(['the model is free', 'end: deadline']);
  expect((await run.describe()).status.name).toBe('COMPLETED');
});

it('a run whose deadline passes while quotes are read again is finished, and says that they were not', async () => {
  await startConverter();
  const reader = await startWorker(SECOND_READING_QUEUE, {
    readQuotesAgain: async () => {
      await cancelled();
      throw new CancelledFailure('cancelled');
    },
  });
  onTestFinished(() => reader.stop());
  const run = await start({ taskType: 'deck_date_extraction', ...inAMoment() });
  expect(await run.result()).toMatchObject({ status: 'completed' });
  expect(asked).toEqual(['unread: the deadline of the analysis passed', 'end: finished']);
});

it('a paused run ends at its deadline', async () => {
  await startConverter();
  const run = await start(inAMoment());
  await run.signal(PAUSE_SIGNAL, { by: 'test' });
  expect(await run.result()).toMatchObject({ status: 'completed_with_gaps' });
  expect(asked.at(-1)).toBe('end: deadline');
});

it('a run whose deadline has passed before a worker had it ends at once, and one that is done before has no deadline', async () => {
  const late = await start({ deadlineAtMs: Date.now() - 1000 });
  expect(await late.result()).toMatchObject({ status: 'completed_with_gaps' });
  expect(asked).toEqual(['end: deadline']);
  await startConverter();
  const early = await start({ deadlineAtMs: Date.now() + 3_600_000 });
  expect(await early.result()).toMatchObject({ status: 'completed' });
});

it('a run that is cancelled before its deadline is a cancelled run', async () => {
  const run = await start({ deadlineAtMs: Date.now() + 3_600_000 });
  await run.cancel();
  await expect(run.result()).rejects.toThrow();
  expect(asked).toEqual(['end: cancelled']);
});

const told = (visual: number, version: number): ToldShare => ({
  share: { 'gpu-visual': visual, 'gpu-text': 0 },
  version,
});

it('a run that waits for its place draws nothing, and goes on with as many calls as it is told', async () => {
  await startConverter();
  play.share = told(0, 1);
  const release: (() => void)[] = [];
  play.call = async () => {
    await new Promise<void>((resolve) => release.push(resolve));
    return ANSWERED;
  };
  const run = await startAnew();
  await until(() => run.describe()).is(
    ({ typedSearchAttributes }) => typedSearchAttributes.get(ATTRIBUTES.deckStatus) === 'waiting_for_capacity',
  );
  expect(await scheduled(run, 'convertWindow')).toEqual([]);
  await run.signal<[ToldShare]>(SHARE_SIGNAL, told(1, 3));
  // It was overtaken.
  await run.signal<[ToldShare]>(SHARE_SIGNAL, told(0, 2));
  await until(() => release.length).is((begun) => begun === 1);
  expect(await scheduled(run, 'describeSlide')).toHaveLength(1);
  release[0]?.();
  await until(() => release.length).is((begun) => begun === 2);
  release[1]?.();
  expect(await run.result()).toMatchObject({ status: 'completed' });
});

it('a run whose signal was lost learns its share when it looks at what it waits for', async () => {
  await startConverter();
  play.share = told(0, 1);
  const run = await startAnew({ firstLookMs: 100 });
  await until(() => scheduled(run, 'whatItWaitsFor')).is((looks) => looks.length > 0);
  expect(await scheduled(run, 'convertWindow')).toEqual([]);
  play.share = told(8, 2);
  expect(await run.result()).toMatchObject({ status: 'completed' });
});

it('a run that waits for its place is ended by its deadline and by a cancellation', async () => {
  await startConverter();
  play.share = told(0, 1);
  const late = await startAnew({ deadlineAtMs: Date.now() + 1500 });
  expect(await late.result()).toMatchObject({ status: 'completed_with_gaps' });
  const run = await startAnew();
  await until(() => scheduled(run, 'announceWork')).is((all) => all.length === 1);
  await run.cancel();
  await expect(run.result()).rejects.toThrow();
  expect(asked).toEqual(['end: deadline', 'end: cancelled']);
});
