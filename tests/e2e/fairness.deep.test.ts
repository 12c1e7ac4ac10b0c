/**
 * Who gets the GPU when more is queued than it can do: tenants share it by their weights whatever they have queued, and a critical deck is
 * served next. Measured on real queues, by the times at which Temporal gave each call to a worker.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { beforeAll, expect, it } from 'vitest';
import { createDeckhandClient, type DeckhandClient, type StartOptions } from '../../api/client.ts';
import { makeDeckWorkflowId } from '../../contracts/decks.ts';
import { drawPlainDeck, plainDeck } from '../../testing/plain-deck.ts';
import { rigPerFile, SLOTS } from '../../testing/rig.ts';
import { until } from '../../testing/until.ts';

/** Calls a deck has scheduled at most. */
const SCHEDULED_PER_DECK = 32;
/** Decks of the tenant that has ten times as many, and their pages. */
const MANY = 10;
const SHORT = 20;
/** Pages of the other tenant's one deck: it must not run out of work while it is measured. */
const LONG = 160;
/** Slides over which the shares are counted. */
const MEASURED = 200;

/** The tenant that has one deck. */
let small: DeckhandClient;
/** The tenant whose deck holds the GPU while the others queue. */
let holder: DeckhandClient;
let decksOfMany: string[];
let deckOfSmall: string;

const rig = rigPerFile();
beforeAll(async () => {
  small = await clientOfTenant('small');
  holder = await clientOfTenant('holder');
  decksOfMany = [];
  for (let n = 0; n < MANY; n++) decksOfMany.push(await upload(rig.client, `many-${n}`, SHORT));
  deckOfSmall = await upload(small, 'small', LONG);
});

async function clientOfTenant(tenant: string): Promise<DeckhandClient> {
  await rig.client.POST('/tenants', { body: { slug: tenant } });
  const { key } = await rig.client.POST('/keys', { body: { name: 'test', role: 'analyst', tenant } });
  return createDeckhandClient(rig.runtime.apiUrl, { apiKey: key });
}

async function upload(client: DeckhandClient, name: string, pages: number): Promise<string> {
  const slides = Array.from({ length: pages }, (_, page) => ({
    title: `${name} ${page + 1}`,
    lines: [`Revenue of ${name} grew by ${page + 3} % in quarter ${page + 1}.`],
  }));
  const file = path.join(rig.config.home, `${name}.pdf`);
  writeFileSync(file, await drawPlainDeck(slides));
  return (await client.uploadDeck(file)).id;
}

/** A run that a test has started, and whose. */
interface StartedRun {
  readonly analysisId: string;
  /** Calls that it has in the queue while nothing is taken and no deck is before it. */
  readonly queued: number;
  readonly client: DeckhandClient;
}

async function startOn(client: DeckhandClient, deckId: string, options: StartOptions): Promise<StartedRun> {
  const { analysisId } = await client.startAnalysis(deckId, { models: 'reader', ...options });
  return { analysisId, client, queued: deckId === deckOfSmall ? SCHEDULED_PER_DECK : SHORT };
}

/** Holds every slot with calls that do not end, while work is queued behind them. Returns how to let go. */
async function holdGpu(name: string, options: StartOptions): Promise<() => Promise<void>> {
  await rig.reader.script({ rules: [{ fault: { latencyMs: 600_000 } }] });
  const deckId = await upload(holder, name, SLOTS);
  const { analysisId } = await startOn(holder, deckId, options);
  await until(() => rig.reader.stats()).is((stats) => stats.inFlight === SLOTS);
  return async () => {
    await holder.POST('/analyses/{id}/cancel', { params: { path: { id: analysisId } } });
  };
}

const handleOf = ({ analysisId }: StartedRun) => rig.temporal.workflow.getHandle(makeDeckWorkflowId(analysisId));

/** Cancels a run and waits for its end; a short deck may be done. */
async function stop(run: StartedRun): Promise<void> {
  try {
    await handleOf(run).cancel();
    await handleOf(run).result();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError || error instanceof WorkflowFailedError)) throw error;
  }
}

/** Calls of a run that are in Temporal's queue. */
async function queuedOf(run: StartedRun): Promise<number> {
  const { raw } = await handleOf(run).describe();
  return (raw.pendingActivities ?? []).filter((a) => a.activityType?.name !== 'convertWindow').length;
}

/** Waits until every run has its place in line, and the first one of each tenant its calls in the queue. */
async function untilAllWait(runs: readonly StartedRun[]): Promise<void> {
  const analysisId = { in: runs.map((run) => run.analysisId) };
  await until(() => rig.db.analysisShare.count({ where: { analysisId } })).is(runs.length);
  for (const ofTenant of Map.groupBy(runs, (run) => run.client).values()) {
    const queued = async (): Promise<number> => Math.max(...(await Promise.all(ofTenant.map(queuedOf))));
    await until(queued).is(Math.max(...ofTenant.map((run) => run.queued)));
  }
}

/** A call as Temporal gave it to a worker. */
interface TakenCall {
  readonly analysisId: string;
  readonly scheduledAtMs: number;
  readonly startedAtMs: number;
}

/** Calls of these runs that a worker was given, in that order. */
async function takenCalls(runs: readonly StartedRun[]): Promise<TakenCall[]> {
  const taken: TakenCall[] = [];
  for (const run of runs) {
    const { events = [] } = await handleOf(run).fetchHistory();
    const scheduled = new Map<string, number>();
    for (const event of events ?? []) {
      const { activityTaskScheduledEventAttributes: begin, activityTaskStartedEventAttributes: start } = event;
      if (begin?.taskQueue?.name === 'gpu-visual') scheduled.set(String(event.eventId), timeOf(event.eventTime));
      const scheduledAtMs = scheduled.get(String(start?.scheduledEventId));
      if (scheduledAtMs === undefined) continue;
      taken.push({ analysisId: run.analysisId, scheduledAtMs, startedAtMs: timeOf(event.eventTime) });
    }
  }
  return taken.toSorted((a, b) => a.startedAtMs - b.startedAtMs);
}

/** To the microsecond, because calls are given out within one millisecond. */
const timeOf = (time: { seconds?: unknown; nanos?: number | null } | null | undefined): number =>
  Number(time?.seconds ?? 0) * 1000 + (time?.nanos ?? 0) / 1e6;

/** Queues all decks of both tenants, lets go, and counts whose calls are taken. Returns the share of the tenant with one deck. */
async function shareOfSmall(options: StartOptions): Promise<number> {
  const letGo = await holdGpu(`held-${options.language}`, options);
  const many = await Promise.all(decksOfMany.map((deckId) => startOn(rig.client, deckId, options)));
  const one = await startOn(small, deckOfSmall, options);
  const runs = [...many, one];
  await untilAllWait(runs);
  await rig.reader.script({ rules: [{ fault: { latencyMs: 100 } }] });
  await letGo();
  const analysisId = { in: runs.map((run) => run.analysisId) };
  await until(() => rig.db.modelCall.count({ where: { analysisId, state: 'stored' } })).is(
    (stored) => stored >= MEASURED + 2 * SLOTS,
  );
  await Promise.all(runs.map(stop));
  const taken = await takenCalls(runs);
  const isSmall = (call: TakenCall): boolean => call.analysisId === one.analysisId;
  // Both had work queued to the end of what is counted.
  expect(taken.slice(MEASURED).map(isSmall)).toEqual(expect.arrayContaining([true, false]));
  return taken.slice(0, MEASURED).filter(isSmall).length / MEASURED;
}

it('two tenants of equal weight share equally, although one has ten times the decks', async ({ annotate }) => {
  const share = await shareOfSmall({ taskType: 'visual_analysis', language: 'en' });
  await annotate(`share of the tenant with one deck over ${MEASURED} slides: ${share}`);
  expect(Math.abs(share - 0.5)).toBeLessThanOrEqual(0.05);
});

it('a tenant of twice the weight gets twice as much', async ({ annotate }) => {
  await rig.client.PATCH('/tenants/{slug}', { params: { path: { slug: 'small' } }, body: { weight: 2 } });
  const share = await shareOfSmall({ taskType: 'visual_analysis', language: 'de' });
  await annotate(`share of the tenant with one deck and weight 2 over ${MEASURED} slides: ${share}`);
  expect(Math.abs(share - 2 / 3)).toBeLessThanOrEqual(2 / 30);
});

it('a critical deck behind a thousand queued slides is served next', async ({ annotate }) => {
  const options = { taskType: 'slide_feedback' } as const;
  const letGo = await holdGpu('held-critical', options);
  const decks = Array.from({ length: 5 }, () => decksOfMany).flat();
  // In turn: each start has five seconds.
  const runs: StartedRun[] = [];
  for (const deckId of decks) runs.push(await startOn(rig.client, deckId, options));
  for (let n = 0; n < 3; n += 1) runs.push(await startOn(small, deckOfSmall, options));
  await untilAllWait(runs);
  const urgentDeck = await rig.upload(await plainDeck('Urgentis'), 'urgent.pdf');
  await rig.reader.script({ rules: [{ fault: { latencyMs: 1000 } }] });
  const { completed } = await rig.reader.stats();
  await letGo();
  // The queue moves when the critical deck comes.
  await until(() => rig.reader.stats()).is((stats) => stats.completed > completed);
  const urgent = await startOn(rig.client, urgentDeck, { ...options, priority: 1 });
  const { status } = await until(() => rig.analysis(urgent.analysisId)).is((document) => document.finishedAt !== null);
  expect(status).toBe('completed');

  const [first] = await takenCalls([urgent]);
  if (first === undefined) throw new Error('no call of the critical deck was taken');
  const others = await takenCalls(runs);
  const before = others.filter((call) => call.startedAtMs <= first.scheduledAtMs).length;
  const queued = decks.length * SHORT + 3 * LONG - before;
  const between = others.filter(
    (call) => call.startedAtMs > first.scheduledAtMs && call.startedAtMs < first.startedAtMs,
  ).length;
  await annotate(
    `${queued} slides queued, ${between} taken between the enqueue and the start of the first critical one`,
  );
  expect(queued).toBeGreaterThanOrEqual(1000);
  expect(between + 1).toBeLessThanOrEqual(2 * SLOTS);
});
