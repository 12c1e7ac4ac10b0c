/** The event stream, over real sockets and with a real run behind it. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { AnalysisFeeds } from '../../../api/decks/analyses/feeds.ts';
import type { AnalysisEvent } from '../../../api/client.ts';
import { createLogger } from '../../../platform/log.ts';
import { makeDeckWorkflowId } from '../../../contracts/decks.ts';
import { aGap, TENANT } from '../../../testing/make.ts';
import { serveApi, serveInTest } from './support.ts';
import { startTestApiWithWorker } from './worker.ts';
import { createDeckhandClient } from '../../../api/client.ts';
import { perFile } from '../../../testing/per-file.ts';

const api = perFile(startTestApiWithWorker);

const log = createLogger('test', { logLevel: 'silent' });
const finish = (id: string) =>
  api.db.analysis.update({ where: { id }, data: { status: 'completed', stage: 'review', finishedAt: new Date() } });
const gap = (analysisId: string, item: string) => aGap(api.db, { analysisId, item, slideNumber: 2 });
const types = (events: readonly AnalysisEvent[]): string[] => events.map((e) => e.type);

it('GET /analyses/{id}/events tells stage, progress, gaps and the end, and then ends', async () => {
  const deck = await api.deck();
  const { analysisId } = await api.client.startAnalysis(deck.id);
  const events: AnalysisEvent[] = [];
  for await (const event of api.client.events(analysisId)) {
    events.push(event);
    // On a busy machine the first progress may come before the workflow has named its stage.
    if (event.type !== 'progress' || event.data.stage === null) continue;
    const { done } = event.data.progress.slides;
    if (done === 0) await api.temporal.workflow.getHandle(makeDeckWorkflowId(analysisId)).signal('slide');
    else {
      await gap(analysisId, 'slide/2/description');
      await finish(analysisId);
    }
  }
  expect(events.filter((e) => e.type === 'stage')[0]).toEqual({ type: 'stage', data: { stage: 'slides' } });
  const progress = new Set(events.flatMap((e) => (e.type === 'progress' ? [e.data.progress.slides.done] : [])));
  expect([...progress].slice(0, 2)).toEqual([0, 1]);
  expect(events).toContainEqual({
    type: 'gap',
    data: expect.objectContaining({ item: 'slide/2/description', slide: 2, code: 'slide_illegible' }) as unknown,
  });
  const last = events.at(-1);
  expect(last).toMatchObject({ type: 'finished', data: { status: 'completed', analysisId } });
  expect(types(events).filter((t) => t === 'finished')).toHaveLength(1);
});

it('GET /analyses/{id}/events gives one who comes late everything that matters, whatever Last-Event-ID it sends', async () => {
  const row = await api.analysisRow({ status: 'completed_with_gaps', stage: 'review', finishedAt: new Date() });
  await gap(row.id, 'a');
  await gap(row.id, 'b');
  for (const lastEventId of ['1', '999', 'nonsense']) {
    const answer = await api.call('GET', `/analyses/${row.id}/events`, { headers: { 'last-event-id': lastEventId } });
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    const told = String(answer.body).match(/^event: .*$/gm);
    expect(told).toEqual(['event: stage', 'event: gap', 'event: gap', 'event: finished']);
  }
});

it('GET /analyses/{id}/events gives one who comes late no gap that was closed meanwhile', async () => {
  const row = await api.analysisRow({ status: 'running', stage: 'slides' });
  const { id } = await gap(row.id, 'a');
  const feeds = new AnalysisFeeds({ ...api, log });
  onTestFinished(() => feeds.close());
  const untilGaps = async (count: number): Promise<string[]> => {
    const seen: string[] = [];
    for await (const event of feeds.listen(TENANT, row.id, new AbortController().signal)) {
      seen.push(event.type);
      if (event.type !== 'progress') continue;
      if (event.data.progress.gaps === count) return seen;
      await api.db.gap.deleteMany({ where: { id } });
    }
    throw new Error('the feed ended');
  };
  const early = feeds.listen(TENANT, row.id, new AbortController().signal);
  await early.next();
  expect(await untilGaps(0)).toContain('gap');
  expect(await untilGaps(0)).toEqual(['stage', 'progress']);
  await early.return();
});

it('GET /analyses/{id}/events serves many listeners of one analysis from one loop, and stops it when the last one leaves', async () => {
  const row = await api.analysisRow({ status: 'running', stage: 'slides' });
  const feeds = new AnalysisFeeds({ ...api, log });
  const listeners = Array.from({ length: 20 }, () => {
    const leave = new AbortController();
    return { leave, events: feeds.listen(TENANT, row.id, leave.signal) };
  });
  for (const { events } of listeners) expect((await events.next()).value).toMatchObject({ type: 'stage' });
  expect(feeds.size).toBe(1);
  for (const { leave, events } of listeners) {
    leave.abort();
    for await (const event of events) expect(event.type).toBe('progress');
  }
  expect(feeds.size).toBe(0);
});

it('GET /analyses/{id}/events ends open streams when the server closes', async () => {
  const row = await api.analysisRow({ status: 'running', stage: 'slides' });
  const server = await serveApi(api);
  const response = await fetch(`${server.url}/api/v1/analyses/${row.id}/events`, { headers: api.authorization });
  const reader = response.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  await server.close();
  const drained = async (): Promise<void> => {
    for (;;) if ((await reader?.read())?.done !== false) return;
  };
  // Ended by us or with the socket: either way the client is not left waiting.
  await drained().catch((error: unknown) => expect(error).toBeInstanceOf(TypeError));
});

it('GET /analyses/{id}/events is followed across a restart of the API', async () => {
  const row = await api.analysisRow({ status: 'running', stage: 'slides' });
  const first = await serveInTest(api);
  const port = Number(new URL(first.url).port);
  const seen: string[] = [];
  let isBack = false;
  for await (const event of createDeckhandClient(first.url, api).events(row.id)) {
    seen.push(event.type);
    if (event.type !== 'progress' || isBack) continue;
    await first.close();
    await finish(row.id);
    await serveInTest({ ...api, port });
    isBack = true;
  }
  expect(seen.at(-1)).toBe('finished');
});

it('GET /analyses/{id}/events ends soon after its key is revoked, also while there is no news', async () => {
  const row = await api.analysisRow({ status: 'running', stage: 'slides' });
  const made = await api.client.POST('/keys', { body: { name: 'Gone', role: 'analyst' } });
  const headers = { authorization: `Bearer ${made.key}` };
  const response = await fetch(`${api.url}/api/v1/analyses/${row.id}/events`, { headers });
  const reader = response.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  await api.client.DELETE('/keys/{id}', { params: { path: { id: made.id } } });
  const rest = async (): Promise<'ended'> => {
    while ((await reader?.read())?.done === false);
    return 'ended';
  };
  // The first heartbeat would come 15 s after the stream began.
  expect(await Promise.race([rest(), pause(10_000, 'open')])).toBe('ended');
});
