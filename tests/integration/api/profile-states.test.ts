/** The state of a profile in the catalogue, by what the gateways say of its servers. */
import { beforeAll, expect, it } from 'vitest';
import { applyModelsFile } from '../../../activities/models/catalog/models-file.ts';
import { catalogSchema } from '../../../domain/models/catalog/catalog.ts';
import { SERVING_BELIEVED_MS } from '../../../domain/fleet/pool/serving.ts';
import { anInstance, aPool, aServing } from '../../../testing/make.ts';
import { perFile } from '../../../testing/per-file.ts';
import { startTestApi } from './support.ts';

const api = perFile(startTestApi);
beforeAll(async () => {
  const models = ['eyes:1', 'other:1'].map((name) => ({ name, server: 'box', seesPictures: true }));
  const profiles = ['eyes', 'other'].map((name) => {
    const model = `${name}:1`;
    return { name, models: { 'gpu-visual': model, 'gpu-text': model } };
  });
  const file = catalogSchema.parse({ servers: [{ name: 'box', url: 'http://box:1' }], models, profiles });
  await applyModelsFile(api.db, file, new Date());
  for (const [name, ownQueues] of [
    ['eyes', true],
    ['static', false],
  ] as const)
    await aPool(api.db, { name, provider: 'static', ownQueues, nextLookAt: new Date() });
});

const stateOf = async (profile: string) =>
  (await api.client.GET('/models/catalog')).profiles.find(({ name }) => name === profile)?.state;

/** A gateway says this of the one server of a pool. */
async function said(pool: string, state: string, message: string | null = null, seenAt = new Date()): Promise<void> {
  await api.db.instanceServing.deleteMany();
  await api.db.fleetInstance.deleteMany();
  const name = `${pool}-0`;
  await anInstance(api.db, { name, pool, provider: 'static', phase: 'booting', phaseSince: new Date() });
  await aServing(api.db, { instanceName: name, state, message, seenAt });
}

it('a profile is being checked until a gateway has said something of its server, and while it proves its models', async () => {
  expect(await stateOf('eyes')).toBe('being checked');
  await said('eyes', 'connecting');
  expect(await stateOf('eyes')).toBe('being checked');
  await said('eyes', 'proving', 'trying eyes:1');
  expect(await stateOf('eyes')).toBe('being checked');
});

it('a profile is ready while its own server serves, and others are not for that', async () => {
  await said('eyes', 'serving');
  expect(await stateOf('eyes')).toBe('ready');
  expect(await stateOf('other')).toBe('being checked');
  await said('eyes', 'serving', null, new Date(Date.now() - SERVING_BELIEVED_MS));
  expect(await stateOf('eyes')).toBe('being checked');
});

it('a server that failed its check does not answer', async () => {
  await said('eyes', 'connecting', 'connection refused');
  expect(await stateOf('eyes')).toBe('does not answer');
});

it('the profile of the installation has the state of the pools without queues of their own; machines wake for work', async () => {
  await said('static', 'connecting', 'connection refused');
  expect(await stateOf(api.config.models)).toBe('does not answer');
  await aPool(api.db, { name: 'rented', provider: 'datacrunch', nextLookAt: new Date() });
  expect(await stateOf(api.config.models)).toBe('ready');
});

it('a profile that nothing holds has no state', async () => {
  expect(await stateOf('gemma4')).toBeNull();
});
