/** Models: pins are forgotten by an operator's act alone; servers, models and profiles are added, changed, chosen and removed. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { ownPools, serverPools } from '../../../activities/models/catalog/places.ts';
import { forgetEnded } from '../../../activities/models/catalog/kept.ts';
import { catalogVersion } from '../../../activities/models/catalog/read.ts';
import { requiredModels } from '../../../activities/models/host/required-models.ts';
import { PRESETS } from '../../../domain/models/catalog/presets.ts';
import { startReader, type RunningReader } from '../../../simulators/ollama/server.ts';
import { serveForTest } from '../../../testing/server.ts';
import { perFile } from '../../../testing/per-file.ts';
import { OTHER_TENANT, problem, serveInTest, startTestApi } from './support.ts';

const api = perFile(startTestApi);

let server: RunningReader;
beforeAll(async () => {
  const model = { sizeBytes: 5_000_000_000, installed: true, family: 'scripted' };
  server = await startReader({
    models: [
      { ...model, name: 'llava:7b', capabilities: ['completion', 'vision'] },
      { ...model, name: 'keyed:7b', capabilities: ['completion', 'vision'] },
      { ...model, name: 'mistral:7b', capabilities: ['completion'] },
      { ...model, name: 'gemma3:12b', capabilities: ['completion', 'vision'] },
    ],
  });
});
afterAll(() => server.stop());

const add = (body: object) => api.json('POST', '/models/add', { server: server.host, ...body });
const tasksOf = (profile: string) => api.db.modelConfiguration.findMany({ where: { profile, tenantId: 'default' } });
const profileOf = async (id: string) => (await api.db.analysis.findUniqueOrThrow({ where: { id } })).modelProfile;

it('200: lists the model of every task in every preset', async () => {
  const { items } = await api.client.GET('/models');
  expect(new Set(items.map((i) => i.profile))).toEqual(new Set(PRESETS.profiles.map(({ name }) => name)));
  expect(items.find((i) => i.profile === 'ollama' && i.task === 'describe_slide')?.model).toBe('gemma3:12b');
});

it('200: forgets the pins of one profile and leaves the others alone', async () => {
  await api.db.modelConfiguration.updateMany({ data: { pinnedDigest: 'a'.repeat(64), pinnedAt: new Date() } });
  expect((await api.call('DELETE', '/models/ollama/pins')).status).toBe(200);
  const { items } = await api.client.GET('/models');
  expect(items.filter((i) => i.profile === 'ollama').every((i) => i.pinnedDigest === null)).toBe(true);
  expect(items.filter((i) => i.profile === 'reader').every((i) => i.pinnedDigest === 'a'.repeat(64))).toBe(true);
});

it('a profile that does not exist is refused with those that do', async () => {
  expect(await api.call('DELETE', '/models/gpt/pins')).toMatchObject(problem(404, 'not_found'));
  const deck = await api.deck();
  const refused = await api.post(`/decks/${deck.id}/analyses`, { models: 'qwen3-v' });
  expect(refused).toMatchObject({
    ...problem(400, 'invalid_request'),
    body: { detail: expect.stringContaining('Did you mean qwen3-vl?') as unknown },
  });
});

it('409: a profile that nothing here holds is refused before a deck waits for it', async () => {
  const deck = await api.deck();
  const refused = await api.post(`/decks/${deck.id}/analyses`, { models: 'qwen3-vl' });
  expect(refused).toMatchObject({
    ...problem(409, 'conflict'),
    body: { hint: expect.stringContaining('models add qwen3-vl') as unknown },
  });
});

it('a model of a server is added by its name alone, and an analysis that names its profile waits in queues of its own', async () => {
  const added = await add({ model: 'llava:7b' });
  expect(added).toMatchObject({ status: 200, body: { profile: 'llava-7b', server: `ollama-${server.port}` } });
  expect((await tasksOf('llava-7b')).every((row) => row.modelName === 'llava:7b' && row.pinnedDigest !== null)).toBe(
    true,
  );
  const deck = await api.deck();
  const { body } = await api.post(`/decks/${deck.id}/analyses`, { models: 'llava-7b' });
  const row = await api.db.analysis.findFirstOrThrow({ where: { deckId: deck.id } });
  expect(body).toMatchObject({ models: 'llava-7b' });
  expect(row).toMatchObject({ modelProfile: 'llava-7b', poolName: 'llava7b' });
  // Adding it again changes nothing.
  expect((await add({ model: 'llava:7b' })).status).toBe(200);
  expect((await add({ model: 'llava:7b', server: `${server.host.toUpperCase()}/` })).status).toBe(200);
  expect((await api.client.GET('/models/catalog')).servers).toHaveLength(1);
  for (const refused of [`127.0.0.1:${server.port}`, `${server.host}/?x=1`, `http://u:p@127.0.0.1:${server.port}`])
    expect(await add({ model: 'llava:7b', server: refused })).toMatchObject({
      ...problem(400, 'invalid_request'),
      body: { detail: expect.stringContaining('such as http://127.0.0.1:11434') as unknown },
    });
});

it('a model that sees no pictures needs one that does beside it', async () => {
  expect(await add({ model: 'mistral:7b' })).toMatchObject(problem(422, 'model_lacks_vision'));
  expect(await add({ model: 'mistral:7b', visual: 'llava:7b', profile: 'pair' })).toMatchObject({ status: 200 });
  const both = { model: 'mistral:7b', visual: 'llava:7b', profile: 'pair', digest: 'e'.repeat(64) };
  expect(await add(both)).toMatchObject(problem(400, 'invalid_request'));
  const rows = await tasksOf('pair');
  expect(rows.some(({ pinnedDigest }) => pinnedDigest === 'e'.repeat(64))).toBe(false);
  expect(rows.find((row) => row.task === 'describe_slide')?.modelName).toBe('llava:7b');
  expect(rows.find((row) => row.task === 'score_answer')?.modelName).toBe('mistral:7b');
});

it('409: a name that means another profile, or a model somewhere else, is not taken over', async () => {
  const other = {
    model: 'someone/llava:7b',
    server: null,
    digest: 'f'.repeat(64),
    weightsGib: 5,
    kvCacheGibPerSlot: 1,
  };
  const taken = await add({ ...other, seesPictures: true });
  expect(taken).toMatchObject({
    ...problem(409, 'conflict'),
    body: {
      detail: expect.stringContaining('profile llava-7b') as unknown,
      hint: expect.stringContaining('--profile NAME') as unknown,
    },
  });
  // The model was not left behind either.
  const { models } = await api.client.GET('/models/catalog');
  expect(models.some(({ name }) => name === other.model)).toBe(false);
  const second = await startReader({
    models: [
      { name: 'llava:7b', sizeBytes: 1, installed: true, family: 'scripted', capabilities: ['completion', 'vision'] },
    ],
  });
  onTestFinished(() => second.stop());
  for (const elsewhere of [second.host, null])
    expect(await add({ model: 'llava:7b', server: elsewhere, profile: 'moved' })).toMatchObject({
      ...problem(409, 'conflict'),
      body: {
        detail: expect.stringContaining(`on the server ollama-${server.port}`) as unknown,
        hint: expect.stringContaining('models remove llava:7b --model') as unknown,
      },
    });
  expect((await tasksOf('llava-7b')).every((row) => row.modelName === 'llava:7b')).toBe(true);
});

it('a model that is added again keeps what is not said anew, and its profile what was set of it', async () => {
  const wish = { model: 'llava:7b', profile: 'narrow' };
  await add({ ...wish, window: 8192, languages: ['de'] });
  await api.json('PUT', '/models/profiles/narrow', {
    reason: 'for letters',
    models: { 'gpu-visual': 'llava:7b', 'gpu-text': 'llava:7b' },
  });
  const { body } = await add(wish);
  expect(body).toMatchObject({ models: [{ name: 'llava:7b', window: 8192, languages: ['de'] }] });
  const { profiles } = await api.client.GET('/models/catalog');
  expect(profiles.find(({ name }) => name === 'narrow')).toMatchObject({ reason: 'for letters' });
  // Another version is another file: what the former one needs does not count.
  const digest = '1'.repeat(64);
  await api.json('PUT', '/models/entries', { ...(body as { models: object[] }).models[0], digest, weightsGib: 999 });
  const again = (await add(wish)).body as { models: { digest: string; weightsGib: number }[]; notes: string[] };
  expect(again.models[0]?.digest).not.toBe(digest);
  expect(again.models[0]?.weightsGib).not.toBe(999);
  expect(again.notes[0]).toContain('111111111111');
  expect(await add({ ...wish, window: 16_384, languages: [] })).toMatchObject({ status: 200 });
});

it('503: a model that the server does not have, with what to do', async () => {
  expect(await add({ model: 'llava:70b' })).toMatchObject({
    ...problem(503, 'model_not_ready'),
    body: { hint: 'ollama pull llava:70b' },
  });
});

it('a server that wants a key is added and tried with it, and says so without it', async () => {
  const url = await serveForTest((incoming, answer) => {
    if (incoming.headers.authorization !== 'Bearer sesame') return void answer.writeHead(401).end('{"error":"no"}');
    void text(incoming)
      .then((body) =>
        fetch(`${server.host}${incoming.url ?? ''}`, { method: incoming.method ?? 'GET', body: body || null }),
      )
      .then(async (passed) => answer.writeHead(passed.status).end(await passed.text()));
  });
  const fileOf = (name: string, key: string): string => {
    const file = path.join(api.config.home, name);
    writeFileSync(file, key, { mode: 0o600 });
    return file;
  };
  const wish = { model: 'keyed:7b', server: url, profile: 'keyed' };
  expect(await api.json('POST', '/models/add', wish)).toMatchObject({
    ...problem(503, 'model_unreachable'),
    body: {
      detail: expect.stringContaining('wants a key') as unknown,
      hint: expect.stringContaining('--key-file') as unknown,
    },
  });
  const wrong = await api.json('POST', '/models/add', { ...wish, keyFile: fileOf('wrong.txt', 'open') });
  expect(wrong).toMatchObject({ body: { detail: expect.stringContaining('refuses the key') as unknown } });
  const nowhere = path.join(api.config.home, 'nowhere.txt');
  expect(await api.json('POST', '/models/add', { ...wish, keyFile: nowhere })).toMatchObject({
    ...problem(400, 'invalid_request'),
    body: { detail: expect.stringContaining(nowhere) as unknown },
  });
  const keyFile = fileOf('key.txt', 'sesame\n');
  expect(await api.json('POST', '/models/add', { ...wish, keyFile })).toMatchObject({ status: 200 });
  expect(await api.post('/models/try', { profile: 'keyed' })).toMatchObject({
    status: 200,
    body: { items: [{ model: 'keyed:7b', url, isAnswered: true, reason: null }] },
  });
  // Paths of a command line are those of its folder, and are read somewhere else.
  const near = path.relative(process.cwd(), keyFile);
  const byCommand = ['models', 'add', 'keyed:7b', '--server', url, '--profile', 'keyed'];
  expect(await api.deckhand([...byCommand, '--key-file', near])).toMatchObject({ code: 0 });
  const { servers } = await api.client.GET('/models/catalog');
  expect(servers.find((one) => one.url === url)).toMatchObject({ keyFile });
  const described = await api.deckhand([...byCommand, '--file', 'nowhere.gguf']);
  expect(described).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(path.resolve('nowhere.gguf')) as unknown,
  });
});

it('a model for machines of a pool is added without a server, where its need and digest are said', async () => {
  const said = { digest: 'c'.repeat(64), weightsGib: 6, kvCacheGibPerSlot: 1.5, window: 8192, seesPictures: true };
  expect(await add({ model: 'quill:1', server: null, ...said })).toMatchObject({ status: 200, body: { server: null } });
  const [row] = await tasksOf('quill-1');
  expect(row).toMatchObject({ pinnedDigest: 'c'.repeat(64), numCtx: 8192, weightsGib: 6, isNeedKnown: true });
});

it('settings of a model count in the presets that use it, until the model is removed', async () => {
  const before = await tasksOf('qwen3.5');
  expect(before.some(({ isNeedKnown }) => isNeedKnown)).toBe(false);
  const said = { digest: 'd'.repeat(64), weightsGib: 6.5, kvCacheGibPerSlot: 1.25, window: 8192, seesPictures: true };
  expect(await add({ model: 'qwen3.5', server: null, ...said })).toMatchObject({ body: { profile: 'qwen3.5' } });
  for (const row of await tasksOf('qwen3.5'))
    expect(row).toMatchObject({ isNeedKnown: true, numCtx: 8192, weightsGib: 6.5, pinnedDigest: 'd'.repeat(64) });
  expect((await api.call('DELETE', '/models/catalog?kind=model&name=qwen3.5:9b')).status).toBe(200);
  const after = await tasksOf('qwen3.5');
  expect(after.map(({ isNeedKnown, numCtx }) => [isNeedKnown, numCtx])).toEqual(
    before.map(({ isNeedKnown, numCtx }) => [isNeedKnown, numCtx]),
  );
});

it('pins stay forgotten when another entry changes, also a digest that was said of the model', async () => {
  await add({ model: 'llava:7b', profile: 'pinned', digest: 'a'.repeat(64) });
  expect((await api.call('DELETE', '/models/pinned/pins')).status).toBe(200);
  // A machine pins what it holds, and an open deck goes on with the profile.
  const pinned = { pinnedDigest: 'e'.repeat(64), pinnedAt: new Date() };
  await api.db.modelConfiguration.updateMany({ where: { profile: 'pinned' }, data: pinned });
  const open = await api.analysisRow({ modelProfile: 'pinned', status: 'running' });
  const other = { digest: 'c'.repeat(64), weightsGib: 6, kvCacheGibPerSlot: 1.5, window: 8192, seesPictures: true };
  expect((await add({ model: 'quill:2', server: null, ...other })).status).toBe(200);
  expect((await tasksOf('pinned')).every(({ pinnedDigest }) => pinnedDigest === 'e'.repeat(64))).toBe(true);
  expect(await profileOf(open.id)).toBe('pinned');
  await api.db.analysis.update({ where: { id: open.id }, data: { status: 'completed' } });
});

it('409: digests that rented machines are told are not forgotten: the new one is said', async () => {
  expect(await api.call('DELETE', '/models/quill-1/pins')).toMatchObject({
    ...problem(409, 'conflict'),
    body: { hint: 'Say the new one: ./deckhand models add quill:1 --pool --digest SHA256' },
  });
  const [row] = await tasksOf('quill-1');
  expect(row?.pinnedDigest).toBe('c'.repeat(64));
});

it('a model of a preset is added alone: the preset, whose models are then in several places, is left to the servers in use', async () => {
  expect(await add({ model: 'gemma3:12b' })).toMatchObject({ status: 200, body: { profile: 'gemma3-12b' } });
  const { profiles } = await api.client.GET('/models/catalog');
  expect(profiles.find(({ name }) => name === 'gemma3-12b')).toMatchObject({
    server: `ollama-${server.port}`,
    isServed: true,
  });
  expect(profiles.find(({ name }) => name === 'ollama')).toMatchObject({ server: null, isServed: false });
  // A profile that somebody made is not torn apart.
  expect(await api.json('PUT', '/models/entries', { name: 'mistral:7b' })).toMatchObject(
    problem(400, 'invalid_request'),
  );
});

it('a refusal says what is wrong and what to do instead', async () => {
  const said = (answer: unknown) => (answer as { body: { detail: string; hint?: string } }).body;
  const nobody = await add({ model: 'llava:7b', server: 'http://127.0.0.1:9', profile: 'nobody' });
  expect(nobody).toMatchObject(problem(409, 'conflict'));
  const silent = said(await add({ model: 'silent:7b', server: 'http://127.0.0.1:9' }));
  expect(silent).toMatchObject({ detail: expect.stringContaining('http://127.0.0.1:9 cannot be reached') as unknown });
  expect(silent.hint).toContain('--server URL');
  expect(said(await add({ model: 'mistral:7b' })).hint).toContain(`--visual MODEL --server ${server.host}`);
  // A preset, and a model of the same name.
  expect(said(await add({ model: 'llava' })).hint).toContain('models add llava:latest');
  for (const ignored of [{ profile: 'mine' }, { visual: 'llava:7b' }, { ofTenant: true }])
    expect(await add({ model: 'ollama', ...ignored })).toMatchObject(problem(400, 'invalid_request'));
  expect(await api.json('PUT', '/models/default', { profile: 'qwen3-v' })).toMatchObject({
    body: { detail: expect.stringContaining('Did you mean qwen3-vl?') as unknown },
  });
  expect(said(await api.json('PUT', '/models/default', { profile: 'quill-1' })).hint).toContain('fleet file');
  expect(await api.call('GET', '/models/probes?model=llava:7x')).toMatchObject({
    ...problem(404, 'not_found'),
    body: { detail: expect.stringContaining('Did you mean llava:7b?') as unknown },
  });
  expect((await api.call('GET', '/models/probes?model=llava:7b')).status).toBe(200);
});

it('the commands refuse what they would ignore, and say what is missing before a profile can be used', async () => {
  const refused = async (code: number, words: string, ...args: string[]) =>
    expect(await api.deckhand(['models', ...args]), args.join(' ')).toMatchObject({
      code,
      stderr: expect.stringContaining(words) as unknown,
    });
  await Promise.all([
    refused(4, 'no model profile "nosuch"', '--models', 'nosuch'),
    refused(2, 'whole number of tokens', 'add', 'llava:7b', '--window', 'abc'),
    refused(2, '--server', 'add', 'llava:7b', '--pool', '--server', server.host),
    refused(2, '--server', 'remove', 'llava:7b', '--model', '--server'),
  ]);
  const need = ['--digest', 'c'.repeat(64), '--weights', '6', '--cache', '1.5', '--sees'];
  const { stdout } = await api.deckhand(['models', 'add', 'quill:2', '--pool', ...need]);
  expect(stdout).toContain('nothing holds its models yet');
  expect((await api.deckhand(['models', 'add', 'llava:7b', '--server', server.host])).stdout).toContain('is ready');
});

it('a profile is tried where it is held, and its pins stay until its server has its models', async () => {
  const pinned = (await tasksOf('llava-7b')).map(({ pinnedDigest }) => pinnedDigest);
  const closed = await serveForTest((_, answer) => answer.writeHead(404).end('{"error":"model not found"}'));
  await api.json('PUT', `/models/servers/ollama-${server.port}`, { url: closed });
  onTestFinished(
    async () => void (await api.json('PUT', `/models/servers/ollama-${server.port}`, { url: server.host })),
  );
  const looked = await api.post('/models/try', { profile: 'llava-7b', isLook: true });
  expect(looked).toMatchObject({ body: { items: [{ model: 'llava:7b', url: closed, isAnswered: false }] } });
  expect(await api.deckhand(['models', '--models', 'llava-7b', '--pin'])).toMatchObject({
    code: 5,
    stderr: expect.stringContaining(closed) as unknown,
  });
  expect((await tasksOf('llava-7b')).map(({ pinnedDigest }) => pinnedDigest)).toEqual(pinned);
  await api.json('PUT', `/models/servers/ollama-${server.port}`, { url: server.host });
  const there = await api.post('/models/try', { profile: 'llava-7b', isLook: true });
  expect(there).toMatchObject({ body: { items: [{ isAnswered: true, loadMs: 0, reason: null }] } });
  // Nothing has the models of this one; the built-in reader is not asked for them.
  expect(await api.post('/models/try', { profile: 'quill-1' })).toMatchObject(problem(409, 'conflict'));
});

it('models shows the profile that was chosen, and models show its models as JSON', async () => {
  await api.json('PUT', '/models/default', { profile: 'llava-7b' });
  const shown = JSON.parse((await api.deckhand(['models', '--json'])).stdout) as { profile: string };
  expect(shown.profile).toBe('llava-7b');
  await api.json('PUT', '/models/default', { profile: 'reader' });
  const profile: unknown = JSON.parse((await api.deckhand(['models', 'show', 'llava-7b', '--json'])).stdout);
  expect(profile).toMatchObject({ name: 'llava-7b', entries: [{ name: 'llava:7b', window: 16_384, licence: null }] });
});

it('the default of new analyses is chosen, and only among profiles that something holds', async () => {
  expect(await api.json('PUT', '/models/default', { profile: 'gemma4' })).toMatchObject(problem(409, 'conflict'));
  expect(await api.json('PUT', '/models/default', { profile: 'llava-7b' })).toMatchObject({
    status: 200,
    body: { default: 'llava-7b' },
  });
  const deck = await api.deck();
  await api.post(`/decks/${deck.id}/analyses`);
  expect(await api.db.analysis.findFirstOrThrow({ where: { deckId: deck.id } })).toMatchObject({
    modelProfile: 'llava-7b',
  });
  expect(await api.call('DELETE', '/models/catalog?kind=profile&name=llava-7b')).toMatchObject(
    problem(409, 'conflict'),
  );
  await api.json('PUT', '/models/default', { profile: 'reader' });
});

it('a profile that open decks use changes for new ones: open ones finish on what they began with', async () => {
  const open = await api.analysisRow({ modelProfile: 'pair', status: 'running' });
  const finished = await api.analysisRow({ modelProfile: 'pair', status: 'completed' });
  const changed = await api.json('PUT', '/models/profiles/pair', {
    models: { 'gpu-visual': 'llava:7b', 'gpu-text': 'llava:7b' },
  });
  expect(changed.status).toBe(200);
  expect(await profileOf(open.id)).toBe('pair@1');
  expect(await profileOf(finished.id)).toBe('pair');
  const kept = await tasksOf('pair@1');
  expect(kept.find((row) => row.task === 'score_answer')?.modelName).toBe('mistral:7b');
  expect((await tasksOf('pair')).find((row) => row.task === 'score_answer')?.modelName).toBe('llava:7b');
  const { items } = await api.client.GET('/models');
  expect(items.some(({ profile }) => profile.includes('@'))).toBe(false);
});

it('a profile is removed while decks are open: they keep it, no new one begins', async () => {
  await add({ model: 'llava:7b', profile: 'short-lived' });
  const open = await api.analysisRow({ modelProfile: 'short-lived', status: 'running' });
  expect((await api.call('DELETE', '/models/catalog?kind=profile&name=short-lived')).status).toBe(200);
  expect(await tasksOf(await profileOf(open.id))).toHaveLength((await tasksOf('reader')).length);
  const deck = await api.deck();
  expect(await api.post(`/decks/${deck.id}/analyses`, { models: 'short-lived' })).toMatchObject(
    problem(400, 'invalid_request'),
  );
});

it('the pool and the models of a removed profile stay until its last deck has ended', async () => {
  const model = 'gemma3:12b';
  await add({ model, profile: 'lasting' });
  const { pool } = await api.db.modelProfile.findUniqueOrThrow({ where: { name: 'lasting' } });
  const open = await api.analysisRow({ modelProfile: 'lasting', poolName: pool, status: 'running' });
  const before = (await serverPools(api.db, 'reader')).find(({ name }) => name === pool);
  for (const profile of ['lasting', 'gemma3-12b'])
    expect((await api.call('DELETE', `/models/catalog?kind=profile&name=${profile}`)).status).toBe(200);
  const version = await catalogVersion(api.db);
  expect((await serverPools(api.db, 'reader')).find(({ name }) => name === pool)).toEqual(before);
  expect((await ownPools(api.db, [], 'reader')).some(({ name }) => name === pool)).toBe(false);
  expect(await requiredModels(api.db, 'lasting', ['gpu-visual'])).toMatchObject([{ name: model }]);
  const removed = () => api.call('DELETE', `/models/catalog?kind=model&name=${model}`);
  expect(await removed()).toMatchObject({
    ...problem(409, 'conflict'),
    body: { detail: `The model ${model} answers an open deck.` },
  });
  // Under its name again it stays where its open decks are.
  const elsewhere = { models: { 'gpu-visual': 'qwen3-vl:8b-instruct', 'gpu-text': 'qwen3-vl:8b-instruct' } };
  expect(await api.json('PUT', '/models/profiles/lasting', elsewhere)).toMatchObject(problem(409, 'conflict'));
  await api.db.analysis.update({ where: { id: open.id }, data: { status: 'completed' } });
  await forgetEnded(api.db);
  expect(await catalogVersion(api.db)).not.toBe(version);
  expect((await serverPools(api.db, 'reader')).some(({ name }) => name === pool)).toBe(false);
  expect((await removed()).status).toBe(200);
});

it('the profile that Deckhand was started with is not removed', async () => {
  await add({ model: 'llava:7b', profile: 'started' });
  const served = await serveInTest({ ...api, config: { ...api.config, models: 'started' } });
  const refused = await fetch(`${served.url}/api/v1/models/catalog?kind=profile&name=started`, {
    method: 'DELETE',
    headers: api.authorization,
  });
  expect(await refused.json()).toMatchObject({
    code: 'conflict',
    detail: 'started is the profile that Deckhand was started with.',
  });
});

it('an entry that others use is not removed, nor a preset', async () => {
  expect(await api.call('DELETE', `/models/catalog?kind=server&name=ollama-${server.port}`)).toMatchObject(
    problem(409, 'conflict'),
  );
  expect(await api.call('DELETE', '/models/catalog?kind=model&name=llava:7b')).toMatchObject(problem(409, 'conflict'));
  expect(await api.call('DELETE', '/models/catalog?kind=profile&name=reader')).toMatchObject(problem(409, 'conflict'));
  expect(await api.json('PUT', '/models/profiles/ollama', { models: {} })).toMatchObject(problem(409, 'conflict'));
});

it('a profile of a tenant is its own: others neither see nor use it', async () => {
  expect((await add({ model: 'llava:7b', profile: 'secret', ofTenant: true })).status).toBe(200);
  expect(await api.db.modelConfiguration.count({ where: { profile: 'secret', tenantId: OTHER_TENANT } })).toBe(0);
  const foreign = await api.keyOf({ tenant: OTHER_TENANT, role: 'operator' });
  const seen = await fetch(`${api.url}/api/v1/models/catalog`, { headers: foreign });
  expect(JSON.stringify(await seen.json())).not.toContain('secret');
  // Nor do they change it, or read its name in a refusal.
  for (const [method, path, body] of [
    ['DELETE', '/models/catalog?kind=profile&name=secret', undefined],
    ['DELETE', '/models/catalog?kind=profile&name=none-such', undefined],
    ['DELETE', '/models/secret/pins', undefined],
    ['POST', '/models/try', { profile: 'none-such' }],
    ['PUT', '/models/default', { profile: 'secret' }],
  ] as const) {
    const refused = await api.json(method, path, body, foreign);
    expect(refused).toMatchObject(problem(404, 'not_found'));
    expect((refused.body as { hint?: string }).hint).not.toContain('secret');
  }
  const used = await api.call('DELETE', '/models/catalog?kind=model&name=llava:7b', { headers: foreign });
  expect(used).toMatchObject(problem(409, 'conflict'));
  expect((used.body as { detail: string }).detail).toMatch(/a profile of another tenant/u);
  expect((used.body as { detail: string }).detail).not.toContain('secret');
  expect((await tasksOf('secret')).every(({ pinnedDigest }) => pinnedDigest !== null)).toBe(true);
  // Nor is it chosen for them.
  expect(await api.json('PUT', '/models/default', { profile: 'secret' })).toMatchObject(problem(409, 'conflict'));
});

it('403: an analyst reads the catalogue and changes nothing', async () => {
  const analyst = await api.keyOf();
  expect((await api.call('GET', '/models/catalog', { headers: analyst })).status).toBe(200);
  expect(await api.json('POST', '/models/add', { model: 'llava:7b' }, analyst)).toMatchObject(
    problem(403, 'forbidden'),
  );
});
