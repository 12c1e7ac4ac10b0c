/** Looks at a deployment: shared by all who look, anew after a change, and few enough for the provider's limit on calls. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { Endpoints } from '../../../activities/fleet/endpoint/endpoints.ts';
import { createMemoryRateLimit } from '../../../clouds/call-rate-limit.ts';
import { loadFleet } from '../../../clouds/fleet-file.ts';
import type { PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import { loadConfig } from '../../../platform/config.ts';
import { pause } from '../../../platform/pause.ts';
import { folderPerTest } from '../../../testing/per-file.ts';
import { startSimulatedProvider } from '../../../testing/simulated-provider.ts';

const NAME = 'dh-test1-visual';

async function endpointPool() {
  const home = folderPerTest();
  const simulator = await startSimulatedProvider({ stock: [{ types: '*', count: null }] }, 'http://127.0.0.1:9');
  onTestFinished(() => simulator.stop());
  const fleetFile = path.join(home, 'fleet.json');
  const endpoint = { deployment: { image: 'a/b:1', compute: 'H100' } };
  writeFileSync(
    fleetFile,
    JSON.stringify({
      provider: 'datacrunch',
      baseUrl: simulator.baseUrl,
      installationId: 'test1',
      pools: [{ name: 'visual', classes: ['gpu-visual'], max: 20, endpoint }],
    }),
  );
  const config = loadConfig({ DECKHAND_HOME: home, DECKHAND_FLEET_FILE: fleetFile });
  const fleet = loadFleet(config);
  const rateLimit = createMemoryRateLimit({ now: Date.now, pause });
  const endpoints = new Endpoints({ fleet, config, rateLimit, log: pino({ enabled: false }) }, 4);
  const looks = () => simulator.calls.filter((call) => call === `GET /container-deployments/${NAME}/status`).length;
  return { endpoints, looks, pool: fleet.pools[0] as PoolConfig };
}

it('a pool and its instances share one look at their deployment', async () => {
  const { endpoints, looks, pool } = await endpointPool();
  await endpoints.change(pool, (scaler) => scaler.create(20));
  // More looks than the provider takes in a minute.
  for (let n = 0; n < 100; n++) {
    await endpoints.look(pool);
    await Promise.all([endpoints.see('datacrunch', 'visual'), endpoints.see('datacrunch', 'visual')]);
  }
  expect(looks()).toBe(1);
});

it('what was seen before a change is never shown after it, also when the change was refused', async () => {
  const { endpoints, pool } = await endpointPool();
  expect(await endpoints.look(pool)).toBeNull();
  await endpoints.change(pool, (scaler) => scaler.create(1));
  expect(await endpoints.look(pool)).toMatchObject({ desired: 1 });
  await endpoints.change(pool, (scaler) => scaler.scaleTo(3));
  expect(await endpoints.see('datacrunch', 'visual')).toMatchObject({ desired: 3 });
  const half = async () => {
    await endpoints.scaler(pool).scaleTo(2);
    throw new Error('its answer was lost');
  };
  await expect(endpoints.change(pool, half)).rejects.toThrow('its answer was lost');
  expect(await endpoints.look(pool)).toMatchObject({ desired: 2 });
});

it('one that is not there is looked for each time, because another process may make it', async () => {
  const { endpoints, pool } = await endpointPool();
  expect(await endpoints.see('datacrunch', 'visual')).toBeNull();
  await endpoints.scaler(pool).create(1);
  expect(await endpoints.see('datacrunch', 'visual')).toMatchObject({ desired: 1 });
});

it('one that is paused is looked at each time, because another process may resume it', async () => {
  const { endpoints, pool } = await endpointPool();
  await endpoints.change(pool, async (scaler) => {
    await scaler.create(1);
    await scaler.pause();
  });
  expect(await endpoints.look(pool)).toMatchObject({ status: 'paused' });
  await endpoints.scaler(pool).resume();
  expect(await endpoints.look(pool)).toMatchObject({ status: 'active' });
});
