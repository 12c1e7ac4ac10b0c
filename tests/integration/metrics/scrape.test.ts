/** What Prometheus gets: every metric there is, with figures that are right and never go down, whatever is deleted or started again. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METRIC_NAMES } from '../../../domain/metrics/definitions.ts';
import { announceWorkerMetrics } from '../../../platform/worker-metrics.ts';
import { OTHER_TENANT, serveApi, startTestApi, type TestApi } from '../api/support.ts';
import { aModelCall, anAnalysis } from '../../../testing/make.ts';
import { fallen, growing, namesOf, seriesOf, typesOf } from './exposition.ts';
import {
  countDocumentsSince,
  FLEET,
  healthRows,
  INSTANCE,
  ledgerRows,
  machineRows,
  noticeRows,
  OFFER,
  POOL,
  reviewRows,
  type ReviewRows,
} from './installation.ts';

const WORKER_TEXT = '# TYPE temporal_num_pollers gauge\ntemporal_num_pollers{poller_type="workflow_task"} 5\n';

let api: TestApi;
let first: ReviewRows;
const worker = createServer((_, response) => response.end(WORKER_TEXT));
const nowMs = Date.now();

/** A scrape of an API that has just been started: none is given again. */
async function scrapeAnew(): Promise<string> {
  const served = await serveApi(api);
  try {
    const response = await fetch(`${served.url}/metrics`, { headers: api.authorization });
    expect(response.status).toBe(200);
    return await response.text();
  } finally {
    await served.close();
  }
}

const writeFleet = (text: string): void => writeFileSync(api.config.fleetFile, text);
beforeAll(async () => {
  api = await startTestApi();
  writeFleet(FLEET);
  const { db } = api;
  await countDocumentsSince(db, nowMs);
  await machineRows(db, nowMs);
  await healthRows(db, nowMs);
  first = await reviewRows(db, nowMs, 'one');
  await ledgerRows(db, nowMs, first);
  await noticeRows(db);
  // A server that costs nothing is never settled: it keeps no document from being counted.
  await db.rental.create({
    data: {
      id: 'static/instance/own-1',
      provider: 'static',
      resource: 'instance',
      resourceId: 'own-1',
      priceUsdPerHour: 0,
      quantumSec: 0,
      refundsUnused: true,
      billedFrom: new Date(nowMs - 86_400_000),
    },
  });
  // The provider gave half a cent back; a tenant has a cap of its own in place of that of each one.
  await db.ledgerEntry.create({
    data: {
      id: `rental-${first.analysisId}/9`,
      rentalId: `rental-${first.analysisId}`,
      position: 9,
      kind: 'failed',
      fromAt: new Date(nowMs - 30 * 60_000),
      untilAt: new Date(nowMs - 30 * 60_000),
      shareSeconds: 0,
      amountUsd: '-0.005',
      provider: 'datacrunch',
    },
  });
  await db.budget.create({ data: { id: 'own', scope: 'tenant', scopeId: 'default', period: 'month', hardUsd: 5 } });
  const open = await anAnalysis(db, { deckId: first.deckId, status: 'queued', stage: null });
  await aModelCall(db, { analysisId: open.id, priority: 2 });
  await new Promise<void>((done) => worker.listen(0, '127.0.0.1', done));
  announceWorkerMetrics(
    api.config.home,
    'control',
    `http://127.0.0.1:${(worker.address() as AddressInfo).port}/metrics`,
  );
});
afterAll(async () => {
  worker.close();
  await api.close();
});

describe('a scrape', () => {
  it('a scrape has every metric there is, each with a value', async () => {
    const text = await scrapeAnew();
    const names = namesOf(text);
    expect(METRIC_NAMES.filter((name) => !names.has(name))).toEqual([]);
    expect([...names].filter((name) => !METRIC_NAMES.some((own) => own === name))).toEqual(['temporal_num_pollers']);
    expect([...typesOf(text).keys()].length).toBe(new Set(typesOf(text).keys()).size);
  });

  it('a scrape says what happened, to the cent and the second', async () => {
    const series = seriesOf(await scrapeAnew());
    const machine = 'provider="datacrunch",location="FIN-01",type="1H100.80S.30V",market="ondemand"';
    const call = (stage: string, task: string, model: string, outcome: string): string =>
      `deckhand_model_call_seconds_count{stage="${stage}",task="${task}",model="${model}",gpu="1H100.80S.30V",outcome="${outcome}"}`;
    const expected = {
      [`gpu_instances{pool="${POOL}",${machine},state="ready"}`]: 1,
      [`gpu_create_attempts_total{class="capacity",offer="${OFFER}"}`]: 1,
      [`gpu_create_attempts_total{class="created",offer="${OFFER}"}`]: 2,
      // Five minutes from the order that was answered, and ten for the wake.
      [`gpu_provision_seconds_sum{location="FIN-01",market="ondemand",outcome="ready",provider="datacrunch",type="1H100.80S.30V"}`]: 900,
      [`gpu_provision_seconds_count{location="FIN-01",market="ondemand",outcome="ready",provider="datacrunch",type="1H100.80S.30V"}`]: 2,
      'wake_path_total{step="kept_disk"}': 1,
      'gpu_orphans_total{kind="volume"}': 1,
      'gpu_xid_total{xid="79"}': 1,
      'gpu_xid_total{xid="94"}': 1,
      [`gpu_margin_celsius{pool="${POOL}",instance="${INSTANCE}",gpu="0"}`]: 16,
      [`pool_decisions_total{pool="${POOL}",reason="raised"}`]: 1,
      [`pool_decisions_total{pool="${POOL}",reason="held_by_budget"}`]: 1,
      'model_swaps_total{gpu="1H100.80S.30V",model="text:1"}': 1,
      'cost_usd_total{kind="busy",task="describe_slide",task_type="visual_analysis"}': 0.02,
      'cost_usd_total{kind="idle",task="none",task_type="none"}': 0.02,
      'cost_refunds_usd_total{kind="failed",task="none",task_type="none"}': 0.005,
      cost_per_document_usd_sum: 0.04,
      cost_per_document_usd_count: 1,
      'budget_remaining_usd{scope="installation",scope_id="*",period="month",cap="hard"}': 100,
      'budget_remaining_usd{scope="tenant",scope_id="default",period="month",cap="hard"}': 5,
      'deckhand_analysis_seconds_sum{outcome="completed_with_gaps",task_type="full_review"}': 200,
      'deckhand_analysis_wait_seconds_sum{task_type="full_review"}': 60,
      'deckhand_analyses{state="queued"}': 1,
      'deckhand_model_calls_open{gpu_class="gpu-visual",priority="2"}': 1,
      'deckhand_webhook_deliveries_total{event="test",outcome="delivered"}': 1,
      'deckhand_alerts_total{rule="of-the-test",severity="warning"}': 1,
      'deckhand_worker_up{process="control"}': 1,
      'temporal_num_pollers{poller_type="workflow_task",process="control"}': 5,
    };
    for (const [key, value] of Object.entries(expected)) {
      // Labels of totals are in the order of their names, others as they were read.
      const found = [...series].filter(([k]) => sorted(k) === sorted(key));
      if (key.startsWith('budget_remaining')) expect(found[0]?.[1], key).toBeLessThan(value);
      else expect(found[0]?.[1], key).toBeCloseTo(value, 9);
    }
    const called = [
      call('slides', 'describe_slide', 'eyes:1', 'stored'),
      call('template', 'answer_question', 'text:1', 'failed'),
    ];
    for (const key of called) expect([...series.keys()].map(sorted), key).toContain(sorted(key));
  });

  it('a scrape never shows less than before: not after a deletion, nor from an API that was started again', async () => {
    const before = growing(await scrapeAnew(), () => true);
    expect(before.size).toBeGreaterThan(100);
    const second = await reviewRows(api.db, nowMs, 'two', 39 * 60_000);
    await ledgerRows(api.db, nowMs, second);
    await api.db.callAttempt.deleteMany({ where: { analysisId: first.analysisId } });
    await api.db.deck.delete({ where: { id: first.deckId } });
    await api.db.healthSample.deleteMany();
    const after = growing(await scrapeAnew(), () => true);
    expect(fallen(before, after)).toEqual([]);
    const grown = [...after]
      .filter(([key, value]) => value > (before.get(key) ?? 0))
      .map(([key]) => key.replace(/\{.*/u, ''));
    expect(grown).toContain('cost_usd_total');
    expect(grown).toContain('slide_seconds_count');
    expect(grown).toContain('cost_per_document_usd_count');
    // Nothing new happened: nothing grows.
    expect([...growing(await scrapeAnew(), () => true)]).toEqual([...after]);
  });

  it('a scrape counts each event once, whoever counts at the same time', async () => {
    const before = seriesOf(await scrapeAnew());
    const key = [...before.keys()].find((k) => k.startsWith('gpu_orphans_total')) ?? '';
    await api.db.$executeRaw`
      SELECT note_metric('orphan', '{"kind": "volume"}'::jsonb, 1) FROM generate_series(1, 12000)`;
    const texts = await Promise.all(Array.from({ length: 6 }, scrapeAnew));
    const last = seriesOf(await scrapeAnew()).get(key);
    expect(last).toBe((before.get(key) ?? 0) + 12_000);
    expect(texts.every((text) => (seriesOf(text).get(key) ?? 0) <= (last ?? 0))).toBe(true);
    expect(await api.db.metricEvent.count()).toBe(0);
  });

  it('a scrape goes on without a group that cannot be read, and says so', async () => {
    writeFleet('not JSON');
    try {
      const series = seriesOf(await scrapeAnew());
      expect(series.get('deckhand_metrics_read{group="fleet"}')).toBe(0);
      expect(series.get('deckhand_metrics_read{group="pools"}')).toBe(1);
      expect(series.get(`pool_target{pool="${POOL}"}`)).toBe(1);
      expect([...series.keys()].some((key) => key.startsWith('gpu_instances{'))).toBe(false);
    } finally {
      writeFleet(FLEET);
    }
  });

  it('a scrape says when a machine was last sampled only while it is to be', async () => {
    const key = `gpu_sampled_timestamp_seconds{pool="${POOL}",instance="${INSTANCE}"}`;
    const where = { name: INSTANCE };
    expect(seriesOf(await scrapeAnew()).has(key)).toBe(true);
    await api.db.fleetInstance.update({ where, data: { phase: 'cordoned' } });
    expect(seriesOf(await scrapeAnew()).has(key)).toBe(false);
    await api.db.fleetInstance.update({ where, data: { phase: 'ready' } });
  });

  it('a scrape shows a worker that does not answer as down, and forgets one that is gone', async () => {
    const takeBack = announceWorkerMetrics(api.config.home, 'gateway', 'http://127.0.0.1:9/metrics');
    expect(seriesOf(await scrapeAnew()).get('deckhand_worker_up{process="gateway"}')).toBe(0);
    takeBack();
    expect(seriesOf(await scrapeAnew()).has('deckhand_worker_up{process="gateway"}')).toBe(false);
  });
});

describe('who may scrape', () => {
  it('whoever may scrape is an operator, and where the API is open anybody on this machine', async () => {
    const { key } = await api.client.createKey({ name: 'reader', role: 'analyst' });
    const other = await api.client.createKey({ name: 'other', role: 'operator', tenant: OTHER_TENANT });
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(`${api.url}/metrics`, { headers, redirect: 'manual' })).status;
    expect(await status({})).toBe(401);
    expect(await status({ authorization: `Bearer ${key}` })).toBe(403);
    expect(await status({ authorization: `Bearer ${other.key}` })).toBe(200);
    const open = await serveApi({ ...api, config: { ...api.config, auth: 'open' } });
    const response = await fetch(`${open.url}/metrics`);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(await response.text()).toContain('# TYPE deckhand_build_info gauge');
    await open.close();
  });

  it('whoever may scrape finds nothing of a deck or a tenant in it', async () => {
    const text = await scrapeAnew();
    for (const secret of ['deck.pdf', 'deck-two', 'analysis-two']) expect(text).not.toContain(secret);
  });
});

/** A series with its labels in one order. */
function sorted(key: string): string {
  const [name = '', labels = ''] = key.replace(/\}$/u, '').split('{');
  return `${name}{${[...labels.matchAll(/\w+="[^"]*"/gu)]
    .map((m) => m[0])
    .toSorted()
    .join(',')}}`;
}
