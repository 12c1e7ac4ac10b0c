/**
 * What the Temporal server can tell of runs: every step has a line, details show progress and what is waited for, and the usual questions
 * are answered by the saved queries.
 */
import type { Client } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { afterAll, expect, it } from 'vitest';
import { SAVED_QUERIES } from '../../domain/temporal/saved-queries.ts';
import type { DeckStatus } from '../../domain/temporal/search-attributes.ts';
import { DEFAULT_TENANT } from '../../domain/tenant.ts';
import { DECK_WORKFLOW, makeDeckWorkflowId } from '../../contracts/decks.ts';
import { CONTROL_QUEUE } from '../../contracts/queues.ts';
import { makeInstanceWorkflowId } from '../../contracts/instance.ts';
import { makePoolWorkflowId } from '../../contracts/pool.ts';
import { ATTRIBUTES } from '../../contracts/search-attributes.ts';
import { plainDeck } from '../../testing/plain-deck.ts';
import { startReaderProcess, type ReaderProcess, rigPerFile } from '../../testing/rig.ts';
import { until } from '../../testing/until.ts';
import { anAnalysis, deckInput } from '../../testing/make.ts';

/** The pool that a rig without a fleet file has. */
const POOL = 'static';

let restarted: ReaderProcess | undefined;
const rig = rigPerFile({ environment: { DECKHAND_PUBLIC_URL: 'https://decks.example' } });
afterAll(() => restarted?.stop());

/** An event at which the UI of Temporal shows a line. */
interface EventSummary {
  /** `activity describeSlide`, `timer`, `child instanceLife`. */
  readonly what: string;
  /** Null where there is none. */
  readonly summary: string | null;
}

/** Text of a payload; null for none. */
async function textOf(temporal: Client, payload: Payload | null | undefined): Promise<string | null> {
  if (payload === null || payload === undefined) return null;
  const { payloadCodecs, payloadConverter } = temporal.options.loadedDataConverter;
  let payloads = [payload];
  for (const codec of payloadCodecs.toReversed()) payloads = await codec.decode(payloads);
  const [plain] = payloads;
  return plain === undefined ? null : payloadConverter.fromPayload<string>(plain);
}

/** Every activity, timer and child of a run, and the run itself, with their lines. */
async function eventSummaries(temporal: Client, workflowId: string): Promise<EventSummary[]> {
  const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory();
  const summaries: EventSummary[] = [];
  for (const event of events ?? []) {
    const activity = event.activityTaskScheduledEventAttributes?.activityType?.name;
    const child = event.startChildWorkflowExecutionInitiatedEventAttributes?.workflowType?.name;
    const workflow = event.workflowExecutionStartedEventAttributes?.workflowType?.name;
    const timer = event.timerStartedEventAttributes;
    const what =
      typeof activity === 'string'
        ? `activity ${activity}`
        : typeof child === 'string'
          ? `child ${child}`
          : typeof workflow === 'string'
            ? `workflow ${workflow}`
            : timer === null || timer === undefined
              ? null
              : 'timer';
    if (what !== null) summaries.push({ what, summary: await textOf(temporal, event.userMetadata?.summary) });
  }
  return summaries;
}

/** The details that a run shows now. */
async function currentDetails(temporal: Client, workflowId: string): Promise<string> {
  const metadata: unknown = await temporal.workflow.getHandle(workflowId).query('__temporal_workflow_metadata');
  return (metadata as { readonly currentDetails?: string }).currentDetails ?? '';
}

/** Ids of the runs that a query finds. */
async function found(query: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const run of rig.temporal.workflow.list({ query })) ids.push(run.workflowId);
  return ids;
}

const findsRun = (analysisId: string, query: string): Promise<string[]> =>
  until(() => found(query)).is((ids) => ids.includes(makeDeckWorkflowId(analysisId)));

const reachesStatus = (analysisId: string, status: DeckStatus): Promise<string[]> =>
  findsRun(analysisId, `DeckStatus = '${status}' AND AnalysisId = '${analysisId}'`);

/** A run as the API starts it, but looking soon whether it waits, and continued as new in its middle. */
async function startImpatientRun(deckId: string): Promise<string> {
  const analysis = await anAnalysis(rig.db, { deckId, status: 'queued', stage: null });
  await rig.temporal.workflow.start(DECK_WORKFLOW, {
    workflowId: analysis.workflowId,
    taskQueue: CONTROL_QUEUE,
    args: [deckInput(analysis, { firstLookMs: 500, maxHistoryLength: 40 })],
    typedSearchAttributes: [{ key: ATTRIBUTES.analysisId, value: analysis.id }],
  });
  return analysis.id;
}

it('a review says at every step what it does, shows its progress, and can be searched by how it ended', async () => {
  const deckId = await rig.upload(await plainDeck('Pulsara'), 'Pulsara deck.pdf');
  const { analysisId } = await rig.review(deckId);
  const workflowId = makeDeckWorkflowId(analysisId);
  // The row says so a moment before the run itself is over.
  await until(async () => (await rig.temporal.workflow.getHandle(workflowId).describe()).status.name).is(
    (name) => name !== 'RUNNING',
  );

  const told = await eventSummaries(rig.temporal, workflowId);
  expect(told.filter((event) => event.summary === null)).toEqual([]);
  const lines = told.map((event) => event.summary);
  for (const line of [
    'Review of Pulsara deck.pdf',
    'render pages 1–5 of 5',
    'slide 2 of 5 · reader-vision:1',
    'feedback on slide 5 of 5 · reader-vision:1',
    'store the result: finished',
  ]) {
    expect(lines).toContain(line);
  }
  for (const number of [1, 12, 34]) {
    const questions = lines.filter((line) => line?.includes(`question ${number} of 34 (`));
    expect(questions.map((line) => line?.startsWith('score of'))).toEqual([false, true]);
  }

  const details = await currentDetails(rig.temporal, workflowId);
  expect(details).toContain('**Completed**');
  expect(details).toMatch(/\| slides read \| █{10}\s100\s%\s+\| 5\sof\s5\s+\| 0 \|/u);
  expect(details).toMatch(/\| questions answered \| █{10}\s100\s%\s+\| 34\sof\s34\s+\| 0 \|/u);
  const report = `https://decks.example/api/v1/analyses/${analysisId}/report?format=html`;
  expect(details).toContain(`[Report](${report})`);
  const described = await rig.temporal.workflow.getHandle(workflowId).describe();
  expect(await described.staticDetails()).toContain(report);
  const { typedSearchAttributes: attributes } = described;
  expect({
    tenant: attributes.get(ATTRIBUTES.tenant),
    deckId: attributes.get(ATTRIBUTES.deckId),
    analysisId: attributes.get(ATTRIBUTES.analysisId),
    stage: attributes.get(ATTRIBUTES.stage),
    status: attributes.get(ATTRIBUTES.deckStatus),
    template: attributes.get(ATTRIBUTES.template),
  }).toEqual({
    tenant: DEFAULT_TENANT,
    deckId,
    analysisId,
    stage: 'review',
    status: 'completed',
    template: 'seven_chapter_review@1',
  });
});

it('a review is accompanied by a pool and an instance that say at every step what they do', async () => {
  const instance = await rig.db.fleetInstance.findFirstOrThrow({ where: { pool: POOL } });
  for (const workflowId of [makePoolWorkflowId(POOL), makeInstanceWorkflowId(instance.name)]) {
    const told = await eventSummaries(rig.temporal, workflowId);
    expect(told.length).toBeGreaterThan(2);
    expect(
      told.filter((event) => event.summary === null),
      workflowId,
    ).toEqual([]);
    const { typedSearchAttributes: attributes } = await rig.temporal.workflow.getHandle(workflowId).describe();
    expect(attributes.get(ATTRIBUTES.pool)).toBe(POOL);
  }
});

it('the saved queries are understood by the server, and find what they ask for', async () => {
  const values = { now: new Date(), tenant: DEFAULT_TENANT, deckId: 'unknown', pool: POOL };
  const { deckId, id } = await rig.db.analysis.findFirstOrThrow();
  for (const { query } of SAVED_QUERIES) await found(query({ ...values, tenant: "a'b" }));
  const ask = (name: string): string => SAVED_QUERIES.find((q) => q.name === name)?.query({ ...values, deckId }) ?? '';
  await findsRun(id, ask('by-tenant'));
  await findsRun(id, ask('of-deck'));
  await findsRun(id, ask('by-template'));
  expect(await found(ask('failed-today'))).toEqual([]);
  const { name } = await rig.db.fleetInstance.findFirstOrThrow({ where: { pool: POOL } });
  expect(await found(ask('of-pool'))).toEqual([makeInstanceWorkflowId(name)]);
  expect(await found(ask('pools'))).toEqual(
    expect.arrayContaining([makePoolWorkflowId(POOL), makeInstanceWorkflowId(name)]),
  );
});

it('a review without a model host can be found while it waits, says for what, and moves on when there is one; paused, it says so', async () => {
  const { reader } = rig;
  await reader.stop();
  const deckId = await rig.upload(await plainDeck('Cordia'), 'Cordia.pdf');
  const id = await startImpatientRun(deckId);
  await findsRun(
    id,
    SAVED_QUERIES.find((q) => q.name === 'waiting')?.query({ now: new Date(), tenant: '', deckId, pool: '' }) ?? '',
  );
  const details = await currentDetails(rig.temporal, makeDeckWorkflowId(id));
  expect(details).toContain('**Waiting for capacity** · stage 2 of 8: slides');
  expect(details).toMatch(/^Waiting for .+/mu);

  await rig.client.POST('/analyses/{id}/pause', { params: { path: { id } } });
  await reachesStatus(id, 'paused');
  await rig.client.POST('/analyses/{id}/resume', { params: { path: { id } } });
  await findsRun(id, `DeckStatus IN ('running', 'waiting_for_capacity') AND AnalysisId = '${id}'`);

  restarted = await startReaderProcess(['--port', new URL(reader.host).port]);
  await reachesStatus(id, 'completed');
  // What it can be searched by went along when it was continued.
  expect(await found(`AnalysisId = '${id}' AND ExecutionStatus = 'ContinuedAsNew'`)).not.toEqual([]);
  expect(await currentDetails(rig.temporal, makeDeckWorkflowId(id))).not.toContain('Waiting for');
});
