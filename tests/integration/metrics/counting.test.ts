/** What a process counts when it does things: each once, and nothing that was only repeated or rolled back. */
import { describe, expect } from 'vitest';
import { tellOperator } from '../../../activities/alerts/operator-told.ts';
import { recordCallFailure } from '../../../activities/models/store-result.ts';
import { finishAnalysis } from '../../../activities/decks/stages.ts';
import { recordIntent, settleIntent } from '../../../activities/fleet/instance/create-intent.ts';
import { storeBudgetMessage } from '../../../activities/costs/budget/check-create.ts';
import { storePoolDecision } from '../../../activities/fleet/pool/store.ts';
import { storeHealth } from '../../../activities/health/store-health.ts';
import { countSteps } from '../../../activities/metrics/counting.ts';
import { recordTry } from '../../../activities/webhooks/activities.ts';
import { beginAttempt } from '../../../activities/models/call-attempts.ts';
import type { OfferKey } from '../../../domain/fleet/selection/offer.ts';
import { createLogger } from '../../../platform/log.ts';
import { count, processMetricsText } from '../../../platform/process-metrics.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { itWithFreshDatabase as it } from '../../../testing/database.ts';
import { FaultyMachine } from '../../../testing/fleet/faulty-machine.ts';
import { ago, aModelCall, anAnalysis, anInstance, aPool, NOW, aHistory } from '../../../testing/make.ts';
import { seriesOf } from './exposition.ts';

const OFFER = 'datacrunch/FIN-01/1H100/spot';
const log = createLogger('test', { logLevel: 'silent' });

/** Series of the metrics of these names that grew while something was done, with what they grew by. Sums of times are left out. */
async function counted(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = seriesOf(await processMetricsText());
  await work();
  const after = [...seriesOf(await processMetricsText())].map(
    ([key, value]) => [key, value - (before.get(key) ?? 0)] as const,
  );
  return Object.fromEntries(after.filter(([key, by]) => by > 0 && !/_(bucket|sum)\{/u.test(key)));
}

it.beforeEach(async ({ db }) => {
  await aPool(db);
  await anInstance(db, { name: 'visual-1', attempts: 1, offerKey: OFFER });
});

describe('a create', () => {
  const intentOf = (id: string) =>
    ({ id, hostname: id, offer: OFFER as OfferKey, priceUsdPerHour: 1, volumeId: null }) as const;
  const stored = (db: PrismaClient, id: string) =>
    db.createIntent.create({
      data: { id, instanceName: 'visual-1', hostname: id, offerKey: OFFER, priceUsdPerHour: 1 },
    });

  it('counts once, when its answer is known or known to be missing', async ({ db }) => {
    await stored(db, 'a');
    await stored(db, 'b');
    const refused = { kind: 'refused', error: { errorClass: 'quota', message: 'no' } } as const;
    const created = { kind: 'created', providerId: 'm', adopted: false, priceUsdPerHour: null } as const;
    const series = await counted(async () => {
      await settleIntent(db, intentOf('a'), refused);
      await settleIntent(db, intentOf('b'), { kind: 'unknown', message: 'no answer' });
      await settleIntent(db, intentOf('b'), created);
    });
    expect(series).toEqual({
      [`gpu_create_attempts_total{offer="${OFFER}",class="quota"}`]: 1,
      [`gpu_create_attempts_total{offer="${OFFER}",class="unknown"}`]: 1,
    });
  });
});

it('steps of a life count boots and wakes that ended with them, and none before', async ({ db }) => {
  const path = ['creating', 'booting', 'ready', 'suspending', 'suspended', 'waking', 'booting', 'ready'];
  const steps = path.map((toPhase, position) => ({
    at: ago(1000 - 10 * position),
    fromPhase: path[position - 1] ?? null,
    toPhase,
    offerKey: OFFER,
  }));
  await aHistory(db, 'visual-1', steps);
  const where = 'provider="datacrunch",location="FIN-01",type="1H100",market="spot"';
  expect(await counted(() => countSteps(db, 'visual-1', 3))).toEqual({
    [`gpu_provision_seconds_count{${where},outcome="ready"}`]: 1,
    'wake_path_total{step="started"}': 1,
  });
});

it('an XID counts when it is new, also the same one after a reboot, and not when a look is repeated', async ({
  db,
}) => {
  const look = (minute: number, xids: readonly number[]) => {
    const atMs = NOW.getTime() + minute * 60_000;
    const measurement = new FaultyMachine({ traffic: { kind: 'idle' } }).measure(atMs);
    const gpus = (measurement.gpus ?? []).map((gpu) => ({ ...gpu, xids: [...xids] }));
    return storeHealth(db, {
      instance: 'visual-1',
      pool: 'visual',
      atMs,
      health: {
        level: 'healthy',
        failure: null,
        reason: 'fine',
        sinceMs: atMs,
        lastSampleAtMs: atMs,
        lastProbeAtMs: null,
        probeMs: null,
        baselineProbeMs: null,
        quarantinedSinceMs: null,
      },
      sample: { kind: 'measured', atMs, measurement: { ...measurement, gpus }, probeMs: null },
      changes: [],
    });
  };
  const series = await counted(async () => {
    for (const [minute, xids] of [[79], [79], [79, 94], [], [79]].entries()) await look(minute, xids);
    await look(4, [79]);
  });
  expect(series).toEqual({ 'gpu_xid_total{xid="79"}': 2, 'gpu_xid_total{xid="94"}': 1 });
});

it('a pool counts another target, and a budget that begins to hold it', async ({ db }) => {
  const decision = { pool: 'visual', wish: 3, reasons: [], demand: null, nextLookAtMs: NOW.getTime(), idleGaps: [] };
  const series = await counted(async () => {
    for (const target of [2, 2, 1]) await storePoolDecision(db, { ...decision, target });
    for (const message of ['used up', 'still used up', null, 'again']) await storeBudgetMessage(db, 'visual', message);
  });
  expect(series).toEqual({
    'pool_decisions_total{pool="visual",reason="raised"}': 1,
    'pool_decisions_total{pool="visual",reason="lowered"}': 1,
    'pool_decisions_total{pool="visual",reason="held_by_budget"}': 2,
  });
});

it('a model call counts its attempts with their loads, and its end once', async ({ db }) => {
  const { id: analysisId, deckId } = await anAnalysis(db);
  const call = await aModelCall(db, { analysisId, slideNumber: 1 });
  const attempt = async (modelName: string, loadMs: number) => {
    const place = { instance: 'visual-1', deckId, modelName, priority: 3 };
    const open = await beginAttempt({ db, log }, call, place, new AbortController().signal);
    await open.end({ kind: 'stored', loadMs, promptTokens: 1, outputTokens: 1 });
    await open.end({ kind: 'cut' });
  };
  const series = await counted(async () => {
    await attempt('eyes:1', 20);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await attempt('text:1', 900);
    for (let n = 0; n < 2; n += 1)
      await recordCallFailure(db, { callId: call.id, code: 'model_stalled', message: 'x' });
  });
  const seconds = (model: string) =>
    `deckhand_model_call_seconds_count{stage="slides",task="describe_slide",model="${model}",gpu="1H100",outcome="stored"}`;
  const slide = (model: string) => `slide_seconds_count{task="describe_slide",model="${model}",gpu="1H100"}`;
  expect(series).toEqual({
    [seconds('eyes:1')]: 1,
    [seconds('text:1')]: 1,
    [slide('eyes:1')]: 1,
    [slide('text:1')]: 1,
    'model_load_seconds_count{model="text:1",gpu="1H100"}': 1,
    'model_swaps_total{model="text:1",gpu="1H100"}': 1,
    'deckhand_model_calls_total{stage="slides",task="describe_slide",outcome="failed",cached="false"}': 1,
  });
});

it('an analysis counts once when it ends, without a wait where no call had its place', async ({ db }) => {
  const { id: analysisId, tenantId, deckId } = await anAnalysis(db);
  const input = { analysisId, tenantId, deckId, end: { kind: 'cancelled' } } as const;
  const series = await counted(async () => {
    for (let n = 0; n < 2; n += 1) await finishAnalysis(db, input);
  });
  expect(series).toEqual({ 'deckhand_analysis_seconds_count{task_type="full_review",outcome="cancelled"}': 1 });
});

it('an alert counts when it is raised, and not again while it is open', async ({ db }) => {
  const series = await counted(async () => {
    for (let n = 0; n < 2; n += 1) await tellOperator(db, { instance: 'visual-1', text: 'look here' }, NOW);
  });
  expect(series).toEqual({ 'deckhand_alerts_total{rule="operator-told",severity="warning"}': 1 });
});

describe('what a transaction counts', () => {
  /** Makes every transaction that writes this table fail when it is committed. */
  async function refuseCommits(db: PrismaClient, table: string): Promise<void> {
    await db.$executeRawUnsafe(
      `CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused at commit'; END $$`,
    );
    await db.$executeRawUnsafe(
      `CREATE CONSTRAINT TRIGGER refuse AFTER INSERT OR UPDATE ON "${table}" DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW EXECUTE FUNCTION refuse()`,
    );
  }

  const tell = (db: PrismaClient) => tellOperator(db, { instance: 'visual-1', text: 'look here' }, NOW);
  const alert = 'deckhand_alerts_total{rule="operator-told",severity="warning"}';

  const deliver = (db: PrismaClient) =>
    recordTry(db, { deliveryId: 'd', outcome: { state: 'delivered', attempt: 1, status: 200 } });
  const delivery = 'deckhand_webhook_deliveries_total{event="test",outcome="delivered"}';

  const intent = { id: 'a', hostname: 'a', offer: OFFER as OfferKey, priceUsdPerHour: 1, volumeId: null };
  const buy = (db: PrismaClient) =>
    recordIntent(
      db,
      'visual-1',
      intent,
      () => Promise.resolve(null),
      async (tx) => {
        await storeBudgetMessage(tx, 'visual', 'used up');
        return { message: 'used up' };
      },
    );
  const held = 'pool_decisions_total{pool="visual",reason="held_by_budget"}';

  it.for([
    { table: 'Alert', work: tell, series: alert },
    { table: 'WebhookDelivery', work: deliver, series: delivery },
    { table: 'FleetPool', work: buy, series: held },
  ])('counts when $table is committed, and not when it is rolled back', async ({ table, work, series }, { db }) => {
    await db.tenant.create({ data: { id: 'studio', name: 'studio' } });
    await db.webhook.create({ data: { id: 'w', tenantId: 'studio', url: 'http://127.0.0.1', secret: 's' } });
    await db.webhookDelivery.create({ data: { id: 'd', tenantId: 'studio', webhookId: 'w', event: 'test' } });
    await refuseCommits(db, table);
    expect(await counted(() => expect(work(db)).rejects.toThrow('refused at commit'))).toEqual({});
    await db.$executeRawUnsafe(`DROP TRIGGER refuse ON "${table}"`);
    expect(await counted(() => work(db))).toEqual({ [series]: 1 });
  });
});

it('nothing counts that is not more than nothing', async () => {
  const cost = { kind: 'idle', task: 'none', task_type: 'none' };
  const series = await counted(() => {
    count('cost_usd_total', cost, -1);
    count('cost_usd_total', cost, 0.25);
    return Promise.resolve();
  });
  expect(series).toEqual({ 'cost_usd_total{kind="idle",task="none",task_type="none"}': 0.25 });
});
