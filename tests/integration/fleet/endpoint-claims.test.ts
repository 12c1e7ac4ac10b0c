/**
 * Claims on the replicas of a deployment, over Postgres and the simulated provider: what an instance, the ledger and the reaper see of one.
 */
import { partOf } from '../../../clouds/parts.ts';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import pino from 'pino';
import { expect, onTestFinished } from 'vitest';
import { claimReplica, liveClaims, rankReplica } from '../../../activities/fleet/endpoint/claims.ts';
import { Endpoints } from '../../../activities/fleet/endpoint/endpoints.ts';
import { withReplicas } from '../../../activities/fleet/endpoint/replica-provider.ts';
import { createEndpointActivities } from '../../../activities/fleet/endpoint/activities.ts';
import { listOurs } from '../../../activities/fleet/reaper/listing.ts';
import type { PlanQuery } from '../../../api/client.ts';
import { openAccounts } from '../../../clouds/accounts.ts';
import { createMemoryRateLimit } from '../../../clouds/call-rate-limit.ts';
import { loadFleet } from '../../../clouds/fleet-file.ts';
import type { PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import { makeHostname } from '../../../domain/fleet/provider/names.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { loadConfig } from '../../../platform/config.ts';
import { pause } from '../../../platform/pause.ts';
import { itWithDatabase as it } from '../../../testing/database.ts';
import { anInstance } from '../../../testing/make.ts';
import { folderPerTest } from '../../../testing/per-file.ts';
import { startSimulatedProvider } from '../../../testing/simulated-provider.ts';
import { until } from '../../../testing/until.ts';
import { serveSelection } from './serve-selection.ts';

const BOOKED_AS = 'datacrunch-containers';
const log = pino({ enabled: false });
const DEPLOYMENT = { image: 'a/b:1', compute: 'H100', computeSize: 2 };
const CONTAINERS = { pullSec: 0.05, startSec: 0.05, drainSec: 0 };

/** A fleet with one endpoint pool at a simulated provider; tests share the database, so that each has a pool of its own name. */
async function fleetAt(db: PrismaClient, settings: object = {}) {
  const home = folderPerTest();
  const simulator = await startSimulatedProvider(
    { stock: [{ types: '*', count: null }], containers: CONTAINERS },
    'http://127.0.0.1:9',
  );
  onTestFinished(() => simulator.stop());
  const fleetFile = path.join(home, 'fleet.json');
  const pools = [
    { name: 'visual', classes: ['gpu-visual'], max: 3, endpoint: { deployment: DEPLOYMENT }, ...settings },
    { name: 'fixed', classes: ['gpu-text'], endpoint: { url: 'http://127.0.0.1:9' } },
    { name: 'rented', classes: ['gpu-text'] },
  ];
  writeFileSync(
    fleetFile,
    JSON.stringify({ provider: 'datacrunch', baseUrl: simulator.baseUrl, installationId: 'test1', pools }),
  );
  const config = loadConfig({ DECKHAND_HOME: home, DECKHAND_FLEET_FILE: fleetFile });
  const rateLimit = createMemoryRateLimit({ now: Date.now, pause });
  const opening = { fleet: loadFleet(config), config, rateLimit, log };
  // Seen anew each time: this test does not wait for what was seen a moment ago.
  const endpoints = new Endpoints(opening, 4, 0);
  const accounts = withReplicas(openAccounts(opening), db, endpoints);
  const pool = opening.fleet.pools[0] as PoolConfig;
  return { simulator, endpoints, pool, accounts, provider: accounts.of(BOOKED_AS), fleetFile };
}

it('instances claim replicas once, have those that run, oldest first, and give them up when the deployment is scaled in', async ({
  db,
}) => {
  const { simulator, endpoints, pool, accounts, provider } = await fleetAt(db);
  const { offers } = await rankReplica(endpoints, pool);
  const [offer] = offers;
  if (offer === undefined) throw new Error('no replica is offered');
  expect(offer).toMatchObject({ provider: BOOKED_AS, key: `${BOOKED_AS}/any/2xH100/ondemand`, gpuCount: 2 });
  const claim = async (name: string) => {
    await anInstance(db, { name, provider: BOOKED_AS, phase: 'creating' });
    const id = `${name}/1`;
    const hostname = makeHostname('test1', name, 1);
    const intent = { id, hostname, offer: offer.key, priceUsdPerHour: offer.priceUsdPerHour, volumeId: null };
    const selection = { mayLaunch: () => Promise.resolve(null) };
    return claimReplica({ db, selection, log }, { instance: name, pool, intent });
  };
  expect(await claim('visual-1')).toMatchObject({
    kind: 'created',
    providerId: `${BOOKED_AS}/visual-1/1`,
    adopted: false,
  });
  expect(await claim('visual-2')).toMatchObject({ kind: 'created' });
  const ids = [`${BOOKED_AS}/visual-1/1`, `${BOOKED_AS}/visual-2/1`] as const;
  expect(accounts.ofId(ids[0]).name).toBe(BOOKED_AS);
  expect((await provider.getInstance(ids[0]))?.status).toBe('starting');
  expect(await partOf(provider, 'bills').billOf('instance', ids[0])).toEqual({ state: 'not_begun' });

  await endpoints.scaler(pool).create(1);
  const statuses = async () => {
    simulator.core.settle();
    return Promise.all(ids.map(async (id) => (await provider.getInstance(id))?.status ?? 'gone'));
  };
  await until(statuses).is((now) => now.join() === 'running,starting');
  expect((await provider.getInstance(ids[0]))?.simulatedModelUrl).toMatch(
    /^http:\/\/127\.0\.0\.1:\d+\/dh-test1-visual$/u,
  );
  await endpoints.scaler(pool).scaleTo(2);
  await until(statuses).is((now) => now.join() === 'running,running');

  await provider.deleteInstance(ids[0], []);
  expect(await statuses()).toEqual(['deleting', 'running']);
  expect((await liveClaims(db, BOOKED_AS, 'visual')).map((one) => one.id)).toEqual(['visual-2/1']);
  await endpoints.scaler(pool).scaleTo(1);
  await until(statuses).is((now) => now.join() === 'gone,running');
  const listed = await provider.listInstances();
  expect(listed.map((one) => one.hostname)).toEqual(['dh-test1-visual-2-1']);
  expect(await partOf(provider, 'bills').billOf('instance', ids[1])).toMatchObject({ state: 'billed', untilMs: null });
  // It was never ready, and no round of the ledger saw it run.
  expect(await partOf(provider, 'bills').billOf('instance', ids[0])).toEqual({ state: 'void' });
});

it('the reaper lists deployments where a pool has one or ever had a claim, and makes no such call elsewhere', async ({
  db,
}) => {
  await db.createIntent.deleteMany();
  const deployed = await fleetAt(db);
  const plain = await fleetAt(db, { endpoint: { url: 'http://127.0.0.1:9' } });
  const listed = async ({ endpoints, provider }: typeof plain) =>
    (await listOurs({ db, fleet: endpoints.fleet, endpoints }, provider)).listed.map(({ name }) => name);
  const calls = ({ simulator }: typeof plain) => simulator.calls.filter((call) => call.includes('/container'));

  expect(await listed(plain)).toEqual([]);
  expect(calls(plain)).toEqual([]);
  await deployed.endpoints.scaler(deployed.pool).create(1);
  expect(await listed(deployed)).toEqual(['dh-test1-visual']);

  // The pool was taken out of the fleet file after its only claim had ended.
  await plain.endpoints.scaler(deployed.pool).create(1);
  expect(await listed(plain)).toEqual([]);
  await anInstance(db, { name: 'visual-8', provider: BOOKED_AS, phase: 'gone' });
  const offerKey = `${BOOKED_AS}/any/2xH100/ondemand`;
  const claim = { id: 'visual-8/1', instanceName: 'visual-8', offerKey, hostname: 'dh-test1-visual-8-1' };
  await db.createIntent.create({ data: { ...claim, priceUsdPerHour: 4, state: 'gone' } });
  expect(await listed(plain)).toEqual(['dh-test1-visual']);
});

it('a claim that no budget pays is held back and counts for nothing', async ({ db }) => {
  const { endpoints, pool } = await fleetAt(db, { name: 'unpaid' });
  await anInstance(db, { name: 'unpaid-1', pool: 'unpaid', provider: BOOKED_AS, phase: 'creating' });
  const { offers } = await rankReplica(endpoints, pool);
  const offer = offers[0]?.key;
  if (offer === undefined) throw new Error('no replica is offered');
  const intent = { id: 'unpaid-1/1', hostname: 'dh-test1-unpaid-1-1', offer, priceUsdPerHour: 4, volumeId: null };
  const selection = { mayLaunch: () => Promise.resolve(null) };
  const budget = { reserve: () => Promise.resolve({ message: 'the month is over budget', nextTryAtMs: 0 }) };
  const outcome = await claimReplica({ db, selection, budget, log }, { instance: 'unpaid-1', pool, intent });
  expect(outcome).toEqual({ kind: 'held_back', message: 'the month is over budget', overBudget: true });
  expect(await liveClaims(db, BOOKED_AS, 'unpaid')).toEqual([]);
});

it('a replica above the price cap is not offered, and one that is not sold ends the search with what to correct', async ({
  db,
}) => {
  const capped = await fleetAt(db, { maxPriceUsdPerHour: 1 });
  expect(await rankReplica(capped.endpoints, capped.pool)).toMatchObject({
    offers: [],
    error: null,
    message: expect.stringMatching(/^a replica costs \$\d+\.\d{3} an hour, the cap is \$1\.000$/u),
  });
  const unknown = await fleetAt(db, { endpoint: { deployment: { ...DEPLOYMENT, compute: 'H1000' } } });
  expect(await rankReplica(unknown.endpoints, unknown.pool)).toMatchObject({
    offers: [],
    error: { errorClass: 'config', message: expect.stringContaining('correct "compute" of pool visual') },
  });
});

it('a look counts the claims of the pool and shows the deployment without its replicas', async ({ db }) => {
  const { endpoints, pool } = await fleetAt(db, { name: 'seen' });
  const activities = createEndpointActivities(db, endpoints, log);
  const look = () =>
    new MockActivityEnvironment().run(() => activities.lookAtEndpoint({ pool })) as ReturnType<
      typeof activities.lookAtEndpoint
    >;
  expect(await look()).toEqual({ sight: null, claims: 0, error: null });
  await endpoints.scaler(pool).create(2);
  const seen = await look();
  expect(seen).toMatchObject({ sight: { desired: 2, status: 'active', isCurrent: true }, claims: 0 });
  expect(Object.keys(seen.sight ?? {})).not.toContain('replicas');
});

it('the plan of an endpoint pool is the price of a replica, and what has no plan is refused with the next step', async ({
  db,
}) => {
  const { endpoints, fleetFile } = await fleetAt(db);
  await using served = await serveSelection(db, { fleetFile, endpoints });
  const { client, deckhand } = served;
  const plan = (query: PlanQuery) => client.GET('/fleet/plan', { params: { query } });
  const { offers, selector } = await plan({ pool: 'visual' });
  expect([selector, offers]).toMatchObject([
    '2xH100',
    [{ rank: 1, provider: BOOKED_AS, instanceType: '2xH100', location: 'any', refusal: null }],
  ]);
  expect(offers[0]?.usdPerHour).toBe(await endpoints.scaler(endpoints.fleet.pools[0] as PoolConfig).priceUsdPerHour());
  const printed = await deckhand('plan', '--pool', 'visual');
  expect(printed.stdout).toMatch(/Selected: 2xH100 in any \(on demand\) at \$\d+\.\d+ an hour\.$/mu);
  expect(printed.stdout).not.toContain('graphics memory');
  const capped = await deckhand('plan', '--pool', 'visual', '--max-price', '1');
  expect([capped.code, capped.stdout]).toEqual([1, expect.stringContaining('the cap is $1.000')]);
  await expect(plan({ pool: 'visual', market: 'spot' })).rejects.toMatchObject({
    code: 'invalid_request',
    message: 'Pool visual is an endpoint and chooses no machine, so "market" means nothing for it.',
    hint: expect.stringContaining('plan --pool visual'),
  });
  await expect(plan({ pool: 'fixed' })).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('Pool fixed is the model server at http://127.0.0.1:9: nothing is bought for it'),
  });
});

it('the logs of a deployment are shown by the name of its pool, and every other name is refused with the next step', async ({
  db,
}) => {
  const { endpoints, pool, fleetFile } = await fleetAt(db);
  await using served = await serveSelection(db, { fleetFile, endpoints });
  const { client, deckhand } = served;
  const logsOf = (name: string) => client.GET('/fleet/pools/{pool}/logs', { params: { path: { pool: name } } });
  await anInstance(db, { name: 'visual-9', pool: 'visual', provider: BOOKED_AS, phase: 'ready' });
  await expect(logsOf('visual')).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('does not exist now'),
  });
  await endpoints.scaler(pool).create(1);
  const printed = await until(() => deckhand('fleet', 'logs', 'visual')).is(({ stdout }) => stdout.includes('Started'));
  expect(printed.stdout).toMatch(/^[\d-]+ [\d:]+ {2}dh-test1-visual-1 {2}\[provider\] Pulled: The image is there$/mu);
  const refusals = {
    fixed: 'whose logs Deckhand cannot read',
    rented: 'Pool rented has machines, and their logs stay on them.',
    'visual-9': 'which replica is its own cannot be told',
    nothing: 'There is no pool nothing in the fleet file.',
  };
  for (const [name, message] of Object.entries(refusals))
    await expect(logsOf(name)).rejects.toMatchObject({
      message: expect.stringContaining(message),
      hint: expect.any(String),
    });
  const wrong = await deckhand('fleet', 'logs', 'visual', '--lines', '0');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--lines 0: must be a whole number')]);
});
