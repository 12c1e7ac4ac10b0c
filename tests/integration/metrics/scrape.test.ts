/** What Prometheus gets: every gauge there is, with figures that are right, and what each process has counted. */
import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countDocuments } from '../../../api/metrics/documents.ts';
import { EVICTED } from '../../../domain/fleet/instance-life/running.ts';
import { definitionOf, isMetricName, METRIC_NAMES } from '../../../domain/metrics/catalogue.ts';
import { count, observe } from '../../../platform/process-metrics.ts';
import { announceWorkerMetrics } from '../../../platform/worker-metrics.ts';
import { OTHER_TENANT, serveApi, startTestApi } from '../api/support.ts';
import { aModelCall, anAnalysis, aRental, aLedgerEntry, aReapCandidate } from '../../../testing/make.ts';
import { namesOf, seriesOf } from './exposition.ts';
import {
  countDocumentsSince,
  FLEET,
  healthRows,
  INSTANCE,
  ledgerRows,
  machineRows,
  noticeRows,
  POOL,
  reviewRows,
  type ReviewRows,
} from './installation.ts';
import { listen } from '../../../testing/server.ts';
import { perFile } from '../../../testing/per-file.ts';

const WORKER_TEXT = `# TYPE temporal_num_pollers gauge
temporal_num_pollers{poller_type="workflow_task"} 5
# TYPE gpu_orphans_total counter
gpu_orphans_total{kind="volume"} 7
`;
/** Labels of the place of a machine. */
const WHERE = { provider: 'datacrunch', location: 'FIN-01', type: '1H100', market: 'spot' };

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
const api = perFile(startTestApi);
beforeAll(async () => {
  writeFleet(FLEET);
  const { db } = api;
  await countDocumentsSince(db, nowMs);
  await machineRows(db, nowMs);
  await healthRows(db, nowMs);
  first = await reviewRows(db, nowMs, 'one');
  await ledgerRows(db, nowMs, first);
  await noticeRows(db);
  // A server that costs nothing is never settled: it keeps no document from being counted.
  const free = { provider: 'static', priceUsdPerHour: 0, quantumSec: 0 };
  await aRental(db, { resourceId: 'own-1', ...free, billedFrom: new Date(nowMs - 86_400_000) });
  // The provider gave half a cent back; a tenant has a cap of its own in place of that of each one.
  await aLedgerEntry(db, {
    rentalId: `rental-${first.analysisId}`,
    position: 9,
    kind: 'failed',
    fromAt: new Date(nowMs - 30 * 60_000),
    shareSeconds: 0,
    amountUsd: '-0.005',
  });
  await db.fleetInstance.update({ where: { name: INSTANCE }, data: { priceUsdPerHour: 2 } });
  const lost = { instanceName: INSTANCE, toPhase: 'ready', reason: EVICTED };
  await db.instanceTransition.create({ data: { id: 'evicted', ...lost, position: 99, at: new Date(nowMs) } });
  await aReapCandidate(db, { firstSeenAt: new Date(nowMs) });
  await db.balanceSample.create({
    data: { id: 'balance', provider: 'datacrunch', amount: 25, currency: 'USD', sampledAt: new Date(nowMs) },
  });
  await db.budget.create({ data: { id: 'own', scope: 'tenant', scopeId: 'default', period: 'month', hardUsd: 5 } });
  const open = await anAnalysis(db, { deckId: first.deckId, status: 'queued', stage: null });
  await aModelCall(db, { analysisId: open.id, priority: 2 });
  announceWorkerMetrics(api.config.home, 'control', `http://127.0.0.1:${await listen(worker)}/metrics`);
});
afterAll(() => worker.close());

describe('a scrape', () => {
  it('a scrape has every gauge there is, each with a value, and what was counted by each process', async () => {
    // The counters are of the process, in which other files have counted before this one.
    const before = seriesOf(await scrapeAnew());
    await countDocuments(api.db, new Date());
    count('gpu_orphans_total', { kind: 'volume' }, 2);
    observe('gpu_provision_seconds', { ...WHERE, outcome: 'ready' }, 100);
    const text = await scrapeAnew();
    const names = namesOf(text);
    // Schedules have tests of their own: none is made here.
    const gauges = METRIC_NAMES.filter((name) => definitionOf(name).type === 'gauge' && !name.startsWith('schedule_'));
    expect(gauges.filter((name) => !names.has(name))).toEqual([]);
    expect([...names].filter((name) => !isMetricName(name))).toEqual(['temporal_num_pollers']);
    const series = seriesOf(text);
    const grown = (key: string, now = series): number => (now.get(key) ?? Number.NaN) - (before.get(key) ?? 0);
    expect(grown('gpu_orphans_total{process="api",kind="volume"}')).toBe(2);
    expect(series.get('gpu_orphans_total{process="control",kind="volume"}')).toBe(7);
    expect(series.get('temporal_num_pollers{process="control",poller_type="workflow_task"}')).toBe(5);
    const served = Object.entries({ ...WHERE, outcome: 'ready' }).map(([label, value]) => `${label}="${value}"`);
    expect(grown(`gpu_provision_seconds_sum{process="api",${served.join(',')}}`)).toBeCloseTo(100, 9);
    // The cost of the review that has ended and is settled, once.
    expect(grown('cost_per_document_usd_sum{process="api"}')).toBeCloseTo(0.04, 9);
    await countDocuments(api.db, new Date());
    expect(grown('cost_per_document_usd_count{process="api"}', seriesOf(await scrapeAnew()))).toBe(1);
  });

  it('a scrape says what is, to the cent', async () => {
    const series = seriesOf(await scrapeAnew());
    const machine = 'provider="datacrunch",location="FIN-01",type="1H100.80S.30V",market="ondemand"';
    const expected = {
      [`gpu_instances{pool="${POOL}",${machine},state="ready"}`]: 1,
      [`gpu_margin_celsius{pool="${POOL}",instance="${INSTANCE}",gpu="0"}`]: 16,
      [`health_level{pool="${POOL}",instance="${INSTANCE}",level="unhealthy"}`]: 2,
      [`budget_refusal{pool="${POOL}"}`]: 1,
      [`orphans_removed{provider="datacrunch",kind="volume",id="disk-9"}`]: 1,
      'deckhand_analyses{state="queued"}': 1,
      'deckhand_model_calls_open{gpu_class="gpu-visual",priority="2"}': 1,
      'deckhand_alerts_open{rule="of-the-test",severity="warning"}': 1,
      'deckhand_worker_up{process="control"}': 1,
    };
    for (const [key, value] of Object.entries(expected)) expect(series.get(key), key).toBeCloseTo(value, 9);
    const left = (scope: string, id: string): number =>
      series.get(`budget_remaining_usd{scope="${scope}",scope_id="${id}",period="month",cap="hard"}`) ?? Infinity;
    expect(left('installation', '*')).toBeLessThan(100);
    expect(left('tenant', 'default')).toBeLessThan(5);
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

  it('a scrape says how old the last sample of a machine is only while it is to be sampled', async () => {
    const key = `health_sample_age_seconds{pool="${POOL}",instance="${INSTANCE}"}`;
    const where = { name: INSTANCE };
    expect(seriesOf(await scrapeAnew()).get(key)).toBeGreaterThanOrEqual(60);
    await api.db.fleetInstance.update({ where, data: { phase: 'cordoned' } });
    expect(seriesOf(await scrapeAnew()).get(key)).toBe(0);
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
  it('only an operator may scrape, or any caller on this machine where the API is open', async () => {
    const { key } = await api.client.POST('/keys', { body: { name: 'reader', role: 'analyst' } });
    const other = await api.client.POST('/keys', { body: { name: 'other', role: 'operator', tenant: OTHER_TENANT } });
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

  it('a scrape contains nothing of a deck or a tenant', async () => {
    const text = await scrapeAnew();
    for (const secret of ['deck.pdf', 'deck-two', 'analysis-two']) expect(text).not.toContain(secret);
  });
});
