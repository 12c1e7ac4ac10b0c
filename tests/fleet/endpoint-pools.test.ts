/**
 * Pools whose capacity is an HTTP endpoint: a model server at a URL that asks for a key.
 */
import { expect, it } from 'vitest';
import { keyedServer } from '../../testing/keyed-server.ts';
import { perFile } from '../../testing/per-file.ts';
import { plainDeck } from '../../testing/plain-deck.ts';
import { startReaderProcess, startRig } from '../../testing/rig.ts';
import { sharedServers } from '../../testing/test-servers.ts';
import { until } from '../../testing/until.ts';

const SLOTS = 2;

const rig = perFile(async () => {
  const models = await startReaderProcess();
  const server = await keyedServer(models.host, 'secret');
  server.health = 503;
  const rented = await startRig({
    servers: sharedServers,
    environment: { DECKHAND_ENDPOINT_KEYS: 'fixed=secret' },
    fleet: {
      pools: [
        {
          name: 'fixed',
          classes: ['gpu-visual', 'gpu-text'],
          endpoint: { url: server.url, key: 'fixed', healthPath: '/health', slotsPerReplica: SLOTS },
        },
      ],
    },
  });
  return {
    ...rented,
    models,
    server,
    stop: async () => {
      await rented.stop();
      await server[Symbol.asyncDispose]();
      await models.stop();
    },
  };
});

const instance = async () => (await rig.client.fleet()).pools[0]?.instances[0];

it('an endpoint at a URL serves only once its health path says so, and then reviews a deck in its slots', async () => {
  const waiting = await until(() => instance()).is((i) => i?.serving?.message?.includes('says 503') === true);
  expect(waiting).toMatchObject({ pool: 'fixed', phase: 'booting' });
  rig.server.health = 200;
  await until(() => instance()).is((i) => i?.phase === 'ready');
  const report = await rig.review(await rig.upload(await plainDeck('Cardiana'), 'cardiana.pdf'));
  expect(report.status).toBe('completed');
  const [slide] = report.slides;
  expect(slide?.descriptionProvenance).toMatchObject({
    serverVersion: expect.stringMatching(/^0\.24\.0.* \(at http:.*, by its own word\)$/u),
  });
  const { maxOpen, callsByTask } = await rig.models.stats();
  expect(maxOpen).toBeLessThanOrEqual(SLOTS);
  expect(callsByTask['describe_slide']).toBeGreaterThan(0);
  expect(rig.server.refused).toBe(0);
});

it('a key that is refused for a while costs no call its result: the calls are tried again until it is right', async () => {
  rig.server.key = 'another';
  const review = rig.review(await rig.upload(await plainDeck('Pulmora'), 'pulmora.pdf'));
  await until(() => Promise.resolve(rig.server.refused)).is((count) => count > SLOTS);
  rig.server.key = 'secret';
  expect((await review).status).toBe('completed');
});
