/**
 * Pools whose capacity is an HTTP endpoint: a deployment that is scaled from zero and back, with its money, also when the process that scales it
 * is killed; a model server at a URL that asks for a key; and deployments that Deckhand left behind.
 */
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { Endpoints } from '../../activities/fleet/endpoint/endpoints.ts';
import { withReplicas } from '../../activities/fleet/endpoint/replica-provider.ts';
import { ledgerRound } from '../../activities/costs/ledger/activities.ts';
import { openAccounts } from '../../clouds/accounts.ts';
import type { NewDeployment } from '../../clouds/datacrunch/calls/containers.ts';
import { createMemoryRateLimit } from '../../clouds/call-rate-limit.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import { makePoolWorkflowId, RETIRE_SIGNAL } from '../../contracts/pool.ts';
import { pause } from '../../platform/pause.ts';
import { INSTALLATION_ID, QUICK_SCENARIO, quickPool, startFleetRig } from '../../testing/fleet-rig.ts';
import { keyedServer } from '../../testing/keyed-server.ts';
import { perFile } from '../../testing/per-file.ts';
import { drawPlainDeck, plainSlides } from '../../testing/plain-deck.ts';
import { startReaderProcess } from '../../testing/rig.ts';
import { sharedServers } from '../../testing/test-servers.ts';
import { until } from '../../testing/until.ts';

const BLOCK_SEC = 600;
const HOUR_SEC = 3600;
const SLIDES = 4;

const VISUAL = quickPool({
  classes: ['gpu-visual'],
  max: 3,
  timing: { drainGoalMs: 2000, downDelayMs: 500, upDelayMs: 0 },
  endpoint: {
    deployment: {
      image: 'registry.example.com/deckhand-visual:2026-11',
      compute: 'H100',
      healthPort: 11_434,
      healthPath: '/api/version',
    },
    key: 'dc',
    slotsPerReplica: 2,
  },
});

const rig = perFile(async () => {
  const models = await startReaderProcess();
  const server = await keyedServer(models.host, 'secret');
  server.health = 503;
  const endpoint = { url: server.url, key: 'fixed', healthPath: '/health', slotsPerReplica: 3 };
  const rented = await startFleetRig({
    servers: sharedServers,
    machineModels: models,
    scenario: { ...QUICK_SCENARIO, containers: { pullSec: 0.3, startSec: 0.3, drainSec: 30, retrySec: 1 } },
    pools: [VISUAL, { name: 'text', classes: ['gpu-text'], endpoint }],
    environment: { DECKHAND_ENDPOINT_KEYS: 'dc=demo-inference,fixed=secret' },
    // Rounds are asked for by a test.
    reaper: { intervalMs: 86_400_000, minAgeMs: 0, quarantineMs: 300 },
  });
  const stop = async (): Promise<void> => {
    await rented.stop();
    await server[Symbol.asyncDispose]();
  };
  return { ...rented, server, stop };
});

const calls = (call: string): number => rig.provider.calls.filter((one) => one === call).length;
const replicas = () => {
  rig.provider.core.settle();
  return rig.provider.core.allInstances().filter((instance) => instance.isReplica === true);
};
const pool = async (name: string) => (await rig.client.GET('/fleet')).pools.find((one) => one.name === name);

it('an endpoint at a URL is an instance that is ready once its health path says so', async () => {
  const instance = async () => (await pool('text'))?.instances[0];
  const waiting = await until(instance).is((i) => i?.serving?.message?.includes('says 503: loading') === true);
  expect(waiting).toMatchObject({ pool: 'text', phase: 'booting' });
  rig.server.health = 200;
  await until(instance).is((i) => i?.phase === 'ready');
});

it('a deck has replicas made from zero and is reviewed on both, although the control process is killed meanwhile', async () => {
  const slides = plainSlides('Cardiana').slice(0, SLIDES);
  const review = rig.review(await rig.upload(await drawPlainDeck(slides), 'cardiana.pdf'));
  await until(() => Promise.resolve(calls('POST /container-deployments'))).is((count) => count > 0);
  expect(await rig.kill('control')).toBe(true);
  const report = await review;
  expect(report.status).toBe('completed');
  expect(report.slides[0]?.descriptionProvenance).toMatchObject({
    serverVersion: expect.stringMatching(/ \(image registry\.example\.com\/deckhand-visual:2026-11, by name only\)$/u),
  });
  expect(rig.server.refused).toBe(0);
  expect([calls('POST /container-deployments'), calls('POST /instances')]).toEqual([1, 0]);
  const claims = await rig.db.createIntent.findMany({ where: { providerId: { not: null } } });
  expect(claims.length).toBeGreaterThan(0);
  expect(replicas().length).toBeLessThanOrEqual(claims.length);
  const rows = await rig.db.instanceTransition.findMany({ where: { priceUsdPerHour: { not: null } } });
  expect(new Set(rows.map((row) => [row.offerKey, row.priceUsdPerHour?.toNumber()].join()))).toEqual(
    new Set([`datacrunch-containers/any/1xH100/ondemand,${claims[0]?.priceUsdPerHour.toNumber()}`]),
  );
});

it('without work the replicas end, the deployment rests, and whole blocks of each replica are in the ledger', async () => {
  const living = () => replicas().filter((replica) => replica.phase !== 'gone').length;
  const visual = await until(async () => ({ ...(await pool('visual')), living: living() })).is(
    (now) =>
      now.living === 0 &&
      now.instances?.length === 0 &&
      now.reasons?.at(-1)?.startsWith('Its deployment is paused') === true,
  );
  expect(visual.target).toBe(0);
  expect(calls(`POST /container-deployments/dh-${INSTALLATION_ID}-visual/pause`)).toBe(1);
  const claims = await rig.db.createIntent.findMany();
  expect(new Set(claims.map((claim) => claim.state))).toEqual(new Set(['gone']));
  // Later, when everything is known for certain.
  const log = pino({ level: 'silent' });
  const rateLimit = createMemoryRateLimit({ now: Date.now, pause });
  const opening = { fleet: loadFleet(rig.config), config: rig.config, rateLimit, log };
  const accounts = withReplicas(openAccounts(opening), rig.db, new Endpoints(opening, 2));
  const now = () => new Date(Date.now() + BLOCK_SEC * 1000);
  await ledgerRound({ db: rig.db, accounts, installationId: INSTALLATION_ID, log, now })();
  const rentals = await rig.db.rental.findMany({ where: { provider: 'datacrunch-containers' } });
  expect(rentals.map((rental) => rental.resourceId).toSorted()).toEqual(
    claims.map((claim) => `datacrunch-containers/${claim.id}`).toSorted(),
  );
  for (const { closedAt, quantumSec, refundsUnused, settledUsd, priceUsdPerHour, billedFrom } of rentals) {
    expect({ quantumSec, refundsUnused }).toEqual({ quantumSec: BLOCK_SEC, refundsUnused: false });
    expect(closedAt).not.toBeNull();
    const blockUsd = priceUsdPerHour.toNumber() * (BLOCK_SEC / HOUR_SEC);
    expect(settledUsd.toNumber()).toBeCloseTo(billedFrom === null ? 0 : blockUsd, 6);
  }
  expect(rentals.filter((rental) => rental.billedFrom !== null).length).toBeGreaterThan(0);
});

it('a pool that is not configured any more deletes its deployment before it ends', async () => {
  const handle = rig.temporal.workflow.getHandle(makePoolWorkflowId('visual'));
  await handle.signal(RETIRE_SIGNAL);
  await handle.result();
  expect(calls(`DELETE /container-deployments/dh-${INSTALLATION_ID}-visual?timeout=0`)).toBe(1);
});

it('the reaper deletes deployments that no pool scales any more, at the second sighting, and none of others', async () => {
  const { containers } = rig.provider.client();
  // Its workflow has ended; a pool that nothing knows; an installation with a similar name; something else.
  const left = [`dh-${INSTALLATION_ID}-visual`, `dh-${INSTALLATION_ID}-removed`];
  const others = [`dh-${INSTALLATION_ID}2-visual`, 'reader'];
  for (const name of [...left, ...others]) await containers.create(oneReplica(name));
  const round = (dryRun: 'true' | 'false') => rig.client.POST('/fleet/reap', { params: { query: { dryRun } } });
  const named = (verdicts: readonly { readonly resource: { readonly kind: string; readonly name: string } }[]) =>
    verdicts.flatMap(({ resource: { kind, name } }) => (kind === 'deployment' ? [name] : [])).toSorted();
  const first = await round('false');
  expect([named(first.quarantined), named(first.reaped), first.unanswered]).toEqual([left.toSorted(), [], []]);
  const wouldGo = await until(() => round('true')).is(({ reaped }) => named(reaped).length === left.length);
  expect(wouldGo.reaped.filter(({ resource }) => resource.kind === 'deployment')).toMatchObject([
    { removed: false, reason: expect.stringContaining('pool') },
    { removed: false, reason: expect.stringContaining('pool') },
  ]);
  const last = await round('false');
  expect([named(last.reaped), last.reaped.every(({ removed }) => removed)]).toEqual([left.toSorted(), true]);
  expect((await containers.list()).map(({ name }) => name).toSorted()).toEqual(others.toSorted());
  expect(named((await round('false')).quarantined)).toEqual([]);
});

/** A deployment of one replica that Deckhand did not make. */
const oneReplica = (name: string): NewDeployment => ({
  name,
  container_registry_settings: { is_private: false, credentials: null },
  compute: { name: 'H100', size: 1 },
  containers: [{ image: 'ollama/ollama:0.24.0', exposed_port: 11_434 }],
  scaling: {
    min_replica_count: 1,
    max_replica_count: 1,
    scale_down_policy: { delay_seconds: 300 },
    scale_up_policy: { delay_seconds: 0 },
    queue_message_ttl_seconds: 120,
    concurrent_requests_per_replica: 1,
    scaling_triggers: { queue_load: { threshold: 1 } },
  },
});
