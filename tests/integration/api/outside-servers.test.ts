/** Model servers outside the network, over the API and the command line: who may allow them, what is said, and what is logged. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startReader, type RunningReader } from '../../../simulators/ollama/server.ts';
import { createLogger } from '../../../platform/log.ts';
import { perFile } from '../../../testing/per-file.ts';
import { serveForTest } from '../../../testing/server.ts';
import { problem, serveInTest, startTestApi } from './support.ts';

const api = perFile(startTestApi);
/** An address of the range for documentation: no network has it. */
const OUTSIDE = 'http://203.0.113.7:11434';
const REFUSAL = '203.0.113.7 is outside your network: slides would leave it.';

let server: RunningReader;
beforeAll(async () => {
  const model = { sizeBytes: 5_000_000_000, installed: true, family: 'scripted' };
  server = await startReader({ models: [{ ...model, name: 'llava:7b', capabilities: ['completion', 'vision'] }] });
});
afterAll(() => server.stop());

const serversNow = async () => (await api.client.GET('/models/catalog')).servers;

it.each([undefined, 'ollama', 'openai'])(
  '403: a model of a server outside is not added, nor is the server asked (kind: %s)',
  async (kind) => {
    const answer = await api.json('POST', '/models/add', { model: 'far:7b', server: OUTSIDE, kind });
    expect(answer).toMatchObject({
      ...problem(403, 'data_would_leave'),
      body: { detail: REFUSAL, hint: expect.stringContaining('--data-leaves') as unknown },
    });
    expect(await serversNow()).toEqual([]);
  },
);

it('the command says the same, and ends with 3', async () => {
  expect(await api.deckhand(['models', 'add', 'far:7b', '--server', OUTSIDE])).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(
      /203\.0\.113\.7 is outside your network: slides would leave it\.[\s\S]*--data-leaves/u,
    ) as unknown,
  });
});

it('403: an analyst allows nothing', async () => {
  const analyst = await api.keyOf();
  const wish = { model: 'llava:7b', server: server.host, dataLeavesHost: true };
  expect(await api.json('POST', '/models/add', wish, analyst)).toMatchObject(problem(403, 'forbidden'));
  const put = await api.json('PUT', '/models/servers/far', { url: OUTSIDE, dataLeavesHost: true }, analyst);
  expect(put).toMatchObject(problem(403, 'forbidden'));
  expect(await serversNow()).toEqual([]);
});

it('a model of a server that may be outside is added with a sentence about it, listed with it, and it is taken back', async () => {
  const place = ['models', 'add', 'llava:7b', '--server', server.host];
  expect((await api.deckhand(place)).stdout).not.toContain('outside your network');
  expect((await api.deckhand(['models', 'list'])).stdout).not.toContain('outside your network');
  const { stdout } = await api.deckhand([...place, '--data-leaves']);
  expect(stdout).toContain(`(${server.host}) may be outside your network: pictures and texts of every slide`);
  expect(await serversNow()).toMatchObject([{ url: server.host, dataLeavesHost: true, owner: 'api' }]);
  expect((await api.deckhand(['models', 'list'])).stdout).toMatch(
    /ollama-\d+ \(http:\S+\) may be outside your network: slides leave it\. Written by /u,
  );
  // The same command without a word about it keeps what was said.
  await api.deckhand(place);
  expect(await serversNow()).toMatchObject([{ dataLeavesHost: true }]);
  await api.deckhand([...place, '--no-data-leaves']);
  expect(await serversNow()).toMatchObject([{ dataLeavesHost: false }]);
});

it('a model on a server outside that was written before is tried only where that is allowed', async () => {
  await api.json('PUT', '/models/servers/far', { url: OUTSIDE });
  await api.json('PUT', '/models/entries', { name: 'far:7b', server: 'far', seesPictures: true });
  await api.json('PUT', '/models/profiles/far', { models: { 'gpu-visual': 'far:7b', 'gpu-text': 'far:7b' } });
  for (const isLook of [true, false])
    expect(await api.post('/models/try', { profile: 'far', isLook })).toMatchObject({
      status: 200,
      body: { items: [{ model: 'far:7b', isAnswered: false, reason: REFUSAL }] },
    });
});

it('the server in use is refused outside as well', async () => {
  const config = { ...api.config, models: 'qwen3-vl', ollamaHost: OUTSIDE, dataLeavesHost: false };
  const { url } = await serveInTest({ ...api, config });
  const tried = await fetch(`${url}/api/v1/models/try`, {
    method: 'POST',
    headers: { ...api.authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ profile: 'qwen3-vl' }),
  });
  expect(await tried.json()).toMatchObject({ items: [{ isAnswered: false, reason: REFUSAL }] });
  const environment = { OLLAMA_HOST: OUTSIDE };
  expect((await api.deckhand(['doctor'], environment)).stdout).toContain(REFUSAL);
});

it('the log has who allowed it as a warning; a key that the server repeats is in neither log nor answer', async () => {
  const KEY = 'sk-sesame';
  const keyFile = path.join(api.config.home, 'echoed-key.txt');
  writeFileSync(keyFile, KEY, { mode: 0o600 });
  const lines: string[] = [];
  const log = createLogger('api-test', { logLevel: 'trace' }, { write: (line: string) => void lines.push(line) });
  const { url } = await serveInTest({ ...api, log });
  const ask = async (body: object): Promise<string> =>
    (
      await fetch(`${url}/api/v1/models/add`, {
        method: 'POST',
        headers: { ...api.authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).text();
  const said: string[] = [];
  for (const [status, kind] of [
    [400, 'ollama'],
    [401, 'openai'],
    [500, 'openai'],
  ] as const) {
    const echo = await serveForTest((incoming, answer) =>
      answer
        .writeHead(status)
        .end(JSON.stringify({ error: `you sent ${incoming.headers.authorization ?? 'nothing'}` })),
    );
    said.push(await ask({ model: 'echo:7b', server: echo, kind, keyFile }));
  }
  expect(said.join('\n')).toContain('model_');
  await ask({ model: 'llava:7b', server: server.host, dataLeavesHost: true });
  const allowed = lines.map((line) => JSON.parse(line) as { msg: string }).filter(({ msg }) => msg.includes('allowed'));
  expect(allowed).toMatchObject([
    {
      level: 40,
      msg: 'an operator added a model and allowed that slides leave the network for it',
      dataLeavesHost: true,
    },
  ]);
  expect([...said, ...lines, JSON.stringify(await api.client.GET('/models/catalog'))].join('\n')).not.toContain(KEY);
});
