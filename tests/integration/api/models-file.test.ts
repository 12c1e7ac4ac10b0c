/** The models file in the catalogue: its entries are its own, and those that leave it are removed or become the API's. */
import { expect, it } from 'vitest';
import { applyModelsFile } from '../../../activities/models/catalog/models-file.ts';
import { catalogSchema } from '../../../domain/models/catalog/catalog.ts';
import { perFile } from '../../../testing/per-file.ts';
import { problem, startTestApi } from './support.ts';

const api = perFile(startTestApi);

it('the models file owns its entries: the API refuses to change them, and what leaves the file is removed', async () => {
  const file = catalogSchema.parse({
    servers: [{ name: 'box', url: 'http://box:1' }],
    models: [{ name: 'filed:1', server: 'box', seesPictures: true, digest: 'f'.repeat(64) }],
    profiles: [{ name: 'filed', models: { 'gpu-visual': 'filed:1', 'gpu-text': 'filed:1' } }],
  });
  await applyModelsFile(api.db, file, new Date());
  const first = await api.db.modelProfile.findUniqueOrThrow({ where: { name: 'filed' } });
  await applyModelsFile(api.db, file, new Date());
  expect(await api.db.modelProfile.findUniqueOrThrow({ where: { name: 'filed' } })).toEqual(first);
  for (const refused of [
    await api.json('PUT', '/models/profiles/filed', { models: { 'gpu-visual': 'filed:1', 'gpu-text': 'filed:1' } }),
    await api.json('PUT', '/models/servers/box', { url: 'http://other:1' }),
    await api.call('DELETE', '/models/catalog?kind=profile&name=filed'),
    await api.call('DELETE', '/models/filed/pins'),
  ])
    expect(refused).toMatchObject({
      ...problem(409, 'conflict'),
      body: { detail: expect.stringMatching(/models file|models\.json/u) as unknown },
    });
  await applyModelsFile(api.db, catalogSchema.parse({}), new Date());
  const { profiles, servers } = await api.client.GET('/models/catalog');
  expect([...profiles, ...servers].some(({ owner }) => owner === 'file')).toBe(false);
});

it('entries that leave the models file while others use them are the API’s then, and can be removed', async () => {
  const file = catalogSchema.parse({
    servers: [{ name: 'house', url: 'http://house:1' }],
    models: [{ name: 'shared:1', server: 'house', seesPictures: true }],
  });
  const { written } = await applyModelsFile(api.db, file, new Date());
  expect(written).toEqual(['server house', 'model shared:1']);
  const models = { 'gpu-visual': 'shared:1', 'gpu-text': 'shared:1' };
  expect((await api.json('PUT', '/models/profiles/user', { models })).status).toBe(200);
  const { left, handedOver } = await applyModelsFile(api.db, catalogSchema.parse({}), new Date());
  expect(left).toEqual(['model shared:1', 'server house']);
  expect(handedOver).toEqual([
    'The model shared:1 is used by profile user.',
    'The server house is used by model shared:1.',
  ]);
  const { profiles, servers } = await api.client.GET('/models/catalog');
  expect(profiles.find(({ name }) => name === 'user')).toMatchObject({ server: 'house', isServed: true });
  expect(servers.find(({ name }) => name === 'house')).toMatchObject({ owner: 'api' });
  for (const [kind, name] of [
    ['profile', 'user'],
    ['model', 'shared:1'],
    ['server', 'house'],
  ] as const)
    expect((await api.call('DELETE', `/models/catalog?kind=${kind}&name=${name}`)).status).toBe(200);
});

it('a models file is taken as a whole: models of one profile move to another server together', async () => {
  const names = ['eyes:1', 'words:1'] as const;
  const fileOn = (server: string) =>
    catalogSchema.parse({
      servers: [{ name: server, url: server === 'box' ? 'http://box:1' : 'http://rack:1' }],
      models: names.map((name) => ({ name, server, seesPictures: name === 'eyes:1' })),
      profiles: [{ name: 'moving', models: { 'gpu-visual': 'eyes:1', 'gpu-text': 'words:1' } }],
    });
  for (const server of ['box', 'rack']) {
    await applyModelsFile(api.db, fileOn(server), new Date());
    const { profiles, servers } = await api.client.GET('/models/catalog');
    expect(profiles.find(({ name }) => name === 'moving')).toMatchObject({ server, isServed: true });
    expect(servers.filter(({ owner }) => owner === 'file').map(({ name }) => name)).toEqual([server]);
  }
  expect(await api.json('PUT', '/models/default', { profile: 'moving' })).toMatchObject({ status: 200 });
  await applyModelsFile(api.db, catalogSchema.parse({}), new Date());
  // A default that leaves the file gives way to the profile of the installation.
  expect(await api.client.GET('/models/catalog')).toMatchObject({ default: 'reader', installed: 'reader' });
});
