/** Webhooks from the route to the receiver, with a real Temporal, Postgres and HTTP server in between. */
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { finishAnalysis } from '../../../activities/decks/stages.ts';
import { createNotificationActivities } from '../../../activities/webhooks/activities.ts';
import { removeOldDeliveries, startDelivery, startForgottenDeliveries } from '../../../activities/webhooks/outbox.ts';
import { repairAnalyses } from '../../../activities/decks/repair.ts';
import type { DeliveryDocument, NewWebhookDocument } from '../../../api/client.ts';
import type { Analysis } from '../../../generated/prisma/client.ts';
import { createLogger } from '../../../platform/log.ts';
import { CONTROL_QUEUE, NOTIFICATION_QUEUE } from '../../../contracts/queues.ts';
import { until } from '../../../testing/until.ts';
import { startWebhookReceiver, verified } from '../../../testing/webhook-receiver.ts';
import { OTHER_TENANT, problem, startTestApi } from '../api/support.ts';
import { startTestWorker } from '../../../testing/test-worker.ts';
import { perFile } from '../../../testing/per-file.ts';
import { aWebhook, aGap, TENANT } from '../../../testing/make.ts';

const WORKFLOW = fileURLToPath(new URL('../../../workflows/webhooks/workflow.ts', import.meta.url));
/** Short, so that a receiver that hangs costs a test little. */
const TRY_LIMIT_MS = 700;
/** A moment at which everything pending counts as forgotten. */
const LATER = (): Date => new Date(Date.now() + 60_000);

/** Called when a try is written down and its activity has not ended yet. */
let onceRecorded: (() => Promise<unknown>) | undefined;
const api = perFile(startTestApi);
const receiver = perFile(startWebhookReceiver);
perFile(() => startTestWorker(api, { taskQueue: CONTROL_QUEUE, workflowsPath: WORKFLOW }));
perFile(() => startTestWorker(api, { taskQueue: NOTIFICATION_QUEUE, activities: notificationActivities() }));
afterEach(async () => {
  receiver.answer();
  await api.db.webhook.deleteMany();
});

/** The activities as a control process runs them. */
function notificationActivities() {
  const activities = createNotificationActivities({
    db: api.db,
    reportUrl: (analysisId) => `https://deckhand.example/reports/${analysisId}`,
    costReportUrl: (costReportId) => `https://deckhand.example/costs/${costReportId}`,
    tryLimitMs: TRY_LIMIT_MS,
  });
  const recordTry: typeof activities.recordTry = async (input) => {
    await activities.recordTry(input);
    const then = onceRecorded;
    onceRecorded = undefined;
    await then?.();
  };
  return { ...activities, recordTry };
}

/** Adds a webhook at a path of the receiver, so that tests do not see each other's requests. */
async function add(
  path: string,
  events?: readonly string[],
): Promise<NewWebhookDocument & { readonly secret: string }> {
  const answer = await api.post('/webhooks', { url: `${receiver.url}/${path}`, ...(events && { events }) });
  expect(answer.status).toBe(201);
  return answer.body as NewWebhookDocument & { readonly secret: string };
}

const requestsAt = (path: string) => receiver.received.filter((request) => request.path === `/${path}`);
const logOf = (id: string): Promise<DeliveryDocument[]> =>
  api.client.GET('/webhooks/{id}/deliveries', { params: { path: { id } } }).then((page) => [...page.items]);

/** The only delivery of a webhook once it is in one of these states. */
async function settled(id: string, right: (delivery: DeliveryDocument) => boolean): Promise<DeliveryDocument> {
  const [delivery] = await until(() => logOf(id)).is((log) => log[0] !== undefined && right(log[0]));
  if (delivery === undefined) throw new Error('there is no delivery');
  return delivery;
}
const isOver = ({ state }: DeliveryDocument): boolean => state !== 'pending';

/** An analysis that ends now. */
async function ends(kind: 'finished' | 'failed' | 'cancelled', values: Partial<Analysis> = {}): Promise<Analysis> {
  const row = await api.analysisRow({ status: 'running', ...values });
  const end = kind === 'failed' ? ({ kind, code: 'pdf_damaged', message: 'words of the deck' } as const) : { kind };
  await finishAnalysis(api.db, { analysisId: row.id, end });
  return row;
}

it('POST /webhooks 201: shows the secret once; 200: the same again is the one that is there', async () => {
  const added = await add('once', ['analysis.failed']);
  expect(added.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const again = await api.post('/webhooks', { url: added.url, events: ['analysis.failed'] });
  expect(again).toMatchObject({ status: 200, body: { id: added.id, secret: null } });
  const listed = await api.call('GET', '/webhooks');
  expect(listed.body).toEqual({
    items: [
      { id: added.id, url: added.url, events: ['analysis.failed'], createdAt: added.createdAt, disabledAt: null },
    ],
  });
});

it('POST /webhooks the same asked for many times at once is one', async () => {
  const body = { url: `${receiver.url}/at-once`, events: ['analysis.failed'] };
  const answers = await Promise.all(Array.from({ length: 8 }, () => api.post('/webhooks', body)));
  expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([...Array(7).fill(200), 201]);
  expect(await api.db.webhook.count({ where: { url: body.url } })).toBe(1);
});

it('POST /webhooks 400: a URL that is none or must not be called, and events that are none', async () => {
  for (const body of [
    {},
    { url: 'hooks.example.com' },
    { url: 'http://169.254.169.254/latest' },
    { url: 'https://name:word@hooks.example.com' },
    { url: receiver.url, events: ['analysis.started'] },
    { url: receiver.url, secret: 'whsec_mine' },
  ]) {
    expect(await api.post('/webhooks', body)).toMatchObject(problem(400, 'invalid_request'));
  }
});

it('POST /webhooks 409: more than a tenant may have', async () => {
  for (let made = 0; made < 20; made += 1) await aWebhook(api.db, { id: `many-${made}` });
  expect(await api.post('/webhooks', { url: receiver.url })).toMatchObject({ status: 409 });
});

it('an analysis is told to webhooks of its own tenant alone', async () => {
  await aWebhook(api.db, { id: 'foreign', tenantId: OTHER_TENANT });
  await ends('finished');
  expect(await api.db.webhookDelivery.count({ where: { webhookId: 'foreign' } })).toBe(0);
});

it('a test of a webhook 202: is signed, arrives, and is in the log', async () => {
  const { id, secret } = await add('test');
  const sent = await api.call('POST', `/webhooks/${id}/test`);
  expect(sent).toMatchObject({ status: 202, body: { state: 'pending', event: 'test', analysisId: null } });
  const delivery = await settled(id, isOver);
  expect(delivery).toMatchObject({ state: 'delivered', attempts: 1, lastStatus: 204, lastError: null });
  const [request] = requestsAt('test');
  if (request === undefined) throw new Error('nothing arrived');
  expect(request.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': delivery.id });
  expect(verified(request, secret)).toMatchObject({ type: 'test', data: { webhookId: id } });
  // Another secret, or another byte, and it is not ours.
  expect(() => verified(request, 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')).toThrow();
  expect(() => verified({ ...request, body: `${request.body} ` }, secret)).toThrow();
});

it('a test of a webhook is tried once: its outcome is what was asked for', async () => {
  const { id } = await add('test-503');
  receiver.answer({ status: 503, headers: { 'retry-after': '1' } });
  await api.call('POST', `/webhooks/${id}/test`);
  expect(await settled(id, isOver)).toMatchObject({ state: 'failed', attempts: 1, lastStatus: 503 });
});

it('the end of an analysis is told once to each webhook that wants it, however often it is written and looked for', async () => {
  const all = await add('all');
  const failures = await add('failures', ['analysis.failed']);
  const row = await ends('finished', { overallScore: 4.5, scoredQuestions: 30, askedQuestions: 34 });
  await finishAnalysis(api.db, { analysisId: row.id, end: { kind: 'finished' } });

  // As after a crash: the row is there, and nothing was started.
  expect(await logOf(all.id)).toMatchObject([{ state: 'pending', attempts: 0, event: 'analysis.completed' }]);
  await startForgottenDeliveries(api.db, api.temporal);
  const [waiting] = await logOf(all.id);
  await expect(api.temporal.workflow.getHandle(`webhook/${waiting?.id}`).describe()).rejects.toThrow(/not found/iu);
  await Promise.all(Array.from({ length: 3 }, () => startForgottenDeliveries(api.db, api.temporal, LATER())));
  const delivery = await settled(all.id, isOver);
  // A later attempt finds it settled.
  await startDelivery(api.temporal, { ...delivery, tenantId: TENANT });
  await api.temporal.workflow.getHandle(`webhook/${delivery.id}`).result();

  expect(delivery).toMatchObject({ state: 'delivered', attempts: 1, analysisId: row.id });
  expect(requestsAt('all')).toHaveLength(1);
  expect(await logOf(failures.id)).toEqual([]);
  const [request] = requestsAt('all');
  if (request === undefined) throw new Error('nothing arrived');
  const told = verified(request, all.secret);
  expect(told).toMatchObject({
    type: 'analysis.completed',
    data: {
      analysisId: row.id,
      deckId: row.deckId,
      fileName: 'deck.pdf',
      status: 'completed',
      overallScore: 4.5,
      gaps: 0,
      reportUrl: `https://deckhand.example/reports/${row.id}`,
    },
  });
});

it('the end of an analysis with gaps and as a failure are events of their own, without words of the deck; a cancelled one is none', async () => {
  const { id, secret } = await add('ends');
  const gapped = await api.analysisRow({ status: 'running' });
  await aGap(api.db, { analysisId: gapped.id, message: 'words of the deck' });
  await finishAnalysis(api.db, { analysisId: gapped.id, end: { kind: 'finished' } });
  const failed = await ends('failed');
  await ends('cancelled');
  await startForgottenDeliveries(api.db, api.temporal, LATER());
  await until(() => logOf(id)).is((log) => log.length === 2 && log.every(isOver));
  const told = requestsAt('ends').map((request) => verified(request, secret));
  expect(told).toHaveLength(2);
  expect(told).toContainEqual(
    expect.objectContaining({
      type: 'analysis.completed_with_gaps',
      data: expect.objectContaining({ analysisId: gapped.id, gaps: 1, failureCode: null }) as object,
    }),
  );
  expect(told).toContainEqual(
    expect.objectContaining({
      type: 'analysis.failed',
      data: expect.objectContaining({ analysisId: failed.id, failureCode: 'pdf_damaged' }) as object,
    }),
  );
  expect(JSON.stringify(requestsAt('ends'))).not.toContain('words of the deck');
});

it('the end of an analysis that no process could write is announced when it is repaired', async () => {
  const { id } = await add('repaired');
  const row = await api.analysisRow({ status: 'running', createdAt: new Date(Date.now() - 60_000) });
  const log = createLogger('test', { logLevel: 'silent' });
  await Promise.all([repairAnalyses({ ...api, log }), repairAnalyses({ ...api, log })]);
  await startForgottenDeliveries(api.db, api.temporal, LATER());
  expect(await settled(id, isOver)).toMatchObject({
    event: 'analysis.failed',
    analysisId: row.id,
    state: 'delivered',
  });
  expect(requestsAt('repaired')).toHaveLength(1);
});

it('the log forgets what was settled long ago, and nothing that is still to be delivered', async () => {
  const hook = await add('old');
  const daysAgo = (days: number): Date => new Date(Date.now() - days * 24 * 60 * 60_000);
  const rows = (['delivered', 'failed', 'pending'] as const).flatMap((state) =>
    [89, 91].map((days) => ({ id: `${state}-${days}`, state, createdAt: daysAgo(days) })),
  );
  await api.db.webhookDelivery.createMany({
    data: rows.map((row) => ({ ...row, tenantId: TENANT, webhookId: hook.id, event: 'test' })),
  });
  await removeOldDeliveries(api.db);
  expect((await logOf(hook.id)).map((delivery) => delivery.id).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'delivered-89',
    'failed-89',
    'pending-89',
    'pending-91',
  ]);
});

it('a receiver is tried again when it asks for it, with the same id', async () => {
  const { id, secret } = await add('busy');
  receiver.answer({ status: 503, headers: { 'retry-after': '1' } }, { status: 429, headers: { 'retry-after': '0' } });
  await ends('finished');
  await startForgottenDeliveries(api.db, api.temporal, LATER());
  const delivery = await settled(id, isOver);
  expect(delivery).toMatchObject({ state: 'delivered', attempts: 3, lastStatus: 204, lastError: null });
  expect(requestsAt('busy').map((request) => request.headers['webhook-id'])).toEqual([
    delivery.id,
    delivery.id,
    delivery.id,
  ]);
  const bodies = requestsAt('busy').map((request) => {
    verified(request, secret);
    return request.body;
  });
  expect(new Set(bodies).size).toBe(1);
});

it('a receiver hangs or is not there: the reason is in the log, and a retry comes at once', async () => {
  const { id } = await add('silent');
  receiver.answer('hang');
  await ends('finished');
  await startForgottenDeliveries(api.db, api.temporal, LATER());
  const waiting = await settled(id, ({ attempts }) => attempts === 1);
  expect(waiting).toMatchObject({ state: 'pending', lastStatus: null, lastError: 'no answer within 0.7 s' });
  const retried = await api.call('POST', `/webhooks/${id}/deliveries/${waiting.id}/retry`);
  expect(retried.status).toBe(202);
  expect(await settled(id, isOver)).toMatchObject({ state: 'delivered', attempts: 2 });
  expect(await api.call('POST', `/webhooks/${id}/deliveries/${waiting.id}/retry`)).toMatchObject({ status: 409 });

  const gone = await api.post('/webhooks', { url: 'http://127.0.0.1:9/closed' });
  const { id: closed } = gone.body as NewWebhookDocument;
  await api.call('POST', `/webhooks/${closed}/test`);
  expect((await settled(closed, isOver)).lastError).toContain('ECONNREFUSED');
});

it('a receiver refuses for good: it is not asked again by itself, and by hand it is', async () => {
  const { id } = await add('refuses');
  receiver.answer({ status: 404 });
  await ends('finished');
  await startForgottenDeliveries(api.db, api.temporal, LATER());
  const refused = await settled(id, isOver);
  expect(refused).toMatchObject({
    state: 'failed',
    attempts: 1,
    lastStatus: 404,
    lastError: 'HTTP 404: refused for good',
  });
  await startForgottenDeliveries(api.db, api.temporal, LATER());
  await api.call('POST', `/webhooks/${id}/deliveries/${refused.id}/retry`);
  expect(await settled(id, ({ state }) => state === 'delivered')).toMatchObject({ attempts: 2 });
  expect(requestsAt('refuses')).toHaveLength(2);
});

it('a receiver refuses for good and is asked again by hand while that try ends: it is asked again', async () => {
  const { id } = await add('refuses-late');
  receiver.answer({ status: 404 });
  onceRecorded = async () => {
    const [refused] = await logOf(id);
    await api.call('POST', `/webhooks/${id}/deliveries/${refused?.id}/retry`);
  };
  await ends('finished');
  await startForgottenDeliveries(api.db, api.temporal, LATER());
  expect(await settled(id, ({ state }) => state === 'delivered')).toMatchObject({ attempts: 2 });
  expect(requestsAt('refuses-late')).toHaveLength(2);
});

it('a receiver answers 410: nothing is sent there any more until a test arrives', async () => {
  const { id } = await add('gone');
  receiver.answer({ status: 410 });
  await ends('finished');
  await startForgottenDeliveries(api.db, api.temporal, LATER());
  expect(await settled(id, isOver)).toMatchObject({ state: 'failed', lastStatus: 410 });
  const isDisabled = async () => (await api.db.webhook.findUniqueOrThrow({ where: { id } })).disabledAt !== null;
  expect(await isDisabled()).toBe(true);
  await ends('finished');
  expect(await logOf(id)).toHaveLength(1);
  await api.call('POST', `/webhooks/${id}/test`);
  await until(() => logOf(id)).is((log) =>
    log.some((delivery) => delivery.event === 'test' && delivery.state === 'delivered'),
  );
  expect(await isDisabled()).toBe(false);
});

it('a receiver sends it elsewhere: a redirect is not followed', async () => {
  const { id } = await add('moved');
  receiver.answer({ status: 307, headers: { location: `${receiver.url}/elsewhere` } });
  await api.call('POST', `/webhooks/${id}/test`);
  expect(await settled(id, isOver)).toMatchObject({ state: 'failed', lastStatus: 307 });
  expect(requestsAt('elsewhere')).toEqual([]);
});

it('a receiver is removed: what waits for it is not sent', async () => {
  const { id } = await add('removed');
  const busy = { status: 503, headers: { 'retry-after': '1' } };
  receiver.answer(...Array.from({ length: 100 }, () => busy));
  await ends('finished');
  await startForgottenDeliveries(api.db, api.temporal, LATER());
  const { id: deliveryId } = await settled(id, ({ attempts }) => attempts > 0);
  expect(await api.call('DELETE', `/webhooks/${id}`)).toMatchObject({ status: 204 });
  const sent = requestsAt('removed').length;
  expect(await api.call('DELETE', `/webhooks/${id}`)).toMatchObject({ status: 404 });
  expect(await api.temporal.workflow.getHandle(`webhook/${deliveryId}`).result()).toMatchObject({ state: 'over' });
  // One may have been on its way when the webhook was removed.
  expect(requestsAt('removed').length).toBeLessThanOrEqual(sent + 1);
});
