/**
 * A pool whose replicas are those of a deployment at the provider: from zero to replicas and back, with its money, also when the process that
 * scales it is killed.
 */
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { Endpoints } from '../../activities/fleet/endpoint/endpoints.ts';
import { withReplicas } from '../../activities/fleet/endpoint/replica-provider.ts';
import { ledgerRound } from '../../activities/costs/ledger/activities.ts';
import { createMemoryRateLimit } from '../../clouds/call-rate-limit.ts';
import { openAccounts } from '../../clouds/accounts.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import { INSTALLATION_ID, QUICK_SCENARIO, quickPool, startFleetRig } from '../../testing/fleet-rig.ts';
import { perFile } from '../../testing/per-file.ts';
import { plainDeck } from '../../testing/plain-deck.ts';
import { sharedServers } from '../../testing/test-servers.ts';
import { pause } from '../../platform/pause.ts';
import { until } from '../../testing/until.ts';

const BLOCK_SEC = 600;
const HOUR_SEC = 3600;

const POOL = quickPool({
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

const rig = perFile(() =>
  startFleetRig({
    servers: sharedServers,
    scenario: { ...QUICK_SCENARIO, containers: { pullSec: 0.3, startSec: 0.3, drainSec: 30, retrySec: 1 } },
    pools: [POOL],
    environment: { DECKHAND_ENDPOINT_KEYS: 'dc=demo-inference' },
    readerArgs: ['--call-seconds', '0.3'],
  }),
);

const calls = (call: string): number => rig.provider.calls.filter((one) => one === call).length;
const replicas = () => {
  rig.provider.core.settle();
  return rig.provider.core.allInstances().filter((instance) => instance.isReplica === true);
};
const living = () => replicas().filter((replica) => replica.phase !== 'gone');
const pool = async () => (await rig.client.fleet()).pools[0];
const atZero = () =>
  until(async () => ({ ...(await pool()), living: living().length })).is(
    (now) => now.target === 0 && now.instances?.length === 0 && now.living === 0,
  );

it('from zero a deck gets replicas and is reviewed on them, although the control process is killed while they are made', async () => {
  const deckId = await rig.upload(await plainDeck('Cardiana'), 'cardiana.pdf');
  const review = rig.review(deckId);
  await until(() => Promise.resolve(calls('POST /container-deployments'))).is((count) => count > 0);
  expect(await rig.kill('control')).toBe(true);
  const report = await review;
  expect(report.status).toBe('completed');
  expect(calls('POST /container-deployments')).toBe(1);
  expect(calls('POST /instances')).toBe(0);
  const claims = await rig.db.createIntent.findMany({ where: { providerId: { not: null } } });
  expect(claims.length).toBeGreaterThan(0);
  expect(replicas().length).toBeLessThanOrEqual(claims.length);
  const shown = await rig.client.instance(claims[0]?.instanceName ?? '');
  expect(shown).toMatchObject({
    provider: 'datacrunch-containers',
    offer: 'datacrunch-containers/any/1xH100/ondemand',
    priceUsdPerHour: claims[0]?.priceUsdPerHour.toNumber(),
  });
});

it('without work it is scaled in to nothing, and costs whole blocks of each replica', async () => {
  await atZero();
  expect(calls(`POST /container-deployments/dh-${INSTALLATION_ID}-visual/pause`)).toBe(1);
  const reasons = await until(async () => (await pool())?.reasons.at(-1)).is(
    (said) => said?.includes('paused') === true,
  );
  expect(reasons).toMatch(/^Its deployment is paused/u);
  const claims = await rig.db.createIntent.findMany();
  expect(new Set(claims.map((claim) => claim.state))).toEqual(new Set(['gone']));
  // Later, when everything is known for certain.
  const log = pino({ level: 'silent' });
  const opening = {
    fleet: loadFleet(rig.config),
    config: rig.config,
    rateLimit: createMemoryRateLimit({ now: Date.now, pause }),
    log,
  };
  const accounts = withReplicas(openAccounts(opening), rig.db, new Endpoints(opening, 2));
  const now = () => new Date(Date.now() + BLOCK_SEC * 1000);
  await ledgerRound({ db: rig.db, accounts, installationId: INSTALLATION_ID, log, now })();
  const rentals = await rig.db.rental.findMany({ where: { provider: 'datacrunch-containers' } });
  expect(rentals.map((rental) => rental.resourceId).toSorted()).toEqual(
    claims.map((claim) => `datacrunch-containers/${claim.id}`).toSorted(),
  );
  for (const { closedAt, quantumSec, refundsUnused, settledUsd, priceUsdPerHour, billedFrom } of rentals) {
    expect({ quantumSec, refundsUnused, isClosed: closedAt !== null }).toEqual({
      quantumSec: BLOCK_SEC,
      refundsUnused: false,
      isClosed: true,
    });
    const blockUsd = priceUsdPerHour.toNumber() * (BLOCK_SEC / HOUR_SEC);
    expect(settledUsd.toNumber()).toBeCloseTo(billedFrom === null ? 0 : blockUsd, 6);
  }
  expect(rentals.filter((rental) => rental.billedFrom !== null).length).toBe(replicas().length);
});

it('new work wakes the same deployment', async () => {
  const report = await rig.review(await rig.upload(await plainDeck('Pulmora'), 'pulmora.pdf'));
  expect(report.status).toBe('completed');
  expect(calls('POST /container-deployments')).toBe(1);
  expect(calls(`POST /container-deployments/dh-${INSTALLATION_ID}-visual/resume`)).toBe(1);
  await atZero();
});
