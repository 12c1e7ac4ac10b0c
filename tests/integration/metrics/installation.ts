/** Rows of an installation in which everything has happened that metrics tell of, written as the parts of Deckhand write them. */
import { noteAnswer } from '../../../activities/metrics/provider-answers.ts';
import { randomUUID } from 'node:crypto';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import {
  aModelCall,
  anAnalysis,
  anInstance,
  aPool,
  aRental,
  aLedgerEntry,
  aCreateIntent,
  aHistory,
  aReapCandidate,
  aWebhook,
} from '../../../testing/make.ts';

const MINUTE_MS = 60_000;
export const POOL = 'visual';
export const INSTANCE = 'visual-1';
export const OFFER = 'datacrunch/FIN-01/1H100.80S.30V/ondemand';
/** Fleet file of the installation: it rents machines of a provider that cannot be reached. */
export const FLEET = JSON.stringify({
  provider: 'datacrunch',
  baseUrl: 'http://127.0.0.1:9/v1',
  installationId: 'test1',
  pools: [{ name: POOL, classes: ['gpu-visual'], launchBudgetPerHour: 12 }],
});
/** An analysis ends this long before now: its costs are settled by now. */
const ENDED_MS = 40 * MINUTE_MS;

/** Writes a machine's life: ordered, served, asleep, woken from its disk, serving. */
export async function machineRows(db: PrismaClient, nowMs: number): Promise<void> {
  const demand = { openCalls: 3, openSeconds: 45, oldestAgeMs: 12_000n };
  const decided = { target: 1, wish: 2, budgetMessage: 'The cap of the day is used up.' };
  await aPool(db, { name: POOL, max: 2, ...demand, ...decided, nextLookAt: new Date(nowMs + 5000) });
  const at = (minutesAgo: number): Date => new Date(nowMs - minutesAgo * MINUTE_MS);
  const machine = { offerKey: OFFER, providerId: 'machine-2', billedSince: at(60) };
  await anInstance(db, { name: INSTANCE, pool: POOL, phaseSince: at(50), attempts: 3, ...machine, createdAt: at(120) });
  // The second machine is ordered after the instance has begun to wake; the first create is refused.
  for (const [attempt, state, minutesAgo] of [
    [1, 'refused', 119],
    [2, 'created', 118],
    [3, 'created', 58],
  ] as const) {
    const names = { id: `${INSTANCE}/${attempt}`, instanceName: INSTANCE, hostname: `dh-test-${INSTANCE}-${attempt}` };
    const outcome = { state, errorClass: state === 'refused' ? 'capacity' : null, settledAt: at(minutesAgo) };
    const fromVolumeId = attempt === 3 ? 'disk-1' : null;
    await aCreateIntent(db, { ...names, ...outcome, fromVolumeId, createdAt: at(minutesAgo) });
  }
  const path: readonly (readonly [string, number, string?])[] = [
    ['planned', 120],
    ['creating', 119],
    ['creating', 118],
    ['booting', 117, 'machine-1'],
    ['ready', 113, 'machine-1'],
    ['suspending', 90, 'machine-1'],
    ['suspended', 89],
    ['waking', 60],
    ['booting', 57, 'machine-2'],
    ['ready', 50, 'machine-2'],
  ];
  const steps = path.map(([toPhase, minutesAgo, providerId = null], position) => {
    const fromPhase = path[position - 1]?.[0] ?? null;
    return { at: at(minutesAgo), fromPhase, toPhase, offerKey: OFFER, providerId };
  });
  await aHistory(db, INSTANCE, steps);
  const failure = { errorClass: 'capacity', repeats: 1, lastFailureAt: at(1), message: 'none left' };
  await db.offerBlock.create({ data: { scopeKey: OFFER, ...failure, blockedUntil: at(-10) } });
  const seen = { firstSeenAt: at(5), lastSeenAt: at(1), sightings: 2, reapedAt: at(0) };
  await aReapCandidate(db, { kind: 'volume', resourceId: 'disk-9', ...seen });
}

/** Writes health: two samples, the second with an XID more. */
export async function healthRows(db: PrismaClient, nowMs: number): Promise<void> {
  const [first, second] = [new Date(nowMs - 2 * MINUTE_MS), new Date(nowMs - MINUTE_MS)];
  for (const [at, xids] of [
    [first, [94]],
    [second, [79, 94]],
  ] as const) {
    await db.healthSample.create({
      data: {
        id: randomUUID(),
        instanceName: INSTANCE,
        gpuIndex: 0,
        at,
        level: 'unhealthy',
        utilRatio: 0.75,
        memoryUsedBytes: 40n * 1024n ** 3n,
        memoryTotalBytes: 80n * 1024n ** 3n,
        temperatureC: 71,
        slowdownMarginC: 16,
        throttleReasons: [],
        xids: [...xids],
      },
    });
  }
  const judged = { instanceName: INSTANCE, pool: POOL, reason: 'XID 79' };
  await db.instanceHealth.create({ data: { ...judged, level: 'unhealthy', since: second, lastSampleAt: second } });
  await db.healthTransition.create({
    data: { id: randomUUID(), ...judged, at: second, toLevel: 'unhealthy', action: 'replace' },
  });
}

/** A review of a deck: analysis, calls and their attempts, as they come and end. */
export interface ReviewRows {
  readonly analysisId: string;
  readonly deckId: string;
}

/** Writes a review that has ended: four calls, of which one failed and one was cut, on two models. */
export async function reviewRows(
  db: PrismaClient,
  nowMs: number,
  name: string,
  endedMsAgo = ENDED_MS,
): Promise<ReviewRows> {
  const tenantId = 'default';
  const [analysisId, deckId] = [`analysis-${name}`, `deck-${name}`];
  const endedMs = nowMs - endedMsAgo;
  const at = (secondsBefore: number): Date => new Date(endedMs - secondsBefore * 1000);
  await anAnalysis(db, { id: analysisId, tenantId, deck: { id: deckId }, workflowId: analysisId, createdAt: at(200) });
  const calls = [
    { task: 'describe_slide', model: 'eyes:1', outcome: 'stored', loadMs: 4000, slide: 1 },
    { task: 'slide_feedback', model: 'eyes:1', outcome: 'stored', loadMs: 20, slide: 1 },
    { task: 'extract_offering', model: 'text:1', outcome: 'stored', loadMs: 8000, slide: null },
    { task: 'answer_question', model: 'text:1', outcome: 'failed', loadMs: 0, slide: null },
    { task: 'score_answer', model: 'text:1', outcome: 'cut', loadMs: 0, slide: null },
  ] as const;
  for (const [index, { task, model, outcome, loadMs, slide }] of calls.entries()) {
    const id = `${analysisId}/${task}`;
    const gpuClass = slide === null ? 'gpu-text' : 'gpu-visual';
    const of = { tenantId, analysisId, task, gpuClass, slideNumber: slide, priority: 3 };
    const endedAt = at(128 - 20 * index);
    const end = outcome === 'cut' ? {} : { state: outcome, finishedAt: endedAt };
    await aModelCall(db, { id, ...of, contentKey: id, expectedSeconds: 10, ...end });
    const where = { deckId, callId: id, instanceName: INSTANCE, modelName: model };
    const came = { endedAt, outcome, loadMs, failureCode: outcome === 'failed' ? 'model_stalled' : null };
    await db.callAttempt.create({ data: { id, ...of, ...where, startedAt: at(140 - 20 * index), ...came } });
  }
  await db.analysis.update({ where: { id: analysisId }, data: { status: 'completed_with_gaps', finishedAt: at(0) } });
  return { analysisId, deckId };
}

/** Writes what a review cost: 3 cents for its slides, 1 for an answer, and 2 of idle time without an owner. */
export async function ledgerRows(db: PrismaClient, nowMs: number, { analysisId, deckId }: ReviewRows): Promise<void> {
  const rentalId = `rental-${analysisId}`;
  const fromAt = new Date(nowMs - 60 * MINUTE_MS);
  const untilAt = new Date(nowMs - 30 * MINUTE_MS);
  await aRental(db, { id: rentalId, billedFrom: fromAt, settledUntil: new Date(nowMs - MINUTE_MS) });
  const whose = { tenantId: 'default', deckId, analysisId };
  const entries = [
    { kind: 'busy', task: 'describe_slide', amountUsd: '0.02', ...whose },
    { kind: 'load', task: 'describe_slide', amountUsd: '0.01', ...whose },
    { kind: 'busy', task: 'answer_question', amountUsd: '0.01', ...whose },
    { kind: 'idle', amountUsd: '0.02' },
  ];
  for (const [position, entry] of entries.entries())
    await aLedgerEntry(db, { rentalId, position, fromAt, untilAt, ...entry });
}

/** Writes budgets, an alert and deliveries. */
export async function noticeRows(db: PrismaClient): Promise<void> {
  await db.budget.createMany({
    data: [
      { id: 'month', scope: 'installation', period: 'month', softUsd: 80, hardUsd: 100 },
      { id: 'tenants', scope: 'tenant', period: 'month', hardUsd: 10 },
    ],
  });
  const ruleId = 'of-the-test';
  const told = { title: 'Test', severity: 'warning', advice: 'None.' };
  const limits = { metric: 'backlog_age', comparison: 'above', raiseAt: 1, clearAt: 1 };
  await db.alertRule.create({ data: { id: ruleId, ...told, ...limits } });
  const raised = { subject: '*', message: 'It is old.', value: 2, raisedAt: new Date() };
  await db.alert.create({ data: { id: 'alert', ruleId, ...told, ...raised } });
  await noteAnswer(db, 'datacrunch', new Date());
  await aWebhook(db);
  for (const id of ['taken', 'open']) {
    await db.webhookDelivery.create({ data: { id, tenantId: 'default', webhookId: 'hook', event: 'test' } });
  }
  await db.webhookDelivery.update({ where: { id: 'taken' }, data: { state: 'delivered' } });
}

/** Has documents be counted from two hours ago on: an installation begins with the present. */
export async function countDocumentsSince(db: PrismaClient, nowMs: number): Promise<void> {
  const mark = { name: 'cost_per_document', at: new Date(nowMs - 120 * MINUTE_MS) };
  await db.metricMark.upsert({ where: { name: mark.name }, create: mark, update: mark });
}
